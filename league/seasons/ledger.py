"""All that the log tells of seasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from league.log.ledger import Noun, changed, created
from league.rankings.actions import RankingAction
from league.seasons.actions import SeasonAction
from league.seasons.models import AllTime, Season
from league.seasons.services.season import RANKING, SEASON, TEXTS, season_settings


def _seasons(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    for season in Season.objects.select_related("ranking").filter(club=club_id):
        yield season.public_id, tuple(season_settings(season).values())


def _all_time(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    for row in AllTime.objects.select_related("ranking").filter(club=club_id):
        yield row.ranking.public_id, tuple(getattr(row.ranking, name) for name in RANKING)


SEASONS: Final = Noun(
    "season",
    (*SEASON, *RANKING),
    _seasons,
    {SeasonAction.CREATED: created("season", (*SEASON, *RANKING)), SeasonAction.CHANGED: changed("season")},
    texts=TEXTS,
)
ALL_TIME: Final = Noun("ranking", RANKING, _all_time, {RankingAction.CREATED: created("ranking", RANKING)})
NOUNS: Final = (SEASONS, ALL_TIME)
