"""The page of a season by its events."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.counting.event_counting.services import counting_change, divisions_set
from league.models import Event, Season
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.standings.season.services.season import season_change
from tests.factories import events

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(season: Season) -> Season:
    season_change(season=season, actor=events.ACTOR, scoring="placement")
    counting_change(season=season, actor=events.ACTOR, per="event", best=1)
    return season


def night(season: Season, slug: str) -> None:
    made = events.event(season, slug, status=Event.Status.RUNNING)
    players = season.club.players.order_by("pk")
    entries = events.enter(made, list(players) or events.players(season.club, 4))
    stage = events.stage(made, rounds=1)
    events.play(events.drawn(stage), best=[entry.public_id for entry in entries])
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=events.ACTOR)


def page(client: Client, season: Season) -> str:
    return " ".join(
        client.get(reverse("season-events", args=["stern", season.slug])).content.decode().split()
    )


def test_it_says_what_counts_and_what_does_not(client: Client, season: Season) -> None:
    night(season, "one")
    night(season, "two")
    html = page(client, season)
    assert "The best event of each player counts." in html
    assert "only the best 1 events count" in html or "<s>" in html


def test_of_every_two_neighbours_it_says_why_the_one_is_ahead(
    client: Client, season: Season
) -> None:
    night(season, "one")
    html = page(client, season)
    for above, below, more, less in (("p1", "p2", "3 points", 2), ("p2", "p3", "2 points", 1)):
        assert f"<strong>{above} has {more}, {below} {less}</strong>" in html


def test_a_season_whose_events_do_not_count_has_no_such_page(
    client: Client, season: Season
) -> None:
    counting_change(season=season, actor=events.ACTOR, per=None)
    assert client.get(reverse("season-events", args=["stern", season.slug])).status_code == 404


def test_a_season_with_divisions_leads_to_them_though_its_events_do_not_count(
    client: Client, season: Season
) -> None:
    counting_change(season=season, actor=events.ACTOR, per=None)
    address = reverse("season-events", args=["stern", season.slug])
    home = reverse("season", args=["stern", season.slug])
    assert address not in client.get(home).content.decode()
    divisions_set(season=season, actor=events.ACTOR, divisions=[("First", 0, 0)], players={})
    html = " ".join(client.get(home).content.decode().split())
    assert f'href="{address}"> Divisions' in html
    assert ": Divisions</h1>" in page(client, season)


def test_before_the_first_event_it_says_so(client: Client, season: Season) -> None:
    assert "No event is finished yet" in page(client, season)


def test_divisions_stand_below(client: Client, season: Season) -> None:
    player = events.players(season.club, 1)[0]
    players = {player.public_id: 1}
    divisions_set(
        season=season,
        actor=events.ACTOR,
        divisions=[("Stars", 0, 1), ("Cups", 1, 0)],
        players=players,
    )
    html = page(client, season)
    assert "Stars" in html
    assert "Nobody plays here yet." in html
    assert "/players/" not in html, "who hasn’t played has no page"


def test_it_costs_the_same_however_many_events_there_are(
    client: Client, season: Season, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    night(season, "one")
    page(client, season)
    with django_assert_num_queries(9):
        page(client, season)
    for slug in ("two", "three"):
        night(season, slug)
    with django_assert_num_queries(9):
        page(client, season)


def test_the_seasons_page_leads_there_once_its_events_count_together(
    client: Client, season: Season
) -> None:
    table, by_events = (
        reverse(name, args=["stern", season.slug]) for name in ("season", "season-events")
    )
    assert f'href="{by_events}"' in client.get(table).content.decode()
    counting_change(season=season, actor=events.ACTOR, per=None)
    assert f'href="{by_events}"' not in client.get(table).content.decode()
