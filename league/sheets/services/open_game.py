"""Open games of tables: opened once for each game of a table, written by who may, and sealed as any other game."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.record.canonical import canonical_json
from engine.record.record import Record, read
from engine.record.write import write
from games.models import Game, OpenSheet, SealedSheet
from games.queries.open_game import sheet_entries, sheet_written
from games.services.open_game import Overtaken, Writer, game_open, sheet_seal
from league.clubs.services.player import players_of_handles
from league.events.models import Event
from league.log.services import Actor
from league.sheets.domain.open_game import open_game_id
from league.sheets.models import TableOpenGame
from league.sheets.queries.confirmation import is_confirmed
from league.stages.services.version import version_raise
from league.tables.domain.end import GameHead, game_rules, header_value, kind_of
from league.tables.domain.moment import moment_of_play
from league.tables.domain.place import number_of
from league.tables.models import Table
from league.tables.queries.table import PlayerAt, Sitting, level_at_table, sitting_at
from league.tables.services.result import NoResult, refuse_further, table_game_enter


def table_game_open(*, table: Table, opened_by_id: int | None = None) -> TableOpenGame:
    """Open the next game of a table, or give the one that is open already: two who ask at once get the same.

    Those who sit there play, or, where some share the last place that goes on, these alone. Raises `NoResult`
    (`walkover`, `table_finished`).
    """
    sitting = sitting_at(table)
    refuse_further(table, sitting)
    try:
        with transaction.atomic():
            return _open_now(table, sitting) or _opened(table, sitting, opened_by_id)
    except IntegrityError:
        row = _open_now(table, sitting)
        if row is None:
            raise
        return row


def _playing(table: Table, sitting: Sitting) -> list[PlayerAt]:
    """Those who play the table's next game, in seat order."""
    level = level_at_table(table, sitting.games)
    return [sitter for sitter in sitting.players if not level or sitter.entry in level]


def _open_now(table: Table, sitting: Sitting) -> TableOpenGame | None:
    """The open game of a table for its next number, if those who sit there now are in it, whatever they are called."""
    rows = TableOpenGame.objects.select_related("open_game__sheet").filter(table=table, number=sitting.next_number)
    row = rows.order_by("-edition").first()
    if row is None:
        return None
    handles = list(row.open_game.seats.order_by("number").values_list("handle", flat=True))
    players = players_of_handles(table.stage_round.stage.event.club_id, handles)
    return row if players == [sitter.player for sitter in _playing(table, sitting)] else None


def _opened(table: Table, sitting: Sitting, opened_by_id: int | None) -> TableOpenGame:
    number = sitting.next_number
    edition = 1 + TableOpenGame.objects.filter(table=table, number=number).count()
    record = _header(table, [sitter.handle for sitter in _playing(table, sitting)], number, edition)
    source = table.stage_round.stage.event.club.source
    open_game = game_open(record=record, source=source, opened_by_id=opened_by_id)
    version_raise(pk=table.stage_round.stage_id)  # pages of the stage lead from now on to where one watches
    return TableOpenGame.objects.create(open_game=open_game, table=table, number=number, edition=edition)


def _header(table: Table, handles: list[str], number: int, edition: int) -> Record:
    """The record of a game that hasn't begun."""
    stage = table.stage_round.stage
    season = stage.event.season
    head = GameHead(
        open_game_id(table.public_id, number, edition),
        handles,
        stage.event.slug,
        str(number_of(table)),
        moment_of_play(table, number, timezone.now()),
    )
    value = header_value(season, head, game_rules(season, with_points=True)) | {kind_of(season).units: []}
    record = read(canonical_json(value))
    if isinstance(record, Illegal):
        raise NoResult(record)
    return record


def table_sheet_seal(*, row: TableOpenGame, length: int, writer: Writer) -> Game:
    """Seal an open game as the sheet tells it: the record that a file would have given. Twice is once.

    `length`: how many entries the one who seals has seen. Raises `Overtaken` if somebody wrote meanwhile, and
    `NoResult` as `table_game_enter` does, with `not_over`, and with `not_confirmed` if the event wants another's word.
    """
    with transaction.atomic():
        folded = sheet_written(row.open_game.public_id, hold=True)
        sealed = SealedSheet.objects.select_related("game").filter(sheet=folded.row).first()
        if sealed is not None:
            return sealed.game
        if length != folded.row.length:
            raise Overtaken(folded.row.length, sheet_entries(folded.row, length))
        if not folded.sheet.over:
            raise NoResult(
                Illegal("not_over", say("the game isn't over yet: one seat is left in the end, or time is up"))
            )
        if not is_confirmed(row.table, folded.row, writer):
            raise NoResult(Illegal("not_confirmed", _unconfirmed(row.table.stage_round.stage.event)))
        details = _details(row, folded.row)
        if writer.account is None:
            details["by"] = writer.as_json()
        game = table_game_enter(
            table=row.table,
            line=write(folded.sheet.whole()).encode(),
            actor=Actor(writer.account and writer.account[0]),
            number=row.number,
            details=details,
        )
        sheet_seal(sheet=folded.row, game=game)
    return game


def _unconfirmed(event: Event) -> Message:
    """Say whose word is missing."""
    if event.confirmation == Event.Confirmer.ARBITER:
        return say("an arbiter or organiser of the event confirms this game")
    if event.confirmation == Event.Confirmer.SEAT:
        return say("somebody else than the one who wrote last confirms this game, on another phone or signed in")
    return say("players don't enter results at this event: a scorer or organiser seals this game")


def _details(row: TableOpenGame, sheet: OpenSheet) -> dict[str, Any]:
    """What the log tells of a sheet that becomes a game; where the one who seals it confirms it, who wrote it."""
    link = bytes(sheet.link).hex()
    details: dict[str, Any] = {
        "sheet": {"open_game": row.open_game.public_id, "length": sheet.length, "link": link},
    }
    event = row.table.stage_round.stage.event
    if event.confirmed_by_others:
        details["confirmation"] = {"of": event.confirmation, "writer": sheet_entries(sheet, sheet.length - 1)[0]["by"]}
    return details
