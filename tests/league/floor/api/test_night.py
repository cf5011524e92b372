"""A league night by the API alone: a program makes it, enters players, draws, enters results, and
reads who won."""

from typing import Any

import pytest

from games.models.game import Kind
from league.counting.event_counting.services import divisions_set
from league.models import Club, Event, Season, StageRound
from league.stages.round.services import round_draw
from league.standings.season.models import Notes
from tests.factories import events
from tests.factories.league import SeasonFactory
from tests.league.floor.api.conftest import Ask

pytestmark = pytest.mark.django_db

EVENTS = "/clubs/stern/events/"
NIGHT = f"{EVENTS}night-1/"
STAGE = f"{NIGHT}stages/1/"
SAID = {
    "slug": "night-1",
    "name": "First night",
    "starts_at": "2026-12-03T19:30:00+01:00",
    "season": "autumn",
}
SWISS = {"name": "Main", "format": "swiss", "sizes": [4, 3], "rounds": 2, "scoring": "placement"}


def good(response: Any, status: int = 200) -> Any:
    assert response.status_code == status, response.content
    return response.json()


def drawn_by_the_job(id: str) -> None:
    round_draw(round_id=StageRound.objects.get(public_id=id).pk)


def test_a_league_night(season: Season, run: Ask, score: Ask, look: Ask) -> None:
    made = run(EVENTS, SAID)
    event = good(made, 201)
    assert made["Location"] == event["url"] == f"/api/v1{NIGHT}"
    assert (event["status"], event["season"], event["starts_at"]) == (
        "draft",
        "autumn",
        "2026-12-03T18:30:00Z",
    )
    assert look(NIGHT).status_code == score(NIGHT).status_code == 404
    good(run(NIGHT, {"capacity": 11}, method="PATCH"))
    good(run(f"{NIGHT}status/", {"status": "open"}))
    assert good(look(EVENTS))["results"][0]["capacity"] == 11

    names = [f"p{number}" for number in range(1, 13)]
    body = {"entries": [{"handle": name} for name in names], "create_players": True}
    entries = good(run(f"{NIGHT}entries/", body))["results"]
    assert [entry["player"]["handle"] for entry in entries] == names
    assert [entry["status"] for entry in entries] == ["entered"] * 11 + ["waiting"]
    ids = [entry["id"] for entry in entries]
    good(run(f"{NIGHT}entries/status/", {"entries": [ids[0]], "status": "withdrawn"}))
    assert [entry["id"] for entry in good(look(f"{NIGHT}entries/"))["results"]] == ids[1:]
    here = good(score(f"{NIGHT}entries/check-in/", {"entries": ids[1:]}))["results"]
    assert all(entry["checked_in_at"] for entry in here)

    good(run(f"{NIGHT}status/", {"status": "running"}))
    stage = good(run(f"{NIGHT}stages/", SWISS), 201)
    assert (stage["number"], stage["status"], stage["bracket"]) == (1, "planned", None)
    assert good(run(f"{STAGE}status/", {"status": "running"}))["status"] == "running"
    for number in (1, 2):
        play_round(number, run, score, look)
    assert good(run(f"{STAGE}status/", {"status": "finished"}))["status"] == "finished"
    good(run(f"{NIGHT}status/", {"status": "finished"}))

    ranking = good(look(f"{STAGE}ranking/"))["results"]
    assert ranking[0]["rank"] == 1
    assert len(ranking) == 11
    assert Event.objects.get().final_ranks.count() == 11
    assert good(look(f"{NIGHT}entries/"))["results"][0]["rank"] >= 1


def test_a_table_of_eight_at_luegen_kniffel(club: Club, run: Ask, score: Ask, look: Ask) -> None:
    season = SeasonFactory.create(
        club=club, kind=Kind.LUEGEN_KNIFFEL, scoring="totals", notes=Notes.POINTS, rules={}
    )
    events.crowd(events.event(season, status=Event.Status.RUNNING), 8)
    swiss = {"name": "Main", "format": "swiss", "sizes": [8, 7], "rounds": 1}
    assert run(f"{NIGHT}stages/", swiss | {"sizes": [9]}).status_code == 400
    assert (
        "Only Bluff has dice scores"
        in run(f"{NIGHT}stages/", swiss | {"scoring": "cntdice"}).content.decode()
    )
    stage = good(run(f"{NIGHT}stages/", swiss), 201)
    assert (stage["sizes"], stage["scoring"]) == ([8, 7], "totals")
    good(run(f"{STAGE}status/", {"status": "running"}))
    drawn_by_the_job(good(run(f"{STAGE}rounds/", {"at_once": True}), 201)["id"])
    (table,) = good(look(f"{STAGE}rounds/1/tables/"))["results"]
    finishes = [
        {"entry": seat["entry"], "rank": place, "points": 300 - 9 * place}
        for place, seat in enumerate(reversed(table["seats"]), start=1)
    ]
    path = table["url"].removeprefix("/api/v1")
    assert good(score(f"{path}outcome/", {"finishes": finishes}))["finished"]
    ranking = good(look(f"{STAGE}ranking/"))["results"]
    assert [row["rank"] for row in ranking] == list(range(1, 9))
    assert [str(row["points"]) for row in ranking] == [str(finish["points"]) for finish in finishes]


def test_a_night_in_divisions(season: Season, run: Ask, look: Ask) -> None:
    people = events.players(season.club, 7)
    numbers = {player.public_id: 1 + (place > 3) for place, player in enumerate(people)}
    divisions = [("First", 0, 1), ("Second", 1, 0)]
    divisions_set(season=season, actor=events.ACTOR, divisions=divisions, players=numbers)
    events.enter(events.event(season, status=Event.Status.RUNNING), people)
    swiss = {"name": "Main", "format": "swiss", "sizes": [4, 3], "rounds": 1, "by_division": True}
    stage = good(run(f"{NIGHT}stages/", swiss), 201)
    assert (stage["by_division"], stage["group_names"]) == (True, [])
    stage = good(run(f"{STAGE}status/", {"status": "running"}))
    assert (stage["groups"], stage["group_names"]) == (2, ["First", "Second"])
    assert good(look(f"{NIGHT}stages/"))["results"][0]["group_names"] == ["First", "Second"]
    assert len(good(look(f"{STAGE}ranking/?group=2"))["results"]) == 3


def play_round(number: int, run: Ask, score: Ask, look: Ask) -> None:
    asked = good(run(f"{STAGE}rounds/", {}), 201)
    assert (asked["number"], asked["status"]) == (number, "asked")
    assert look(f"{STAGE}rounds/{number}/").status_code == 404
    drawn_by_the_job(asked["id"])
    drawn = good(run(f"{STAGE}rounds/{number}/"))
    assert (drawn["status"], drawn["open_tables"]) == ("drawn", 3)
    assert (
        good(run(f"{STAGE}rounds/{number}/status/", {"status": "published"}))["status"]
        == "published"
    )
    tables = good(look(f"{STAGE}rounds/{number}/tables/"))["results"]
    assert sorted(len(table["seats"]) for table in tables) == [3, 4, 4]
    for table in tables:
        finishes = [
            {"entry": seat["entry"], "rank": place}
            for place, seat in enumerate(table["seats"], start=1)
        ]
        path = table["url"].removeprefix("/api/v1")
        entered = good(score(f"{path}outcome/", {"finishes": finishes}))
        assert entered["finished"]
        assert [finish["rank"] for finish in entered["games"][0]["finishes"]] == list(
            range(1, len(finishes) + 1)
        )
    assert good(look(f"{STAGE}rounds/{number}/"))["open_tables"] == 0
