"""All that the log tells of seasons."""

from __future__ import annotations

from typing import Final

from league.migrations.replay.ledger import Noun, changed, created, rows_of

SEASON: Final = ("slug", "name", "starts_on", "ends_on", "kind", "rules", "notes", "visibility", "archived")
TEXTS: Final = ("slug", "name")
RANKING: Final = ("scoring", "tie_breaks", "rated")
OF_RANKING: Final = tuple(f"ranking__{name}" for name in RANKING)
"""The same columns as an owner of a ranking finds them."""

SEASONS: Final = Noun(
    "season",
    (*SEASON, *RANKING),
    rows_of("league.Season", "club", (*SEASON, *OF_RANKING)),
    {"season.created": created("season", (*SEASON, *RANKING)), "season.changed": changed("season")},
    texts=TEXTS,
)
ALL_TIME: Final = Noun(
    "ranking",
    RANKING,
    rows_of("league.AllTime", "club", OF_RANKING, named=("ranking__public_id",)),
    {"ranking.created": created("ranking", RANKING)},
)
NOUNS: Final = (SEASONS, ALL_TIME)
