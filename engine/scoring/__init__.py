"""From the results of games to a table: outcomes, tallies, tie-breaks, shared ranks."""
