"""Players of a club, as records name them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from engine.illegal import Illegal
from league.clubs.models import Club, Player


class NoTable(Exception):
    """These handles can't be seated; `illegal` says why."""

    def __init__(self, illegal: Illegal) -> None:
        super().__init__(illegal.message)
        self.illegal = illegal


def players_at_table(club: Club, handles: Sequence[str], *, create: bool) -> tuple[list[int], tuple[str, ...]]:
    """The ids of these handles' players, in the same order, and the handles that are new; capitals don't matter.

    New players are created with the handle as their name. Two who create the same player at the same moment end with
    one. Raises `NoTable` with `unknown_player` if none are to be created, or with `same_player_twice`.
    """
    known = _ids(club, handles)
    new = tuple(handle for handle, player in zip(handles, known, strict=True) if player is None)
    if new and not create:
        raise NoTable(Illegal("unknown_player", f"the club has no player {', '.join(new)}", path="seats"))
    if new:
        Player.objects.bulk_create(
            (Player(club=club, handle=handle, name=handle) for handle in new), ignore_conflicts=True
        )
        known = _ids(club, handles)
    players = [player for player in known if player is not None]
    if len(set(players)) < len(handles):
        raise NoTable(Illegal("same_player_twice", "two seats differ only in capital letters", path="seats"))
    return players, new


def _ids(club: Club, handles: Sequence[str]) -> list[int | None]:
    """The id of each handle's player. The database folds the capitals of both sides, as its unique index does."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT player.id FROM unnest(%s::text[]) WITH ORDINALITY AS given (handle, place)"
            " LEFT JOIN league_player player ON player.club_id = %s AND lower(player.handle) = lower(given.handle)"
            " ORDER BY place",
            [list(handles), club.pk],
        )
        return [row[0] for row in cursor.fetchall()]
