"""A ranking's page says what jobs are doing with it, how far they are, and otherwise nothing."""

import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.core.frame.rendering import RENDERINGS
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.models import Player, Ranking, Season
from league.records.file.services import record_import
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, rebuild_ask
from tests.factories.counted import counted_season
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db


def shown(client: Client, season: Season) -> str:
    return client.get(reverse("season", args=[season.club.slug, season.slug])).content.decode()


def progress(client: Client, season: Season) -> tuple[str, int, int] | None:
    """What the line of progress says: its words, how much is done, and of how much."""
    found = re.search(
        r'<progress value="(\d+)" max="(\d+)"\s+aria-label="([^"]+)"', shown(client, season)
    )
    return (found[3], int(found[1]), int(found[2])) if found else None


def bring(season: Season, seed: int) -> None:
    """Let a game in that nobody counts yet."""
    record_import(season=season, line=line(bluff_record(seed, id=f"late-{seed}")))


def test_games_that_wait_are_told_until_they_are_counted(client: Client) -> None:
    season = counted_season(3)
    assert progress(client, season) is None
    bring(season, 20)
    assert progress(client, season) == ("Games are being counted", 3, 4)
    assert "75" in shown(client, season).split("<progress")[0][-300:]
    assert "data-live-again" in shown(client, season), "the open page asks again"
    ranking_count(ranking_id=season.ranking_id)
    assert progress(client, season) is None
    assert "data-live-again" not in shown(client, season)


def test_games_of_another_season_and_other_actions_are_not_waited_for(client: Client) -> None:
    season = counted_season(1)
    bring(SeasonFactory.create(club=season.club), 20)
    player_rename(player=Player.objects.get(handle="anna"), actor=Actor(), name="Anna")
    assert progress(client, season) is None


def test_the_first_game_of_a_season_is_told_before_there_is_a_table(client: Client) -> None:
    season: Season = SeasonFactory.create()
    bring(season, 1)
    assert progress(client, season) == ("Games are being counted", 0, 1)


def test_a_rebuild_is_told_until_it_has_come_to_its_end(client: Client) -> None:
    season = counted_season(3)
    rebuild_ask(season.ranking_id)
    words = progress(client, season)
    assert words is not None
    assert words[:2] == ("The table is being recalculated", 0)
    ranking_rebuild(ranking_id=season.ranking_id)
    assert progress(client, season) is None


def test_ratings_that_are_computed_again_are_told_where_there_are_ratings(client: Client) -> None:
    season = counted_season(3)
    third = season.ranking.ranked_games.order_by("played_at")[2]
    Ranking.objects.update(rated_from=third.played_at, rated_from_id=third.natural_id)
    assert progress(client, season) == ("Ratings are being recalculated", 2, 3)
    Ranking.objects.update(rated=False)
    assert progress(client, season) is None


def test_it_costs_one_query_and_only_while_there_is_work(
    client: Client, django_assert_num_queries: Queries
) -> None:
    season = counted_season(3)
    shown(client, season)  # keeps the next events and the latest games for a moment
    with django_assert_num_queries(2):
        shown(client, season)
    bring(season, 20)
    shown(client, season)
    caches[RENDERINGS].clear()
    caches["drawn"].clear()
    with django_assert_num_queries(3):
        shown(client, season)


def test_a_page_is_another_one_with_every_step(client: Client) -> None:
    season = counted_season(3)
    address = reverse("season", args=[season.club.slug, season.slug])
    tags = [client.get(address)["ETag"]]
    rebuild_ask(season.ranking_id)
    tags.append(client.get(address)["ETag"])
    Ranking.objects.filter(pk=season.ranking_id).update(rebuilt_to=3)
    tags.append(client.get(address)["ETag"])
    assert len(set(tags)) == 3
