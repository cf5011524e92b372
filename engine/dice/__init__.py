"""Verifiable dice: rolls drawn from a seed, a commitment to it made before the game, and the check
after it."""
