"""All that is false of the open games of a club: of their entries, of the tables they name, and of the games that they
became, by what the log says of these."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.record.canonical import digests
from games.domain.difference import Bookmark, Difference, Passage
from games.models import OpenGame, OpenSheet, SealedSheet
from games.queries.game import game_head
from games.queries.open_game import sheet_written
from games.queries.verification import open_game_differences
from league.clubs.models import Club
from league.log.models import LogEntry
from league.rankings.actions import GameAction
from league.sheets.domain.open_game import open_game_id
from league.sheets.models import TableOpenGame

OPEN_GAMES: Final = 100
"""Open games that are verified in one passage."""


def open_game_passage(club: Club, bookmark: Bookmark) -> Passage:
    """Verify the next open games of a club, by their ids."""
    rows = OpenGame.objects.filter(source=club.source, pk__gt=bookmark.get("open_game", 0)).order_by("pk")[:OPEN_GAMES]
    ids = {row.pk: row.public_id for row in rows}
    differences = [
        *open_game_differences(list(ids.values())),
        *_table_differences(list(ids)),
        *_sealed_differences(club, list(ids)),
    ]
    return Passage(differences, {"open_game": max(ids)} if len(ids) == OPEN_GAMES else None)


def _table_differences(open_games: Sequence[int]) -> Iterator[Difference]:
    """Open games, by row ids, that aren't at the table, or of the number there, which their own id tells."""
    rows = TableOpenGame.objects.select_related("open_game", "table").filter(open_game__in=open_games)
    for row in rows:
        expected = open_game_id(row.table.public_id, row.number, row.edition)
        if row.open_game.external_id != expected:
            yield Difference("open game", row.open_game.public_id, "table", row.open_game.external_id, expected)
    missing = OpenGame.objects.filter(pk__in=open_games, table_open_game=None)
    for public_id in missing.values_list("public_id", flat=True):
        yield Difference("open game", public_id, "row", False, True)


def _sealed_differences(club: Club, open_games: Sequence[int]) -> Iterator[Difference]:
    """Sealed sheets that aren't those of which the log tells, or whose game isn't what the sheet comes to."""
    rows = SealedSheet.objects.select_related("game", "sheet__open_game").filter(sheet__open_game__in=open_games)
    sealed = {row.sheet.open_game.public_id: row for row in rows}
    logged = _logged(club, [row.game.public_id for row in sealed.values()])
    for public_id, row in sealed.items():
        stored = {"open_game": public_id, "length": row.length, "link": bytes(row.link).hex()}
        expected = logged.get(row.game.public_id)
        if stored != expected:
            yield Difference("sealed sheet", row.game.public_id, "sheet", stored, expected)
        yield from _game_differences(public_id, row)


def _logged(club: Club, games: Sequence[str]) -> dict[str, Any]:
    entries = LogEntry.objects.filter(club=club, action=GameAction.SEALED, subject__in=games)
    return {subject: json.loads(payload).get("sheet") for subject, payload in entries.values_list("subject", "payload")}


def _game_differences(public_id: str, row: SealedSheet) -> Iterator[Difference]:
    try:
        head = digests(sheet_written(public_id).sheet.whole())[-1]
    except (OpenSheet.DoesNotExist, ValueError, KeyError):
        return  # `open_game_differences` tells that it can't be read
    if head != game_head(row.game):
        yield Difference("sealed sheet", row.game.public_id, "game", game_head(row.game).hex(), head.hex())
