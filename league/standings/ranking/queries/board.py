"""A ranking on show: whose it is, and how far it is from what the club's log says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from django.db.models import BooleanField, DateTimeField, Exists, IntegerField, OuterRef, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext

from games.models import Game
from league.core.club.models import Club
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.source import ENTRIES, GAMES
from league.standings.ranking.queries.waiting import Progress, progress_of
from league.standings.season.models import AllTime, Season

Owner = TypeVar("Owner", Season, AllTime)
Row = TypeVar("Row", Season, AllTime, Game)


@dataclass(frozen=True, slots=True)
class Board:
    """A ranking with its owner: a season, or (None) the club, whose ranking is that of all its
    public seasons.

    `logged`: the position at which the club's log ends; whatever the pages of a ranking show
    changes with it or with the ranking's version. `styled`: when games were last added to how its
    players play, None if never; whatever shows that changes with it, too. `progress`: of the work
    that jobs have with the ranking, None if there is none."""

    club: Club
    ranking: Ranking
    season: Season | None
    logged: int
    styled: datetime | None
    progress: Progress | None

    @classmethod
    def of(cls, owner: Season | AllTime, row: Any) -> Board:
        """The board of an owner; `row`: what the query gave that `read_along` adds to, the owner
        itself or a game."""
        ranking: Ranking = owner.ranking
        busy = (
            row.waiting
            or ranking.rebuilt_to is not None
            or (ranking.rated and ranking.rated_from is not None)
        )
        season = owner if isinstance(owner, Season) else None
        return cls(
            owner.club,
            ranking,
            season,
            row.logged,
            row.styled,
            progress_of(ranking) if busy else None,
        )

    @property
    def versions(self) -> tuple[object, ...]:
        """Return what everything that hangs on the ranking has come to: the ranking's own version,
        what jobs do with it, and the end of the club's log, in which every change of a name, a
        setting or a right stands."""
        ranking = self.ranking
        return (ranking.public_id, ranking.version, ranking.computed_at, self.progress, self.logged)

    @property
    def style_versions(self) -> tuple[object, ...]:
        """Return what everything has come to that hangs on the ranking and on how its players
        play."""
        return (*self.versions, self.styled)

    @property
    def slug(self) -> str:
        """The ranking's place below its club."""
        return self.season.slug if self.season else AllTime.SLUG

    @property
    def name(self) -> str:
        """Return what the ranking is called."""
        return self.season.name if self.season else gettext("All time")


LOGGED: Final = "(SELECT position FROM league_loghead WHERE club_id = {owner}.club_id)"
WAITING: Final = """
    EXISTS (
        SELECT 1 {entries}
            AND entry.position > COALESCE(
                (
                    SELECT reader.position
                    FROM league_reader reader
                    JOIN league_ranking read ON read.id = {owner}.ranking_id
                    WHERE reader.club_id = {owner}.club_id
                        AND reader.name = 'count/' || read.public_id
                ),
                0
            )
            AND entry.position <= {logged}
    )
"""
"""The log's end is named so that the planner takes the entries for few: else it goes through the
whole log."""
STYLED: Final = """
    (
        SELECT reader.read_at
        FROM league_reader reader
        JOIN league_ranking read ON read.id = {owner}.ranking_id
        WHERE reader.club_id = {owner}.club_id AND reader.name = 'style/' || read.public_id
    )
"""


def owners(rows: QuerySet[Owner]) -> QuerySet[Owner]:
    """Owners of rankings as `Board.of` reads them, with clubs and rankings, in one query.

    Beside a season stands how its events count, and whether it has divisions (`divided`).
    """
    counting, divided = [], {}
    if rows.model is Season:
        counting = ["event_counting"]
        divided = {
            "divided": Exists(Season.objects.filter(pk=OuterRef("pk"), divisions__isnull=False))
        }
    return read_along(
        rows.select_related("club__all_time", "ranking", *counting), rows.model
    ).annotate(**divided)


def read_along(rows: QuerySet[Row], owned_by: type[Season | AllTime]) -> QuerySet[Row]:
    """Rows that are, or come with, an owner of a ranking, and beside them what a board tells of it.

    `logged`: where the club's log ends. `styled`: when the reader of styles last read it.
    `waiting`: whether it holds games of the ranking that aren't counted."""
    owner = owned_by._meta.db_table
    entries = ENTRIES % {
        "club": f"{owner}.club_id",
        "ranking": f"{owner}.ranking_id",
        "actions": "%s",
    }
    logged = LOGGED.format(owner=owner)
    waiting = WAITING.format(owner=owner, entries=entries, logged=logged)
    return rows.annotate(
        logged=RawSQL(logged, (), output_field=IntegerField()),  # noqa: S611 — nothing in it comes from outside
        styled=RawSQL(STYLED.format(owner=owner), (), output_field=DateTimeField()),  # noqa: S611
        waiting=RawSQL(waiting, (GAMES,), output_field=BooleanField()),  # noqa: S611
    )
