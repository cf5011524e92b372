"""The analysis of recorded games: odds, the value of each decision, luck, and a player's style."""
