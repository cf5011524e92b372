"""Automatic players: for practice tables, demonstrations and load. The standard library only."""
