"""Lügen-Kniffel in the game record: rules, turns, what came of them, and their stored form."""
