"""All that is forgotten of a player who is erased, where clubs and games have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models.functions import Now

from league.core import sql
from league.core.key.models import IdempotencyKey
from league.core.log.services import Journal
from league.core.player.actions import PlayerAction
from league.core.player.models import PLAYER, Handle, Player

SEATS: Final = """
    UPDATE {seat} seat SET
        handle = 'player-' || player.public_id,
        seal = CASE length(seat.seal) WHEN 32 THEN seat.seal ELSE
            sha256(convert_to('cups-up/name/1', 'UTF8') || '\\x0a' || seat.seal || convert_to(seat.handle, 'UTF8')) END
    FROM {game} game, league_handle named JOIN league_player player ON player.id = named.player_id
    WHERE game.id = seat.{game_id} AND game.source = %(source)s
        AND named.club_id = %(club)s AND lower(named.handle) = lower(seat.handle) AND player.id = ANY(%(players)s)
"""
"""Leaves each seat a pseudonym, and for its salt the commitment that the header has sealed, if it
has a salt."""
SEALED: Final = {"seat": "games_seat", "game": "games_game", "game_id": "game_id"}
OPEN: Final = {"seat": "games_openseat", "game": "games_opengame", "game_id": "open_game_id"}
"""Where seats are: those of sealed games, and those of games that are written down at a table."""


def players_forget(journal: Journal, players: Sequence[Player]) -> None:
    """Leave a pseudonym for names and handles of players of one club, each an own one, and no
    account.

    The log tells it first: the database lets no name go without. Records that were sent in find the
    same players under the pseudonyms. The API's stored answers to the club's programs go: they may
    tell a handle, and asking again is safe without them."""
    for player in players:
        journal.add(PlayerAction.ERASED, player.public_id)
        cells = {"handle": player.pseudonym, "name": player.pseudonym, "account": None}
        journal.state_cells(PLAYER, {player.public_id: cells})
    journal.write()
    club = players[0].club
    parameters: dict[str, int | str | list[int]] = {
        "club": club.pk,
        "source": club.source,
        "players": [player.pk for player in players],
    }
    for tables in (SEALED, OPEN):
        sql.execute(SEATS.format(**tables), parameters)
    Handle.objects.filter(player__in=players).update(handle=None)
    Handle.objects.bulk_create(
        Handle(club=club, player=player, handle=player.pseudonym) for player in players
    )
    for player in players:
        Player.objects.filter(pk=player.pk).update(
            name=player.pseudonym, handle=player.pseudonym, user=None, erased_at=Now()
        )
    IdempotencyKey.objects.filter(api_key__club=club).delete()
