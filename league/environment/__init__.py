"""Settings from the environment.

What they are (declaration.py), what their values can be (kinds.py), how one is read (variable.py),
and the check of all before anything starts (check.py)."""
