"""All that the log tells of how events count in a season, and of its divisions."""

from __future__ import annotations

from typing import Final

from league.migrations.replay.ledger import Ledger, LedgerEntry, Noun, rows_of

COUNTING: Final = ("per", "best", "points_table")
DIVISION: Final = ("name", "up", "down")


def _counting_set(ledger: Ledger, entry: LedgerEntry) -> None:
    if entry.payload["after"] is None:
        ledger.rows("counting").pop(entry.subject, None)
    else:
        ledger.rows("counting")[entry.subject] = dict(entry.payload["after"])


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
    Noun(
        "counting",
        COUNTING,
        rows_of("league.EventCounting", "season__club", COUNTING, named=("season__public_id",)),
        {"season.counting": _counting_set},
    ),
    Noun(
        "division",
        DIVISION,
        rows_of("league.Division", "season__club", DIVISION, named=("season__public_id", "number")),
        {"season.divisions": _divisions_set},
        texts=("name",),
    ),
    Noun(
        "division player",
        ("division",),
        rows_of(
            "league.DivisionPlayer",
            "season__club",
            ("division__number",),
            named=("season__public_id", "player__public_id"),
        ),
        {},
    ),
)
