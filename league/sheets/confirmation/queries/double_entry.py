"""Games that two write down, neither of whom sees the other's sheet before both are done."""

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
    """A round, by its number from 1, as two sheets tell it that don't agree; None on a sheet that
    has no such round."""

    number: int
    this_sheet: dict[str, Any] | None
    other_sheet: dict[str, Any] | None


class Comparison(NamedTuple):
    """The rival sheet of a game, by its open game's public id, and the rounds in which the two
    differ."""

    open_game: str
    rounds: list[DifferingRound]


def is_double(table: Table) -> bool:
    """Return True if two writers write down each game of a table."""
    return table.stage_round.stage.event.confirmation == Event.Confirmer.DOUBLE


def is_of_two(row: ClubOpenGame) -> TypeGuard[TableOpenGame]:
    """Return True if two writers write the game down, each on a sheet of their own."""
    return row.table is not None and is_double(row.table) and not row.is_played_again


def is_own_sheet(row: TableOpenGame, writer: Writer) -> bool:
    """Return True if the writer opened this game, which comes with its table. One query."""
    opener = (row.open_game.opened_by_id, row.open_game.device_id)
    return opener != (None, None) and is_same_writer(
        row.table, opener, (writer.account_id, writer.device_id)
    )


def seated_sheets(table: Table, number: int, players: Sequence[int | None]) -> list[TableOpenGame]:
    """Return the open games of a table's game `number` with these players, under any handle, in the
    order in which they were opened; without those of a key that was revoked before its sheet was
    handed in. One query, and one more for each of them, mostly one or two."""
    given_up = Q(open_game__device__revoked_at__isnull=False, submission=None, concealed=True)
    rows = table.open_games.select_related("open_game__sheet__sealed", "submission").annotate(
        handles=HANDLES
    )
    rows = rows.filter(number=number, open_game__play_again=None)
    sheets = rows.exclude(given_up).order_by("edition")
    club = table.stage_round.stage.event.club_id
    return [sheet for sheet in sheets if players_of_handles(club, sheet.handles) == players]


def rival_of(row: TableOpenGame) -> TableOpenGame | None:
    """Return the open game of the other writer, once its sheet is handed in; None before."""
    handles = list(row.open_game.seats.order_by("number").values_list("handle", flat=True))
    sheets = seated_sheets(
        row.table,
        row.number,
        players_of_handles(row.table.stage_round.stage.event.club_id, handles),
    )
    return next(
        (rival for rival in reversed(sheets) if rival != row and hasattr(rival, "submission")), None
    )


def may_give_word(row: ClubOpenGame, writer: Writer) -> bool:
    """Return True if the writer can give the word that the event wants: confirm a finished game,
    hand in its sheet, or choose one of two sheets."""
    if is_of_two(row):
        return (is_own_sheet(row, writer) and not row.concealed) or may_choose(row, writer)
    return isinstance(row, SeasonOpenGame) or is_confirmed(row, row.open_game.sheet, writer)


def may_choose(row: TableOpenGame, writer: Writer) -> bool:
    """Return True for an arbiter or organiser who wrote neither sheet, once these are revealed."""
    if row.concealed or not may_rule(row.table.stage_round.stage.event, writer):
        return False
    return not any(
        is_own_sheet(sheet, writer) for sheet in (row, rival_of(row)) if sheet is not None
    )


def comparison_of(row: ClubOpenGame) -> Comparison | None:
    """Compare an open game's sheet with the rival sheet; None without one, or while it is
    concealed."""
    rival = rival_of(row) if is_of_two(row) and not row.concealed else None
    if rival is None or rival.concealed:
        return None
    record, rival_record = (
        sheet_written(each.open_game.public_id).sheet.whole() for each in (row, rival)
    )
    numbers = differing_rounds(record, rival_record)
    rounds = [
        DifferingRound(number, _round(record, number), _round(rival_record, number))
        for number in numbers
    ]
    return Comparison(rival.open_game.public_id, rounds)


def _round(record: Record, number: int) -> dict[str, Any] | None:
    """Return the round of a number as a record tells it."""
    if number <= len(record.rounds):
        return record.kind.round_json(record.rounds[number - 1])
    return None


def sealed_game(row: ClubOpenGame) -> Game | None:
    """Return the game as which the sheet of an open game was sealed; where two wrote it down also
    by the other one's sheet."""
    sealed = getattr(row.open_game.sheet, "sealed", None)
    if sealed is not None or not is_of_two(row):
        return sealed and sealed.game
    games = Game.objects.filter(
        table_game__table=row.table, table_game__number=row.number, revision=1
    )
    return games.filter(sealed_sheet__isnull=False).first()
