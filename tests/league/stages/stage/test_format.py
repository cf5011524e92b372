"""The registry of formats: each can be planned, played and ranked, and stands in the manual."""

import re
from typing import Any

import pytest
from django.utils import translation

from league.models import Entry, Event, Format, Season, StageRound
from league.site.manual.web import page_file
from league.stages.course.services.stage import stage_finish, stage_start
from league.stages.placing.domain.place import stage_places
from league.stages.placing.domain.ranking import shown_groups
from league.stages.stage.desk.stage_form import StageForm
from league.stages.stage.format import FORMATS, FormatRules, recommended_format
from league.stages.stage.services.stage import stage_create
from league.stages.table.services.table import table_set_up
from tests.factories import events
from tests.languages import languages_of

each_format = pytest.mark.parametrize("rules", FORMATS.values(), ids=list(FORMATS))


def test_every_name_has_its_rules() -> None:
    assert list(FORMATS) == Format.values


@pytest.mark.parametrize(
    ("number", "players", "recommended"),
    [
        (1, 4, Format.PODS),
        (1, 16, Format.PODS),
        (1, 17, Format.SWISS),
        (2, 4, Format.SINGLE),
        (3, 90, Format.SINGLE),
    ],
)
def test_one_format_is_recommended_for_the_players_who_are_there(
    number: int, players: int, recommended: Format
) -> None:
    assert recommended_format(number, players) == recommended


@pytest.mark.django_db
@each_format
def test_a_format_is_planned_as_its_form_suggests_then_played_and_ranked(
    season: Season, rules: FormatRules
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    entries = events.enter(night, events.players(season.club, 4))
    form = StageForm(night, rules.name, None, number=1, count=4)
    suggested: Any = form.initial
    form = StageForm(night, rules.name, suggested, number=1, count=4)
    assert form.is_valid(), form.errors
    stage = stage_create(event=night, actor=events.ACTOR, **form.settings())
    assert (stage.knock_out, stage.by_place) == (rules.knock_out, rules.by_place)
    stage_start(stage=stage, actor=events.ACTOR)
    if rules.undrawn:
        last, first = Entry.objects.filter(participations__stage=stage).order_by(
            "-participations__seed"
        )[:2]
        ids = [last.public_id, first.public_id]
        table_set_up(stage=stage, players=ids, actor=events.ACTOR)
        events.finish(events.facts(stage).tables[0].public_id, ids)
    else:
        events.play(events.drawn(stage))
        assert StageRound.objects.get().status == StageRound.Status.PUBLISHED
    stage.refresh_from_db()
    facts = events.facts(stage)
    assert all(table.finished for table in facts.tables)
    assert {place.entry for place in stage_places(facts)} == {entry.pk for entry in entries}
    (group,) = shown_groups(facts)
    assert len(group.rows) == len(entries)
    assert bool(stage.rounds) == rules.needs_rounds
    if rules.undrawn:
        stage_finish(stage=stage, actor=events.ACTOR)


@pytest.mark.django_db
@each_format
def test_a_stage_that_a_program_plans_begins_as_one_from_the_form(
    season: Season, rules: FormatRules
) -> None:
    night = events.event(season)
    suggested: Any = StageForm(night, rules.name, None, number=1, count=4).initial
    form = StageForm(night, rules.name, suggested, number=1, count=4)
    assert form.is_valid(), form.errors
    chosen = form.settings()
    plain = {name: chosen[name] for name in ("name", "format", "sizes", "rounds") if name in chosen}
    stage = stage_create(event=night, actor=events.ACTOR, **plain)
    assert {name: getattr(stage, name) for name in chosen} == chosen


@pytest.mark.parametrize("language", languages_of("run-an-event"))
@each_format
def test_a_format_stands_in_the_manual(rules: FormatRules, language: str) -> None:
    page = page_file("run-an-event", language).read_text()
    with translation.override(language):
        name = rules.short_label.casefold()
    rows = [row.casefold() for row in re.findall(r"^\| (.+?) \|", page, re.MULTILINE)]
    assert name in rows, (
        f"templates/docs/run-an-event ({language}): say in its table what {rules.name} is"
    )
