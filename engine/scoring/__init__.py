"""From the results of games to a table: points, tallies, tie-breaks, shared ranks, and earlier
ranks."""
