"""What the hall's screen shows of a finished table: its players by place, and who goes on."""

from typing import Any

import pytest
from django.test import Client

from league.floor.hall.domain.finished import finished_players
from league.models import Event, Season, Stage
from league.stages.table.domain.table import round_tables
from tests.factories import events

pytestmark = pytest.mark.django_db


def played(season: Season, count: int, **settings: Any) -> Stage:
    """A stage whose first round is played: the players of each table finish in the order of their
    seats."""
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, count))
    stage = events.stage(night, **settings)
    events.play(events.drawn(stage))
    return stage


def shown(stage: Stage) -> list[list[tuple[int, bool]]]:
    """Places, and whether they lead on, for each table of the first round."""
    facts = events.facts(stage)
    (group,) = round_tables(facts, facts.rounds[0])
    players = [finished_players(facts, seated) for seated in group.tables]
    return [[(player.place, player.goes_on) for player in table] for table in players]


def test_of_a_knock_out_table_the_first_go_on(season: Season) -> None:
    stage = played(season, 8, format="single", sizes=[4], advance=2)
    assert shown(stage) == [[(1, True), (2, True), (3, False), (4, False)]] * 2


def test_from_the_final_nobody_goes_on(season: Season) -> None:
    stage = played(season, 4, format="single", sizes=[4], advance=2)
    assert shown(stage) == [[(1, False), (2, False), (3, False), (4, False)]]


def test_outside_of_a_knock_out_players_have_places_alone(season: Season) -> None:
    stage = played(season, 4, sizes=[4])
    assert shown(stage) == [[(1, False), (2, False), (3, False), (4, False)]]


def test_an_open_table_shows_nobody_s_place(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    stage = events.stage(night, sizes=[4])
    events.drawn(stage)
    assert shown(stage) == [[]]


def test_the_screen_says_who_goes_on(client: Client, season: Season) -> None:
    stage = played(season, 8, format="single", sizes=[4], advance=2)
    html = client.get(f"/clubs/stern/events/{stage.event.slug}/hall/").content.decode()
    assert html.count("goes through") == 4
