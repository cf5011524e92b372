"""Running events by program: who may, what is refused and how, and the same request again."""

import json
from typing import Any

import pytest
from django.test import Client

from league.core.locks import Busy
from league.models import (
    Draw,
    Entry,
    Event,
    Format,
    LogEntry,
    Participant,
    Player,
    Role,
    Season,
    Stage,
    StageRound,
    StageScoring,
    TableScore,
)
from league.stages.round.services import round_draw
from tests.factories import events
from tests.factories.league import ClubFactory, UserFactory
from tests.factories.records import bluff_record, line
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker

pytestmark = pytest.mark.django_db

EVENTS = "/clubs/stern/events/"
NIGHT = f"{EVENTS}night-1/"
STAGE = f"{NIGHT}stages/1/"
AUTUMN = "/clubs/stern/seasons/autumn/"
ID = "m6tz2kq9xr"
NEXT = {"slug": "winter", "name": "Winter", "starts_on": "2027-01-07"}
SAID = {
    "slug": "night-2",
    "name": "Second night",
    "starts_at": "2026-12-10T19:30:00+01:00",
    "season": "autumn",
}


@pytest.fixture
def night(season: Season) -> Event:
    """An event of nine that is running, eight of whom are there."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    events.enter(made, events.players(season.club, 1, prefix="late"), check_in=False)
    return made


@pytest.fixture
def stage(night: Event) -> Stage:
    return events.stage(night, sizes=[4])


@pytest.fixture
def table(stage: Stage) -> str:
    """The path of a table that is waiting for its result."""
    stage_round = events.drawn(stage)
    return f"/tables/{stage_round.tables.get(number=1).public_id}/"


def good(response: Any, status: int = 200) -> Any:
    assert response.status_code == status, response.content
    return response.json()


def faults(response: Any) -> list[tuple[str, str]]:
    """The pointers and codes of a body that was refused."""
    assert code_of(response) == (400, "bad_value")
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


def seats(look: Ask, table: str) -> list[str]:
    return [seat["entry"] for seat in good(look(table))["seats"]]


ORGANISED: list[tuple[str, Any, str]] = [
    (EVENTS, SAID, "POST"),
    (NIGHT, {"venue": "Elsewhere"}, "PATCH"),
    (f"{NIGHT}status/", {"status": "finished"}, "POST"),
    (f"{NIGHT}entries/", {"entries": [{"handle": "p1"}]}, "POST"),
    (f"{NIGHT}entries/status/", {"entries": ["m6tz2kq9xr"], "status": "withdrawn"}, "POST"),
    (f"{NIGHT}stages/", {"name": "More", "format": "final", "sizes": [4], "rounds": 1}, "POST"),
    (STAGE, {"name": "Other"}, "PATCH"),
    (f"{STAGE}status/", {"status": "finished"}, "POST"),
    (f"{STAGE}rounds/", {}, "POST"),
    (f"{STAGE}rounds/1/status/", {"status": "taken_back"}, "POST"),
    (f"{STAGE}rounds/1/seating/", {"tables": [], "draws": [], "reason": "so"}, "POST"),
    (f"{STAGE}rounds/1/clock/", {"minutes": 40}, "POST"),
    (f"{STAGE}challenges/", {"players": [ID, ID]}, "POST"),
    (f"{STAGE}otherwise/", {}, "POST"),
    (f"{NIGHT}entries/{ID}/", {"guest": True}, "PATCH"),
    (f"{NIGHT}entries/{ID}/away/", {"never": []}, "POST"),
    (f"{NIGHT}apart/", {"entries": [ID, ID], "must": True}, "POST"),
    (f"{NIGHT}messages/", {"subject": "Later", "text": "At eight."}, "POST"),
    (f"{NIGHT}places/", {"first": 1, "last": 2}, "POST"),
    (f"{NIGHT}places/{ID}/", {"size": 4}, "PATCH"),
    (f"{NIGHT}places/{ID}/status/", {"status": "dropped"}, "POST"),
    (f"{NIGHT}slots/", {"starts_at": "2026-12-03T18:30:00Z", "minutes": 45}, "POST"),
    (f"{NIGHT}slots/{ID}/status/", {"status": "dropped"}, "POST"),
    (f"{NIGHT}timetables/", {}, "POST"),
    (f"{NIGHT}timetables/{ID}/moves/", {"moves": [], "version": 0, "reason": "so"}, "POST"),
    (f"{NIGHT}timetables/{ID}/status/", {"status": "published"}, "POST"),
    (f"{AUTUMN}counting/", {"per": None}, "POST"),
    (f"{AUTUMN}divisions/", {"divisions": []}, "POST"),
    (f"{AUTUMN}close/", NEXT, "POST"),
    (f"{AUTUMN}copy/", NEXT, "POST"),
    (f"{AUTUMN}series/", SAID | {"count": 2}, "POST"),
    (f"{AUTUMN}series/dates/", SAID | {"count": 2}, "POST"),
]


@pytest.mark.parametrize(("path", "body", "method"), ORGANISED)
def test_only_organisers_run_events(
    night: Event,
    table: str,
    look: Ask,
    score: Ask,
    client: Client,
    path: str,
    body: Any,
    method: str,
) -> None:
    client.force_login(UserFactory.create(username="stranger"))
    before = LogEntry.objects.count()
    arbiter = asker(member_key(night.club, Role.ARBITER)[0])
    player = asker(member_key(night.club, Role.PLAYER)[0])
    elsewhere = asker(member_key(ClubFactory.create(slug="mond"), Role.ORGANISER)[0])
    stranger = client.generic(
        method, f"/api/v1{path}", json.dumps(body), content_type="application/json"
    )
    assert code_of(stranger) == (403, "permission_denied")
    assert code_of(look(path, body, method=method)) == (401, "not_authenticated")
    assert code_of(player(path, body, method=method)) == (403, "permission_denied")
    assert code_of(score(path, body, method=method)) == (403, "permission_denied")
    assert code_of(arbiter(path, body, method=method)) == (403, "permission_denied")
    assert code_of(elsewhere(path, body, method=method)) == (403, "wrong_club")
    assert (
        LogEntry.objects.filter(club=night.club).count() == before + 4
    )  # two roles and their keys


def test_scorers_check_in(night: Event, look: Ask, score: Ask) -> None:
    late = Entry.objects.get(event=night, player__handle="late1")
    body = {"entries": [late.public_id]}
    path = f"{NIGHT}entries/check-in/"
    assert code_of(look(path, body)) == (401, "not_authenticated")
    assert good(score(path, body))["results"][0]["checked_in_at"]
    assert good(score(path, body | {"here": False}))["results"][0]["checked_in_at"] is None
    assert faults(score(path, {"entries": [late.public_id, "nobody2345"]})) == [
        ("/entries/1", "no_such_entry")
    ]


def test_who_sits_at_a_table_enters_its_result_and_nobody_else_does(
    night: Event, table: str, look: Ask, client: Client
) -> None:
    ids = seats(look, table)
    body = {"finishes": [{"entry": id, "rank": place} for place, id in enumerate(ids, start=1)]}
    assert code_of(look(f"{table}outcome/", body)) == (401, "not_authenticated")
    arbiter = asker(member_key(night.club, Role.ARBITER)[0])
    assert code_of(arbiter(f"{table}outcome/", body)) == (403, "permission_denied")
    account = UserFactory.create(username="player")
    client.force_login(account)
    path = f"/api/v1{table}outcome/"
    assert client.post(path, body, content_type="application/json").status_code == 403
    Player.objects.filter(entries__public_id=ids[0]).update(user=account)
    assert client.post(path, body, content_type="application/json").status_code == 200
    elsewhere = asker(member_key(ClubFactory.create(slug="mond"), Role.ORGANISER)[0])
    assert code_of(elsewhere(f"{table}outcome/", body)) == (403, "wrong_club")


def test_an_event_may_stand_alone(season: Season, run: Ask) -> None:
    own = {
        "game": "bluff",
        "scoring": "placement",
        "visibility": "members",
        "rules": {"exact": "all"},
    }
    alone = {name: value for name, value in SAID.items() if name != "season"}
    event = good(run(EVENTS, alone | own), 201)
    assert (event["alone"], event["season"]) == (True, "night-2")
    made = Season.objects.get(slug="night-2")
    assert (made.visibility, made.ranking.scoring, made.rules) == (
        "members",
        "placement",
        {"exact": "all"},
    )
    assert faults(run(EVENTS, SAID | {"game": "bluff"})) == [("/game", "invalid")]


def test_an_event_may_name_the_text_that_it_is_played_by(season: Season, run: Ask) -> None:
    alone = {name: value for name, value in SAID.items() if name != "season"}
    good(run(EVENTS, alone | {"rules_of": "brettspielwelt", "scoring": "placement"}), 201)
    made = Season.objects.get(slug="night-2")
    assert (made.kind, made.rules) == ("bluff", {"exact": "challenger", "reroll": False, "dice": 5})
    for more in (
        {"season": SAID["season"]},
        {"rules": {"exact": "all"}},
        {"game": "luegen-kniffel"},
    ):
        again = alone | {"slug": "night-3", "rules_of": "brettspielwelt"}
        assert faults(run(EVENTS, again | more)) == [("/rules_of", "invalid")]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"slug": "night 1"}, [("/slug", "invalid")]),
        ({"slug": "night-1"}, [("/slug", "invalid")]),
        ({"name": "\u200b"}, [("/name", "invalid")]),
        ({"starts_at": "tonight"}, [("/starts_at", "invalid")]),
        ({"ends_at": "2026-12-10T10:00:00Z"}, [("/ends_at", "invalid")]),
        ({"capacity": 1}, [("/capacity", "min_value")]),
        ({"season": "winter"}, [("/season", "no_such_season")]),
        ({"colour/size": "red"}, [("/colour~1size", "unknown_member")]),
    ],
)
def test_what_is_wrong_with_an_event_is_pointed_at(
    night: Event, run: Ask, change: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    assert faults(run(EVENTS, SAID | change)) == found
    assert Event.objects.count() == 1


def test_a_body_that_is_no_object_is_refused(night: Event, run: Ask) -> None:
    assert faults(run(EVENTS, [])) == [("", "invalid")]
    assert code_of(run(EVENTS, b"{")) == (400, "parse_error")
    assert code_of(run(EVENTS, b'{"slug": "a", "slug": "b"}')) == (400, "parse_error")
    assert code_of(run(EVENTS, b" ")) == (400, "empty_body")
    assert code_of(run(EVENTS, b"slug=a", kind="application/x-www-form-urlencoded")) == (
        415,
        "unsupported_media_type",
    )
    assert faults(run(EVENTS, {})) == [
        ("/slug", "required"),
        ("/name", "required"),
        ("/starts_at", "required"),
    ]


def test_a_step_that_cannot_be_taken_says_why(night: Event, run: Ask) -> None:
    refused = run(f"{NIGHT}status/", {"status": "draft"})
    assert faults(refused) == [("", "invalid")]
    assert refused.json()["detail"] == "An event that is “under way” can’t become “draft”."
    assert good(run(f"{NIGHT}status/", {"status": "running"}))["status"] == "running"


def test_the_log_says_who_and_why(night: Event, run: Ask) -> None:
    good(run(f"{NIGHT}status/", {"status": "cancelled", "reason": "The hall is flooded."}))
    entry = LogEntry.objects.order_by("-position")[0]
    assert (entry.action, entry.why, entry.actor_id is not None) == (
        "event.changed",
        "The hall is flooded.",
        True,
    )


def test_either_all_are_entered_or_nobody(night: Event, run: Ask) -> None:
    path = f"{NIGHT}entries/"
    both = {"entries": [{"handle": "zoe"}, {"handle": "P1"}], "create_players": True}
    assert faults(run(path, both)) == [("/entries/1/player", "invalid")]
    assert not Player.objects.filter(handle="zoe").exists()
    assert faults(run(path, {"entries": [{"handle": "zoe"}]})) == [("/entries/0/handle", "invalid")]
    assert faults(run(path, {"entries": [{"player": "nobody2345"}]})) == [
        ("/entries/0/player", "invalid")
    ]
    assert faults(run(path, {"entries": [{"guest": True}]})) == [("/entries/0", "invalid")]
    assert faults(run(path, {"entries": []})) == [("/entries", "min_length")]
    assert faults(run(path, {"entries": [{"handle": "a\nb"}], "create_players": True})) == [
        ("/entries/0/handle", "invalid")
    ]
    late = good(run(path, {"entries": [{"handle": "zoe", "guest": True}], "create_players": True}))[
        "results"
    ]
    assert (late[0]["player"]["handle"], late[0]["guest"], late[0]["number"]) == ("zoe", True, 10)


def test_players_of_other_clubs_cannot_be_entered(night: Event, run: Ask) -> None:
    (stranger,) = events.players(ClubFactory.create(slug="mond"), 1, prefix="stranger")
    body = {"entries": [{"player": stranger.public_id}]}
    assert faults(run(f"{NIGHT}entries/", body)) == [("/entries/0/player", "invalid")]


def test_entries_withdraw_and_return(night: Event, run: Ask, look: Ask) -> None:
    ids = [row["id"] for row in good(look(f"{NIGHT}entries/"))["results"]]
    path = f"{NIGHT}entries/status/"
    gone = good(run(path, {"entries": ids[:2], "status": "no_show"}))["results"]
    assert [entry["status"] for entry in gone] == ["no_show", "no_show"]
    back = good(run(path, {"entries": ids[:2], "status": "entered"}))["results"]
    assert [entry["status"] for entry in back] == ["entered", "entered"]
    assert faults(run(path, {"entries": ids[:1], "status": "waiting"})) == [
        ("/status", "invalid_choice")
    ]


def test_a_stage_is_planned_changed_started_and_set_back(night: Event, run: Ask) -> None:
    swiss = {"name": "Main", "format": "swiss", "sizes": [4], "rounds": 2, "seeding": "hand"}
    good(run(f"{NIGHT}stages/", swiss), 201)
    assert faults(run(f"{NIGHT}stages/", swiss | {"sizes": [4, 4]})) == [("/sizes", "invalid")]
    assert good(run(STAGE, {"rounds": 3}, method="PATCH"))["rounds"] == 3
    ids = [entry.public_id for entry in Entry.objects.filter(event=night).order_by("-number")]
    good(run(f"{STAGE}status/", {"status": "running", "order": ids}))
    first = Stage.objects.get().participants.get(seed=1)
    assert first.entry.player.handle == "p8"  # late1 isn't there
    assert faults(run(STAGE, {"sizes": [3]}, method="PATCH")) == [("/sizes", "invalid")]
    assert good(run(f"{STAGE}status/", {"status": "planned"}))["status"] == "planned"
    good(run(f"{STAGE}status/", {"status": "dropped"}))
    assert not Stage.objects.exists()


def test_a_stage_is_set_back_with_what_was_played_in_it(night: Event, run: Ask) -> None:
    stage = events.stage(night)
    events.play(events.drawn(stage))
    assert run(f"{STAGE}status/", {"status": "planned"}).status_code == 400
    again = {"status": "planned", "with_results": True}
    assert good(run(f"{STAGE}status/", again))["status"] == "planned"
    assert good(run(f"{STAGE}status/", again))["status"] == "planned"
    assert not Participant.objects.filter(stage=stage).exists()


def test_a_round_is_changed_by_hand_by_who_has_seen_it(stage: Stage, table: str, run: Ask) -> None:
    shown = good(run(f"{STAGE}rounds/1/"))
    tables = good(run(f"{STAGE}rounds/1/tables/"))["results"]
    seated = [[seat["entry"] for seat in row["seats"]] for row in tables]
    seated[0][0], seated[1][0] = seated[1][0], seated[0][0]
    draws = [address.split("/")[-2] for address in shown["draws"]]
    path = f"{STAGE}rounds/1/seating/"
    body = {"tables": seated, "draws": draws, "reason": "They came by one car."}
    assert faults(run(path, body | {"reason": ""})) == [("/reason", "blank")]
    assert faults(run(path, body | {"tables": seated[:1]})) == [("", "invalid")]
    good(run(path, body))
    assert Draw.objects.filter(by_hand=True, reason="They came by one car.").count() == 1
    assert faults(run(path, body | {"tables": [seated[0][::-1], seated[1]]})) == [("", "invalid")]


def test_a_round_is_taken_back(stage: Stage, table: str, run: Ask, look: Ask) -> None:
    body = {
        "finishes": [
            {"entry": id, "rank": place} for place, id in enumerate(seats(look, table), start=1)
        ]
    }
    good(run(f"{table}outcome/", body))
    path = f"{STAGE}rounds/1/status/"
    assert faults(run(path, {"status": "taken_back"})) == [("", "invalid")]
    assert good(run(path, {"status": "taken_back", "with_results": True}))["status"] == "taken_back"
    assert good(look(f"{STAGE}rounds/"))["results"] == []


def test_a_round_that_cannot_be_drawn_says_why(night: Event, run: Ask) -> None:
    stage = events.stage(night, format=Format.SWISS, sizes=[4])
    for entry in Entry.objects.filter(event=night).order_by("-number")[:4]:
        Entry.objects.filter(pk=entry.pk).update(checked_in_at=None)
    asked = good(run(f"{STAGE}rounds/", {}), 201)
    assert faults(run(f"{STAGE}rounds/", {})) == [("", "invalid")]
    Entry.objects.filter(event=night).update(checked_in_at=None)
    round_draw(round_id=StageRound.objects.get(public_id=asked["id"], stage=stage).pk)
    failed = good(run(f"{STAGE}rounds/1/"))
    assert failed["status"] == "failed"
    assert failed["failure"]["text"]
    assert (failed["draws"], good(run(failed["tables"].removeprefix("/api/v1")))["results"]) == (
        [],
        [],
    )


def test_a_game_is_sealed_at_its_table_once(
    season: Season, table: str, look: Ask, score: Ask
) -> None:
    ids = seats(look, table)
    handles = [seat["player"]["handle"] for seat in good(look(table))["seats"]]
    record = line(bluff_record(1, seats=handles))
    first = good(score(f"{table}games/", record))
    assert (first["finished"], len(first["games"][0]["finishes"])) == (True, 4)
    assert good(score(f"{table}games/", record)) == first
    assert TableScore.objects.count() == 1
    outcome = {"finishes": [{"entry": id, "rank": place} for place, id in enumerate(ids, start=1)]}
    assert code_of(score(f"{table}outcome/", outcome)) == (422, "table_finished")


def test_a_game_in_the_text_notation_is_sealed(
    season: Season, table: str, look: Ask, score: Ask
) -> None:
    handles = [seat["player"]["handle"] for seat in good(look(table))["seats"]]
    game = (
        "cups-up notation 1\nGame: bluff\nId: at-table-1\n"
        + f"Seats: {', '.join(handles)}\nOpener: {handles[0]}\n"
    )
    text = "text/vnd.cups-up"
    entered = good(score(f"{table}games/", f"{game}\n1. 3x2 5x2 ! = 6\n".encode(), kind=text))
    assert (len(entered["games"]), entered["finished"]) == (1, False)
    assert faults(score(f"{table}games/", f"{game}\n{game}".encode(), kind=text)) == [
        ("", "invalid")
    ]
    assert (
        code_of(
            score(f"{table}games/", b"cups-up notation 1\nGame: bluff\n\n1. 3x2 1x1 !\n", kind=text)
        )[0]
        == 422
    )


def test_a_game_of_others_does_not_belong_to_a_table(table: str, score: Ask, look: Ask) -> None:
    late = Entry.objects.get(player__handle="late1").public_id
    ids = [*seats(look, table)[:3], late]
    body = {"finishes": [{"entry": id, "rank": 1} for id in ids]}
    assert code_of(score(f"{table}outcome/", body)) == (422, "wrong_table")
    refused = score(f"{table}games/", line(bluff_record(1, seats=["p1", "late1"])))
    assert code_of(refused) == (422, "wrong_table")
    assert refused.json()["path"] == "seats"
    bad = score(f"{table}games/", b'{"v": 1}')
    assert (code_of(bad), bad.json()["errors"][0]["code"]) == ((422, "bad_record"), "bad_record")


def test_points_are_those_of_everybody_or_of_nobody(
    stage: Stage, table: str, score: Ask, look: Ask
) -> None:
    Stage.objects.filter(pk=stage.pk).update(scoring=StageScoring.CNTDICE)
    finishes: list[dict[str, Any]] = [
        {"entry": id, "rank": rank} for rank, id in enumerate(seats(look, table), 1)
    ]
    path = f"{table}outcome/"
    half = [finishes[0] | {"points": 5}, *finishes[1:]]
    assert faults(score(path, {"finishes": half})) == [("/finishes", "invalid")]
    assert faults(score(path, {"finishes": [finishes[0], finishes[0]]})) == [
        ("/finishes", "invalid")
    ]
    good(score(path, {"finishes": finishes}))


def test_the_same_request_again_gets_the_same_answer(night: Event, run: Ask) -> None:
    body = {"name": "Final", "format": "final", "sizes": [4], "rounds": 1}
    key = {"Idempotency-Key": "plan the final"}
    first = run(f"{NIGHT}stages/", body, **key)
    again = run(f"{NIGHT}stages/", body, **key)
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (
        201,
        201,
        "true",
    )
    assert first.json() == again.json()
    assert first["Location"] == again["Location"] == f"/api/v1{STAGE}"
    assert Stage.objects.count() == 1
    assert code_of(run(f"{NIGHT}stages/", body | {"rounds": 2}, **key)) == (
        422,
        "idempotency_key_reused",
    )


def test_a_request_that_was_refused_may_be_sent_again(night: Event, run: Ask) -> None:
    key = {"Idempotency-Key": "set back"}
    assert faults(run(f"{NIGHT}status/", {"status": "draft"}, **key)) == [("", "invalid")]
    good(run(f"{NIGHT}status/", {"status": "open"}))
    assert good(run(f"{NIGHT}status/", {"status": "draft"}, **key))["status"] == "draft"


def test_who_meets_somebody_else_is_told_so(
    stage: Stage, run: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(**_: Any) -> None:
        raise Busy("EVENT 1")

    monkeypatch.setattr("league.stages.round.api.round_ask", busy)
    assert code_of(run(f"{STAGE}rounds/", {})) == (409, "busy")
    assert code_of(run(f"{STAGE}rounds/", {}, **{"Idempotency-Key": "again"})) == (409, "busy")


def test_changes_count_against_the_limit_of_entering(night: Event, run: Ask, settings: Any) -> None:
    settings.RATE_LIMITS = settings.RATES
    changed = run(NIGHT, {"venue": "Elsewhere"}, method="PATCH")
    assert changed["RateLimit-Policy"].startswith('"enter"')
    assert run(NIGHT)["RateLimit-Policy"].startswith('"read"')
    assert json.loads(changed.content)["venue"] == "Elsewhere"
