"""Rounds written down before the first is played, in which nobody meets somebody twice."""
