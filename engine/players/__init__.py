"""Automatic players of Bluff: for practice tables, demonstrations and load. The standard library only."""
