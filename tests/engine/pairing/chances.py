"""Chance in property tests: a generator from a seed, which is much faster than hypothesis deciding
every throw."""

from random import Random

from hypothesis import strategies as st

chances = st.integers(0, 2**32 - 1).map(Random)
