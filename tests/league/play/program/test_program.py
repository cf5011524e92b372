"""Programs at online tables, by the API: from the mark of the account to the sealed game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from structlog.testing import capture_logs

from engine.bluff.move import parse_move
from games.models import Game, SheetEntry
from league.models import ApiKey, Club, OnlineTable, Player, Role, Season, User
from league.play.online_table.services.lobby import online_table_open, seat_keep, seat_take
from league.settings import RATES
from league.site.manual.web import manual
from league.site.own_data.services import account_forget
from tests.factories.league import MembershipFactory
from tests.league.core.frame.api.programs import code_of, get, play
from tests.league.play.online_table.test_game import RULES, SETTINGS, page_of
from tests.league.play.program.programs import Program, program, two_at_a_table

pytestmark = pytest.mark.django_db


def test_a_program_plays_a_whole_game_by_the_api(club: Club) -> None:
    program = Program(club)
    table = program.opened(seed="moon")
    program.post(f"{table}automatic/", {"strength": "steady"})
    program.post(f"{table}automatic/", {"strength": "easy"})
    seen = program.post(f"{table}begin/").json()
    while not seen["game"]["over"]:
        game = seen["game"]
        assert game["turn"] == seen["seat"] == 0
        assert len(game["cup"] + game["seats"][0]["shown"]) == game["seats"][0]["dice"]
        if len(game["bids"]) > 2 and game["may_challenge"]:
            answer = program.act(table, "challenge")
        else:
            answer = program.act(table, "bid", game["legal"][0])
        assert answer.status_code == 200, answer.content
        seen = answer.json()
        if seen["game"]["seats"][0]["dice"] == 0:
            break
    assert seen["game"]["over"] or seen["game"]["seats"][0]["dice"] == 0
    if seen["game"]["over"]:
        assert seen["sealed"]
        assert Game.objects.count() == 1
    assert [seat["kind"] for seat in seen["seats"]] == ["program", "automatic", "automatic"]


def test_an_account_is_marked_for_good(club: Club) -> None:
    program = Program(club, marked=False)
    assert program.get("/play/").json()["is_program"] is False
    assert code_of(program.post("/play/program/", {"for_good": False})) == (400, "bad_value")
    for _ in range(2):
        assert program.post("/play/program/", {"for_good": True}).json()["is_program"] is True
    with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
        User.objects.update(is_program=False)


def test_the_account_s_own_page_says_what_the_mark_means_and_asks(club: Club) -> None:
    client, user = Client(), MembershipFactory.create(club=club).user
    client.force_login(user)
    url = reverse("account-program")
    assert "stays for good" in client.get(url).content.decode()
    client.post(url, {})
    user.refresh_from_db()
    assert not user.is_program, "nobody confirmed it"
    assert client.post(url, {"for_good": "on"}).status_code == 302
    user.refresh_from_db()
    assert user.is_program
    assert "belongs to a program, for good" in client.get(url).content.decode()


def test_an_account_that_sits_among_people_is_not_marked_meanwhile(club: Club) -> None:
    program = Program(club, marked=False)
    online_table_open(club=club, user=program.user, rules=RULES, settings=SETTINGS)
    assert code_of(program.post("/play/program/", {"for_good": True})) == (403, "sits_for_people")
    OnlineTable.objects.update(status=OnlineTable.Status.ABANDONED)
    assert program.post("/play/program/", {"for_good": True}).status_code == 200


@pytest.fixture
def for_people(club: Club) -> OnlineTable:
    """A table at which programs aren't welcome, as it comes."""
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    return online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)


def test_a_program_never_sits_at_a_table_for_people(for_people: OnlineTable, club: Club) -> None:
    program = Program(club)
    table = f"/online-tables/{for_people.public_id}/"
    assert code_of(program.post(f"{table}sit/")) == (403, "people_only")
    client = Client()
    client.force_login(program.user)
    answer = client.post(reverse("online-table-sit", args=[for_people.public_id]), {}, follow=True)
    assert "people only" in answer.content.decode()
    seat, _ = seat_take(table=for_people, user=None, name="Gust")
    assert for_people.seats.count() == 2
    with pytest.raises(Exception, match="people only"):
        seat_keep(table=for_people, seat=seat, user=program.user)
    assert code_of(
        program.post(f"/clubs/{club.slug}/online-tables/", {"programs_welcome": False})
    ) == (
        403,
        "people_only",
    )


def test_tables_and_pages_say_who_is_a_program(club: Club) -> None:
    _, table = two_at_a_table(club)
    row = OnlineTable.objects.get()
    assert page_of(row, Client()).count("<small>program</small>") == 2
    seats = get(table).json()["seats"]
    assert [seat["kind"] for seat in seats] == ["program", "program"]


def test_a_player_s_page_says_that_it_is_a_program_s(season: Season) -> None:
    play(season, 1)
    player = Player.objects.filter(club=season.club).earliest("pk")
    address = reverse("player", args=[player.public_id])
    words = "played by a program"
    first = Client().get(address)
    assert words not in first.content.decode()
    Player.objects.filter(pk=player.pk).update(user=program(season.club))
    again = Client().get(address, headers={"if-none-match": first["ETag"]})
    assert words in again.content.decode()


