"""Clubs, their members and roles, players and handles, accounts and keys."""
