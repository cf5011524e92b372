"""Who is who among the players of a club."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection
from django.db.models import F, Q, Value
from django.db.models.functions import Lower

from league.clubs.models import Handle, Player


def player_named(club_id: int, word: str) -> Player:
    """The player of a club with this public id or handle, current or former, merged or not.

    Raises `Player.DoesNotExist`.
    """
    players = Player.objects.select_related("club", "user").filter(club=club_id)
    named = Handle.objects.annotate(lower=Lower("handle")).filter(club=club_id, lower=Lower(Value(word)))
    return players.filter(public_id=word).first() or players.get(pk__in=named.values("player"))


def one_person(player: Player) -> list[Player]:
    """The player for whom games count, and then all who are merged into that one."""
    kept = player.merged_into_id or player.pk
    return list(
        Player.objects.filter(Q(pk=kept) | Q(merged_into=kept)).order_by(F("merged_into").asc(nulls_first=True))
    )


def words_of(players: Iterable[Player]) -> set[str]:
    """What players are called, and what records call them or called them."""
    named = {player.pk: {player.name, player.handle} for player in players}
    handles = Handle.objects.filter(player__in=named).values_list("handle", flat=True)
    return set().union(*named.values(), handles)


def games_together(player: Player, other: Player) -> list[str]:
    """The ids, as records have them, of games in which both sat, whatever they were called; corrected ones apart."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game.external_id FROM games_game game"
            " JOIN games_seat seat ON seat.game_id = game.id"
            " JOIN league_handle named ON named.club_id = %(club)s AND lower(named.handle) = lower(seat.handle)"
            " JOIN league_player player ON player.id = named.player_id"
            " WHERE game.source = %(source)s"
            " AND COALESCE(player.merged_into_id, player.id) IN (%(player)s, %(other)s)"
            " AND NOT EXISTS (SELECT FROM games_game correction WHERE correction.replaces_id = game.id)"
            " GROUP BY game.id HAVING count(DISTINCT COALESCE(player.merged_into_id, player.id)) = 2"
            " ORDER BY game.external_id",
            {"club": player.club_id, "source": player.club.source, "player": player.pk, "other": other.pk},
        )
        return [name for (name,) in cursor.fetchall()]
