"""Opening and entering games of a season that are written down without a table."""

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
    """Open a game of a season at no table, for the players whom these handles find, in seat order.
    The same `key` again gives the game that it opened.

    Raise `Refused`: with `unknown_player`, `same_player_twice`, the record's fault for too few or
    too many seats, and with `key_reused` for a key that opened a game of others."""
    record_id = season_game_id(season.public_id, key)
    with suppress(IntegrityError), transaction.atomic():
        transaction_lock_shared(Space.PLAYERS, season.club_id)
        seats = _seats(season, handles)
        record = open_record(season, GameHead(record_id, seats, "", "", timezone.now()))
        open_game = game_open(record=record, source=season.club.source, opener=opener)
        return SeasonOpenGame.objects.create(open_game=open_game, season=season)
    row = SeasonOpenGame.objects.get(season=season, open_game__external_id=record_id)
    if list(row.open_game.seats.values_list("handle", flat=True)) != seats:
        raise Refused(Illegal("key_reused", say("this key was sent with other players")))
    return row


def _seats(season: Season, handles: Sequence[str]) -> list[str]:
    """Return the current handles of the players that these handles find. Raise `Refused`."""
    ids = players_of_handles(season.club_id, handles)
    for seat, (handle, player) in enumerate(zip(handles, ids, strict=True)):
        if player is None:
            message = say("the club has no player {handles}", handles=handle)
            raise Refused(Illegal("unknown_player", message, path=f"seats[{seat}]"))
    if len(set(ids)) < len(ids):
        raise same_player_twice()
    players = Player.objects.in_bulk([player for player in ids if player is not None])
    return [players[player].handle for player in ids if player is not None]


def season_game_enter(
    *, season: Season, line: bytes, actor: Actor, details: Mapping[str, Any]
) -> Game:
    """Seal the record of a game of a season that was played at no table, among players of the club.
    The same record again changes nothing; the log tells of a new one the `details`, too. Raise
    `Refused` as for a record of a file."""
    record, verdict = record_read(season, line)
    with club_journal(season.club_id, actor) as journal:
        seating = SeatPlayers(season.club_id, create=False)
        return record_take(
            journal, season, record, verdict, seating=seating, details=lambda: details
        ).game
