"""Two programs that act at the same moment: one of them is first, and the other gets the table as
it is then."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from games.models import SheetEntry
from league.models import Club
from tests.league.play.program.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def programs(club: Club) -> list[Program]:
    return [Program(club) for _ in range(3)]


@pytest.fixture
def table(programs: list[Program]) -> str:
    """A table at which three programs play."""
    host, *guests = programs
    table = host.opened()
    for guest in guests:
        guest.post(f"{table}sit/")
    host.post(f"{table}begin/")
    return table


def at_once(*acts: tuple[Program, str, dict[str, Any], str]) -> list[Any]:
    """The answers to acts that are sent at the same moment."""

    def sent(act: tuple[Program, str, dict[str, Any], str]) -> Any:
        program, table, body, key = act
        try:
            return program.post(f"{table}acts/", body, **({"Idempotency-Key": key} if key else {}))
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(sent, acts))


def test_of_two_seats_one_wins_and_the_other_gets_the_state(
    programs: list[Program], table: str
) -> None:
    leave = {"act": "leave", "length": 0}
    answers = at_once((programs[0], table, leave, ""), (programs[1], table, leave, ""))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    late = next(answer for answer in answers if answer.status_code == 409).json()
    assert late["code"] == "overtaken"
    assert late["length"] == late["table"]["game"]["length"] == 2, (
        "who left, and the dice that were revealed"
    )
    assert SheetEntry.objects.filter(act="leave").count() == 1


def test_the_same_request_sent_twice_at_once_is_one_act(
    programs: list[Program], table: str
) -> None:
    turn = programs[0].look(table)["game"]["turn"]
    body = {"act": "bid", "bid": "2x3", "length": 0}
    answers = at_once(*[(programs[turn], table, body, "one")] * 3)
    assert [answer.status_code for answer in answers] == [200] * 3
    assert sum("Idempotency-Replayed" in answer for answer in answers) == 2
    assert SheetEntry.objects.count() == 1
