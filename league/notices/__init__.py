"""Notices: who is told of an entry of the log, and in which words."""
