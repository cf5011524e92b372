"""An event's history by program: its lines, what was public and was taken back, and the reason that
is needed."""

from typing import Any

import pytest

from league.core.log.services import Actor
from league.models import Draw, Entry, Event, Season, Stage, Table
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from tests.factories import events
from tests.league.core.frame.api.programs import code_of
from tests.league.floor.api.conftest import Ask

pytestmark = pytest.mark.django_db

NIGHT = "/clubs/stern/events/night-1/"
STAGE = f"{NIGHT}stages/1/"
TIE_BREAKS = ["wins", "head_to_head", "lots"]
WHY = "A <b>table</b> was missing 🎲"


@pytest.fixture
def stage(season: Season) -> Stage:
    """The stage of an evening of eight, with a round that is published."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    stage = events.stage(made, sizes=[4], rounds=1)
    events.drawn(stage)
    return stage


def good(response: Any) -> Any:
    assert response.status_code == 200, response.content
    return response.json()


def faults(response: Any) -> list[tuple[str, str]]:
    assert code_of(response) == (400, "bad_value")
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


def test_a_round_taken_back_is_a_line_and_stays_to_be_read(
    stage: Stage, run: Ask, look: Ask
) -> None:
    assert good(look(f"{NIGHT}history/"))["results"] == []
    table, draw = Table.objects.order_by("pk")[0].public_id, Draw.objects.get().public_id
    good(run(f"{STAGE}rounds/1/status/", {"status": "taken_back", "reason": WHY}))
    (line,) = good(look(f"{NIGHT}history/"))["results"]
    assert (line["kind"], line["stage"], line["round"]) == ("round_taken_back", 1, 1)
    assert (line["reason"], line["role"]) == (WHY, "organiser")
    assert line["changes"] == [{"what": "Status", "before": "published", "after": "taken back"}]
    mark = {"at": line["at"], "reason": WHY, "role": "organiser"}
    tables = good(look(f"{STAGE}rounds/1/tables/"))["results"]
    assert [row["taken_back"] for row in tables] == [mark, mark]
    stage_round = good(look(f"{STAGE}rounds/1/"))
    assert (stage_round["status"], stage_round["taken_back"], stage_round["open_tables"]) == (
        "taken_back",
        mark,
        0,
    )
    assert [address.split("/")[-2] for address in stage_round["draws"]] == [draw]
    for address in (f"/tables/{table}/", f"/draws/{draw}/"):
        assert good(look(address))["taken_back"] == mark
    assert len(good(look(f"/tables/{table}/"))["seats"]) == 4
    assert good(look(f"{STAGE}rounds/"))["results"] == []


def test_nothing_is_changed_at_a_round_taken_back(stage: Stage, run: Ask, score: Ask) -> None:
    table = Table.objects.order_by("pk")[0]
    good(run(f"{STAGE}rounds/1/status/", {"status": "taken_back"}))
    assert code_of(run(f"{STAGE}rounds/1/status/", {"status": "taken_back"})) == (404, "not_found")
    finishes = [
        {"entry": seat.entry.public_id, "rank": 1 + seat.seat} for seat in table.seats.all()
    ]
    assert code_of(score(f"/tables/{table.public_id}/outcome/", {"finishes": finishes}))[0] in (
        403,
        404,
    )


def test_after_the_end_a_change_needs_a_reason(stage: Stage, run: Ask, look: Ask) -> None:
    events.play(stage.stage_rounds.get())
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=stage.event, status=Event.Status.FINISHED, actor=Actor())
    entry = f"{NIGHT}entries/{Entry.objects.filter(event=stage.event)[0].public_id}/"
    changes: list[tuple[str, dict[str, object]]] = [
        (entry, {"guest": True}),
        (STAGE, {"tie_breaks": TIE_BREAKS}),
    ]
    for path, body in changes:
        assert faults(run(path, body, method="PATCH")) == [("/reason", "reason_needed")]
        assert faults(run(path, {**body, "reason": "x" * 10_000}, method="PATCH")) == [
            ("/reason", "max_length")
        ]
        assert "reason" not in good(run(path, {**body, "reason": WHY}, method="PATCH"))
    page = good(look(f"{NIGHT}history/?page_size=1"))
    assert (page["count"], page["results"][0]["kind"], page["results"][0]["reason"]) == (
        2,
        "stage_changed",
        WHY,
    )
    good(run(f"{NIGHT}status/", {"status": "running"}))
    back: dict[str, object] = {"status": "taken_back", "with_results": True}
    good(run(f"{STAGE}status/", {"status": "running"}))
    assert faults(run(f"{STAGE}rounds/1/status/", back)) == [("/reason", "reason_needed")]
    good(run(f"{STAGE}rounds/1/status/", {**back, "reason": WHY}))
    kinds = [line["kind"] for line in good(look(f"{NIGHT}history/"))["results"]]
    assert kinds == ["round_taken_back", "event_resumed", "stage_changed", "entry_changed"]
