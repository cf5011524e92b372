"""Cooling: one round's spread gets smaller, nothing that counts more gets worse, and the same lots
cool the same."""

from dataclasses import astuple
from random import Random

import numpy as np
import pytest

from engine.arrays import Ints
from engine.pairing.cost import Cost, cost_of
from engine.pairing.draw_input import Apart, DrawInput, Participant
from engine.pairing.pods import cooling
from engine.pairing.pods.cooling import cooled
from engine.pairing.pods.roster import roster_of

KIND = np.array([0] * 8 + [1])


def evening(seed: int) -> DrawInput:
    """Thirty-five players after six rounds, two of whom must stay apart."""
    chance = Random(seed)
    players = [
        Participant(f"p{i}", chance.randrange(9), short=chance.randrange(2)) for i in range(35)
    ]
    lines = [chance.sample([player.player_id for player in players], 35) for _ in range(6)]
    played = [tuple([tuple(line[i : i + 4]) for i in range(0, 35, 4)]) for line in lines]
    return DrawInput(
        (4, 3), "x", tuple(players), played=tuple(played), apart=(Apart("p0", "p1", True),)
    )


def cut(given: DrawInput) -> Ints:
    """The list in the order of the points, cut into tables; the last has a place for nobody."""
    return np.array([*sorted(range(35), key=lambda i: given.participants[i].score), 35]).reshape(
        9, 4
    )


def cost(given: DrawInput, tables: Ints) -> Cost:
    return cost_of(given, [tuple([f"p{i}" for i in table if i < 35]) for table in tables])


@pytest.mark.parametrize("seed", range(6))
def test_a_round_has_less_spread_and_nothing_that_counts_more_is_worse(seed: int) -> None:
    given = evening(seed)
    roster, tables = roster_of(given, 4), cut(given)
    before, now = cost(given, tables), cost(given, cooled(tables, KIND, roster, 1))
    assert now.ranked(given) < before.ranked(given)
    assert all(
        less <= more for less, more in zip(astuple(now)[:6], astuple(before)[:6], strict=True)
    )
    again = cooled(cooled(tables, KIND, roster, 1), KIND, roster, 2)
    assert cost(given, again).ranked(given) <= now.ranked(given)


def test_chains_pass_through_meetings_again_to_better_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spreads = []
    for price in (cooling.PASS, 1 << 40):
        monkeypatch.setattr(cooling, "PASS", price)
        total = 0
        for seed in range(6):
            given = evening(seed)
            total += cost(given, cooled(cut(given), KIND, roster_of(given, 4), seed)).spread
        spreads.append(total)
    assert spreads[0] < spreads[1]


def test_everybody_keeps_one_place_and_nobody_stays_last() -> None:
    given = evening(1)
    tables = cooled(cut(given), KIND, roster_of(given, 4), 1)
    assert sorted(tables.reshape(-1).tolist()) == list(range(36))
    assert 35 in tables[8]


def test_the_same_seed_cools_the_same() -> None:
    given = evening(1)
    first, second, other = [
        cooled(cut(given), KIND, roster_of(given, 4), seed) for seed in (1, 1, 2)
    ]
    assert (first == second).all()
    assert (first != other).any()


def test_a_round_without_spread_or_too_large_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alike = DrawInput((2,), "x", tuple([Participant(f"p{i}") for i in range(8)]))
    tables = np.arange(8).reshape(4, 2)
    assert cooled(tables, KIND[:4], roster_of(alike, 2), 1) is tables
    given = evening(1)
    monkeypatch.setattr(cooling, "MOST_PLAYERS", 34)
    assert (cooled(cut(given), KIND, roster_of(given, 4), 1) == cut(given)).all()
