"""Lügen-Kniffel at an online table: its sheet, and its dice."""
