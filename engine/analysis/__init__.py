"""All that each decision of a recorded game was worth: odds, decisions, luck, and a player's
style."""
