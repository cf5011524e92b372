"""Counted games of online tables: in a season, or at an event's table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.record import Record
from engine.record.write import write
from games.models import Game, OpenGame, OpenSheet
from games.services.online_game import DEALER
from league.core.account.models import User
from league.core.club.models import Club
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.player.queries.player import player_of_account
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.sheets.sheet.domain.open_game import (
    open_game_id,
    open_record,
    season_game_id,
    sheet_head,
)
from league.sheets.sheet.models import SeasonOpenGame, TableOpenGame
from league.sheets.sheet.services.season_game import season_game_enter
from league.stages.result.domain.end import GameHead
from league.stages.result.services.result import table_game_enter
from league.stages.round.domain.round import moment_of_play
from league.stages.stage.domain.table_name import number_of
from league.stages.stage.services.version import version_raise


def player_with_account(club: Club, user: User | None) -> Player:
    """Return the player of an account in a club. Raise `Refused` (`players_only`) if there is
    none.
    """
    player = player_of_account(club.pk, user) if user else None
    if player is None:
        message = say("only club players with an account can sit at this table")
        raise Refused(Illegal("players_only", message))
    return player


def counted_header(table: OnlineTable, seats: Sequence[OnlineSeat]) -> Record:
    """Return the record of a counted game that hasn't begun. Raise `Refused` if it isn't valid, for
    instance with too few seats.
    """
    assert table.season is not None
    return open_record(table.season, _head(table, _current_handles(seats)), table.rules)


def counted_place(*, table: OnlineTable, open_game: OpenGame) -> None:
    """Store where the open game of a table counts. The event's pages then link to it for
    watching.
    """
    if table.stage_table is None:
        assert table.season is not None
        SeasonOpenGame.objects.create(open_game=open_game, season=table.season)
        return
    TableOpenGame.objects.create(
        open_game=open_game,
        table=table.stage_table,
        number=table.game_number,
        edition=_edition(table),
    )
    version_raise(pk=table.stage_table.stage_round.stage_id)


def counted_seal(*, table: OnlineTable, row: OpenSheet, record: Record) -> Game:
    """Seal the game of a counted table for its season or its event's table. Idempotent.

    Raise `Refused` as `season_game_enter` and `table_game_enter` do.
    """
    service = Actor()  # No account seals the game: it is over by itself.
    details: dict[str, Any] = {
        "sheet": sheet_head(row.open_game.public_id, row),
        "online_table": table.public_id,
        "by": DEALER.as_json(),
    }
    line = write(record).encode()
    if table.stage_table is not None:
        return table_game_enter(
            table=table.stage_table,
            line=line,
            actor=service,
            number=table.game_number,
            details=details,
        )
    assert table.season is not None
    return season_game_enter(season=table.season, line=line, actor=service, details=details)


def _current_handles(seats: Sequence[OnlineSeat]) -> list[str]:
    player_ids = [seat.player_id for seat in seats if seat.player_id is not None]
    players = Player.objects.select_related("merged_into").in_bulk(player_ids)
    seated = [players[player_id] for player_id in player_ids]
    return [(player.merged_into or player).handle for player in seated]


def _head(table: OnlineTable, handles: Sequence[str]) -> GameHead:
    assert table.season is not None
    stage_table = table.stage_table
    if stage_table is None:
        record_id = season_game_id(table.season.public_id, table.public_id)
        return GameHead(record_id, handles, event="", table="", played_at=timezone.now())
    return GameHead(
        record_id=open_game_id(stage_table.public_id, table.game_number, _edition(table)),
        seats=handles,
        event=stage_table.stage_round.stage.event.slug,
        table=str(number_of(stage_table)),
        played_at=moment_of_play(stage_table, table.game_number, timezone.now()),
    )


def _edition(table: OnlineTable) -> int:
    earlier = TableOpenGame.objects.filter(table=table.stage_table, number=table.game_number)
    return 1 + earlier.count()
