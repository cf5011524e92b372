"""Divisions of a season, and who goes up or down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.illegal import Illegal
from engine.scoring.divisions import DivisionLine, DivisionPlan, DivisionResult, division_moves
from league.counting.event_counting.domain import DivisionRows


def division_plan(divisions: Sequence[DivisionRows], choices: Mapping[str, str]) -> DivisionPlan | Illegal:
    """Tell who would go up or down if the season with these divisions were closed now."""
    results = [
        DivisionResult(d.public_id, d.name, tuple((player_id, rank) for player_id, _, rank in d.players))
        for d in divisions
    ]
    lines = [DivisionLine(lower.up, upper.down) for upper, lower in pairwise(divisions)]
    return division_moves(results, lines, dict(choices))
