"""Games that are written down, at tables or without one: who writes, what is entered, how a sheet
becomes a game."""
