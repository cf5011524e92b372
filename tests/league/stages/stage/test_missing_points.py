"""Where a stage counts points and only places were entered, everybody is told, and nothing ends in
silence."""

import json
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.results import StageResults
from engine.scoring.stage.stage_file import read_stage
from league.floor.cockpit.domain.cockpit import EventStep
from league.floor.cockpit.queries.cockpit import cockpit
from league.models import Club, Event, Role, Season, Stage, StageRound, StageScoring, Table
from league.stages.result.domain.result import without_points
from league.stages.stage.services.stage import stage_change
from tests.factories import events
from tests.factories.league import SeasonFactory
from tests.league.core.frame.api.programs import member_key
from tests.league.floor.api.conftest import Ask, asker
from tests.league.floor.cockpit.test_cockpit import NIGHT, heading, page, step

pytestmark = pytest.mark.django_db
STAGE = "/clubs/stern/events/night-1/stages/1/"


@pytest.fixture
def season(club: Club) -> Season:
    """A season that counts dice scores."""
    return SeasonFactory.create(club=club, slug="autumn", scoring="cntdice")


@pytest.fixture
def stage(season: Season) -> Stage:
    """Five who play in pairs: two tables a round, and one sits out."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.crowd(made, 5)
    return events.stage(made, sizes=[2], scoring=StageScoring.CNTDICE)


@pytest.fixture
def run(club: Club) -> Ask:
    return asker(member_key(club, Role.ORGANISER)[0])


def finish_by_places(run: Ask, stage_round: StageRound) -> list[dict[str, Any]]:
    """Enter ranks alone at each table of a round, as a program does; the answers."""
    answers = []
    for table in Table.objects.filter(stage_round=stage_round):
        entries = table.seats.order_by("seat").values_list("entry__public_id", flat=True)
        finishes = [{"entry": entry, "rank": rank} for rank, entry in enumerate(entries, start=1)]
        answer = run(f"/tables/{table.public_id}/outcome/", {"finishes": finishes})
        assert answer.status_code == 200
        answers.append(answer.json())
    return answers


def page_of(desk: Client, address: str) -> str:
    """The page to which an address leads."""
    return desk.get(address, follow=True).content.decode()


def ranking_page(client: Client) -> str:
    return page(client, reverse("stage-ranking", args=["stern", "night-1", 1]))


def test_the_answer_to_the_first_such_result_says_so_and_what_to_do(run: Ask, stage: Stage) -> None:
    first, _ = finish_by_places(run, events.drawn(stage))
    assert first["finished"]
    stage_words, season_words = first["uncounted"]
    assert "is finished, but doesn’t count" in stage_words
    assert "let the stage count places instead" in stage_words
    assert "leaves this game out" in season_words


def test_a_result_with_points_is_counted_everywhere(run: Ask, stage: Stage) -> None:
    table = events.drawn(stage).tables.get(number=1)
    one, other = table.seats.order_by("seat").values_list("entry__public_id", flat=True)
    finishes = [{"entry": one, "rank": 1, "points": 10}, {"entry": other, "rank": 2, "points": 5}]
    answer = run(f"/tables/{table.public_id}/outcome/", {"finishes": finishes}).json()
    assert answer["uncounted"] == []
    assert "doesn’t count yet" not in page(
        Client(), reverse("stage-ranking", args=["stern", "night-1", 1])
    )


def test_a_table_that_is_over_never_reads_not_over_yet(
    run: Ask, desk: Client, client: Client, stage: Stage
) -> None:
    stage_round = events.drawn(stage)
    finish_by_places(run, stage_round)
    html = ranking_page(client)
    assert "not over yet" not in html
    assert html.count("round 1: over, but its points aren’t known yet") == 4
    assert "2 tables are over, but their points aren’t known, so they don’t count yet" in html
    table = stage_round.tables.get(number=1)
    words = "Over, but its points aren’t known"
    assert words in page(client, reverse("table", args=[table.public_id]))
    assert page(client, reverse("stage-round", args=["stern", "night-1", 1, 1])).count(words) == 2
    assert page(desk, f"{NIGHT}stages/1/rounds/1/").count(words) == 2
    assert page(desk).count("over, points unknown") == 2


def test_the_bye_that_leads_says_that_this_can_change(
    run: Ask, client: Client, stage: Stage
) -> None:
    finish_by_places(run, events.drawn(stage))
    assert ranking_page(client).count("this can change, as not all points are known yet") == 4


def test_the_file_says_the_same_to_a_stranger(run: Ask, client: Client, stage: Stage) -> None:
    finish_by_places(run, events.drawn(stage))
    results = read_stage(client.get(reverse("stage-file", args=["stern", "night-1", 1])).content)
    assert isinstance(results, StageResults)
    assert [len(table.games) for table in results.tables] == [1, 1]
    assert sum(row.unknown for row in stage_ranking(results)) == 4


def test_the_cockpit_says_so_at_the_first_such_result_and_before_the_draw(
    run: Ask, desk: Client, stage: Stage
) -> None:
    stage_round = events.drawn(stage)
    table = stage_round.tables.get(number=1)
    entries = list(table.seats.order_by("seat").values_list("entry__public_id", flat=True))
    events.finish(table.public_id, entries)
    html = page(desk)
    assert heading(html) == "Results of round 1"
    assert "1 table of “Main” is over but doesn’t count yet" in html
    game = table.table_games.get().game
    assert reverse("game-correct", args=[game.public_id]) in html
    assert f"{NIGHT}stages/1/places/" in html
    events.play(stage_round)
    html = page(desk)
    assert heading(html) == "Draw the next round"
    assert "2 tables of “Main” are over but don’t count yet" in html
    assert "2 tables of “Main” are over" in page(desk, f"{NIGHT}steps/draw/")


def test_what_was_drawn_from_unknown_points_says_so(run: Ask, desk: Client, stage: Stage) -> None:
    finish_by_places(run, events.drawn(stage))
    second = events.drawn(stage)
    assert "Not all points of these players were known: p" in page(
        desk, f"{NIGHT}stages/1/rounds/2/"
    )
    answer = run(f"{STAGE}rounds/2/").json()
    assert answer["tables_without_points"] == 2
    unknown = [
        player.get("unknown", 0) for player in json.loads(second.draws.get().input)["players"]
    ]
    assert sorted(unknown) == [0, 1, 1, 1, 1]


def test_neither_stage_nor_event_finishes_in_silence(
    run: Ask, desk: Client, client: Client, stage: Stage
) -> None:
    for _ in range(3):
        finish_by_places(run, events.drawn(stage))
    html = page(desk)
    assert heading(html) == "Finish the stage"
    words = "6 tables of “Main” are over but don’t count yet"
    assert words in html
    assert words in page(desk, f"{NIGHT}steps/finish-stage/")
    answer = run(f"{STAGE}status/", {"status": "finished"})
    assert answer.json()["tables_without_points"] == 6
    html = page(desk)
    assert heading(html) == "Finish the event"
    assert words in html
    assert words in page(desk, f"{NIGHT}steps/finish/")
    answer = run("/clubs/stern/events/night-1/status/", {"status": "finished"})
    assert answer.json()["tables_without_points"] == 6
    assert words in page(client, "/clubs/stern/events/night-1/")


def test_the_stage_counts_places_from_the_next_tap_on(
    run: Ask, desk: Client, client: Client, stage: Stage
) -> None:
    finish_by_places(run, events.drawn(stage))
    html = page(desk, f"{NIGHT}stages/1/places/")
    assert "Rounds that were drawn stay as they are." in html
    assert desk.post(f"{NIGHT}stages/1/places/").status_code == 302
    facts = events.facts(stage)
    assert without_points(facts) == []
    assert "count yet" not in page(desk)
    assert "place 1 of 2, 1 point" in ranking_page(client)
    assert "Points in this stage" in page(client, "/clubs/stern/events/night-1/")
    assert "This stage doesn’t count points." in page_of(desk, f"{NIGHT}stages/1/places/")


def test_a_program_lets_the_stage_count_places(run: Ask, stage: Stage) -> None:
    answer = run(STAGE, {"scoring": "placement"}, method="PATCH")
    assert (answer.status_code, answer.json()["scoring"]) == (200, "placement")
    assert run(STAGE, {"scoring": "win_draw_loss"}, method="PATCH").status_code == 400


def test_a_stage_that_has_started_changes_its_scoring_to_nothing_else(stage: Stage) -> None:
    with pytest.raises(ValidationError):
        stage_change(stage=stage, actor=events.ACTOR, scoring=StageScoring.WIN_DRAW_LOSS)


def test_where_places_count_nothing_is_missing(desk: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    events.crowd(made, 4)
    knock_out = events.stage(
        made, format="single", sizes=[2], rounds=None, scoring=StageScoring.CNTDICE
    )
    events.play(events.drawn(knock_out))
    state = cockpit(Event.objects.select_related("season__club", "club").get(pk=made.pk))
    assert (state.next_step, state.missing) == (EventStep.DRAW, ())
    assert "so far" not in page(desk)
    assert "over, but its points aren’t known yet" in ranking_page(desk)
    step(desk, "draw")