def test_a_deleted_account_of_a_program_stays_one(club: Club) -> None:
    user = program(club)
    account_forget(user=user)
    user.refresh_from_db()
    assert (user.is_program, user.is_active) == (True, False)


@pytest.mark.parametrize("limit", ["seat", "play_address"])
def test_floods_of_acts_are_limited_by_seat_and_by_address(
    club: Club, settings: Any, limit: str
) -> None:
    programs, table = two_at_a_table(club)
    settings.RATE_LIMITS = {limit: (2, 3600)}
    answers = [
        programs[0].post(f"{table}acts/", {"act": "challenge", "length": 0}) for _ in range(3)
    ]
    assert [answer.status_code for answer in answers][:2] == [422, 422]
    assert code_of(answers[2]) == (429, "throttled")
    assert answers[2].json()["retry_after"] > 0
    other = programs[1].post(f"{table}acts/", {"act": "challenge", "length": 0})
    assert other.status_code == (422 if limit == "seat" else 429)


def test_who_is_turned_away_is_logged(club: Club) -> None:
    _, table = two_at_a_table(club)
    stranger = Program(club)
    with capture_logs() as logs:
        stranger.post(f"{table}acts/", {"act": "challenge", "length": 0})
        Client().post(
            reverse("online-table-act", args=[table.split("/")[-2]]), {"act": "challenge"}
        )
    assert [
        (entry["event"], entry["code"]) for entry in logs if entry["event"] == "play.refused"
    ] == [
        ("play.refused", "not_seated"),
        ("play.refused", "not_seated"),
    ]


def test_only_a_marked_account_plays_by_a_key_that_plays(club: Club) -> None:
    path = f"/clubs/{club.slug}/online-tables/"
    assert code_of(Program(club, marked=False).post(path)) == (403, "not_a_program")
    assert code_of(Program(club, scope=ApiKey.Scope.CLUB).post(path)) == (403, "wrong_scope")
    assert code_of(Client().post(f"/api/v1{path}", {}, content_type="application/json")) == (
        401,
        "not_authenticated",
    )


def test_a_key_that_plays_does_nothing_else(club: Club) -> None:
    program = Program(club)
    answer = program.post(f"/clubs/{club.slug}/games/", {})
    assert code_of(answer) == (403, "wrong_scope")
    assert code_of(program.get(f"/clubs/{club.slug}/notices/"))[0] in (403, 404)


def test_a_spectator_reads_and_does_not_act(club: Club) -> None:
    programs, table = two_at_a_table(club)
    stranger = Program(club)
    seen = stranger.look(table)
    assert (seen["seat"], seen["game"]["cup"], seen["game"]["legal"]) == (None, None, [])
    for path, body in {
        "acts/": {"act": "challenge", "length": 0},
        "time-up/": {},
        "rematch/": {},
    }.items():
        assert code_of(stranger.post(f"{table}{path}", body)) == (403, "not_seated")
    for path in ("begin/", "automatic/"):
        assert code_of(
            programs[1].post(f"{table}{path}", {"strength": "easy"} if path != "begin/" else {})
        ) == (
            403,
            "not_host",
        )
    assert not SheetEntry.objects.exists()


def test_a_seat_that_is_named_in_an_act_is_refused(club: Club) -> None:
    programs, table = two_at_a_table(club)
    turn = programs[0].look(table)["game"]["turn"]
    body = {"act": "bid", "bid": "1x1", "length": 0, "seat": turn}
    assert code_of(programs[1 - turn].post(f"{table}acts/", body)) == (400, "bad_value")
    assert code_of(programs[1 - turn].act(table, "bid", "1x1")) == (422, "not_your_turn")
    assert not SheetEntry.objects.exists()


def test_the_slower_of_two_gets_the_state(club: Club) -> None:
    programs, table = two_at_a_table(club)
    turn = programs[0].look(table)["game"]["turn"]
    assert programs[turn].act(table, "bid", "2x3").status_code == 200
    late = programs[1 - turn].act(table, "bid", "3x3", length=0)
    assert code_of(late) == (409, "overtaken")
    assert late.json()["length"] == 1
    assert late.json()["table"]["game"]["bids"] == [{"seat": turn, "bid": "2x3", "shown": ""}]
    assert late.json()["table"]["seat"] == 1 - turn


def test_an_act_that_comes_after_the_end_gets_the_state_too(club: Club) -> None:
    programs, table = two_at_a_table(club)
    programs[0].act(table, "leave")
    late = programs[1].act(table, "challenge", length=0)
    assert code_of(late) == (409, "overtaken")
    assert late.json()["table"]["status"] == "over"


