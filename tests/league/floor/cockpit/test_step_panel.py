"""All that comes next at an event, in words, where its first stage is played in divisions."""

import pytest
from django.test import Client

from league.counting.event_counting.services import divisions_set
from league.models import Season
from tests.factories import events
from tests.league.floor.cockpit.test_cockpit import NIGHT, heading, page, step

pytestmark = pytest.mark.django_db


def test_before_the_start_it_says_how_many_of_each_division_are_there(
    desk: Client, season: Season
) -> None:
    made = events.event(season)
    people = events.players(season.club, 9)
    events.enter(made, people)
    events.stage(made, start=False, by_division=True)
    html = page(desk)
    assert "The season has no divisions yet" in html
    assert 'desk/season/autumn/divisions/"' in html

    def divide(first: int) -> str:
        numbers = {player.public_id: 1 + (place >= first) for place, player in enumerate(people)}
        divisions = [("<First>", 0, 0), ("Second", 0, 0)]
        divisions_set(season=season, actor=events.ACTOR, divisions=divisions, players=numbers)
        return page(desk)

    html = divide(4)
    assert "9 players are checked in (&lt;First&gt; 4, Second 5)." in html
    assert "can’t seat everybody in “Second” (no mix of tables of 4, 3 seats 5 players)" in html
    assert f'{NIGHT}stages/1/"' in html
    html = divide(3)
    assert (
        "9 players are checked in (&lt;First&gt; 3, Second 6): a round has 3 tables of 3." in html
    )
    assert "can’t seat" not in html
    assert heading(step(desk, "run")) == "Round 1 is being drawn …"
