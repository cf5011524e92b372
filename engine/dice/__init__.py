"""Verifiable dice: rolls derived from a seed, a commitment to it before the game, and the check
after it."""
