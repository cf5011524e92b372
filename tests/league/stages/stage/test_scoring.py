"""The points that a stage counts: dice scores are those of Bluff, totals those of Lügen-Kniffel."""

import json
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from engine.cli.main import main
from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.results import StageResults
from engine.scoring.stage.stage_file import read_stage
from games.models.game import Kind
from league.core.log.ledger import ledger_differences
from league.counting.event_rebuild.services import event_rebuild
from league.models import Club, Event, Format, Season, Stage, StageScoring, Table
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish, stage_start
from league.stages.placing.domain.ranking import shown_groups
from league.stages.result.domain.end import BrokenOff
from league.stages.result.domain.result import group_ranking
from league.stages.result.services.result import table_outcome_enter
from league.stages.stage.desk.stage_form import StageForm
from league.stages.stage.domain.tie_break import first_scoring
from league.stages.stage.services.stage import stage_create
from league.standings.season.models import Notes
from tests.factories import events
from tests.factories.league import SeasonFactory
from tests.league.counting.event_rebuild.rebuilt import differences, newest_games
from tests.league.stages.result.test_result import ids_at, in_seat_order, sent, table_of

pytestmark = pytest.mark.django_db
FILE = "/clubs/stern/events/night-1/stages/1/stage.json"


def season_of(
    club: Club, kind: str, scoring: str, notes: str = Notes.POINTS, slug: str = "sheets"
) -> Season:
    return SeasonFactory.create(
        club=club, slug=slug, kind=kind, scoring=scoring, notes=notes, rules={}
    )


@pytest.fixture
def kniffel(club: Club) -> Season:
    """A season of Lügen-Kniffel in which the sheets' totals are noted and count."""
    return season_of(club, Kind.LUEGEN_KNIFFEL, "totals")


@pytest.mark.parametrize(
    ("kind", "scoring", "notes", "first"),
    [
        (Kind.LUEGEN_KNIFFEL, "totals", Notes.POINTS, StageScoring.TOTALS),
        (Kind.LUEGEN_KNIFFEL, "totals", Notes.ROUNDS, StageScoring.TOTALS),
        (Kind.LUEGEN_KNIFFEL, "totals", Notes.PLACES, StageScoring.PLACEMENT),
        (Kind.LUEGEN_KNIFFEL, "placement", Notes.POINTS, StageScoring.PLACEMENT),
        (Kind.BLUFF, "cntdice", Notes.POINTS, StageScoring.CNTDICE),
        (Kind.BLUFF, "cntdice", Notes.PLACES, StageScoring.PLACEMENT),
    ],
)
def test_a_stage_begins_with_the_points_that_its_season_notes_and_counts(
    club: Club, kind: str, scoring: str, notes: str, first: str
) -> None:
    season = season_of(club, kind, scoring, notes)
    assert first_scoring(season, Format.SWISS) == first
    assert first_scoring(season, Format.ROUND_ROBIN) == StageScoring.WIN_DRAW_LOSS
    assert first_scoring(season, Format.SINGLE) == StageScoring.PLACEMENT
    night = events.event(season, status=Event.Status.DRAFT)
    form = StageForm(night, Format.SWISS, None, number=1, count=8)
    assert form.initial["scoring"] == first
    stage = stage_create(
        event=night, actor=events.ACTOR, name="Main", format=Format.SWISS, sizes=[4, 3], rounds=3
    )
    assert stage.scoring == first


@pytest.mark.parametrize("scoring", ["placement", "usual"])
@pytest.mark.parametrize(
    ("kind", "fit", "unfit", "words"),
    [
        (Kind.LUEGEN_KNIFFEL, "totals", "cntdice", "Only Bluff has dice scores."),
        (Kind.BLUFF, "cntdice", "totals", "Only Lügen-Kniffel has totals."),
    ],
)
def test_points_of_another_game_are_neither_offered_nor_taken(
    club: Club, kind: str, fit: str, unfit: str, words: str, scoring: str
) -> None:
    season = season_of(club, kind, fit if scoring == "usual" else scoring)
    night = events.event(season, status=Event.Status.DRAFT)
    assert events.stage(night, start=False, scoring=fit).scoring == fit
    with pytest.raises(ValidationError, match=words):
        events.stage(night, start=False, scoring=unfit)
    form = StageForm(night, Format.SWISS, None, number=1, count=8)
    offered: Any = form.fields["scoring"]
    names = {name for name, _ in offered.choices}
    assert fit in names
    assert not {unfit, "strikes"} & names


def test_the_form_of_a_result_asks_for_totals_where_a_stage_counts_them(
    club: Club, desk: Client
) -> None:
    season = season_of(club, Kind.LUEGEN_KNIFFEL, "placement", Notes.PLACES)
    night = events.event(season, status=Event.Status.RUNNING)
    events.crowd(night, 8)
    stage = events.stage(night, sizes=[8], scoring=StageScoring.TOTALS)
    events.drawn(stage)
    table = table_of(stage)
    address, places = reverse("table-result", args=[table.public_id]), in_seat_order(table)
    assert "points_" in desk.get(address).content.decode()
    assert (
        "or let the stage count places instead"
        in desk.post(address, sent(table, places)).content.decode()
    )
    totals = {f"points_{id}": str(240 - 10 * place) for id, place in places.items()}
    desk.post(address, sent(table, places, **totals, sure="yes"))
    (row, *_) = rows(stage)
    assert row == (1, next(iter(places)), 230 * 840)


