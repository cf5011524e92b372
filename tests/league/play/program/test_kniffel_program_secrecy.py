"""Before they are told, dice that stay, own dice and answers change nothing of what the API and its
streams tell others of a game of Lügen-Kniffel."""

from __future__ import annotations

import re
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from games.models import Kind, OpenSheet
from games.queries import online_game as queries
from league.models import Club, OnlineTable
from league.play.program.queries import seat_states_of
from tests.league.play.online_table.kniffel import sheet_of
from tests.league.play.online_table.test_kniffel_secrecy import other_acts, taken_back
from tests.league.play.online_table.test_secrecy import cheat
from tests.league.play.program.programs import Program
from tests.league.play.program.test_program_secrecy import answers, streamed
from tests.league.play.secrecy import GAMES

pytestmark = pytest.mark.django_db
TIME = re.compile(rb"\d{4}-\d\d-\d\dT[^\"]+")


class Tabled(NamedTuple):
    """A table with its programs, in seat order."""

    row: OnlineTable
    path: str
    programs: list[Program]

    @property
    def roller(self) -> int:
        roller = sheet_of(self.row).roller
        assert roller is not None
        return roller

    def others(self, seat: int) -> list[Program]:
        """All programs but that of a seat."""
        return [program for number, program in enumerate(self.programs) if number != seat]

    def all_sent(self, viewers: list[Program]) -> list[Any]:
        """All that these viewers and a spectator are sent, by addresses and by streams."""
        accounts = [viewer.user.pk for viewer in viewers]
        standings = seat_states_of(accounts, {})
        return [
            *[answers(viewer, self.path) for viewer in (None, *viewers)],
            streamed(self.row, [None, *accounts]),
            standings,
        ]

    def send(self, seat: int, **body: Any) -> Any:
        answer = self.programs[seat].post(f"{self.path}acts/", body)
        assert answer.status_code == 200, answer.content
        return answer.json()["game"]

    def length(self) -> int:
        return OpenSheet.objects.get().length


@pytest.fixture
def table(club: Club) -> Tabled:
    programs = [Program(club) for _ in range(3)]
    path = programs[0].opened(game=Kind.LUEGEN_KNIFFEL)
    for program in programs[1:]:
        program.post(f"{path}sit/", {"seed": "sun"})
    programs[0].post(f"{path}begin/")
    return Tabled(OnlineTable.objects.get(), path, programs)


def refusals(table: Tabled, seat: int) -> list[bytes]:
    """What a seat that doesn't roll is answered to acts of the roller, and to one that comes too
    late."""
    length = table.length()
    bodies = (
        {"act": "roll", "keep": [0, 1], "length": length},
        {"act": "announce", "say": "fours=12", "length": length},
        {"act": "roll", "length": length + 1},
    )
    return [table.programs[seat].post(f"{table.path}acts/", body).content for body in bodies]


@pytest.mark.parametrize("seed", GAMES)
def test_what_others_are_told_is_the_same_whatever_lies_under_the_cups_and_whatever_was_answered(
    table: Tabled, seed: int
) -> None:
    chance = Random(seed)
    for _ in range(20):
        roller = table.roller
        others = table.others(roller)
        seats = [table.programs.index(program) for program in others]

        def whole(others: list[Program] = others, seats: list[int] = seats) -> list[Any]:
            return [table.all_sent(others), [refusals(table, seat) for seat in seats]]

        honest = whole()
        with cheat(roller), patch.multiple(queries, hidden_acts=other_acts):
            assert whole() == honest
        _step(table, chance)


def _step(table: Tabled, chance: Random) -> None:
    sheet = sheet_of(table.row)
    seat = chance.choice(sheet.to_act)
    game = table.programs[seat].look(table.path)["game"]
    if game["may_answer"]:
        table.send(seat, act=chance.choice(["believe", "doubt"]), turn=game["turn"])
    elif not game["rolls"]:
        table.send(seat, act="roll", length=game["length"])
    elif game["rolls"] < 3 and chance.random() < 0.5:
        keep = chance.sample(
            range(len(game["dice"]["rolled"])), chance.randrange(len(game["dice"]["rolled"]))
        )
        table.send(seat, act="roll", keep=keep, length=game["length"])
    else:
        table.send(seat, act="announce", say=chance.choice(game["legal"]), length=game["length"])


def test_the_roller_sees_what_the_others_do_not(table: Tabled) -> None:
    roller = table.roller
    table.send(roller, act="roll", length=0)
    table.send(roller, act="roll", keep=[0, 1], length=1)
    own = answers(table.programs[roller], table.path)
    with cheat(roller):
        assert answers(table.programs[roller], table.path) != own
    with patch.multiple(queries, hidden_acts=other_acts):
        assert answers(table.programs[roller], table.path) != own


def traces(table: Tabled, seat: int, viewers: list[Program], **body: Any) -> list[bytes]:
    """Let a seat act, look at what viewers are told of it but for the times, and take it back."""
    with taken_back():
        table.send(seat, **body)
        parts = [answers(viewer, table.path)[::2] for viewer in (None, *viewers)]
        parts.append(streamed(table.row, [None, *[viewer.user.pk for viewer in viewers]]))
        return [TIME.sub(b"now", part) for several in parts for part in several]


def test_k11_which_and_how_many_dice_stay_leaves_no_trace_for_others(table: Tabled) -> None:
    roller = table.roller
    table.send(roller, act="roll", length=0)
    others = table.others(roller)
    none, some, most = [
        traces(table, roller, others, act="roll", keep=keep, length=1)
        for keep in ([], [1, 3], [0, 1, 2, 4])
    ]
    assert none == some == most


def test_k16_an_answer_leaves_the_same_trace_whatever_it_is_as_long_as_others_are_asked(
    table: Tabled,
) -> None:
    roller = table.roller
    table.send(roller, act="roll", length=0)
    table.send(roller, act="announce", say="chance=20", length=1)
    seat = next(number for number in range(3) if number != roller)
    others = table.others(seat)
    believed, doubted = [
        traces(table, seat, others, act=act, turn=0) for act in ("believe", "doubt")
    ]
    assert believed == doubted
    assert any(b'"answer"' in part for part in believed), "that it has answered is told"
