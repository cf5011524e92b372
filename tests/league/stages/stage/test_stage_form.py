"""The form of a stage: it offers every tie-break that the engine has, by the name that rankings
show."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from django.utils.translation import gettext

from engine.messages import say
from engine.scoring.stage.registry import TIE_BREAKS
from engine.scoring.stage.rules import StageTieBreak
from league.counting.event_counting.services import divisions_set
from league.models import Event, Season
from league.stages.placing.domain.ranking import shown_groups
from league.stages.stage.desk.stage_form import StageForm, stage_initial
from league.stages.stage.services.stage import stage_change
from tests.factories import events

pytestmark = pytest.mark.django_db


def test_a_tie_break_of_the_registry_outlives_a_form_that_is_saved(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    name: Any = "most_wins"  # one that the engine doesn't know yet
    another: Any = replace(TIE_BREAKS[StageTieBreak.WINS], name=name, label=say("most wins"))
    registry = MappingProxyType({**TIE_BREAKS, another.name: another})
    monkeypatch.setattr("league.stages.stage.domain.tie_break.TIE_BREAKS", registry)
    tie_breaks = ["lots", "most_wins", *[name for name in TIE_BREAKS if name != "lots"]]
    night = events.event(season, status=Event.Status.DRAFT)
    stage = events.stage(night, start=False, tie_breaks=tie_breaks)
    initial: Any = StageForm(night, stage.format, None, number=1, count=8, stage=stage).initial
    form = StageForm(
        night, stage.format, initial | {"name": "Final"}, number=1, count=8, stage=stage
    )
    assert len(form.tie_break_fields) == len(registry)
    assert form.is_valid(), form.errors
    assert stage_change(stage=stage, actor=events.ACTOR, **form.settings())
    assert (stage.name, stage.tie_breaks) == ("Final", tie_breaks)
    assert stage_initial(stage)["tie_break_2"] == "most_wins"


def test_the_form_and_the_rankings_call_a_tie_break_by_the_same_name(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    stage = events.stage(night, tie_breaks=list(TIE_BREAKS))
    form = StageForm(night, stage.format, None, number=1, count=8, stage=stage)
    heads = [label.translated(gettext) for label in shown_groups(events.facts(stage))[0].tie_breaks]
    labels: dict[str, str] = dict(form.fields["tie_break_1"].choices)  # type: ignore[attr-defined]
    assert [labels[name] for name in stage.tie_breaks] == heads


def test_divisions_are_offered_where_the_season_has_them_and_groups_where_the_stage_before_has(
    season: Season,
) -> None:
    night = events.event(season)

    def offered(number: int) -> bool:
        return "by_division" in StageForm(night, "swiss", None, number=number, count=8).fields

    assert not offered(1)
    divisions_set(season=season, actor=events.ACTOR, divisions=[("First", 0, 0)], players={})
    assert offered(1)
    assert "by_division" not in StageForm(night, "single", None, number=1, count=8).fields
    first = events.stage(night, start=False)
    assert not offered(2)
    stage_change(stage=first, actor=events.ACTOR, by_division=True)
    assert offered(2)
    form = StageForm(night, "swiss", None, number=2, count=8)
    assert form["by_division"].label == "Everybody stays in their group from the previous stage"
    divisions_set(season=season, actor=events.ACTOR, divisions=[], players={})
    assert (
        "by_division" in StageForm(night, "swiss", None, number=1, count=8, stage=first).fields
    ), "it can be taken back"
