"""Events: dates, entries, stages, draws and what came of the tables."""
