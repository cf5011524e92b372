"""All that the log tells of how events count in a season, and of its divisions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from league.counting.actions import CountingAction
from league.counting.models import Division, DivisionPlayer, EventCounting
from league.log.ledger import Ledger, LedgerEntry, Noun

COUNTING: Final = ("per", "best", "points_table")


def _countings(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = EventCounting.objects.filter(season__club=club_id)
    for public_id, *values in rows.values_list("season__public_id", *COUNTING):
        yield public_id, tuple(values)


def _counting_set(ledger: Ledger, entry: LedgerEntry) -> None:
    if entry.payload["after"] is None:
        ledger.rows("counting").pop(entry.subject, None)
    else:
        ledger.rows("counting")[entry.subject] = dict(entry.payload["after"])


def _divisions(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = Division.objects.filter(season__club=club_id)
    for season, number, *values in rows.values_list("season__public_id", "number", "name", "up", "down"):
        yield f"{season} {number}", tuple(values)


def _places(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = DivisionPlayer.objects.filter(season__club=club_id)
    for season, player, number in rows.values_list("season__public_id", "player__public_id", "division__number"):
        yield f"{season} {player}", (number,)


def _divisions_set(ledger: Ledger, entry: LedgerEntry) -> None:
    season, divisions, places = entry.subject, ledger.rows("division"), ledger.rows("division player")
    for rows in (divisions, places):
        for name in [name for name in rows if name.startswith(f"{season} ")]:
            del rows[name]
    for number, (up, down) in enumerate(entry.payload["divisions"], start=1):
        divisions[f"{season} {number}"] = {"name": entry.payload[f"division_{number}"], "up": up, "down": down}
    for player, number in entry.payload["players"].items():
        places[f"{season} {player}"] = {"division": number}


NOUNS: Final = (
    Noun("counting", COUNTING, _countings, {CountingAction.SEASON_COUNTING: _counting_set}),
    Noun(
        "division",
        ("name", "up", "down"),
        _divisions,
        {CountingAction.SEASON_DIVISIONS: _divisions_set},
        texts=("name",),
    ),
    Noun("division player", ("division",), _places, {}),
)
