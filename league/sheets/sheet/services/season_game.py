"""Opening and sealing games of a season that are played without a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.models import Game
from games.services.open_game import Writer, game_open
from league.core.locks import Space, transaction_lock_shared
from league.core.log.services import Actor, club_journal
from league.core.player.models import Player
from league.core.player.queries.player import players_of_handles
from league.core.player.services.player import SeatPlayers, same_player_twice
from league.records.game.services import record_read, record_take
from league.sheets.sheet.domain.open_game import open_record, season_game_id
from league.sheets.sheet.models import SeasonOpenGame
from league.stages.result.domain.end import GameHead
from league.standings.season.models import Season


def season_game_open(
    *, season: Season, handles: Sequence[str], opener: Writer, key: str
) -> SeasonOpenGame:
    """Open a game of a season without a table, for the players with these handles, in seat order.
    The same `key` again returns the game that it opened.

    Raise `Refused`: `unknown_player`, `same_player_twice`, the error of the record for too few or
    too many seats, and `key_reused` for a key that opened a game of other players."""
    record_id = season_game_id(season.public_id, key)
    with suppress(IntegrityError), transaction.atomic():
        transaction_lock_shared(Space.PLAYERS, season.club_id)
        current_handles = _current_handles(season, handles)
        head = GameHead(record_id, current_handles, event="", table="", played_at=timezone.now())
        record = open_record(season, head)
        open_game = game_open(record=record, source=season.club.source, opener=opener)
        return SeasonOpenGame.objects.create(open_game=open_game, season=season)
    # The key has opened a game already.
    row = SeasonOpenGame.objects.get(season=season, open_game__external_id=record_id)
    if list(row.open_game.seats.values_list("handle", flat=True)) != current_handles:
        raise Refused(Illegal("key_reused", say("this key was sent with other players")))
    return row


def _current_handles(season: Season, handles: Sequence[str]) -> list[str]:
    player_ids = players_of_handles(season.club_id, handles)
    for seat, (handle, player_id) in enumerate(zip(handles, player_ids, strict=True)):
        if player_id is None:
            message = say("the club has no player {handles}", handles=handle)
            raise Refused(Illegal("unknown_player", message, path=f"seats[{seat}]"))
    if len(set(player_ids)) < len(player_ids):
        raise same_player_twice()
    known_ids = [player_id for player_id in player_ids if player_id is not None]
    players = Player.objects.in_bulk(known_ids)
    return [players[player_id].handle for player_id in known_ids]


def season_game_enter(
    *, season: Season, line: bytes, actor: Actor, details: Mapping[str, Any]
) -> Game:
    """Seal the record of a season's game that was played without a table, and return the game. Its
    players must be players of the club already. Idempotent.

    `line`: the record; `details`: what the log says about a new game besides. Raise `Refused` as
    for a record in a file."""
    record, verdict = record_read(season, line)
    with club_journal(season.club_id, actor) as journal:
        seating = SeatPlayers(season.club_id, create=False)
        return record_take(
            journal, season, record, verdict, seating=seating, details=lambda: details
        ).game
