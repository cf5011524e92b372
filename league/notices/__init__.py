"""Notices: which entry of the log is told to whom, in which words."""
