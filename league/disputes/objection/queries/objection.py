"""Objections: which are open, until when a seat can raise one, and who sits there."""

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
    *(
        "public_id",
        "game__public_id",
        "game__external_id",
        "event",
        "game__table",
        "seat",
        "word",
        "role",
    ),
    *(
        "raised_at",
        "raised_by",
        "end__way",
        "end__reason",
        "end__ended_at",
        "player",
        "handle",
        "name",
    ),
    *("reminder__reminded_at", "reminder__escalated_at"),
)
"""The columns of an objection as pages and answers show it."""
EVENT: Final = F("game__table_game__table__stage_round__stage__event__name")
"""The name of the event at which a game was played."""
HOURS: Final = F("table_game__table__stage_round__stage__event__objection_hours")
"""The hours of a game's event; NULL for a game of no table."""


@dataclass(frozen=True, slots=True)
class ObjectionWindow:
    """Until when seats of a game can object, None where its event doesn't take objections; and the
    seat of who looks, None for others."""

    until: datetime | None
    own_seat: int | None

    def is_open(self, at: datetime) -> bool:
        """True if a seat can object at that time."""
        return self.until is not None and at <= self.until


def objected(game: str, ever: bool = False) -> Exists:
    """The condition that a game has an open objection, or has `ever` had one; `game`: the way to it
    from the rows that are filtered."""
    objections = Objection.objects.filter(game=OuterRef(game))
    return Exists(objections if ever else objections.filter(end=None))


def objection_window(game: Game, account_id: int | None) -> ObjectionWindow:
    """Read when a game, which comes with its season, can be objected to, and where the account sat
    in it. One query."""
    seats = (
        seats_of_account(game.season_game.season.club_id, account_id)
        .filter(game=OuterRef("pk"))
        .values("number")[:1]
    )
    hours, own_seat = Game.objects.values_list(HOURS, Subquery(seats)).get(pk=game.pk)
    return ObjectionWindow(game.entered_at + timedelta(hours=hours) if hours else None, own_seat)


def own_seat_of(game: Game, account_id: int | None) -> int | None:
    """Read where an account sat in this revision of a game, which comes with its season; None for
    others. One query at most."""
    if account_id is None:
        return None
    seats = seats_of_account(game.season_game.season.club_id, account_id).filter(game=game)
    return seats.values_list("number", flat=True).first()


def seats_of_account(club_id: int, account_id: int | None) -> QuerySet[Seat]:
    """The seats of the player whom an account is in a club, by whatever handle, and of who was
    merged into that one."""
    players = Player.objects.filter(club=club_id, user=account_id, user__isnull=False)
    person = players.values(person=Coalesce("merged_into_id", "pk"))
    handles = Handle.objects.filter(
        Q(player__in=person) | Q(player__merged_into__in=person), club=club_id
    )
    return (
        Seat.objects.alias(lower=Lower("handle"))
        .filter(lower__in=handles.values(lower=Lower("handle")))
        .order_by()
    )


def objection_rows(rows: QuerySet[Objection]) -> Rows:
    """Objections with who sits at the seat now (`player`, `handle`, `name`), the oldest first, by
    the columns `ROW`."""
    seats = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat")).values(
        lower=Lower("handle")
    )
    handles = Handle.objects.alias(lower=Lower("handle")).filter(
        club=OuterRef("game__season_game__season__club"), lower=OuterRef("sealed_handle")
    )
    columns = {"player": "public_id", "handle": "handle", "name": "name"}
    person = {
        name: Subquery(
            handles.values(held=Coalesce(f"player__merged_into__{column}", f"player__{column}"))[:1]
        )
        for name, column in columns.items()
    }
    seated: Rows = rows.annotate(sealed_handle=Subquery(seats[:1]), event=EVENT, **person)
    return seated.order_by("raised_at", "pk").values(*ROW)


def open_of_club(club: Club) -> QuerySet[Objection]:
    """The objections to games of a club that have no end."""
    return Objection.objects.filter(game__season_game__season__club=club, end=None)


def open_of_event(event: Event) -> QuerySet[Objection]:
    """The objections to games of an event's tables that have no end."""
    return Objection.objects.filter(
        game__table_game__table__stage_round__stage__event=event, end=None
    )


def objection_for(viewer: Viewer, objection: str) -> Objection:
    """An objection to a game that the viewer may see, with that, its season and its club, by the
    public id. Raises `ObjectDoesNotExist`."""
    row = Objection.objects.select_related("game").get(public_id=objection)
    row.game = game_for(viewer, row.game.public_id)
    return row


def may_withdraw(user: Account, objection: Objection) -> bool:
    """True if an objection is that of who asks: of the own seat, or raised by that account for
    another one."""
    own_seat = own_seat_of(objection.game, user.pk)
    return user.pk is not None and (objection.raised_by_id == user.pk or own_seat == objection.seat)
