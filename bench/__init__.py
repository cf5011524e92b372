"""Side-by-side measurements against peers, in one interleaved run, with medians."""
