"""Finding the players of a club."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, Lower

from engine.grouping import lists_by_key
from games.models import Game, Seat
from league.core import sql
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.name_key import (
    LONGEST,
    Folded,
    Shared,
    closest_names,
    folded,
    folded_words,
    name_key,
    pieces,
)
from league.core.frame.names import as_typed
from league.core.player.models import Handle, Player


def player_named(club_id: int, id_or_handle: str) -> Player:
    """Return the player of a club with this public id or this handle, current or former; the player
    may be merged.

    Raise `Player.DoesNotExist`.
    """
    players = Player.objects.select_related("club", "user").filter(club=club_id)
    handles = Handle.objects.annotate(lower=Lower("handle")).filter(
        club=club_id, lower=Lower(Value(id_or_handle))
    )
    player = players.filter(public_id=id_or_handle).first()
    return player or players.get(pk__in=handles.values("player"))


def player_called(club_id: int, text: str) -> Player:
    """Return the player of a club with this public id or handle (`player_named`), otherwise the
    player with this name, ignoring case and the kind of apostrophe.

    Raise `Player.DoesNotExist`, or `Player.MultipleObjectsReturned` if several players have the
    name.
    """
    try:
        return player_named(club_id, text)
    except Player.DoesNotExist:
        players = Player.objects.select_related("club", "user").filter(
            club=club_id, merged_into=None
        )
        candidates = players.filter(name_key=name_key(text))
        matches = [player.pk for player in candidates if as_typed(player.name) == as_typed(text)]
        return players.get(pk__in=matches)


def players_typed(club_id: int, names: Iterable[str]) -> dict[str, Player]:
    """Return the players of a club by their name as it was typed, ignoring case and the kind of
    apostrophe. A name that several players have is left out. One query."""
    plain_names = {name: as_typed(name) for name in names}
    keys = {name_key(name) for name in plain_names}
    players = Player.objects.filter(
        club=club_id, name_key__in=keys, erased_at=None, merged_into=None
    )
    by_plain_name = lists_by_key((as_typed(player.name), player) for player in players)
    unique = {}
    for name, plain_name in plain_names.items():
        namesakes = by_plain_name.get(plain_name, ())
        if len(namesakes) == 1:
            unique[name] = namesakes[0]
    return unique


def names_of_handles(club_id: int, handles: Iterable[str]) -> dict[str, str]:
    """Return the current names of the players with these handles, by the handle in lower case. One
    query."""
    rows = Handle.objects.annotate(lower=Lower("handle")).filter(club=club_id)
    name = Coalesce("player__merged_into__name", "player__name")
    return dict(
        rows.filter(lower__in=[handle.lower() for handle in handles]).values_list("lower", name)
    )


def account_named(name_or_address: str) -> User:
    """Return the account with this name, or with this email address in any case. Raise
    `User.DoesNotExist`."""
    accounts = User.objects.annotate(lower=Lower("email")).filter(
        Q(lower=Lower(Value(name_or_address))) | Q(username=name_or_address)
    )
    account = accounts.order_by("pk").first()
    if account is None:
        raise User.DoesNotExist
    return account


def player_of_account(club_id: int, user: User) -> Player | None:
    """Return the player that an account is in a club, or None. One query."""
    return Player.objects.filter(club=club_id, user=user, merged_into=None).first()


def one_person(player: Player) -> list[Player]:
    """Return all players that are the same person as this one: first the player for whom games
    count, then those merged into it."""
    player_id = player.merged_into_id or player.pk
    return list(
        Player.objects.filter(Q(pk=player_id) | Q(merged_into=player_id)).order_by(
            F("merged_into").asc(nulls_first=True)
        )
    )


def listed_players(club: Club, search: str = "") -> QuerySet[Player]:
    """Return the unmerged players of a club by name, with `known_as` (all handles that find the
    player) and the account.

    `search`: a part of a name or of a handle, current or former."""
    handles = Handle.objects.filter(
        Q(player=OuterRef("pk")) | Q(player__merged_into=OuterRef("pk")), handle__isnull=False
    ).order_by("handle")
    players = Player.objects.filter(club=club, merged_into=None).select_related("user")
    if search:
        folded_search = folded(search)
        matching_handles = handles.alias(folded=Folded("handle")).filter(
            folded__contains=folded_search
        )
        players = players.filter(Q(search_text__contains=folded_search) | Exists(matching_handles))
    return players.annotate(known_as=ArraySubquery(handles.values("handle"))).order_by(
        "name_key", "pk"
    )


LOOKED_AT: Final = 500
"""The most players to compare by the beginnings of their words."""
MOST_ALIKE: Final = 200
"""The most names to compare with a text, of those that share letters with it."""


def players_alike(players: QuerySet[Player], text: str) -> QuerySet[Player]:
    """Return the players who share the most trigrams with a text, at most `MOST_ALIKE`."""
    trigrams = Value(pieces(folded_words(text[:LONGEST])), output_field=ArrayField(TextField()))
    return players.order_by(Shared(trigrams, "search_text").desc(), "pk")[:MOST_ALIKE]


def names_meant(players: QuerySet[Player], text: str) -> list[str]:
    """Return the players' names that a search text without a match may mean. One query."""
    return closest_names(
        text, dict(players_alike(players, text).values_list("name", "search_text"))
    )


def words_of(players: Iterable[Player]) -> set[str]:
    """Return the names of players, and their handles, current and former."""
    current_words = {player.pk: {player.name, player.handle} for player in players}
    return set().union(
        *current_words.values(), Handle.objects.filter(player__in=current_words).words()
    )


def games_together(player: Player, second_player: Player) -> list[str]:
    """Return the record ids of the games in which both players sat, under any handle; corrected
    games are left out."""
    games = Game.objects.filter(
        _player_sat_there(player),
        _player_sat_there(second_player),
        source=player.club.source,
        corrections=None,
    )
    return list(games.order_by("external_id").values_list("external_id", flat=True))


def _player_sat_there(player: Player) -> Exists:
    handles = Handle.objects.annotate(lower=Lower("handle")).filter(
        Q(player=player) | Q(player__merged_into=player), club=player.club_id
    )
    seats = Seat.objects.annotate(lower=Lower("handle")).filter(game=OuterRef("pk"))
    return Exists(seats.filter(lower__in=handles.values("lower")))


def players_of_handles(club_id: int, handles: Sequence[str]) -> list[int | None]:
    """Return the row ids of the players with these handles, in the same order, None for an unknown
    handle; for a merged player, the id of the player for whom games count.

    The database lowers the case of both sides, as its unique index does.
    """
    return [player for _, player in folded_players(club_id, handles)]


def folded_players(club_id: int, handles: Sequence[str]) -> list[tuple[str, int | None]]:
    """Return each handle in lower case, with the row id that `players_of_handles` returns for
    it."""
    return sql.rows(
        "SELECT lower(given.handle), COALESCE(player.merged_into_id, player.id)"
        " FROM unnest(%s::text[]) WITH ORDINALITY AS given (handle, place)"
        " LEFT JOIN league_handle named"
        " ON named.club_id = %s AND lower(named.handle) = lower(given.handle)"
        " LEFT JOIN league_player player ON player.id = named.player_id"
        " ORDER BY place",
        [list(handles), club_id],
    )
