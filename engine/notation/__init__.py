"""The same games as text: written for reading aloud, and read as a scorer types them."""
