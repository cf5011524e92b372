"""All rounds at once: for formats whose draws need no results, drawn one after the other,
published, and played in any order."""

from random import Random
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league.core.log.ledger import ledger_differences
from league.counting.event_rebuild.queries.verification import event_differences
from league.floor.clock.queries import current_round
from league.floor.cockpit.queries.cockpit import cockpit
from league.floor.cockpit.queries.duty import duties
from league.models import Event, Season, Stage, StageRound, Table
from league.stages.course.services.stage import stage_finish
from league.stages.round.services import round_ask, round_draw, round_take_back
from league.stages.stage.format import FORMATS, Format
from tests.factories import events

pytestmark = pytest.mark.django_db
Status = StageRound.Status


def all_drawn(stage: Stage) -> None:
    """Ask for all rounds, and do what the jobs do."""
    round_ask(stage=stage, actor=events.ACTOR, ahead=True)
    while (
        asked := StageRound.objects.filter(stage=stage, status=Status.ASKED).first()
    ) is not None:
        round_draw(round_id=asked.pk)


def night(season: Season, **settings: Any) -> Stage:
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    return events.stage(made, **{"format": Format.PODS, "sizes": [4], "rounds": 3, **settings})


@pytest.mark.parametrize(
    "format", sorted(name for name, rules in FORMATS.items() if rules.drawn_ahead)
)
def test_every_planned_round_is_drawn_and_public(season: Season, format: str) -> None:
    sizes = [2] if format == Format.ROUND_ROBIN else [4]
    stage = night(season, format=format, sizes=sizes if format != Format.FINAL else [6], rounds=3)
    all_drawn(stage)
    rounds = list(stage.stage_rounds.order_by("number").values_list("number", "status"))
    assert rounds == [(number, Status.PUBLISHED) for number in (1, 2, 3)]
    assert list(ledger_differences(season.club_id)) == []


@pytest.mark.parametrize("format", [Format.SWISS, Format.SINGLE])
def test_a_format_whose_draws_need_results_is_refused(season: Season, format: str) -> None:
    with pytest.raises(ValidationError, match="results"):
        round_ask(stage=night(season, format=format), actor=events.ACTOR, ahead=True)
    assert not StageRound.objects.exists()


def test_a_job_that_comes_twice_draws_once(season: Season) -> None:
    stage = night(season)
    first = round_ask(stage=stage, actor=events.ACTOR, ahead=True)
    round_draw(round_id=first.pk)
    round_draw(round_id=first.pk)
    assert stage.stage_rounds.count() == 2


def test_results_go_into_any_round_in_any_order_and_the_first_open_one_is_played(
    season: Season,
) -> None:
    stage = night(season)
    all_drawn(stage)
    chance = Random(3)
    tables = list(Table.objects.filter(stage_round__stage=stage))
    chance.shuffle(tables)
    for table in tables:
        state = cockpit(stage.event)
        lowest = min(open_table.round_number for open_table in events.facts(stage).open_tables)
        assert state.played
        assert state.played.number == lowest
        assert {one.round_number for one in state.tables} == {lowest}
        current = current_round(stage.event)
        assert current
        assert current.number == lowest
        (duty,) = duties([season.club_id], [])
        assert {waiting.table.stage_round.number for waiting in duty.waiting} == {lowest}
        seats = table.seats.order_by("seat").values_list("entry__public_id", flat=True)
        events.finish(table.public_id, list(seats))
    stage_finish(stage=stage, actor=events.ACTOR)
    assert set(stage.stage_rounds.values_list("status", flat=True)) == {Status.FINISHED}
    assert list(event_differences(stage.event_id)) == []
    assert list(ledger_differences(season.club_id)) == []


def test_taken_back_from_a_round_on_the_rest_is_drawn_anew(season: Season) -> None:
    stage = night(season)
    all_drawn(stage)
    events.play(stage.stage_rounds.get(number=1))
    round_take_back(stage_round=stage.stage_rounds.get(number=2), actor=events.ACTOR)
    all_drawn(stage)
    standing = stage.stage_rounds.exclude(status=Status.TAKEN_BACK)
    assert list(standing.order_by("number").values_list("number", "edition")) == [
        (1, 1),
        (2, 2),
        (3, 2),
    ]


def test_taken_back_while_the_jobs_draw_nothing_more_is_drawn(season: Season) -> None:
    stage = night(season)
    first = round_ask(stage=stage, actor=events.ACTOR, ahead=True)
    round_draw(round_id=first.pk)
    asked = stage.stage_rounds.get(status=Status.ASKED)
    round_take_back(stage_round=first, actor=events.ACTOR)
    round_draw(round_id=asked.pk)
    assert set(stage.stage_rounds.values_list("status", flat=True)) == {Status.TAKEN_BACK}


def test_the_cockpit_offers_it_where_the_format_allows(desk: Client, season: Season) -> None:
    stage = night(season)
    home = reverse("desk-event", args=[season.club.slug, stage.event.slug])
    assert "All rounds at once" in desk.get(home).content.decode()
    step = reverse("desk-event-step", args=[season.club.slug, stage.event.slug, "draw"])
    assert "Draw and publish all rounds at once" in desk.get(f"{step}?all").content.decode()
    assert desk.post(f"{step}?all", {"ahead": "on", "reason": ""}).status_code == 302
    assert stage.stage_rounds.get().ahead
    Stage.objects.update(format=Format.SWISS)
    assert "publish all rounds" not in desk.get(f"{step}?all").content.decode()
