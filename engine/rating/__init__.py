"""Ratings: Plackett–Luce after every game, the same to the last digit in whatever portions games
arrive."""
