"""The demo's season: the table holds what the records say, and the ratings are those of the package
openskill, where a place is shared the mean over its strict orders."""

import csv
import gzip
import json
from collections import Counter
from operator import itemgetter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.cli.main import main
from engine.rating.rating import Rating as Belief
from league.core.log.models import LogHead
from league.demo.season import FILES, SEASONS, demo_create, demo_import
from league.models import (
    AllTime,
    Appearance,
    RankedGame,
    Ranking,
    Rating,
    Season,
    SeasonGame,
    Standing,
)
from league.standings.ranking.services.counting import ranking_count
from tests.engine.rating.strict_orders import mean_by_openskill
from tests.factories.derived import ranking_differences

pytestmark = pytest.mark.django_db


def records_of(slug: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.open(FILES / f"{slug}.jsonl.gz")]


@pytest.fixture
def seasons(demo: None) -> dict[str, Season]:
    played = Season.objects.filter(slug__in=[season["slug"] for season in SEASONS])
    return {season.slug: season for season in played.select_related("club", "ranking")}


def test_points_are_the_sums_of_the_results_and_ratings_those_of_openskill(
    seasons: dict[str, Season],
) -> None:
    for slug, season in seasons.items():
        points: Counter[str] = Counter()
        skill: dict[str, tuple[float, float]] = {}
        for record in records_of(slug):
            points.update(dict(zip(record["seats"], record["result"]["points"], strict=True)))
            before = [skill.get(handle, Belief()) for handle in record["seats"]]
            after = mean_by_openskill(before, record["result"]["rank"])
            skill |= dict(zip(record["seats"], after, strict=True))
        table = dict(
            Standing.objects.filter(ranking=season.ranking_id).values_list(
                "player__handle", "points"
            )
        )
        assert table == dict(points)
        for row in Rating.objects.filter(ranking=season.ranking_id).select_related("player"):
            assert (row.mu, row.sigma) == pytest.approx(skill[row.player.handle], rel=0, abs=1e-9)


def test_the_published_table_follows_from_the_games_alone(
    seasons: dict[str, Season], client: Client, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for slug, season in seasons.items():
        page = (
            client.get(reverse("season-table", args=[season.club.slug, slug])).getvalue().decode()
        )
        published = list(csv.DictReader(page.splitlines()))
        arguments = [
            "--scoring",
            season.ranking.scoring,
            "--tie-breaks",
            ",".join(season.ranking.tie_breaks),
        ]
        zone = ["--timezone", season.club.timezone]
        assert main(["table", str(FILES / f"{slug}.jsonl.gz"), *arguments, *zone, "--rated"]) == 0
        computed = list(csv.DictReader(capsysbinary.readouterr().out.decode().splitlines()))
        names = {row["handle"]: row.pop("name") for row in published}
        assert {row.pop("disputed") for row in published} == {"no"}  # the record alone doesn't tell
        assert len(names) == len(computed)
        assert sorted(published, key=itemgetter("handle")) == sorted(
            computed, key=itemgetter("handle")
        )
        assert [row["rank"] for row in published] == [row["rank"] for row in computed]


def test_the_ranking_of_all_time_counts_all_seasons_by_placement(
    seasons: dict[str, Season],
) -> None:
    ranking = AllTime.objects.get().ranking_id
    assert SeasonGame.objects.count() > sum(len(records_of(slug)) for slug in seasons), (
        "the cup counts, too"
    )
    assert RankedGame.objects.filter(ranking=ranking).count() == SeasonGame.objects.count()
    assert RankedGame.objects.filter(ranking=ranking, over=False).count() == 1, (
        "a practice game of the cup is void"
    )
    for game in records_of("herbstliga-2026")[:3]:
        ranks = game["result"]["rank"]
        seats = Appearance.objects.filter(ranking=ranking, game__external_id=game["id"]).order_by(
            "seat"
        )
        assert list(seats.values_list("points", flat=True)) == [
            sum(other > own for other in ranks) for own in ranks
        ]
    assert list(ranking_differences(ranking)) == []


def test_the_demo_started_again_changes_nothing(seasons: dict[str, Season]) -> None:
    versions = dict(Ranking.objects.values_list("pk", "version"))
    games = SeasonGame.objects.count()
    position = LogHead.objects.get().position
    demo_create()
    demo_import()
    for ranking in Ranking.objects.all():
        ranking_count(ranking_id=ranking.pk)
    assert SeasonGame.objects.count() == games
    assert dict(Ranking.objects.values_list("pk", "version")) == versions
    assert LogHead.objects.get().position == position
