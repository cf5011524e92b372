"""All that the desk of a club shows beside its people: how far it has come, its seasons, its uploads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import F, Func, IntegerField, QuerySet, Subquery

from league.clubs.models import ApiKey, Club, Player, User
from league.clubs.queries.member import invitations_of
from league.events.models import Event
from league.seasons.models import Season, SeasonGame


@dataclass(frozen=True, slots=True)
class DeskCounts:
    """How many there are of each in a club: members are accounts, players are people, keys are good ones."""

    seasons: int
    events: int
    games: int
    members: int
    invitations: int
    players: int
    keys: int


def desk_counts(club: Club) -> DeskCounts:
    """Read how far a club has come, by one query."""
    rows: list[QuerySet[Any]] = [
        Season.objects.filter(club=club),
        Event.objects.filter(club=club),
        SeasonGame.objects.filter(season__club=club),
        User.objects.filter(memberships__club=club),
        invitations_of(club),
        Player.objects.filter(club=club, merged_into=None),
        ApiKey.objects.filter(club=club, revoked_at=None),
    ]
    return DeskCounts(*Club.objects.values_list(*map(_count_of, rows)).get(pk=club.pk))


def _count_of(rows: QuerySet[Any]) -> Subquery:
    count = Func(F("pk"), function="count", template="%(function)s(DISTINCT %(expressions)s)")
    return Subquery(rows.order_by().values(count=count), output_field=IntegerField())
