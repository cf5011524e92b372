"""The sample seasons give the same tables, ratings and styles, to the last digit, whatever changes
around them."""

import gzip
import json
from pathlib import Path
from typing import Any, Final

import pytest

from league.models import Appearance, RatingChange, Season, Standing, Style, TableSeat
from league.standings.ranking.services.counting import ranking_count
from league.standings.standing.queries.standing import table_rows
from league.standings.style.services import styles_read

GOLDEN: Final[dict[str, Any]] = json.loads(
    gzip.decompress((Path(__file__).parents[2] / "golden" / "tables.json.gz").read_bytes())
)
TABLE: Final = (
    "rank",
    "rank_before",
    "decided_by",
    "games",
    "wins",
    "points",
    "rank_sum",
    "best",
    "mu",
    "sigma",
    "recent",
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def seasons(demo: None) -> dict[str, Season]:
    seasons = Season.objects.filter(slug__in=GOLDEN).select_related("ranking")
    for season in seasons:
        styles_read(ranking_id=season.ranking_id)
    return {season.slug: season for season in seasons}


def test_tables_ratings_and_styles_are_those_of_the_golden_file(seasons: dict[str, Season]) -> None:
    assert seasons.keys() == GOLDEN.keys()
    for slug, season in seasons.items():
        golden = GOLDEN[slug]
        rows = {
            row.handle: {name: getattr(row, name) for name in TABLE}
            for row in table_rows(season.ranking)
        }
        assert rows == {
            row["handle"]: {name: row[name] for name in TABLE} for row in golden["table"]
        }
        assert changes_of(season) == golden["changes"]
        styled = {row["handle"]: row["style"] for row in golden["table"] if "style" in row}
        assert styles_of(season, styled) == styled


def changes_of(season: Season) -> dict[str, dict[str, list[float]]]:
    """What each game did to the ratings, by the record's id and the handle."""
    changes: dict[str, dict[str, list[float]]] = {}
    moved = dict(
        RatingChange.objects.filter(ranking=season.ranking_id).values_list("game", "seats")
    )
    rows = Appearance.objects.filter(ranking=season.ranking_id)
    for game, name, handle, seat in rows.values_list(
        "game", "game__external_id", "player__handle", "seat"
    ):
        changes.setdefault(name, {})[handle] = moved[game][seat]
    return changes


def styles_of(season: Season, golden: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """How everybody plays, by the handle, in the figures that the golden file has."""
    rows = Style.objects.filter(ranking=season.ranking_id).select_related("player")
    return {
        row.player.handle: {name: getattr(row, name) for name in golden[row.player.handle]}
        for row in rows
    }


def test_everybody_of_the_season_has_a_row_in_the_clubs_ranking_of_all_time(
    seasons: dict[str, Season],
) -> None:
    club = seasons["herbstliga-2026"].club
    ranking_count(ranking_id=club.all_time.ranking_id)
    stored = Standing.objects.filter(ranking=club.all_time.ranking_id).values_list(
        "player__handle", "games"
    )
    played = [row for season in GOLDEN.values() for row in season["table"]]
    games: dict[str, int] = {}
    for row in played:
        games[row["handle"]] = games.get(row["handle"], 0) + row["games"]
    at_the_cup = TableSeat.objects.filter(table__results__isnull=False)
    for handle in at_the_cup.values_list("entry__player__handle", flat=True):
        games[handle] = games.get(handle, 0) + 1
    assert dict(stored) == games
