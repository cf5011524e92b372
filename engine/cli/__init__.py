"""The verbs of `python -m engine`, one module each."""
