"""Automatic players of Lügen-Kniffel: the views of their seats, the players, and whole games."""
