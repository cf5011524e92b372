"""A ranking on show: whose it is, and how far it is from what the club's log says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Concat
from django.utils.translation import gettext

from league.clubs.models import Club
from league.log.models import LogEntry, LogHead, Reader
from league.rankings.models import AllTime, Ranking, Season, SeasonGame, Visibility
from league.rankings.queries.facts import GAMES
from league.rankings.queries.waiting import Progress, progress_of

Owner = TypeVar("Owner", Season, AllTime)


@dataclass(frozen=True, slots=True)
class Board:
    """A ranking with its owner: a season, or (None) the club, whose ranking is that of all its public seasons.

    `logged`: the position at which the club's log ends; whatever the pages of a ranking show changes with it or with
    the ranking's version. `progress`: of the work that jobs have with the ranking, None if there is none.
    """

    club: Club
    ranking: Ranking
    season: Season | None
    logged: int
    progress: Progress | None

    @classmethod
    def of(cls, owner: Any) -> Board:
        """The board of an owner that comes from `owners`."""
        ranking: Ranking = owner.ranking
        busy = owner.waiting or ranking.rebuilt_to is not None or (ranking.rated and ranking.rated_from is not None)
        season = owner if isinstance(owner, Season) else None
        return cls(owner.club, ranking, season, owner.logged, progress_of(ranking) if busy else None)

    @property
    def slug(self) -> str:
        """The ranking's place below its club."""
        return self.season.slug if self.season else AllTime.SLUG

    @property
    def name(self) -> str:
        """What the ranking is called."""
        return self.season.name if self.season else gettext("All time")


def owners(found: QuerySet[Owner]) -> QuerySet[Owner]:
    """Owners of rankings as `Board.of` reads them, with clubs and rankings, in one query.

    `waiting`: whether the log holds games of the ranking that it hasn't counted.
    """
    if found.model is Season:
        own = Q(season=OuterRef(OuterRef("pk")))
    else:
        own = Q(season__club=OuterRef(OuterRef("pk")), season__visibility=Visibility.PUBLIC)
    reader = Reader.objects.filter(club=OuterRef("club"), name=Concat(Value("count/"), OuterRef("ranking__public_id")))
    unread = LogEntry.objects.filter(
        Exists(SeasonGame.objects.filter(own, game__public_id=OuterRef("subject"))),
        club=OuterRef("club"),
        action__in=GAMES,
        position__gt=OuterRef("counted"),
    )
    return found.select_related("club__all_time", "ranking").annotate(
        counted=Coalesce(Subquery(reader.values("position")), 0, output_field=IntegerField()),
        waiting=Exists(unread),
        logged=Subquery(LogHead.objects.filter(club=OuterRef("club")).values("position")),
    )
