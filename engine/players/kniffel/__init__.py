"""Automatic players of Lügen-Kniffel: what their seats may know, the players, and whole games of
them."""
