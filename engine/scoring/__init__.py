"""From the results of games to a table: points, tallies, tie-breaks, and ranks now and before."""
