"""Evening out: players of equal points change places for floats, first turns and seats; nothing
else gets dearer."""

from dataclasses import astuple
from random import Random
from typing import Literal

import numpy as np
import pytest

from engine.arrays import Ints
from engine.pairing.cost import Cost, cost_of
from engine.pairing.draw_input import DrawInput, Participant
from engine.pairing.pods.balance import evened
from engine.pairing.pods.roster import roster_of

OPENED, NEVER = (1, 0), (0, 1)


def pairs(*seats: tuple[int, ...], scores: tuple[int, ...] = (0, 0, 0, 0)) -> DrawInput:
    """Players who sit at tables of two, in their order, with the seats that they had."""
    players = [
        Participant(f"p{i}", score, seats=had)
        for i, (had, score) in enumerate(zip(seats, scores, strict=True))
    ]
    return DrawInput((2,), "x", tuple(players))


def after(given: DrawInput) -> Ints:
    """The tables of two once they are evened out."""
    tables = np.arange(len(given.participants)).reshape(-1, 2)
    return evened(tables, np.zeros(len(tables), np.int64), roster_of(given, 2))


def together(tables: Ints) -> list[list[int]]:
    return sorted(sorted(map(int, table)) for table in tables)


def test_players_of_equal_points_change_places_for_a_seat_they_never_had() -> None:
    tables = after(pairs(OPENED, OPENED, NEVER, NEVER))
    assert together(tables) != [[0, 1], [2, 3]]
    assert set(tables[:, 0].tolist()) == {2, 3}


def test_players_of_other_points_stay_whatever_their_seats() -> None:
    assert together(after(pairs(OPENED, OPENED, NEVER, NEVER, scores=(1, 1, 0, 0)))) == [
        [0, 1],
        [2, 3],
    ]


def test_nobody_meets_again_for_the_sake_of_a_seat() -> None:
    given = pairs(OPENED, OPENED, NEVER, NEVER)
    met = ((("p0", "p2"), ("p1", "p3")), (("p0", "p3"), ("p1", "p2")))
    assert together(after(DrawInput((2,), "x", given.participants, played=met))) == [[0, 1], [2, 3]]


def test_where_seats_cost_the_same_those_sit_together_who_need_the_same_afterwards() -> None:
    tables = after(pairs((2, 0), (0, 2), (1, 1), (1, 1)))
    had = np.array([(2, 0), (0, 2), (1, 1), (1, 1)])
    assert all((had[first] + (1, 0) == had[second] + (0, 1)).all() for first, second in tables)


def test_tables_that_lack_each_others_seats_find_each_other_however_far_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.pairing.pods.balance.PAIRS", 0)
    seats = [OPENED, OPENED, *[OPENED, NEVER] * 30, NEVER, NEVER]
    tables = after(pairs(*seats, scores=(0,) * len(seats)))
    assert {(seats[first], seats[second]) for first, second in tables} == {(NEVER, OPENED)}


@pytest.mark.parametrize("seed", range(8))
def test_only_floats_first_turns_and_seats_change_and_for_the_better(seed: int) -> None:
    chance = Random(seed)
    players = [
        Participant(
            f"p{i}",
            chance.randrange(3),
            short=chance.randrange(2),
            seats=tuple(chance.choices(range(3), k=4)),
            floats=chance.choice(("up", "down", None)),
        )
        for i in range(31)
    ]
    line = chance.sample([player.player_id for player in players], 31)
    given = DrawInput(
        (4, 3),
        "x",
        tuple(players),
        played=(tuple([tuple(line[i : i + 4]) for i in range(0, 31, 4)]),),
    )
    tables = np.append(np.array(sorted(range(31), key=lambda i: players[i].score)), 31).reshape(
        8, 4
    )
    kind = np.array([0] * 7 + [1])

    def cost(tables: Ints) -> Cost:
        return cost_of(given, [tuple([f"p{i}" for i in table if i < 31]) for table in tables])

    before, now = astuple(cost(tables)), astuple(cost(evened(tables, kind, roster_of(given, 4))))
    assert now < before
    assert now[6] == before[6]  # the spread
    assert all(less <= more for less, more in zip(now[:6], before[:6], strict=True))


def test_players_of_almost_equal_points_stay_however_far_the_others_are() -> None:
    floats: dict[int, Literal["up", "down"]] = {3: "up", 4: "down"}
    scores = (9000, 9000, 9000, 4501, 4500, 0, 0, 0)
    players = tuple(
        [Participant(f"p{i}", score, floats=floats.get(i)) for i, score in enumerate(scores)]
    )
    tables = evened(
        np.arange(8).reshape(2, 4),
        np.zeros(2, np.int64),
        roster_of(DrawInput((4,), "x", players), 4),
    )
    assert together(tables) == [[0, 1, 2, 3], [4, 5, 6, 7]]
