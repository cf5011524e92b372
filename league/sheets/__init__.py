"""Games that are written down at their tables: who writes, what they enter, and how a sheet becomes a game."""
