"""Players and divisions, as lists show them."""

from __future__ import annotations

from typing import NamedTuple


class NamedPlayer(NamedTuple):
    """A player as lists show them."""

    public_id: str
    handle: str
    name: str


class DivisionRows(NamedTuple):
    """A division with its players, best first, as (public id, name, rank); players without a game
    have the last rank."""

    public_id: str
    name: str
    up: int
    down: int
    players: tuple[tuple[str, str, int], ...]
