"""Calls and rulings by program, with the pages' permissions and problems with codes."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from games.models import SheetEntry
from games.services.open_game import Writer
from league.disputes.call.services import call_make
from league.models import Club, Role, Table, TableOpenGame
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker
from tests.league.sheets.sheet.test_open_game import phone as new_phone

pytestmark = pytest.mark.django_db


def keyed(**more: Any) -> dict[str, Any]:
    return {"key": str(uuid4()), **more}


def ruling(**more: Any) -> dict[str, Any]:
    return keyed(call=0, case="taken_back", decision="stands") | more


@pytest.fixture
def path(row: TableOpenGame) -> str:
    return f"/open-games/{row.open_game.public_id}"


@pytest.fixture
def judge(club_here: Club) -> Ask:
    """Ask as an arbiter of the club."""
    return asker(member_key(club_here, Role.ARBITER)[0])


@pytest.fixture
def called(row: TableOpenGame, phone: Writer) -> None:
    call_make(row=row, writer=phone, key=uuid4())


def test_a_phone_calls_and_takes_the_call_back(table: Table, path: str) -> None:
    ask = new_phone(table)
    body = keyed()
    answer = ask(f"{path}/call/", body)
    assert (answer.status_code, answer.json()) == (201, {"number": 0, "act": "call", "length": 1})
    assert ask(f"{path}/call/", body).status_code == 200, "the same key again"
    assert code_of(ask(f"{path}/call/", keyed())) == (422, "called_already")
    assert code_of(new_phone(table)(f"{path}/call/end/", keyed())) == (422, "not_your_call")
    assert ask(f"{path}/call/end/", keyed()).status_code == 201
    assert code_of(ask(f"{path}/call/end/", keyed())) == (422, "no_call")
    acts = [entry["act"] for entry in ask(f"{path}/entries/").json()["entries"]]
    assert acts == ["call", "call_off"]


def test_a_call_is_read_with_its_cases_in_the_reader_s_language(
    path: str, called: None, judge: Ask
) -> None:
    content = judge(f"{path}/call/", **{"Accept-Language": "en"}).json()
    assert content["open_call"]["place"] == "Table 1"
    assert content["open_call"]["round"] == 1
    case = next(case for case in content["cases"] if case["code"] == "taken_back")
    assert (case["ruling"], case["text"]) == ("B18", "A bid that was said stands.")
    assert [decision["code"] for decision in case["decisions"]] == ["stands", "not_said"]


def test_a_phone_of_another_table_calls_nobody_here(table: Table, path: str) -> None:
    other = Table.objects.exclude(pk=table.pk).get(stage_round=table.stage_round)
    assert code_of(new_phone(other)(f"{path}/call/", keyed())) == (403, "other_table")
    assert code_of(asker("")(f"{path}/call/", keyed())) == (401, "not_authenticated")


def test_an_arbiter_lists_the_calls_and_rules(
    path: str, called: None, judge: Ask, row: TableOpenGame, table: Table
) -> None:
    event = table.stage_round.stage.event
    lists = (
        f"/clubs/{event.club.slug}/calls/",
        f"/clubs/{event.club.slug}/events/{event.slug}/calls/",
    )
    for address in lists:
        (call,) = judge(address).json()["results"]
        assert (call["call"], call["place"], call["seat"]) == (0, "Table 1", None)
    body = ruling()
    answer = judge(f"{path}/ruling/", body)
    assert (answer.status_code, answer.json()["act"]) == (201, "ruling")
    assert judge(f"{path}/ruling/", body).status_code == 200
    assert code_of(judge(f"{path}/ruling/", ruling())) == (422, "no_call")
    assert [judge(address).json()["results"] for address in lists] == [[], []]
    assert SheetEntry.objects.filter(act="ruling").count() == 1


def test_an_unchanged_list_is_a_304_until_somebody_calls(
    judge: Ask, row: TableOpenGame, phone: Writer
) -> None:
    address = f"/clubs/{row.club.slug}/calls/"
    tag = judge(address)["ETag"]
    assert judge(address, **{"If-None-Match": tag}).status_code == 304
    call_make(row=row, writer=phone, key=uuid4())
    assert judge(address, **{"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"case": "weather"}, (400, "bad_value")),
        ({"case": "time_up"}, (422, "no_such_case")),
        ({"decision": "roll_again"}, (422, "no_such_decision")),
        ({"call": 7}, (422, "no_call")),
    ],
)
def test_what_cannot_be_ruled_is_a_problem_with_a_code(
    path: str, called: None, judge: Ask, more: dict[str, Any], expected: tuple[int, str]
) -> None:
    assert code_of(judge(f"{path}/ruling/", ruling(**more))) == expected


def test_whoever_wrote_the_sheet_does_not_rule(
    table: Table, path: str, phone: Writer, row: TableOpenGame
) -> None:
    ask = asker(member_key(table.stage_round.stage.event.club, Role.ORGANISER)[0])
    entry = keyed(length=0, act="note", value={"bid": "2x4"})
    assert ask(f"{path}/entries/", entry).status_code == 201
    call_make(row=row, writer=phone, key=uuid4())
    assert code_of(ask(f"{path}/ruling/", ruling(call=1))) == (422, "entered_it")


@pytest.mark.parametrize("role", [Role.SCORER, Role.PLAYER])
def test_others_neither_list_nor_rule(
    path: str, called: None, club_here: Club, table: Table, role: Role
) -> None:
    ask = asker(member_key(club_here, role)[0])
    event = table.stage_round.stage.event
    assert code_of(ask(f"/clubs/{club_here.slug}/calls/")) == (403, "permission_denied")
    assert code_of(ask(f"/clubs/{club_here.slug}/events/{event.slug}/calls/")) == (
        403,
        "permission_denied",
    )
    assert code_of(ask(f"{path}/ruling/", ruling())) == (404, "not_found")


def test_a_ruling_does_not_come_in_as_an_entry_of_a_phone(table: Table, path: str) -> None:
    ask = new_phone(table)
    value = {"round": 1, "case": "taken_back", "decision": "stands"}
    assert code_of(ask(f"{path}/entries/", keyed(length=0, act="ruling", value=value))) == (
        400,
        "bad_value",
    )


def test_a_phone_writes_on_whatever_was_called_and_ruled_since(
    table: Table, path: str, judge: Ask
) -> None:
    ask = new_phone(table)
    assert ask(f"{path}/call/", keyed()).status_code == 201
    assert judge(f"{path}/ruling/", ruling()).status_code == 201
    entry = keyed(length=0, act="note", value={"bid": "2x4"})
    assert ask(f"{path}/entries/", entry).json()["number"] == 2
    assert code_of(ask(f"{path}/entries/", keyed(length=1, act="note", value={"bid": "3x4"}))) == (
        409,
        "overtaken",
    )
