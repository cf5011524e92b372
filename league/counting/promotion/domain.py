"""The players who go up or down between a season's divisions, and the refusal to close a season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from django.urls import reverse

from engine.illegal import Illegal
from engine.messages import say
from engine.scoring.divisions import DivisionLine, DivisionPlan, DivisionResult, division_moves
from league.counting.event_counting.domain import DivisionRows

MOST_NAMED: Final = 5
"""The most games that a refusal names; the desk lists them all."""


class DisputedGame(NamedTuple):
    """A game with a provisional result: its public id, its event and the table there, empty without
    one."""

    public_id: str
    event: str
    table: str


def close_refused(games: Sequence[DisputedGame]) -> Illegal:
    """Return the refusal to close a season with these provisional results; it names games and
    addresses."""
    names = [_name_of(game) for game in games[:MOST_NAMED]]
    if len(games) > MOST_NAMED:
        names.append("…")
    message = say(
        "a season can’t be closed while results are provisional; rule on these games first: "
        "{games}",
        games=", ".join(names),
    )
    return Illegal("results_provisional", message)


def _name_of(game: DisputedGame) -> str:
    address = reverse("game", args=[game.public_id])
    return f"{game.event} ({address})" if game.event else address


def division_plan(
    divisions: Sequence[DivisionRows], choices: Mapping[str, str]
) -> DivisionPlan | Illegal:
    """Return the moves of players if the season with these divisions were closed now, or the fault
    that prevents it. `choices`: for players tied at a line, by public id, the division they move
    to."""
    results = []
    for division in divisions:
        ranks = tuple((player_id, rank) for player_id, _, rank in division.players)
        results.append(DivisionResult(division.public_id, division.name, ranks))
    lines = [DivisionLine(lower.up, upper.down) for upper, lower in pairwise(divisions)]
    return division_moves(results, lines, dict(choices))
