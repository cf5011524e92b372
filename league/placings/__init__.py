"""Where everybody stands: a stage’s ranking, bracket and ladder, and the final places of an event."""
