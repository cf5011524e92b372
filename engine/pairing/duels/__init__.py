"""Tables of two, drawn by matching."""
