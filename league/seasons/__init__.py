"""Seasons and the list of all time: their settings, pages and lists."""
