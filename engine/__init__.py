"""The rules of the games as pure functions: no database, no clock, no network."""

__version__ = "0.3.0"
