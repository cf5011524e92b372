"""The counts on a club's desk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import F, Func, IntegerField, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.core.account.models import User
from league.core.club.models import Club
from league.core.key.models import ApiKey
from league.core.member.queries import invitations_of
from league.core.player.models import Player
from league.events.event.models import Event
from league.standings.ranking.models import Ranking
from league.standings.season.models import Season


@dataclass(frozen=True, slots=True)
class DeskCounts:
    """The numbers of a club's seasons and events, games in its seasons, members with accounts, open
    invitations, players, and valid keys."""

    seasons: int
    events: int
    games: int
    members: int
    invitations: int
    players: int
    keys: int


def desk_counts(club: Club) -> DeskCounts:
    """Return a club's counts, by one query."""
    counts = (
        # in the order of the fields of `DeskCounts`
        _count_of(Season.objects.filter(club=club)),
        _count_of(Event.objects.filter(club=club)),
        _sum_of(Ranking.objects.filter(season__club=club), "game_count"),
        _count_of(User.objects.filter(memberships__club=club)),
        _count_of(invitations_of(club)),
        _count_of(Player.objects.filter(club=club, merged_into=None)),
        _count_of(ApiKey.objects.filter(club=club, revoked_at=None)),
    )
    return DeskCounts(*Club.objects.values_list(*counts).get(pk=club.pk))


def _count_of(rows: QuerySet[Any]) -> Subquery:
    count = Func(F("pk"), function="count", template="%(function)s(DISTINCT %(expressions)s)")
    return Subquery(rows.order_by().values(count=count), output_field=IntegerField())


def _sum_of(rows: QuerySet[Any], column: str) -> Coalesce:
    total = Func(F(column), function="sum")
    return Coalesce(Subquery(rows.order_by().values(total=total), output_field=IntegerField()), 0)
