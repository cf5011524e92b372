"""Bluff, liar's dice with a track, by the rulings B1 to B20."""
