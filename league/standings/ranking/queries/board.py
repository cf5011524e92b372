"""A ranking as pages show it: its owner, and how far it lags behind the club's log."""

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
    """A ranking with its owner: a season, or the club, if `season` is None; the club's ranking is
    that of all its public seasons.

    `logged`: the end position of the club's log; a ranking's pages change only when this or the
    ranking's version changes. `styled`: when games were last added to the players' styles, None if
    never; pages about styles change with it, too. `progress`: how far the jobs are with the
    ranking, None if no work waits."""

    club: Club
    ranking: Ranking
    season: Season | None
    logged: int
    styled: datetime | None
    progress: Progress | None

    @classmethod
    def of(cls, owner: Season | AllTime, row: Any) -> Board:
        """Return the board of an owner. `row`: the owner or a game, annotated by `read_along`."""
        ranking: Ranking = owner.ranking
        needs_rating = ranking.rated and ranking.rated_from is not None
        has_work = row.waiting or ranking.rebuilt_to is not None or needs_rating
        return cls(
            club=owner.club,
            ranking=ranking,
            season=owner if isinstance(owner, Season) else None,
            logged=row.logged,
            styled=row.styled,
            progress=progress_of(ranking) if has_work else None,
        )

    @property
    def versions(self) -> tuple[object, ...]:
        """Return the version of everything that pages show about the ranking: its own version, the
        jobs' progress, and the end of the club's log, which records every change of a name, a
        setting or a right."""
        ranking = self.ranking
        return (ranking.public_id, ranking.version, ranking.computed_at, self.progress, self.logged)

    @property
    def style_versions(self) -> tuple[object, ...]:
        """Return the version of everything that pages show about the ranking and its players'
        styles."""
        return (*self.versions, self.styled)

    @property
    def slug(self) -> str:
        """Return the ranking's part of the address, below its club's."""
        return self.season.slug if self.season else AllTime.SLUG

    @property
    def name(self) -> str:
        """Return the ranking's name."""
        return self.season.name if self.season else gettext("All-time ranking")


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
"""The log's end is named so that the planner expects few entries; otherwise it goes through the
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
    """Return a query of owners of rankings with all that `Board.of` reads: clubs, rankings, and the
    annotations of `read_along`.

    A season also comes with its `event_counting`, and with `divided`: whether it has divisions.
    """
    related = ["club__all_time", "ranking"]
    if rows.model is not Season:
        return read_along(rows.select_related(*related), rows.model)
    related.append("event_counting")
    divided = Exists(Season.objects.filter(pk=OuterRef("pk"), divisions__isnull=False))
    return read_along(rows.select_related(*related), rows.model).annotate(divided=divided)


def read_along(rows: QuerySet[Row], owned_by: type[Season | AllTime]) -> QuerySet[Row]:
    """Annotate rows that are owners of rankings, or are selected with their owner, for `Board.of`.
    `owned_by`: the model of the owner.

    `logged`: the end of the club's log. `styled`: when the reader of styles last read it.
    `waiting`: whether the log has games of the ranking that aren't counted yet."""
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
