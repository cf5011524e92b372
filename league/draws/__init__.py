"""Draws: the next round from the placings, its reasons; published, changed, taken back."""
