"""Open games: a game as the entries of a sheet tell it, while it is played or written down."""
