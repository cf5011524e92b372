"""As many sit at a table as the game has seats: six in Bluff, eight in Lügen-Kniffel."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from engine.pairing.draw_file import read_draw
from engine.pairing.draw_input import DrawInput
from engine.record.kinds import KINDS
from games.models.game import Kind
from league.models import Club, Event, Format, Season
from league.stages.course.services.stage import stage_start
from league.stages.stage.desk.stage_form import StageForm
from league.stages.stage.format import FORMATS
from league.stages.stage.services.stage import stage_change
from league.stages.table.services.table import table_set_up
from tests.factories import events
from tests.factories.league import SeasonFactory

pytestmark = pytest.mark.django_db
FINAL: dict[str, Any] = {"format": Format.FINAL, "sizes": [4], "rounds": 1}
FREE: dict[str, Any] = {"format": Format.FREE, "sizes": [4], "rounds": None}


@pytest.fixture(params=list(KINDS))
def season(request: pytest.FixtureRequest, club: Club) -> Season:
    """A season of each game."""
    return SeasonFactory.create(
        club=club, slug="autumn", kind=request.param, scoring="placement", rules={}
    )


def most_of(season: Season, stage_format: str = Format.SWISS) -> int:
    """The largest table that a stage may have."""
    return 8 if season.kind == Kind.LUEGEN_KNIFFEL and not FORMATS[stage_format].knock_out else 6


@pytest.mark.parametrize("stage_format", list(FORMATS))
def test_a_stage_has_tables_as_large_as_the_game(season: Season, stage_format: str) -> None:
    rules, most = FORMATS[stage_format], most_of(season, stage_format)
    night = events.event(season, status=Event.Status.DRAFT)
    settings: dict[str, Any] = {
        "format": stage_format,
        "rounds": None if rules.plays_to_the_end else 1,
        "scoring": rules.first_scoring,
    }
    stage = events.stage(night, start=False, sizes=[most], **settings)
    for sizes in ([most + 1], [1]):
        with pytest.raises(ValidationError, match=f"from 2 to {most}"):
            stage_change(stage=stage, actor=events.ACTOR, sizes=sizes)
    form = StageForm(night, stage_format, None, number=1, count=16)
    fields: dict[str, Any] = {
        name: form.fields[name] for name in {"size", "others"} & form.fields.keys()
    }
    assert "size" in fields
    assert all(
        [size for size, _ in field.choices] == list(range(2, most + 1)) for field in fields.values()
    )


def test_drawn_tables_are_as_large_as_the_stage_says(season: Season) -> None:
    night, most = events.event(season, status=Event.Status.RUNNING), most_of(season)
    events.crowd(night, 4 * most - 2)
    stage = events.stage(night, sizes=[most, most - 1])
    events.drawn(stage)
    facts = events.facts(stage)
    assert sorted(len(table.entries) for table in facts.tables) == [most - 1] * 2 + [most] * 2
    draw_input = read_draw(facts.draws[0].input_text)
    assert isinstance(draw_input, DrawInput)
    assert draw_input.sizes == (most, most - 1)


def test_a_final_table_has_no_more_seats_than_the_game(season: Season) -> None:
    night, most = events.event(season, status=Event.Status.RUNNING), most_of(season)
    events.crowd(night, most)
    stage = events.stage(night, start=False, **FINAL)
    late = events.crowd(night, 1, prefix="late")
    with pytest.raises(
        ValidationError, match=f"at most {most} seats, but {most + 1} players would"
    ):
        stage_start(stage=stage, actor=events.ACTOR)
    late[0].delete()
    stage_start(stage=stage, actor=events.ACTOR)
    events.drawn(stage)
    (table,) = events.facts(stage).tables
    assert len(table.entries) == most


def test_free_tables_have_no_more_seats_than_the_game(season: Season) -> None:
    night, most = events.event(season, status=Event.Status.RUNNING), most_of(season)
    ids = [entry.public_id for entry in events.crowd(night, most + 1)]
    stage = events.stage(night, **FREE)
    with pytest.raises(ValidationError, match=f"2 to {most} different players"):
        table_set_up(stage=stage, players=ids, actor=events.ACTOR)
    assert (
        len(table_set_up(stage=stage, players=ids[:most], actor=events.ACTOR).seats.all()) == most
    )


def test_the_cockpit_says_that_a_final_has_too_many(season: Season, desk: Client) -> None:
    night, most = events.event(season, status=Event.Status.RUNNING), most_of(season)
    events.crowd(night, most)
    events.stage(night, start=False, **FINAL)
    cockpit = "/clubs/stern/desk/events/night-1/"
    assert f"1 table of {most}" in desk.get(cockpit).content.decode()
    events.crowd(night, 1, prefix="late")
    assert "can’t seat everybody" in desk.get(cockpit).content.decode()
