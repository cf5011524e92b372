"""Seasons and rankings: counting games into standings, ratings and styles, and rebuilding them."""
