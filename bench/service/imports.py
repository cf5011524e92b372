"""Importing files: games a CPU second at each level of detail, beside the checker alone on the same
lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from io import BytesIO
from itertools import count
from time import process_time
from typing import Any, Final

from bench.service.cost import cost
from engine.record.check import check_line
from league.core.club.services import club_create
from league.core.log.services import Actor
from league.models import Season
from league.records.file.services import file_import, file_preview, record_import
from league.standings.season.services.season import season_create
from tests.factories.records import bluff_record, kniffel_record, line

LEVELS: Final = ("result", "challenge", "bids", "dice", "dealt")
GAMES: Final = 400
KNIFFEL: Final = 60
ALONE: Final = 50
numbers = count(1)


def measure() -> None:
    """Print the rows: each level of Bluff, then Lügen-Kniffel."""
    print("\nImports  (games a CPU second; × of the checker alone on the same lines)")
    head = (
        f"{'games':>6} {'check':>7} {'preview':>9} {'import':>9} {'':>6} {'with database':>14} "
        "queries"
    )
    print(f"  {'':<10} {head} {'by itself':>9} queries")
    _row("warm", _bluff("dice", 100))
    for level in LEVELS:
        _row(level, _bluff(level, GAMES))
    _row("kniffel", [kniffel_record(seed, seats=_seats(seed)) for seed in range(KNIFFEL)])


def _bluff(level: str, games: int) -> list[dict[str, Any]]:
    return [bluff_record(seed, level=level, seats=_seats(seed)) for seed in range(games)]


def _seats(seed: int) -> list[str]:
    """Four of 28 players."""
    return [f"player-{(seed * 4 + seat) % 28:02}" for seat in range(4)]


def _row(name: str, records: Sequence[dict[str, Any]]) -> None:
    """One kind of file: checked, previewed, imported, and some games of it by themselves."""
    lines = [line(record) for record in records]
    season, apart = _season(records[0]["game"]), _season(records[0]["game"])
    start = process_time()
    assert all(check_line(content).ok for content in lines)
    checked = process_time() - start
    with cost() as seen:
        file_preview(stream=BytesIO(b"".join(lines)), season=season)
    with cost() as taken:
        assert file_import(stream=BytesIO(b"".join(lines)), season=season).created == len(lines)
    with cost() as alone:
        for content in lines[:ALONE]:
            record_import(season=apart, line=content)
    games = len(lines)
    figures = (
        f"{games / checked:>7.0f} {1000 * games / seen.python:>9.0f} "
        f"{1000 * games / taken.python:>9.0f}"
        f" {1000 * checked / taken.python:>5.2f}× {1000 * games / taken.cpu:>14.0f} "
        f"{taken.queries / games:>7.2f}"
    )
    single = f"{1000 * ALONE / alone.cpu:>9.0f} {alone.queries / ALONE:>5.1f}"
    print(f"  {name:<10} {games:>6} {figures} {single}", flush=True)


def _season(kind: str) -> Season:
    """A season of a new club."""
    name = f"imports-{next(numbers)}"
    club = club_create(actor=Actor(), slug=name, name=name)
    return season_create(
        actor=Actor(),
        club=club,
        slug="season",
        name="Season",
        starts_on=date(2026, 9, 3),
        notes="rounds",
        kind=kind,
    )
