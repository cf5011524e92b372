"""Rounds and tables of a stage: who sits where, what came of it, walkovers."""