def test_the_same_request_under_the_same_key_is_one_act(club: Club) -> None:
    programs, table = two_at_a_table(club)
    turn = programs[0].look(table)["game"]["turn"]
    first = programs[turn].act(table, "bid", "2x3", key="one", length=0)
    again = programs[turn].act(table, "bid", "2x3", key="one", length=0)
    assert (first.status_code, again.status_code) == (200, 200)
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"
    assert code_of(programs[turn].act(table, "bid", "3x3", key="one")) == (
        422,
        "idempotency_key_reused",
    )
    assert programs[1 - turn].act(table, "bid", "3x3", key="one").status_code == 200, (
        "keys are each program's own"
    )
    assert SheetEntry.objects.count() == 2


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"act": "bid", "bid": "1x9"}, (422, "bad_face")),
        ({"act": "bid", "bid": "nonsense"}, (422, "bad_record")),
        ({"act": "bid", "bid": "!"}, (422, "bad_record")),
        ({"act": "challenge"}, (422, "no_bid")),
        ({"act": "bid"}, (400, "bad_value")),
        ({"act": "reveal"}, (400, "bad_value")),
    ],
)
def test_an_illegal_act_has_its_code_and_leaves_no_trace(
    club: Club, act: dict[str, Any], code: Any
) -> None:
    programs, table = two_at_a_table(club)
    turn = programs[0].look(table)["game"]["turn"]
    answer = programs[turn].post(f"{table}acts/", {**act, "length": 0})
    assert answer.status_code == code[0]
    assert answer.json()["code"] == code[1]
    assert not SheetEntry.objects.exists()
    assert programs[turn].look(table)["game"]["length"] == 0


def test_legal_bids_are_those_that_the_rules_allow(club: Club) -> None:
    programs, table = two_at_a_table(club)
    turn = programs[0].look(table)["game"]["turn"]
    legal = programs[turn].look(table)["game"]["legal"]
    assert programs[turn].act(table, "bid", legal[7]).status_code == 200
    after = programs[1 - turn].look(table)["game"]["legal"]
    assert after == legal[8:]
    assert not [bid for bid in after if not isinstance(parse_move(bid), int)]


def test_the_list_of_a_club_has_its_listed_tables(club: Club) -> None:
    program = Program(club)
    program.opened()
    listed = program.opened(listed=True)
    rows = get(f"/clubs/{club.slug}/online-tables/").json()["results"]
    assert [row["url"] for row in rows] == [f"/api/v1{listed}"]
    assert {row["url"] for row in program.get("/play/").json()["tables"]} >= {f"/api/v1{listed}"}


def test_an_account_s_tables_take_the_same_few_queries_however_many_they_are(club: Club) -> None:
    program = Program(club)
    counts = []
    for _ in range(3):
        program.opened()
        with CaptureQueriesContext(connection) as queries:
            program.get("/play/")
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts
    assert counts[0] <= 4


def test_seats_are_taken_left_and_the_game_is_played_again(club: Club) -> None:
    host, guest = Program(club), Program(club)
    table = host.opened()
    assert guest.post(f"{table}sit/", {"seed": "x"}).json()["seat"] == 1
    assert guest.post(f"{table}stand/").json()["seat"] is None
    guest.post(f"{table}sit/")
    assert len(host.post(f"{table}stand/", {"seat": 1}).json()["seats"]) == 1
    guest.post(f"{table}sit/")
    host.post(f"{table}begin/")
    assert code_of(guest.post(f"{table}sit/")) == (422, "table_started")
    assert code_of(host.post(f"{table}time-up/")) == (422, "time_left")
    assert guest.act(table, "leave").json()["status"] == "over"
    again = host.post(f"{table}rematch/")
    assert again.status_code == 201
    assert guest.post(f"{table}rematch/").json()["id"] == again.json()["id"]
    assert guest.look(again.json()["url"].removeprefix("/api/v1"))["seat"] is not None


def test_a_key_of_another_club_plays_nowhere_else(club: Club) -> None:
    from tests.factories.league import ClubFactory

    _, table = two_at_a_table(club)
    elsewhere = Program(ClubFactory.create(slug="mond"))
    assert code_of(elsewhere.post(f"{table}sit/")) == (403, "wrong_club")


def test_an_act_costs_the_same_few_queries_however_long_the_game_is(club: Club) -> None:
    programs, table = two_at_a_table(club)
    counts = []
    for _ in range(6):
        game = programs[0].look(table)["game"]
        body = {"act": "bid", "bid": programs[game["turn"]].look(table)["game"]["legal"][0]}
        with CaptureQueriesContext(connection) as queries:
            programs[game["turn"]].post(f"{table}acts/", {**body, "length": game["length"]})
        counts.append(len(queries))
    assert len(set(counts[1:])) == 1, counts
    assert counts[-1] <= 14, [query["sql"][:120] for query in queries]


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_the_manual_names_the_limits_that_hold(language: str) -> None:
    rows = dict(
        re.findall(
            r"<td><code>(\w+)</code></td>\n<td>.*?</td>\n(<td>.*?</tr>)",
            limits_of(language),
            re.DOTALL,
        )
    )
    figures = {
        name: tuple(map(int, re.findall(r"<td>(\d+)</td>", cells))) for name, cells in rows.items()
    }
    assert figures == {name: RATES[name] for name in ("play", "seat", "play_address", "open_table")}


def limits_of(language: str) -> str:
    return manual("programs", language).html.split('id="limits"')[1]
