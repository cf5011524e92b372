"""Playing a sealed game again from a round: on an open game with the same header and the rounds
before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final
from uuid import uuid4

from engine.record.record import Record
from engine.sheet.entry import TAKE_OVER, SheetEntry, stored_entry
from engine.sheet.sheet import begin
from games.domain.branch import WrittenEntry
from games.models import OpenGame, PlayAgain, Void
from games.models.play_again import SEALED_GAME
from games.queries.game import sealed_record
from games.services.open_game import Writer, entry_append, game_open

SEALED: Final = Writer(automatic=SEALED_GAME)
VOID_ROUND: Final[dict[str, Any]] = {"void": True}
"""A void round in the form of a sheet (Rulings B18, K17)."""


def play_again_open(*, void: Void, round_number: int, voids_round: bool) -> PlayAgain:
    """Open a game on which a voided one is played again from a round, in the caller's transaction.

    The sheet gets the rounds before that round. `voids_round`: it also gets that round, as void.
    None of them can be undone or amended. Raise `NotAsSealed`."""
    game = void.game
    record, _ = sealed_record(game)
    header = replace(record, rounds=(), opener=0, reason=None)
    edition = 1 + _count_open_games(game.source, game.external_id)
    open_game = game_open(record=header, source=game.source, edition=edition)
    entries = entries_taken_over(record, game.public_id, round_number, voids_round=voids_round)
    _take_over(open_game, header, entries)
    return PlayAgain.objects.create(
        open_game=open_game, void=void, round_number=round_number, voids_round=voids_round
    )


def _count_open_games(source: str, external_id: str) -> int:
    return OpenGame.objects.filter(source=source, external_id=external_id).count()


def entries_taken_over(
    record: Record, game: str, round_number: int, *, voids_round: bool
) -> Iterator[SheetEntry]:
    """Yield the first entries of a sheet on which a game is played again from a round.

    `game`: the public id of the sealed game. `voids_round`: whether the round `round_number` is
    also on the sheet, as void.
    """
    if record.opener:
        yield stored_entry("opener", {"seat": record.opener})
    for unit in record.rounds[: round_number - 1]:
        yield stored_entry("close", record.kind.round_json(unit))
    if voids_round:
        yield stored_entry("close", VOID_ROUND)
    yield stored_entry(TAKE_OVER, {"game": game})


def _take_over(open_game: OpenGame, header: Record, entries: Iterator[SheetEntry]) -> None:
    row = open_game.sheet
    sheet = begin(header)
    for entry in entries:
        fault = sheet.apply(entry)
        if fault is not None:
            raise ValueError(f"a round of a sealed game doesn't stand: {fault.message}")
        entry_append(row, sheet, WrittenEntry(uuid4(), entry, at=None), SEALED)
