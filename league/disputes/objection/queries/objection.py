"""Objections: the open ones, until when a seat can raise one, and the seat of an account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower

from games.models import Game, Seat
from league.core.club.models import Club
from league.core.player.models import Handle, Player
from league.core.viewer.permissions import Account
from league.core.viewer.queries.access import Viewer
from league.disputes.objection.models import Objection
from league.events.event.models import Event
from league.standings.season.queries.access import game_for
from league.standings.season.queries.listing import Rows

ROW: Final = (
    "public_id",
    "game__public_id",
    "game__external_id",
    "event",
    "game__table",
    "seat",
    "word",
    "role",
    "raised_at",
    "raised_by",
    "end__way",
    "end__reason",
    "end__ended_at",
    "player",
    "handle",
    "name",
    "reminder__reminded_at",
    "reminder__escalated_at",
)
"""The columns of an objection that pages and the API show."""
EVENT: Final = F("game__table_game__table__stage_round__stage__event__name")
"""The name of the event at which a game was played."""
HOURS: Final = F("table_game__table__stage_round__stage__event__objection_hours")
"""The hours in which seats of an event's game can object; NULL for a game without a table."""


@dataclass(frozen=True, slots=True)
class ObjectionWindow:
    """The time `until` which the seats of a game can object, None if its event takes no objections;
    and the viewer's own seat, None if they didn't sit there."""

    until: datetime | None
    own_seat: int | None

    def is_open(self, at: datetime) -> bool:
        """Return True if a seat can object at that time."""
        return self.until is not None and at <= self.until


def objected(game: str, ever: bool = False) -> Exists:
    """Return the condition that a game has an open objection; with `ever`, that it has ever had an
    objection. `game`: the lookup path from the filtered rows to their game."""
    objections = Objection.objects.filter(game=OuterRef(game))
    if not ever:
        objections = objections.filter(end=None)
    return Exists(objections)


def objection_window(game: Game, account_id: int | None) -> ObjectionWindow:
    """Return the time until which seats can object to a game, loaded with its season, and the
    account's own seat. One query."""
    seats = seats_of_account(game.season_game.season.club_id, account_id)
    own_seats = seats.filter(game=OuterRef("pk")).values("number")[:1]
    hours, own_seat = Game.objects.values_list(HOURS, Subquery(own_seats)).get(pk=game.pk)
    until = game.entered_at + timedelta(hours=hours) if hours else None
    return ObjectionWindow(until, own_seat)


def own_seat_of(game: Game, account_id: int | None) -> int | None:
    """Return the seat of an account in this revision of a game, loaded with its season; None if it
    didn't sit there. One query at most."""
    if account_id is None:
        return None
    seats = seats_of_account(game.season_game.season.club_id, account_id).filter(game=game)
    return seats.values_list("number", flat=True).first()


def seats_of_account(club_id: int, account_id: int | None) -> QuerySet[Seat]:
    """Return the seats in a club at which the player of an account sat, under any handle of this
    player and of all players merged with them."""
    players = Player.objects.filter(club=club_id, user=account_id, user__isnull=False)
    person = players.values(person=Coalesce("merged_into_id", "pk"))
    is_of_person = Q(player__in=person) | Q(player__merged_into__in=person)
    handles = Handle.objects.filter(is_of_person, club=club_id).values(lower=Lower("handle"))
    return Seat.objects.alias(lower=Lower("handle")).filter(lower__in=handles).order_by()


def objection_rows(rows: QuerySet[Objection]) -> Rows:
    """Return the columns `ROW` of objections, the oldest first. `player` (public id), `handle` and
    `name` are those of the player whose handle the seat has today."""
    seats = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"))
    sealed_handle = Subquery(seats.values(lower=Lower("handle"))[:1])
    handles = Handle.objects.alias(lower=Lower("handle")).filter(
        club=OuterRef("game__season_game__season__club"), lower=OuterRef("sealed_handle")
    )

    def of_player(column: str) -> Subquery:
        """Return a column of the handle's player, or of the player they were merged into."""
        held = Coalesce(f"player__merged_into__{column}", f"player__{column}")
        return Subquery(handles.values(held=held)[:1])

    with_player: Rows = rows.annotate(
        sealed_handle=sealed_handle,
        event=EVENT,
        player=of_player("public_id"),
        handle=of_player("handle"),
        name=of_player("name"),
    )
    return with_player.order_by("raised_at", "pk").values(*ROW)


def open_of_club(club: Club) -> QuerySet[Objection]:
    """Return the open objections to games of a club."""
    return Objection.objects.filter(game__season_game__season__club=club, end=None)


def open_of_event(event: Event) -> QuerySet[Objection]:
    """Return the open objections to games of an event's tables."""
    return Objection.objects.filter(
        game__table_game__table__stage_round__stage__event=event, end=None
    )


def objection_for(viewer: Viewer, objection: str) -> Objection:
    """Return an objection by its public id, with its game, season and club, for those who may see
    the game. Raise `ObjectDoesNotExist` otherwise."""
    row = Objection.objects.select_related("game").get(public_id=objection)
    row.game = game_for(viewer, row.game.public_id)
    return row


def may_withdraw(user: Account, objection: Objection) -> bool:
    """Return True if an account may withdraw an objection: it is for its own seat, or the account
    raised it for another one."""
    own_seat = own_seat_of(objection.game, user.pk)
    if user.pk is None:
        return False
    return objection.raised_by_id == user.pk or own_seat == objection.seat
