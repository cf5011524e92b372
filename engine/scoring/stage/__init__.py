"""The ranking of a stage or of one of its groups: points, tie-breaks, and why every row stands
where it stands."""