def test_who_leaves_is_last_at_the_table_and_brings_what_the_sheet_says(kniffel: Season) -> None:
    """Ruling K15."""
    night = events.event(kniffel, status=Event.Status.RUNNING)
    events.crowd(night, 7)
    stage = events.stage(night, sizes=[7], rounds=1, scoring=StageScoring.TOTALS)
    events.drawn(stage)
    table = table_of(stage)
    *stayed, leaver = ids_at(table)
    points = {id: 100 + 10 * seat for seat, id in enumerate([*stayed, leaver])}
    ranks = {id: place for place, id in enumerate([*reversed(stayed), leaver], start=1)}
    left = BrokenOff(None, [leaver])
    table_outcome_enter(
        table=table, ranks=ranks, points=points, broken_off=left, actor=events.ACTOR
    )
    assert rows(stage)[0] == (1, leaver, 160 * 840)
    (group,) = shown_groups(events.facts(stage))
    assert str(group.rows[0].why[1]) == "round 1: place 7 of 7, 160 points"
    assert differences(night) == []


def rows(stage: Stage) -> list[tuple[int, str, int]]:
    """The ranking as it follows from what is stored now."""
    facts = events.facts(stage)
    return [
        (row.rank, row.participant.player_id, row.score)
        for row in group_ranking(facts, facts.groups[0].pk)
    ]


def play(stage: Stage, chance: Random, totals: dict[str, int]) -> None:
    """A round is drawn, and at each table the highest total wins; all are added to the totals of
    before."""
    stage_round = events.drawn(stage)
    found = Table.objects.select_related(
        "stage_round__stage__event__season__ranking", "stage_round__stage__event__club"
    )
    for table in found.filter(stage_round=stage_round):
        points = {id: chance.randint(90, 300) for id in ids_at(table)}
        ranks = {
            id: 1 + sum(rival > own for rival in points.values()) for id, own in points.items()
        }
        table_outcome_enter(table=table, ranks=ranks, points=points, actor=events.ACTOR)
        for id, own in points.items():
            totals[id] = totals.get(id, 0) + own


def test_an_evening_at_tables_of_eight_and_seven_is_ranked_by_the_sum_of_totals(
    kniffel: Season, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night = events.event(kniffel, status=Event.Status.RUNNING)
    events.crowd(night, 15)
    stage = stage_create(
        event=night, actor=events.ACTOR, name="Main", format=Format.SWISS, sizes=[8, 7], rounds=3
    )
    assert stage.scoring == StageScoring.TOTALS
    stage_start(stage=stage, actor=events.ACTOR)
    chance, totals = Random(5), dict[str, int]()
    for _ in range(3):
        play(stage, chance, totals)
        ranking = rows(stage)
        assert {id: score for _, id, score in ranking} == {
            id: own * 840 for id, own in totals.items()
        }
        assert [score for *_, score in ranking] == sorted(
            (own * 840 for own in totals.values()), reverse=True
        )
        assert differences(night) == []
    facts = events.facts(stage)
    assert {len(table.entries) for table in facts.tables} == {7, 8}

    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=night, status=Event.Status.FINISHED, actor=events.ACTOR)
    event_rebuild(event_id=night.pk, actor=events.ACTOR)
    assert rows(stage) == ranking
    assert differences(night) == []
    assert list(ledger_differences(night.club_id)) == []
    assert len(newest_games(night)) == 6

    line = client.get(FILE).content.decode()
    read = read_stage(line)
    assert isinstance(read, StageResults)
    assert [
        (row.rank, row.participant.player_id, row.score) for row in stage_ranking(read)
    ] == ranking
    games = list(
        chain(
            *[table["games"] for played in json.loads(line)["rounds"] for table in played["tables"]]
        )
    )
    assert all(game.keys() == {"rank", "totals"} for game in games)
    path = tmp_path / "stage.json"
    path.write_text(line, encoding="utf-8")
    assert main(["stage", str(path), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["rank"] for row in printed] == [rank for rank, *_ in ranking]


def test_a_game_without_totals_brings_nobody_any_until_they_are_told(kniffel: Season) -> None:
    night = events.event(kniffel, status=Event.Status.RUNNING)
    events.crowd(night, 4)
    stage = events.stage(night, scoring=StageScoring.TOTALS)
    events.play(events.drawn(stage))
    assert {score for *_, score in rows(stage)} == {0}


def test_the_file_of_a_stage_of_kniffel_that_counts_places_can_be_read(
    kniffel: Season, client: Client
) -> None:
    night = events.event(kniffel, status=Event.Status.RUNNING)
    events.crowd(night, 4)
    stage = events.stage(night, scoring=StageScoring.PLACEMENT)
    play(stage, Random(1), {})
    read = read_stage(client.get(FILE).content)
    assert isinstance(read, StageResults)
    assert [
        (row.rank, row.participant.player_id, row.score) for row in stage_ranking(read)
    ] == rows(stage)
