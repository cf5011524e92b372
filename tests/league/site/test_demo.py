"""The demo's season: the table holds what the records say, and the ratings are those of the package openskill."""

import csv
import gzip
import json
from collections import Counter
from operator import itemgetter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openskill.models import PlackettLuce

from engine.cli.main import main
from league.models import Rating, Season, SeasonGame, Standing
from league.rankings.services.season import season_count, season_rebuild
from league.site.demo import FILES, demo_create, demo_import

pytestmark = pytest.mark.django_db


def told(slug: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.open(FILES / f"{slug}.jsonl.gz")]


@pytest.fixture
def seasons() -> dict[str, Season]:
    demo_create()
    demo_import()
    found = {season.slug: season for season in Season.objects.all()}
    for season in found.values():
        season_count(season_id=season.pk)
    return found


def test_points_are_the_sums_of_the_results_and_ratings_those_of_openskill(seasons: dict[str, Season]) -> None:
    model = PlackettLuce()
    for slug, season in seasons.items():
        points: Counter[str] = Counter()
        skill: dict[str, Any] = {}
        for record in told(slug):
            points.update(dict(zip(record["seats"], record["result"]["points"], strict=True)))
            teams = [[skill.get(handle) or model.rating()] for handle in record["seats"]]
            for handle, (after,) in zip(record["seats"], model.rate(teams, record["result"]["rank"]), strict=True):
                skill[handle] = after
        table = dict(Standing.objects.filter(season=season).values_list("player__handle", "points"))
        assert table == dict(points)
        for row in Rating.objects.filter(season=season).select_related("player"):
            assert row.mu == pytest.approx(skill[row.player.handle].mu, abs=1e-9)
            assert row.sigma == pytest.approx(skill[row.player.handle].sigma, abs=1e-9)


def test_the_published_table_follows_from_the_games_alone(
    seasons: dict[str, Season], client: Client, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for slug, season in seasons.items():
        page = client.get(reverse("season-table", args=[season.club.slug, slug])).content.decode()
        published = list(csv.DictReader(page.splitlines()))
        arguments = ["--scoring", season.scoring, "--tie-breaks", ",".join(season.tie_breaks)]
        zone = ["--timezone", season.club.timezone]
        assert main(["table", str(FILES / f"{slug}.jsonl.gz"), *arguments, *zone, "--rated"]) == 0
        computed = list(csv.DictReader(capsysbinary.readouterr().out.decode().splitlines()))
        names = {row["handle"]: row.pop("name") for row in published}
        assert len(names) == len(computed)
        assert sorted(published, key=itemgetter("handle")) == sorted(computed, key=itemgetter("handle"))
        assert [row["rank"] for row in published] == [row["rank"] for row in computed]


def test_the_demo_started_again_changes_nothing(seasons: dict[str, Season]) -> None:
    versions = {season.slug: season.version for season in Season.objects.all()}
    logins = demo_create()
    demo_import()
    assert [login.role for login in logins] == ["admin", "organiser", "scorer", "arbiter"]
    assert SeasonGame.objects.count() == sum(len(told(slug)) for slug in seasons)
    assert {season.slug: season.version for season in Season.objects.all()} == versions
    for season in seasons.values():
        season_rebuild(season_id=season.pk)
