"""Opening the next game of a table, and sealing open games."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from engine.record.record import Record
from engine.record.write import write
from engine.sheet.entry import ASIDES
from engine.sheet.versions import WRITTEN
from games.models import Game, OpenSheet, Void
from games.queries.open_game import sheet_entries, sheet_written
from games.queries.play_again import games_played_again
from games.services.open_game import (
    NOBODY,
    TAKEN_BACK,
    KeyEnded,
    Writer,
    game_open,
    key_hold,
    sheet_seal,
)
from games.services.play_again import play_again_open
from league.core.locks import Collided
from league.core.log.services import Actor
from league.events.event.models import Event
from league.sheets.confirmation.queries.confirmation import is_confirmed
from league.sheets.confirmation.queries.double_entry import (
    Comparison,
    comparison_of,
    is_double,
    is_of_two,
    is_own_sheet,
    may_choose,
    sealed_game,
    seated_sheets,
)
from league.sheets.confirmation.services.submission import (
    pair_hold,
    refuse_unfinished,
    sheet_submit,
)
from league.sheets.sheet.domain.open_game import open_game_id, open_record, sheet_head
from league.sheets.sheet.models import ClubOpenGame, SeasonOpenGame, TableOpenGame
from league.sheets.sheet.services.season_game import season_game_enter
from league.stages.result.domain.end import GameHead
from league.stages.result.services.play_again import played_again_enter
from league.stages.result.services.result import refuse_further, table_game_enter
from league.stages.round.domain.round import moment_of_play
from league.stages.stage.domain.table_name import number_of
from league.stages.stage.services.version import version_raise
from league.stages.table.models import Table, TableGame
from league.stages.table.queries.table import PlayerAt, Sitting, entries_tied_at, sitting_at

TRIES: Final = 3
"""How often opening a game is tried while others open the same game."""


def table_game_open(*, table: Table, opener: Writer = NOBODY) -> TableOpenGame:
    """Return the open game for a table's next game; open it if necessary. If two writers write each
    game down, each has an open game of their own. A game that is being played again comes first.

    All players of the table are seated, except in a play-off for the last place that qualifies
    (`_players_of_next_game`). Raise `Refused` (`walkover`, `table_finished`, `two_writers`), and
    `Collided` if others opened the same game at each try."""
    sitting = sitting_at(table)
    open_play_again = _game_played_again(table) if sitting.played_again else None
    if open_play_again is not None:
        return open_play_again
    refuse_further(table, sitting)
    for _ in range(TRIES):
        with suppress(IntegrityError), transaction.atomic():
            return _already_open(table, sitting, opener) or _open_next(table, sitting, opener)
    raise Collided


def _game_played_again(table: Table) -> TableOpenGame | None:
    """Return the first open game, with its sheet, on which a sealed game of the table is being
    played again; None if it was sealed a moment ago."""
    rows = table.open_games.select_related("open_game__sheet", "open_game__play_again__void__game")
    return rows.filter(open_game__play_again__in=games_played_again()).order_by("number").first()


def table_play_again_open(
    *, table_game: TableGame, void: Void, round_number: int, voids_round: bool
) -> TableOpenGame:
    """Open a game on which a voided game of a table is played again from this round on. The
    caller's transaction has locked the table. `voids_round`: the round itself is only voided, and
    play goes on with the next one. Raise `NotAsSealed`."""
    play_again = play_again_open(void=void, round_number=round_number, voids_round=voids_round)
    table = table_game.table
    number = table_game.number
    version_raise(pk=table.stage_round.stage_id)
    return TableOpenGame.objects.create(
        open_game=play_again.open_game,
        table=table,
        number=number,
        edition=1 + TableOpenGame.objects.filter(table=table, number=number).count(),
    )


def _players_of_next_game(table: Table, sitting: Sitting) -> list[PlayerAt]:
    """Return the players of a table who play its next game, in seat order.

    Usually all of them do. But if the table's games are over and several players are tied for the
    last place that qualifies for the next round, only these play a further game, which separates
    them."""
    tied_entries = entries_tied_at(table, sitting.games)
    if not tied_entries:
        return list(sitting.players)
    return [player for player in sitting.players if player.entry in tied_entries]


def _already_open(table: Table, sitting: Sitting, opener: Writer) -> TableOpenGame | None:
    """Return the newest open game of a table's next game on which the opener may write; None if
    there is none yet. Raise `Refused` if two others write the game down already."""
    players = [player.player for player in _players_of_next_game(table, sitting)]
    rows = seated_sheets(table, sitting.next_number, players)
    if is_double(table):
        opened_by_writers = [
            row for row in rows if row.open_game.opened_by_id or row.open_game.device_id
        ]
        rows = [row for row in opened_by_writers if is_own_sheet(row, opener)]
        if len(opened_by_writers) == 2 and not rows:
            raise Refused(Illegal("two_writers", say("two others write this game down already")))
    return rows[-1] if rows else None


def _open_next(table: Table, sitting: Sitting, opener: Writer) -> TableOpenGame:
    number = sitting.next_number
    edition = 1 + TableOpenGame.objects.filter(table=table, number=number).count()
    handles = [player.handle for player in _players_of_next_game(table, sitting)]
    record = _empty_record(table, handles, number, edition)
    open_game = game_open(
        record=record, source=table.stage_round.stage.event.club.source, opener=opener
    )
    # The stage's pages now link to the live page of the table.
    version_raise(pk=table.stage_round.stage_id)
    return TableOpenGame.objects.create(
        open_game=open_game, table=table, number=number, edition=edition, concealed=is_double(table)
    )


def _empty_record(table: Table, handles: list[str], number: int, edition: int) -> Record:
    stage = table.stage_round.stage
    head = GameHead(
        record_id=open_game_id(table.public_id, number, edition),
        seats=handles,
        event=stage.event.slug,
        table=str(number_of(table)),
        played_at=moment_of_play(table, number, timezone.now()),
    )
    return open_record(stage.event.season, head)


def open_game_seal(*, row: ClubOpenGame, length: int, writer: Writer) -> Game | None:
    """Seal a finished open game as its sheet has it, and return the game. Idempotent.

    If two writers write the game down, hand in the writer's sheet, and seal it if both are handed
    in and agree; else return None. An arbiter who wrote neither can seal one that differs.

    `length`: how many entries the writer has seen. Raise `KeyEnded`, `Overtaken` if somebody wrote
    meanwhile, and `Refused`: `online` for the game of an online table, `not_over`, `not_confirmed`
    if the event demands somebody else's confirmation, and whatever `table_game_enter`,
    `season_game_enter` and `sheet_submit` raise."""
    if row.open_game.sheet.version != WRITTEN:
        raise Refused(
            Illegal("online", say("the game of an online table is sealed by itself at its end"))
        )
    # Set if this is one of two sheets that have to agree; an arbiter chooses one of them instead.
    own_row = row if is_of_two(row) and not may_choose(row, writer) else None
    if own_row and not sealed_game(row):
        both_submitted = sheet_submit(row=own_row, length=length, writer=writer)
        if not both_submitted:
            return None
    with transaction.atomic():
        if own_row:
            pair_hold(own_row)
        folded = sheet_written(row.open_game.public_id, hold=True)
        if not key_hold(writer):
            raise KeyEnded
        row.open_game.sheet = folded.row
        game = sealed_game(row)
        if game is not None:
            return game
        refuse_unfinished(folded.row, length)
        comparison = comparison_of(row)
        if own_row and (comparison is None or comparison.rounds):
            return None
        if isinstance(row, TableOpenGame) and not is_confirmed(row, folded.row, writer):
            event = row.table.stage_round.stage.event
            raise Refused(Illegal("not_confirmed", _missing_confirmation(event)))
        details = _log_details(row, folded.row, comparison)
        if writer.account is None:
            details["by"] = writer.as_json()
        line = write(folded.sheet.whole()).encode()
        game = _game_enter(row, line, writer.account_id, details)
        sheet_seal(sheet=folded.row, game=game)
    return game


def _game_enter(
    row: ClubOpenGame, line: bytes, account_id: int | None, details: dict[str, Any]
) -> Game:
    """Seal the record (`line`) of a locked sheet: as a new game, or as the next revision of the
    game that is played again. `details`: further values for the log's entry."""
    actor = Actor(account_id)
    if isinstance(row, SeasonOpenGame):
        return season_game_enter(season=row.season, line=line, actor=actor, details=details)
    if not row.is_played_again:
        return table_game_enter(
            table=row.table, line=line, actor=actor, number=row.number, details=details
        )
    play_again = (
        games_played_again().select_related("void__game").filter(open_game=row.open_game).first()
    )
    if play_again is None:
        raise Refused(TAKEN_BACK)
    return played_again_enter(
        play_again=play_again, line=line, account_id=account_id, details=details
    )


