"""Reading events by program: what is told, to whom, at which cost."""

import json
import subprocess
import sys
from datetime import datetime
from typing import Any

import pytest

from league.core.log.services import Actor
from league.counting.event_counting.services import counting_change, divisions_set
from league.events.event.services import event_change
from league.models import Draw, Event, Format, Role, Season, StageRound, Visibility
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.placing.domain.meetings import meetings_of
from league.stages.round.services import round_change
from league.stages.stage.domain.facts import published_facts
from tests.factories import events
from tests.factories.league import ClubFactory
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker

pytestmark = pytest.mark.django_db

NIGHT = "/clubs/stern/events/night-1/"
STAGE = f"{NIGHT}stages/1/"
CUP = "/clubs/stern/events/cup/"


@pytest.fixture
def night(season: Season) -> StageRound:
    """A night of eight with a round that is played, and one more that isn't."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    stage = events.stage(made, sizes=[4])
    events.play(events.drawn(stage))
    return events.drawn(stage)


@pytest.fixture
def cup(season: Season) -> StageRound:
    """A knock-out of six that has begun."""
    made = events.event(season, "cup", status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 6, prefix="k"))
    return events.drawn(events.stage(made, format=Format.SINGLE, sizes=[2], rounds=None))


def got(response: Any) -> Any:
    assert response.status_code == 200, response.content
    return response.json()


def test_events_are_narrowed_by_time_and_season(season: Season, look: Ask) -> None:
    for number, begins in enumerate(
        ("2026-01-01T19:00:00Z", "2099-01-01T19:00:00Z", "2099-01-08T19:00:00Z"), start=1
    ):
        events.event(season, f"e{number}", starts_at=datetime.fromisoformat(begins))
    path = "/clubs/stern/events/"

    def slugs(query: str) -> list[str]:
        return [row["slug"] for row in got(look(f"{path}?{query}"))["results"]]

    assert slugs("") == ["e3", "e2", "e1"]
    assert slugs("when=coming") == ["e3", "e2"]
    assert slugs("when=past") == ["e1"]
    assert slugs("season=autumn&when=past") == ["e1"]
    assert slugs("season=winter") == []
    assert code_of(look(f"{path}?when=never")) == (400, "bad_parameter")


def test_pages_of_events_lead_on_and_back(season: Season, look: Ask) -> None:
    for number in range(1, 6):
        events.event(season, f"e{number}")  # all begin at the same moment
    first = got(look("/clubs/stern/events/?page_size=2"))
    second = got(look(first["next"].removeprefix("/api/v1")))
    third = got(look(second["next"].removeprefix("/api/v1")))
    pages = [[row["slug"] for row in page["results"]] for page in (first, second, third)]
    assert pages == [["e5", "e4"], ["e3", "e2"], ["e1"]]
    assert first["previous"] is None
    assert third["next"] is None
    assert got(look(third["previous"].removeprefix("/api/v1")))["results"] == second["results"]
    assert got(look(second["previous"].removeprefix("/api/v1")))["results"] == first["results"]
    assert code_of(look("/clubs/stern/events/?before=nowhere")) == (400, "bad_parameter")


def test_an_event_names_its_calendar_and_what_hangs_on_it(night: StageRound, look: Ask) -> None:
    event = got(look(NIGHT))
    assert event["calendar"] == "/clubs/stern/events/night-1.ics"
    assert (event["entered"], event["waiting"], event["entries_open"]) == (8, 0, False)
    for link in ("entries", "stages", "season_url", "url"):
        assert look(event[link].removeprefix("/api/v1")).status_code == 200


def test_a_draft_is_for_organisers_alone(season: Season, run: Ask, score: Ask, look: Ask) -> None:
    events.event(season, status=Event.Status.DRAFT)
    assert got(run(NIGHT))["status"] == "draft"
    for ask in (score, look):
        assert code_of(ask(NIGHT)) == (404, "not_found")
        assert got(ask("/clubs/stern/events/"))["results"] == []


@pytest.mark.parametrize("visibility", [Visibility.LINK, Visibility.MEMBERS])
def test_events_are_seen_by_whom_their_season_is_seen(
    night: StageRound, score: Ask, look: Ask, visibility: str
) -> None:
    season = night.stage.event.season
    Season.objects.filter(pk=season.pk).update(visibility=visibility)
    other = asker(member_key(ClubFactory.create(slug="mond"), Role.ORGANISER)[0])
    table = events.facts(night.stage).tables[0]
    draw = Draw.objects.all()[0]
    paths = [
        NIGHT,
        f"{NIGHT}entries/",
        STAGE,
        f"{STAGE}ranking/",
        f"{NIGHT}draws.jsonl",
        f"/tables/{table.public_id}/",
    ]
    for path in [*paths, f"/draws/{draw.public_id}/"]:
        assert score(path).status_code == 200, path
        assert code_of(look(path)) == (404, "not_found")
        assert code_of(other(path)) == (404, "not_found")
    if visibility == Visibility.LINK:
        assert look(f"{NIGHT}?key={season.link_token}").status_code == 200


def test_a_key_of_another_club_opens_what_everybody_sees(night: StageRound) -> None:
    other = asker(member_key(ClubFactory.create(slug="mond"), Role.ORGANISER)[0])
    assert other(NIGHT).status_code == 200
    assert other(f"/tables/{events.facts(night.stage).tables[0].public_id}/").status_code == 200


def test_nobody_reads_an_address_or_who_was_there(night: StageRound, score: Ask, look: Ask) -> None:
    shown = look(f"{NIGHT}entries/").content.decode() + look(f"{STAGE}ranking/").content.decode()
    assert "@" not in shown
    assert {row["checked_in_at"] for row in got(look(f"{NIGHT}entries/"))["results"]} == {None}
    assert all(row["checked_in_at"] for row in got(score(f"{NIGHT}entries/"))["results"])


def test_a_ranking_tells_figures_and_reasons(night: StageRound, look: Ask) -> None:
    rows = got(look(f"{STAGE}ranking/?group=1&page_size=3"))
    first, second, _ = rows["results"]
    assert (rows["count"], first["rank"], first["points"], first["above"]) == (8, 1, "3", None)
    assert [figure["tie_break"] for figure in first["figures"]] == night.stage.tie_breaks
    assert first["why"][0]["text"] == f"{first['player']['name']} has 3 points and rank 1"
    assert first["why"][0]["template"] == "{name} has {points} and rank {rank}"
    assert first["why"][0]["values"]["points"]["template"] == "{points} points"
    assert second["above"]["text"].startswith(
        f"{first['player']['name']} and {second['player']['name']} have 3 points"
    )
    assert code_of(look(f"{STAGE}ranking/?group=2")) == (404, "not_found")


def test_a_stage_file_comes_to_the_same_ranking(night: StageRound, look: Ask) -> None:
    file = look(f"{STAGE}file/")
    ran = subprocess.run(
        [sys.executable, "-m", "engine", "stage", "-", "--format", "json"],
        input=file.content,
        capture_output=True,
        check=True,
    )
    rows = got(look(f"{STAGE}ranking/"))["results"]
    assert [row["id"] for row in json.loads(ran.stdout)] == [row["entry"] for row in rows]


def test_the_files_of_draws_are_drawn_again(night: StageRound, cup: StageRound, look: Ask) -> None:
    file = look(f"{NIGHT}draws.jsonl")
    content = b"".join(file.streaming_content)
    ran = subprocess.run(
        [sys.executable, "-m", "engine", "draw", "-"],
        input=content,
        capture_output=True,
        check=True,
    )
    answers = [json.loads(line)["tables"] for line in ran.stdout.splitlines()]
    made = Draw.objects.filter(stage_round__stage=night.stage).order_by("stage_round__number")
    assert answers == [json.loads(draw.answer)["tables"] for draw in made]
    assert b'"bracket"' in b"".join(look(f"{CUP}draws.jsonl").streaming_content)


def test_a_draw_tells_what_went_in_and_what_came_out(night: StageRound, look: Ask) -> None:
    (address,) = got(look(f"{STAGE}rounds/2/"))["draws"]
    draw = got(look(address.removeprefix("/api/v1")))
    assert (draw["round"], draw["group"], draw["revision"], draw["by_hand"]) == (2, 1, 1, False)
    assert len(draw["input"]["players"]) == 8
    assert len(draw["answer"]["tables"]) == 2


def test_a_table_tells_its_seats_games_and_reasons(night: StageRound, look: Ask) -> None:
    first, second = got(look(f"{STAGE}rounds/1/tables/"))["results"]
    assert (first["number"], second["number"], len(first["seats"]), first["finished"]) == (
        1,
        2,
        4,
        True,
    )
    assert first["why"][:2] == ["Nobody here has met before.", "All here have the same points: 0."]
    assert [finish["rank"] for finish in first["games"][0]["finishes"]] == [1, 2, 3, 4]
    path = first["url"].removeprefix("/api/v1")
    alone = got(look(path))
    (sentence,) = alone.pop("why_not")
    assert sentence.endswith(
        "swapped places, the draw would be just as good: the seats decided, or the lot."
    )
    assert alone == first
    assert look(first["games"][0]["game"].removeprefix("/api/v1")).status_code == 200


def test_rounds_that_are_not_published_are_for_organisers(
    night: StageRound, run: Ask, look: Ask
) -> None:
    events.play(night)
    third = events.drawn(night.stage, publish=False)
    draw = Draw.objects.get(stage_round=third)
    assert [row["number"] for row in got(look(f"{STAGE}rounds/"))["results"]] == [1, 2]
    assert [row["number"] for row in got(run(f"{STAGE}rounds/"))["results"]] == [1, 2, 3]
    assert len(got(run(f"{STAGE}rounds/3/tables/"))["results"]) == 2
    for path in (f"{STAGE}rounds/3/", f"{STAGE}rounds/3/tables/", f"/draws/{draw.public_id}/"):
        assert run(path).status_code == 200
        assert code_of(look(path)) == (404, "not_found")


def test_a_bracket_has_its_tables_and_where_they_stand(cup: StageRound, look: Ask) -> None:
    stage = got(look(f"{CUP}stages/1/"))
    bracket = got(look(stage["bracket"].removeprefix("/api/v1")))
    rounds = [table["round"] for table in bracket["tables"]]
    assert sorted(rounds) == [1, 1, 2, 2, 3]
    drawn = [table for table in bracket["tables"] if table["table"]]
    assert len(drawn) == 2
    assert all(place["member"] for table in drawn for place in table["places"])
    assert bracket["ways"]
    assert bracket["width"] > max(table["x"] for table in bracket["tables"])


def test_only_a_knock_out_has_a_bracket(night: StageRound, look: Ask) -> None:
    assert code_of(look(f"{STAGE}bracket/")) == (404, "not_found")


def test_a_season_by_its_events_says_what_each_brought(night: StageRound, look: Ask) -> None:
    season = night.stage.event.season
    path = "/clubs/stern/seasons/autumn/events/"
    assert code_of(look(path)) == (404, "not_found")
    counting_change(season=season, actor=events.ACTOR, per="event", best=1)
    events.play(night)
    stage_finish(stage=night.stage, actor=events.ACTOR)
    event_move(event=night.stage.event, status=Event.Status.FINISHED, actor=events.ACTOR)
    rows = got(look(path))["results"]
    assert (len(rows), rows[0]["rank"], rows[0]["points"], rows[0]["dropped"]) == (8, 1, "7", [])
    assert rows[0]["counted"][0]["event"] == f"/api/v1{NIGHT}"
    assert rows[0]["why"][0]["text"] == f"{rows[0]['player']['name']} has 7 points and rank 1"


def test_divisions_have_their_players_in_order(night: StageRound, look: Ask) -> None:
    season = night.stage.event.season
    players = {
        member.player: 1 + (member.seed > 4)
        for member in events.facts(night.stage).members.values()
    }
    divisions_set(
        season=season, actor=events.ACTOR, divisions=[("A", 0, 1), ("B", 1, 0)], players=players
    )
    upper, lower = got(look("/clubs/stern/seasons/autumn/divisions/"))["results"]
    assert (upper["name"], upper["down"], lower["name"], lower["up"]) == ("A", 1, "B", 1)
    assert len(upper["players"]) == len(lower["players"]) == 4


def test_an_answer_that_has_not_changed_is_not_sent_again(night: StageRound, look: Ask) -> None:
    table = events.facts(night.stage).tables[-1]
    paths = [
        NIGHT,
        f"{NIGHT}entries/",
        STAGE,
        f"{STAGE}ranking/",
        f"{STAGE}rounds/2/tables/",
        f"/tables/{table.public_id}/",
    ]
    tags = {path: look(path)["ETag"] for path in paths}
    for path, tag in tags.items():
        assert look(path, **{"If-None-Match": tag}).status_code == 304
    events.play(night)
    for path in paths[2:]:
        assert look(path, **{"If-None-Match": tags[path]}).status_code == 200, path
    event_change(event=night.stage.event, actor=Actor(), venue="Elsewhere")
    assert look(NIGHT, **{"If-None-Match": tags[NIGHT]}).status_code == 200


def test_who_met_whom_is_told_of_published_rounds_with_the_least_that_was_possible(
    night: StageRound, run: Ask, look: Ask
) -> None:
    (group,) = meetings_of(published_facts(events.facts(night.stage)))
    answer = got(look(f"{STAGE}meetings/"))
    assert (answer["pairs"], answer["again"], answer["least"]) == (
        group.pairs,
        group.again,
        group.least,
    )
    assert [
        (row["member"]["entry"], row["others"], len(row["again"])) for row in answer["rows"]
    ] == [(row.member.entry_id, row.others, len(row.again)) for row in group.rows]
    assert answer["pairs"] > 0
    events.play(night)
    events.drawn(night.stage, publish=False)
    answer = got(look(f"{STAGE}meetings/"))
    unpublished = got(run(f"{STAGE}meetings/"))
    assert unpublished["pairs"] + unpublished["again"] > answer["pairs"] + answer["again"]
    assert code_of(look(f"{STAGE}meetings/?group=7")) == (404, "not_found")


def test_a_change_by_hand_is_told_with_its_reason(night: StageRound, look: Ask) -> None:
    facts = events.facts(night.stage)
    tables = [list(facts.ids(table)) for table in facts.tables if table.round_number == 2]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    known = [draw.public_id for draw in facts.draws]
    round_change(
        stage_round=night,
        tables=tables,
        draws_seen=known,
        actor=Actor(reason="They came by one car."),
    )
    (address,) = got(look(f"{STAGE}rounds/2/"))["draws"]
    draw = got(look(address.removeprefix("/api/v1")))
    assert (draw["revision"], draw["by_hand"], draw["reason"]) == (2, True, "They came by one car.")
    assert draw["answer"]["tables"] == tables
