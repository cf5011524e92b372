"""The cockpit says which games wait for a ruling before a stage or an event ends; it holds up
neither."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game
from league.core.log.services import Actor
from league.disputes.objection.services import objection_raise
from league.models import Event, Season
from league.stages.course.services.stage import stage_finish
from tests.factories import events
from tests.league.disputes.ruling.rulings import let_stand
from tests.league.floor.cockpit.test_cockpit import NIGHT, heading, page, running, step

pytestmark = pytest.mark.django_db
WAITS = "is waiting for a ruling"


@pytest.mark.parametrize("last", ["Finish the stage", "Finish the event"])
def test_it_is_said_where_one_rules_and_the_step_can_be_taken(
    desk: Client, season: Season, last: str
) -> None:
    stage = running(season, rounds=1)
    events.play(events.drawn(stage))
    if last == "Finish the event":
        stage_finish(stage=stage, actor=events.ACTOR)
    assert heading(page(desk)) == last
    assert WAITS not in page(desk)
    game = Game.objects.select_related("season_game__season__club").earliest("pk")
    objection = objection_raise(game=game, seat=0, word="It was a four.", actor=Actor())
    html = page(desk)
    assert "1 game is waiting for a ruling, so ranks are provisional." in html
    assert f'<a href="{NIGHT}objections/">Objections</a>' in html
    let_stand(objection, actor=Actor(reason="It was a five."))
    assert WAITS not in page(desk)


def test_an_event_is_finished_with_an_open_objection(desk: Client, season: Season) -> None:
    stage = running(season, rounds=1)
    events.play(events.drawn(stage))
    game = Game.objects.select_related("season_game__season__club").earliest("pk")
    objection_raise(game=game, seat=0, word="It was a four.", actor=Actor())
    step(desk, "finish-stage")
    step(desk, "finish")
    assert Event.objects.get().status == Event.Status.FINISHED
