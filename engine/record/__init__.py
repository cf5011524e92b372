"""The game record: read it, check it, write it, store it, seal it."""
