"""Corrections of what was entered."""
