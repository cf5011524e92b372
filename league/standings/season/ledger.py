"""All that the log tells of seasons."""

from __future__ import annotations

from typing import Final

from league.core.log.ledger import Noun, changed, created, rows_of
from league.standings.ranking.actions import RankingAction
from league.standings.season.actions import SeasonAction
from league.standings.season.models import AllTime, Season
from league.standings.season.services.season import RANKING, SEASON, TEXTS

OF_RANKING: Final = tuple(f"ranking__{name}" for name in RANKING)
"""The same columns as an owner of a ranking finds them."""

SEASONS: Final = Noun(
    "season",
    (*SEASON, *RANKING),
    rows_of(Season.objects, "club", (*SEASON, *OF_RANKING)),
    {SeasonAction.CREATED: created("season", (*SEASON, *RANKING)), SeasonAction.CHANGED: changed("season")},
    texts=TEXTS,
)
ALL_TIME: Final = Noun(
    "ranking",
    RANKING,
    rows_of(AllTime.objects, "club", OF_RANKING, named=("ranking__public_id",)),
    {RankingAction.CREATED: created("ranking", RANKING)},
)
NOUNS: Final = (SEASONS, ALL_TIME)