def _missing_confirmation(event: Event) -> Message:
    if event.confirmation == Event.Confirmer.ARBITER:
        return say("an arbiter or organiser of the event confirms this game")
    if event.confirmation == Event.Confirmer.SEAT:
        return say(
            "a player who wrote none of this game has to confirm it, or an arbiter or organiser"
        )
    return say("players don't enter results at this event: a scorer or organiser seals this game")


def _log_details(
    row: ClubOpenGame, sheet: OpenSheet, comparison: Comparison | None
) -> dict[str, Any]:
    """Return what the log's entry on the sealing says of the sheet, of the comparison with the
    other writer's sheet, and of the confirmation."""
    details: dict[str, Any] = {"sheet": sheet_head(row.open_game.public_id, sheet)}
    if comparison is not None:
        rival_sheet = OpenSheet.objects.get(open_game__public_id=comparison.open_game)
        details["compared"] = sheet_head(comparison.open_game, rival_sheet)
        details["compared"]["differing"] = [
            differing_round.number for differing_round in comparison.rounds
        ]
    if row.confirmation != Event.Confirmer.ALONE:
        details["confirmation"] = {"of": row.confirmation, "writer": _last_writer(sheet)}
    return details


def _last_writer(sheet: OpenSheet) -> dict[str, Any]:
    entries_of_play = [entry for entry in sheet_entries(sheet) if entry["act"] not in ASIDES]
    writer: dict[str, Any] = entries_of_play[-1]["by"]
    return writer
