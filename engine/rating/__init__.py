"""Ratings: Plackett–Luce after every game, the same to the last digit however games are batched."""
