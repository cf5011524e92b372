"""Everything that is false of a club, found by replaying its facts; nothing is mended."""
