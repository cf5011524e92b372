"""Verifiable dice: the service is committed to them before a game, and anybody can check them after it."""
