"""Designs: rounds written down before the first is played, without repeated meetings."""
