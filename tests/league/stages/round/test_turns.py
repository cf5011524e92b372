"""Turns at short tables: an organiser is told what they cost, and chooses what counts first."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from engine.pairing.draw import draw
from engine.pairing.draw_file import read_draw, write_answer
from engine.pairing.draw_input import DrawInput
from league.core.log.services import Actor
from league.counting.season_copy.services import event_copy
from league.disputes.otherwise.domain.round import drawn_otherwise
from league.models import Draw, Event, Format, Season, Stage, StageScoring
from league.stages.round.domain.reason import draw_cost
from league.stages.round.services import round_change
from league.stages.stage.desk.stage_form import StageForm
from league.stages.stage.services.stage import stage_change, stage_create
from tests.factories import events
from tests.factories.events import ACTOR

pytestmark = pytest.mark.django_db
LABEL = "Repeat short tables rather than opponents"


def night(season: Season) -> Stage:
    """An evening of 13 at tables of four and three, over four rounds, of which one is played."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.crowd(made, 13)
    stage = events.stage(made, format=Format.PODS, rounds=4)
    events.play(events.drawn(stage))
    return stage


def last_draw(stage: Stage) -> Draw:
    return Draw.objects.filter(stage_round__stage=stage).latest("pk")


def test_a_draw_says_what_turns_cost_and_meetings_count_first_once_that_is_chosen(
    season: Season, desk: Client
) -> None:
    stage = night(season)
    address = f"/clubs/stern/desk/events/night-1/stages/{stage.number}/"
    events.drawn(stage, publish=False)
    row = last_draw(stage)
    price = draw_cost(row.input, row.answer).price
    assert price > 0
    said = (
        f"Taking turns at short tables costs {price} repeat meetings, in this round or later ones."
    )
    page = desk.get(f"{address}rounds/2/").content.decode()
    assert said in page
    assert f'href="{address}"' in page
    asked = desk.get(address)
    assert LABEL in asked.content.decode()
    fields = {field.html_name: field.value() for field in asked.context["form"]}
    posted = {name: value for name, value in fields.items() if value not in (None, False)}
    assert desk.post(address, {**posted, "meetings_first": "on"}).status_code == 302
    stage.refresh_from_db()
    assert stage.meetings_first
    assert drawn_otherwise(events.facts(stage)) == []


def test_a_draw_in_which_meetings_count_first_has_none_again_tells_no_price_and_replays(
    season: Season, client: Client
) -> None:
    stage = night(season)
    stage_change(stage=stage, actor=ACTOR, meetings_first=True)
    events.drawn(Stage.objects.get(pk=stage.pk))
    row = last_draw(stage)
    given = read_draw(row.input)
    assert isinstance(given, DrawInput)
    assert given.meetings_first
    assert json.loads(row.answer)["cost"]["repeats"] == 0
    assert write_answer(draw(given)).decode() == row.answer
    page = client.get(f"/draws/{row.public_id}/").content.decode()
    assert "costs" not in page.split("What this draw cost")[0].split("</h1>")[1]
    assert page.index("pairs that meet again") < page.index("sits at a short table more often")


def test_tables_changed_by_hand_tell_no_price(season: Season, desk: Client) -> None:
    stage = night(season)
    drawn = events.drawn(stage, publish=False)
    first, second, *further = [list(ids) for ids in json.loads(last_draw(stage).answer)["tables"]]
    first[0], second[0] = second[0], first[0]
    seen = [row.public_id for row in events.facts(stage).draws if row.round_number == drawn.number]
    assert round_change(
        stage_round=drawn,
        tables=[first, second, *further],
        draws_seen=seen,
        actor=Actor(reason="They came together."),
    )
    row = last_draw(stage)
    assert row.by_hand
    assert draw_cost(row.input, row.answer).price == 0


def test_turns_count_first_unless_another_order_is_chosen(season: Season, client: Client) -> None:
    stage = night(season)
    page = client.get(f"/draws/{last_draw(stage).public_id}/").content.decode()
    assert page.index("sits at a short table more often") < page.index("pairs that meet again")


def test_it_is_asked_where_tables_can_be_short(season: Season) -> None:
    event = night(season).event
    has_it = {
        name
        for name in Format.values
        if "meetings_first" in StageForm(event, name, None, number=1, count=13).fields
    }
    assert has_it == {Format.SWISS, Format.ROUND_ROBIN, Format.PODS, Format.STRIKES}


def test_a_format_without_short_tables_refuses_it(season: Season) -> None:
    settings = {
        "name": "Cup",
        "format": Format.SINGLE,
        "sizes": [2],
        "scoring": StageScoring.PLACEMENT,
    }
    with pytest.raises(ValidationError) as refused:
        stage_create(event=events.event(season), actor=ACTOR, meetings_first=True, **settings)
    assert "meetings_first" in refused.value.message_dict


def test_it_goes_along_with_a_copy_of_the_event(season: Season) -> None:
    stage = night(season)
    stage_change(stage=stage, actor=ACTOR, meetings_first=True)
    copy = event_copy(
        event=stage.event, actor=ACTOR, slug="night-9", name="Next", starts_at=events.BEGINS
    )
    assert copy.stages.get().meetings_first
