"""Double entry: games that two writers write down, neither of whom sees the other's sheet before
both are handed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeGuard

from django.db.models import Q

from engine.record.record import Record
from engine.sheet.comparison import differing_rounds
from games.models import Game
from games.queries.open_game import HANDLES, sheet_written
from games.services.open_game import Writer
from league.core.player.queries.player import players_of_handles
from league.events.event.models import Event
from league.sheets.confirmation.queries.confirmation import is_confirmed, is_same_writer, may_rule
from league.sheets.sheet.models import ClubOpenGame, SeasonOpenGame, TableOpenGame
from league.stages.table.models import Table


class DifferingRound(NamedTuple):
    """A round that differs between two sheets: its number, from 1, and both versions as a record's
    JSON; None for a sheet that has no such round."""

    number: int
    this_sheet: dict[str, Any] | None
    other_sheet: dict[str, Any] | None


class Comparison(NamedTuple):
    """The comparison of a sheet with the rival sheet: the public id of the rival's open game, and
    the rounds that differ."""

    open_game: str
    rounds: list[DifferingRound]


def is_double(table: Table) -> bool:
    """Return True if each game of a table is written down by two writers."""
    return table.stage_round.stage.event.confirmation == Event.Confirmer.DOUBLE


def is_of_two(row: ClubOpenGame) -> TypeGuard[TableOpenGame]:
    """Return True if an open game is one of the two on which a table's game is written down."""
    return row.table is not None and is_double(row.table) and not row.is_played_again


def is_own_sheet(row: TableOpenGame, writer: Writer) -> bool:
    """Return True if the writer is the one who opened this game. Three queries at most."""
    opener = (row.open_game.opened_by_id, row.open_game.device_id)
    if opener == (None, None):
        return False
    return is_same_writer(row.table, opener, (writer.account_id, writer.device_id))


def seated_sheets(table: Table, number: int, players: Sequence[int | None]) -> list[TableOpenGame]:
    """Return the open games of a table's game with this number and these players, in the order in
    which they were opened. One query, and one more for each game, of which there are few.

    `players`: row ids in seat order; the handles may have changed. Concealed games whose key was
    revoked before the sheet was handed in are left out."""
    is_given_up = Q(open_game__device__revoked_at__isnull=False, submission=None, concealed=True)
    rows = table.open_games.select_related("open_game__sheet__sealed", "submission").annotate(
        handles=HANDLES
    )
    rows = rows.filter(number=number, open_game__play_again=None)
    rows = rows.exclude(is_given_up).order_by("edition")
    club_id = table.stage_round.stage.event.club_id
    return [row for row in rows if players_of_handles(club_id, row.handles) == players]


def rival_of(row: TableOpenGame) -> TableOpenGame | None:
    """Return the other writer's open game of the same game, once its sheet is handed in; None
    before."""
    handles = list(row.open_game.seats.order_by("number").values_list("handle", flat=True))
    players = players_of_handles(row.table.stage_round.stage.event.club_id, handles)
    for other in reversed(seated_sheets(row.table, row.number, players)):
        if other != row and hasattr(other, "submission"):
            return other
    return None


def may_give_word(row: ClubOpenGame, writer: Writer) -> bool:
    """Return True if the writer can seal a finished game, so that the event's demands for a
    confirmation are met; of two sheets, if the writer can hand this one in again or choose it."""
    if is_of_two(row):
        return (is_own_sheet(row, writer) and not row.concealed) or may_choose(row, writer)
    return isinstance(row, SeasonOpenGame) or is_confirmed(row, row.open_game.sheet, writer)


def may_choose(row: TableOpenGame, writer: Writer) -> bool:
    """Return True if the writer can choose this sheet of two: an arbiter or organiser who wrote
    neither of them, once both are handed in."""
    if row.concealed or not may_rule(row.table.stage_round.stage.event, writer):
        return False
    return not any(
        is_own_sheet(sheet, writer) for sheet in (row, rival_of(row)) if sheet is not None
    )


def comparison_of(row: ClubOpenGame) -> Comparison | None:
    """Return the comparison of an open game's sheet with the rival sheet; None if there is none, or
    while one of them is concealed."""
    rival = rival_of(row) if is_of_two(row) and not row.concealed else None
    if rival is None or rival.concealed:
        return None
    record = sheet_written(row.open_game.public_id).sheet.whole()
    rival_record = sheet_written(rival.open_game.public_id).sheet.whole()
    numbers = differing_rounds(record, rival_record)
    rounds = [
        DifferingRound(number, _round_json(record, number), _round_json(rival_record, number))
        for number in numbers
    ]
    return Comparison(rival.open_game.public_id, rounds)


def _round_json(record: Record, number: int) -> dict[str, Any] | None:
    if number <= len(record.rounds):
        return record.kind.round_json(record.rounds[number - 1])
    return None


def sealed_game(row: ClubOpenGame) -> Game | None:
    """Return the game as which an open game was sealed, None before. If two writers wrote it down,
    it may have been sealed from the other one's sheet."""
    sealed = getattr(row.open_game.sheet, "sealed", None)
    if sealed is not None or not is_of_two(row):
        return sealed and sealed.game
    games = Game.objects.filter(
        table_game__table=row.table, table_game__number=row.number, revision=1
    )
    return games.filter(sealed_sheet__isnull=False).first()
