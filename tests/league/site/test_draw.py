"""A draw asks the database little from the organiser's button to the page that everybody reads, however many play."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.draws.tasks import draw_round
from league.models import Season, StageRound
from tests.factories import events
from tests.factories.league import MembershipFactory

STATEMENTS = 40


@pytest.mark.parametrize("count", [8, 20, 60])
@pytest.mark.django_db
def test_a_round_takes_few_statements_from_the_button_to_the_page(season: Season, count: int) -> None:
    night = events.event(season, status="running")
    events.crowd(night, count)
    stage = events.stage(night)
    events.play(events.drawn(stage))
    organiser = Client()
    organiser.force_login(MembershipFactory.create(club=season.club).user)
    with CaptureQueriesContext(connection) as captured:
        organiser.post(f"/clubs/{season.club.slug}/desk/events/{night.slug}/steps/draw/")
        draw_round(StageRound.objects.earliest("-pk").pk)  # its call comes with the commit, which a test has not
        page = Client().get(f"/clubs/{season.club.slug}/events/{night.slug}/stages/1/rounds/2/")
    assert page.status_code == 200
    asked = [query for query in captured if not query["sql"].startswith(("SAVEPOINT", "RELEASE SAVEPOINT"))]
    assert len(asked) == STATEMENTS + 1, "with the one by which this test finds the round"
