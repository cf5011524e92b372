"""The people who play: a player’s pages, two compared, styles, what is one’s own."""
