"""The ranking of a stage or of one of its groups: points, tie-breaks, and reasons for each row."""
