"""Entries: who has a place in an event, who waits, who is there, and what they wish."""
