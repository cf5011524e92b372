"""Divisions of a season, and who goes up or down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.illegal import Illegal
from engine.scoring.divisions import DivisionLine, DivisionPlan, DivisionResult, division_moves


class NamedPlayer(NamedTuple):
    """A player as lists show them."""

    public_id: str
    handle: str
    name: str


class DivisionRows(NamedTuple):
    """A division with its players, best first, as (public id, name, rank); who hasn't played has the last rank."""

    public_id: str
    name: str
    up: int
    down: int
    players: tuple[tuple[str, str, int], ...]


def division_plan(divisions: Sequence[DivisionRows], choices: Mapping[str, str]) -> DivisionPlan | Illegal:
    """Tell who would go up or down if the season with these divisions were closed now."""
    results = [
        DivisionResult(d.public_id, d.name, tuple((player_id, rank) for player_id, _, rank in d.players))
        for d in divisions
    ]
    lines = [DivisionLine(lower.up, upper.down) for upper, lower in pairwise(divisions)]
    return division_moves(results, lines, dict(choices))
