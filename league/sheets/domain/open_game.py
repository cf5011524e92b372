"""The names of open games."""

from __future__ import annotations


def open_game_id(table: str, number: int, edition: int) -> str:
    """The id that the record of a table's open game has."""
    return f"{table}-{number}" if edition == 1 else f"{table}-{number}.{edition}"
