"""Tables of any size, drawn by search."""
