"""The Django app of what happened at tables. It knows no league."""
