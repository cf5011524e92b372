"""A cup of several clubs: those of one club are kept apart in the first rounds, and the clubs are
ranked."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from engine.pairing.draw import draw
from engine.pairing.draw_file import read_draw, write_answer
from engine.pairing.draw_input import DrawInput
from engine.scoring.stage.labels import label_ranking
from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.results import StageResults
from engine.scoring.stage.stage_file import read_stage
from games.models import Game
from league.core.log.ledger import ledger_differences
from league.counting.season_copy.services import event_copy
from league.disputes.otherwise.domain.round import drawn_otherwise
from league.events.entry.services.entry import entries_check_in, entry_add, entry_withdraw
from league.events.entry.services.label import labels_set
from league.models import Event, Format, Season, Stage, StageScoring
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.placing.domain.ranking import shown_groups, shown_labels
from league.stages.result.services.void import game_void_add
from league.stages.stage.desk.stage_form import StageForm
from league.stages.stage.services.stage import stage_change, stage_create
from tests.factories import events
from tests.factories.events import ACTOR
from tests.league.counting.event_rebuild.rebuilt import differences
from tests.league.stages.round.test_ahead import all_drawn

pytestmark = pytest.mark.django_db
CLUBS = ("Ulm", "Bonn", "Kiel")
STAGE = "/clubs/stern/events/night-1/stages/1/"


def cup(season: Season, count: int = 12, **settings: Any) -> Stage:
    """A stage of three clubs, which are kept apart in its first two rounds."""
    made = events.event(season, status=Event.Status.RUNNING)
    entries = events.crowd(made, count)
    for number, club in enumerate(CLUBS):
        labels_set(event=made, entries=entries[number::3], label=club, actor=ACTOR)
    return events.stage(
        made, **{"sizes": [3], "label_rounds": 2, "label_must": True, "label_best": 2, **settings}
    )


def of_one_club(stage: Stage, number: int) -> int:
    """How many pairs of one club sit at tables of a round."""
    facts = events.facts(stage)
    return sum(
        facts.members[one].label == facts.members[other].label != ""
        for table in facts.tables
        if table.round_number == number
        for one, other in combinations(table.entries, 2)
    )


@pytest.mark.parametrize("must", [True, False])
def test_those_of_one_club_meet_in_none_of_the_first_rounds(season: Season, must: bool) -> None:
    stage = cup(season, label_must=must)
    for number in (1, 2):
        events.play(events.drawn(stage))
        assert of_one_club(stage, number) == 0
    events.play(events.drawn(stage))
    assert [json.loads(row.input_text).get("labels") for row in events.facts(stage).draws] == [
        *["must" if must else "wish"] * 2,
        None,
    ]


def test_rounds_that_are_drawn_ahead_keep_them_apart_in_the_first_ones_alone(
    season: Season,
) -> None:
    stage = cup(season, format=Format.PODS)
    all_drawn(stage)
    assert [json.loads(row.input_text).get("labels") for row in events.facts(stage).draws] == [
        "must",
        "must",
        None,
    ]
    assert of_one_club(stage, 1) == of_one_club(stage, 2) == 0


def test_who_changes_sides_and_how_long_they_are_kept_apart_changes_no_round_that_was_drawn(
    season: Season,
) -> None:
    stage = cup(season)
    for _ in range(2):
        events.play(events.drawn(stage))
    entries = list(stage.event.entries.order_by("number"))
    labels_set(event=stage.event, entries=entries[:6], label="Ulm", actor=ACTOR)
    labels_set(event=stage.event, entries=entries[6:8], label="", actor=ACTOR)
    assert drawn_otherwise(events.facts(stage)) == []
    stage_change(stage=stage, actor=ACTOR, label_rounds=None, label_must=False)
    assert drawn_otherwise(events.facts(stage)) == []


def test_the_draw_tells_labels_by_numbers_and_replays(season: Season) -> None:
    stage = cup(season)
    events.drawn(stage)
    (row,) = events.facts(stage).draws
    assert not any(club in row.input_text for club in CLUBS)
    given = read_draw(row.input_text)
    assert isinstance(given, DrawInput)
    assert sorted({player.label for player in given.participants}) == [1, 2, 3]
    assert write_answer(draw(given)).decode() == row.answer


def test_clubs_are_ranked_as_a_stranger_ranks_them_through_leavers_latecomers_byes_and_corrections(
    season: Season, client: Client
) -> None:
    stage = cup(season, 11, sizes=[3, 2], rounds=4)
    events.play(events.drawn(stage))
    entry_withdraw(entry=stage.event.entries.order_by("number")[0], actor=ACTOR)
    late = entry_add(
        event=stage.event,
        player=events.players(season.club, 1, "late")[0],
        actor=ACTOR,
        by_organiser=True,
    )
    labels_set(event=stage.event, entries=[late], label="kiel", actor=ACTOR)
    entries_check_in(event=stage.event, entries=[late], actor=ACTOR)
    events.play(events.drawn(stage))
    events.play(events.drawn(stage))
    facts = events.facts(stage)
    game_void_add(game=Game.objects.get(public_id=facts.tables[0].games[0].game), actor=ACTOR)
    facts = events.facts(stage)
    shown = shown_labels(facts, shown_groups(facts))
    answer = client.get(f"{STAGE}stage.json")
    read = read_stage(answer.content)
    assert isinstance(read, StageResults)
    assert read.rules.label_best == 2
    assert [row.row for row in shown] == list(label_ranking(stage_ranking(read), 2))
    assert {row.row.label for row in shown} == set(CLUBS)
    html = client.get(STAGE).content.decode()
    for row in shown:
        assert f"{row.row.label}" in html
        assert len(row.row.best) == 2
    assert "Clubs and towns" in html
    assert "Clubs and towns" in client.get("/clubs/stern/events/night-1/").content.decode()
    answered = client.get(f"/api/v1{STAGE}labels/").json()["results"]
    assert [(row["rank"], row["label"], row["points"]) for row in answered] == [
        (row.row.rank, row.row.label, row.points) for row in shown
    ]
    assert all(len(row["best"]) == 2 and row["why"] for row in answered)
    assert differences(stage.event) == []
    assert list(ledger_differences(season.club_id)) == []


def test_a_cup_that_is_over_shows_how_its_clubs_stand(season: Season, client: Client) -> None:
    stage = cup(season, rounds=1)
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=ACTOR)
    event_move(event=stage.event, status=Event.Status.FINISHED, actor=ACTOR)
    html = client.get("/clubs/stern/events/night-1/").content.decode()
    assert html.index("Clubs and towns") < html.index("Final ranking")
    assert all(club in html for club in CLUBS)


def test_a_stage_that_ranks_no_clubs_shows_none(season: Season, client: Client) -> None:
    stage = cup(season, label_best=None)
    events.play(events.drawn(stage))
    assert "Clubs and towns" not in client.get(STAGE).content.decode()
    assert client.get(f"/api/v1{STAGE}labels/").json()["results"] == []


def test_the_form_asks_for_labels_where_there_are_some(season: Season) -> None:
    stage = cup(season, 3)
    asked = {"label_rounds", "label_must", "label_best"}
    form = StageForm(stage.event, Format.SWISS, None, number=1, count=3)
    assert asked <= form.fields.keys()
    assert not asked & StageForm(stage.event, Format.SINGLE, None, number=1, count=3).fields.keys()
    assert StageForm(stage.event, Format.FREE, None, number=1, count=3).fields.keys() & asked == {
        "label_best"
    }
    other = events.event(season, "night-2")
    assert not asked & StageForm(other, Format.SWISS, None, number=1, count=3).fields.keys()
    planned = events.stage(other, start=False, label_rounds=1)
    assert (
        asked
        <= StageForm(other, Format.SWISS, None, number=1, count=3, stage=planned).fields.keys()
    )


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"format": Format.SINGLE, "sizes": [2], "label_rounds": 1}, "label_rounds"),
        ({"format": Format.LADDER, "sizes": [2], "label_best": 2}, "label_best"),
        ({"groups": 2, "label_best": 2}, "label_best"),
        ({"label_rounds": 0}, "label_rounds"),
        ({"label_best": 101}, "label_best"),
    ],
)
def test_what_cannot_be_is_refused(season: Season, settings: dict[str, Any], field: str) -> None:
    given = {
        "name": "Main",
        "format": Format.SWISS,
        "sizes": [4, 3],
        "rounds": 3,
        "scoring": StageScoring.PLACEMENT,
    }
    with pytest.raises(ValidationError) as refused:
        stage_create(event=events.event(season), actor=ACTOR, **{**given, **settings})
    assert field in refused.value.message_dict


def test_how_many_add_up_can_change_while_it_runs_and_the_next_event_has_the_same(
    season: Season,
) -> None:
    stage = cup(season)
    assert stage_change(stage=stage, actor=ACTOR, label_best=3, label_rounds=1)
    copy = event_copy(
        event=stage.event, actor=ACTOR, slug="night-9", name="Next", starts_at=events.BEGINS
    )
    copied = copy.stages.get()
    assert (copied.label_rounds, copied.label_must, copied.label_best) == (1, True, 3)
    assert list(ledger_differences(season.club_id)) == []
