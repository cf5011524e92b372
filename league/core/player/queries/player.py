"""Who is who among the players of a club."""

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


def player_named(club_id: int, word: str) -> Player:
    """The player of a club with this public id or handle, current or former, merged or not.

    Raises `Player.DoesNotExist`.
    """
    players = Player.objects.select_related("club", "user").filter(club=club_id)
    handles = Handle.objects.annotate(lower=Lower("handle")).filter(
        club=club_id, lower=Lower(Value(word))
    )
    return players.filter(public_id=word).first() or players.get(pk__in=handles.values("player"))


def player_called(club_id: int, word: str) -> Player:
    """The player of a club whom `player_named` gives, else the one of this name, in whatever
    capitals and with either apostrophe.

    Raises `Player.DoesNotExist`, or `Player.MultipleObjectsReturned` where several have the name.
    """
    try:
        return player_named(club_id, word)
    except Player.DoesNotExist:
        players = Player.objects.select_related("club", "user").filter(
            club=club_id, merged_into=None
        )
        alike = players.filter(name_key=name_key(word))
        return players.get(
            pk__in=[player.pk for player in alike if as_typed(player.name) == as_typed(word)]
        )


def players_typed(club_id: int, words: Iterable[str]) -> dict[str, Player]:
    """The players of a club whom typed words name, in whatever capitals and with either apostrophe,
    by the word; none where several have the name. One query."""
    typed = {word: as_typed(word) for word in words}
    keys = {name_key(word) for word in typed}
    players = Player.objects.filter(
        club=club_id, name_key__in=keys, erased_at=None, merged_into=None
    )
    by_name = lists_by_key((as_typed(player.name), player) for player in players)
    return {
        word: by_name[name][0] for word, name in typed.items() if len(by_name.get(name, ())) == 1
    }


def names_of_handles(club_id: int, handles: Iterable[str]) -> dict[str, str]:
    """The names by which those are known whom these handles find, by handle in small letters. One
    query."""
    rows = Handle.objects.annotate(lower=Lower("handle")).filter(club=club_id)
    name = Coalesce("player__merged_into__name", "player__name")
    return dict(
        rows.filter(lower__in=[handle.lower() for handle in handles]).values_list("lower", name)
    )


def account_named(word: str) -> User:
    """The account of this name or email address, in whatever capitals. Raises
    `User.DoesNotExist`."""
    accounts = User.objects.annotate(lower=Lower("email")).filter(
        Q(lower=Lower(Value(word))) | Q(username=word)
    )
    account = accounts.order_by("pk").first()
    if account is None:
        raise User.DoesNotExist
    return account


def player_of_account(club_id: int, user: User) -> Player | None:
    """The player of an account in a club; None if it has none there. One query."""
    return Player.objects.filter(club=club_id, user=user, merged_into=None).first()


def one_person(player: Player) -> list[Player]:
    """The player for whom games count, and then all who are merged into that one."""
    player_id = player.merged_into_id or player.pk
    return list(
        Player.objects.filter(Q(pk=player_id) | Q(merged_into=player_id)).order_by(
            F("merged_into").asc(nulls_first=True)
        )
    )


def listed_players(club: Club, search: str = "") -> QuerySet[Player]:
    """The people of a club by name, each once: with `known_as`, all handles that find the player,
    and the account.

    `search`: a part of a name or of a handle, current or former.
    """
    handles = Handle.objects.filter(
        Q(player=OuterRef("pk")) | Q(player__merged_into=OuterRef("pk")), handle__isnull=False
    ).order_by("handle")
    players = Player.objects.filter(club=club, merged_into=None).select_related("user")
    if search:
        text = folded(search)
        former = handles.alias(folded=Folded("handle")).filter(folded__contains=text)
        players = players.filter(Q(search_text__contains=text) | Exists(former))
    return players.annotate(known_as=ArraySubquery(handles.values("handle"))).order_by(
        "name_key", "pk"
    )


LOOKED_AT: Final = 500
"""The most players to look at whose names or handles have words that begin alike."""
MOST_ALIKE: Final = 200
"""The most names to compare with a text, of those that share letters with it."""


def players_alike(players: QuerySet[Player], text: str) -> QuerySet[Player]:
    """Those of the players who share the most letters in a row with a text, `MOST_ALIKE` at
    most."""
    looked_for = Value(pieces(folded_words(text[:LONGEST])), output_field=ArrayField(TextField()))
    return players.order_by(Shared(looked_for, "search_text").desc(), "pk")[:MOST_ALIKE]


def names_meant(players: QuerySet[Player], text: str) -> list[str]:
    """The names of those of the players whom somebody may have meant by a text that finds none of
    them. One query."""
    return closest_names(
        text, dict(players_alike(players, text).values_list("name", "search_text"))
    )


def words_of(players: Iterable[Player]) -> set[str]:
    """Read what players are called, and what records call them or called them."""
    words = {player.pk: {player.name, player.handle} for player in players}
    return set().union(*words.values(), Handle.objects.filter(player__in=words).words())


def games_together(player: Player, second_player: Player) -> list[str]:
    """The ids, as records have them, of games in which both sat, whatever they were called;
    corrected ones apart."""

    def sat(person: Player) -> Exists:
        handles = Handle.objects.annotate(lower=Lower("handle")).filter(
            Q(player=person) | Q(player__merged_into=person), club=player.club_id
        )
        seats = Seat.objects.annotate(lower=Lower("handle")).filter(game=OuterRef("pk"))
        return Exists(seats.filter(lower__in=handles.values("lower")))

    games = Game.objects.filter(
        sat(player), sat(second_player), source=player.club.source, corrections=None
    )
    return list(games.order_by("external_id").values_list("external_id", flat=True))


def players_of_handles(club_id: int, handles: Sequence[str]) -> list[int | None]:
    """The id of the player that each handle finds, in the same order: the one that he or she was
    merged into, if any.

    The database folds the capitals of both sides, as its unique index does.
    """
    return [player for _, player in folded_players(club_id, handles)]


def folded_players(club_id: int, handles: Sequence[str]) -> list[tuple[str, int | None]]:
    """Each handle without capitals, and the player as `players_of_handles` has it."""
    return sql.rows(
        "SELECT lower(given.handle), COALESCE(player.merged_into_id, player.id)"
        " FROM unnest(%s::text[]) WITH ORDINALITY AS given (handle, place)"
        " LEFT JOIN league_handle named ON named.club_id = %s AND lower(named.handle) = "
        "lower(given.handle)"
        " LEFT JOIN league_player player ON player.id = named.player_id"
        " ORDER BY place",
        [list(handles), club_id],
    )
