"""An open game as pages and the API show it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from engine.record.header import read_header
from engine.record.write import rules_json
from engine.sheet.sheet import resume
from games.models import OpenGame, SheetEntry
from league.clubs.queries.player import names_of_handles
from league.sheets.domain.history import EntryInWords, history
from league.sheets.models import TableOpenGame


class SeatShown(NamedTuple):
    """Somebody at an open game: the handle as it was written, and what they are called now."""

    handle: str
    name: str


class SheetShown(NamedTuple):
    """An open game and what its sheet has come to, by public ids."""

    open_game: str
    table: str
    number: int
    kind: str
    rules: dict[str, Any]
    seats: list[SeatShown]
    length: int
    closed: int
    state: dict[str, Any]
    over: bool
    rank: tuple[int, ...] | None
    points: tuple[int, ...] | None
    heard_at: datetime | None
    sealed: str | None


def sheet_shown(row: TableOpenGame) -> SheetShown:
    """An open game that comes with its table and its sheet; what it costs doesn't depend on how long the game is."""
    open_game = row.open_game
    sheet = open_game.sheet
    handles = list(open_game.seats.order_by("number").values_list("handle", flat=True))
    record = read_header(open_game.header, handles)
    ending = resume(record, sheet.state).ending
    names = names_of_handles(row.table.stage_round.stage.event.club_id, handles)
    sealed = getattr(sheet, "sealed", None)
    return SheetShown(
        open_game=open_game.public_id,
        table=row.table.public_id,
        number=row.number,
        kind=open_game.kind,
        rules=dict(rules_json(record)),
        seats=[SeatShown(handle, names.get(handle.lower(), handle)) for handle in handles],
        length=sheet.length,
        closed=sheet.state["closed"],
        state=sheet.state,
        over=sheet.over,
        rank=ending.rank,
        points=ending.points,
        heard_at=sheet.heard_at,
        sealed=sealed.game.public_id if sealed else None,
    )


def sheet_in_words(open_game: OpenGame, club_id: int) -> tuple[list[str], list[EntryInWords]]:
    """All that was written on the sheet of an open game, and how those who sit there are called now. Three queries."""
    handles = list(open_game.seats.order_by("number").values_list("handle", flat=True))
    names = names_of_handles(club_id, handles)
    entries = SheetEntry.objects.filter(sheet=open_game.sheet).select_related("account", "device__made_by")
    rows = history(read_header(open_game.header, handles), list(entries.order_by("number")))
    return [names.get(handle.lower(), handle) for handle in handles], rows
