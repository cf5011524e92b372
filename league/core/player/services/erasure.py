"""Forgetting an erased player in clubs and games."""

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
"""Gives each seat a pseudonym, and replaces its salt, if it has one, by the commitment that the
header sealed."""
SEALED: Final = {"seat": "games_seat", "game": "games_game", "game_id": "game_id"}
OPEN: Final = {"seat": "games_openseat", "game": "games_opengame", "game_id": "open_game_id"}
"""The tables of seats: of sealed games, and of games that are being written down."""


def players_forget(journal: Journal, players: Sequence[Player]) -> None:
    """Replace the names and handles of a club's players by pseudonyms, and unlink their accounts.

    The entry is written to the log first, since without it the database refuses to drop a name.
    Records that are sent later find the same players by their pseudonyms. The API's stored answers
    to the club's programs are deleted: they may hold a handle, and repeating a request is safe
    without them.
    """
    for player in players:
        journal.add(PlayerAction.ERASED, player.public_id)
        cells = {"handle": player.pseudonym, "name": player.pseudonym, "account": None}
        journal.record_cells(PLAYER, {player.public_id: cells})
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
