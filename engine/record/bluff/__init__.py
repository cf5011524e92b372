"""Bluff in the game record: rules, rounds, what came of them, and their stored form."""
