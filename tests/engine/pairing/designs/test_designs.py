"""Known rounds: nobody meets somebody twice, in as many rounds as are known, and a stage follows them to the end."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.cost import meetings
from engine.pairing.designs.designs import Design, design, next_round, rounds_left
from engine.pairing.designs.known_designs import DEVELOPED
from engine.pairing.draw_input import Apart, DrawInput, Participant
from tests.engine.pairing.chances import chances

FOURS = {16: 5, 20: 5, 24: 7, 28: 9, 32: 10, 40: 13, 64: 21, 80: 25, 112: 37}
THREES = {9: 4, 12: 4, 15: 7, 18: 8, 21: 10, 24: 11, 27: 13, 30: 14, 33: 16, 36: 17, 39: 19, 45: 22}
FIVES = {25: 6, 35: 7, 125: 31}
ROUNDS = {
    **{(players, 2): players - 1 + players % 2 for players in range(2, 21)},
    **{(players, 3): rounds for players, rounds in THREES.items()},
    **{(players, 4): rounds for players, rounds in FOURS.items()},
    **{(players, 5): rounds for players, rounds in FIVES.items()},
    **{(players, players): 1 for players in range(2, 7)},
    (42, 6): 7,
}


def known(players: int, size: int) -> Design:
    """The design for so many, which there is."""
    found = design(players, size)
    assert found is not None
    return found


def night(players: int, size: int, rounds: int | None = None, seed: str = "night") -> DrawInput:
    """A pods night before its first round."""
    return DrawInput((size,), seed, tuple([Participant(f"p{i}") for i in range(players)]), rounds, bye=True)


def played(input: DrawInput, rounds: int) -> DrawInput:
    """The night after so many rounds more."""
    for _ in range(rounds):
        drawn = next_round(input)
        assert drawn is not None
        input = replace(input, played=(*input.played, drawn[0]))
    return input


@pytest.mark.parametrize(("players", "size"), [*ROUNDS, *DEVELOPED])
def test_nobody_meets_somebody_twice(players: int, size: int) -> None:
    found = known(players, size)
    met: Counter[tuple[int, int]] = Counter()
    for number in range(found.rounds):
        tables = found.tables(number)
        seated = [player for table in tables for player in table]
        assert len(set(seated)) == len(seated) == players // size * size
        assert set(seated) <= set(range(players))
        assert {len(table) for table in tables} == {size}
        met.update(pair for table in tables for pair in combinations(sorted(table), 2))
    assert max(met.values()) == 1
    assert found.complete == (len(met) == players * (players - 1) // 2)


@pytest.mark.parametrize(("players", "size"), ROUNDS)
def test_as_many_rounds_as_are_known(players: int, size: int) -> None:
    assert known(players, size).rounds == ROUNDS[players, size]


@pytest.mark.parametrize(("players", "size"), [(0, 2), (1, 2), (7, 3), (8, 4), (22, 4), (36, 6), (8248, 4)])
def test_no_design_is_known(players: int, size: int) -> None:
    assert design(players, size) is None


def test_in_an_odd_round_robin_everybody_sits_out_once() -> None:
    circle = known(7, 2)
    out = [set(range(7)) - {player for pair in circle.tables(number) for player in pair} for number in range(7)]
    assert sorted(out, key=min) == [{player} for player in range(7)]


def test_ten_thousand_have_more_rounds_than_they_can_play() -> None:
    found = known(10_000, 4)
    assert found.rounds == 3125
    tables = found.tables(2999)
    assert len({player for table in tables for player in table}) == 10_000


def test_a_stage_follows_its_design() -> None:
    full = played(night(16, 4, 5), 5)
    assert set(meetings(full).values()) == {1}
    assert len(meetings(full)) == 120


def test_after_everybody_has_met_everybody_it_begins_anew() -> None:
    assert set(meetings(played(night(6, 2, 10), 10)).values()) == {2}
    assert set(meetings(played(night(9, 3, 8), 8)).values()) == {2}


def test_who_sits_out_of_a_round_robin_is_told() -> None:
    drawn = next_round(night(5, 2))
    assert drawn is not None
    assert len(drawn[1]) == 1
    assert {*drawn[1], *[id for table in drawn[0] for id in table]} == {"p0", "p1", "p2", "p3", "p4"}


def test_the_lot_decides_who_is_who() -> None:
    drawn = {seed: next_round(night(16, 4, seed=seed)) for seed in "abc"}
    assert len({str(round) for round in drawn.values()}) == 3


def test_more_rounds_than_the_design_has_are_left_to_the_search() -> None:
    assert next_round(night(20, 4, 5)) is not None
    assert next_round(night(20, 4, 6)) is None


def test_another_beginning_is_left_to_the_search() -> None:
    begun = played(night(16, 4, 5), 2)
    assert next_round(begun) is not None
    assert next_round(replace(begun, played=begun.played[::-1])) is None
    assert next_round(replace(begun, participants=begun.participants[:12])) is None


def test_unequal_scores_and_those_apart_are_left_to_the_search() -> None:
    start = night(16, 4, 5)
    assert next_round(replace(start, apart=(Apart("p1", "p2"),))) is None
    ahead = replace(start.participants[0], score=1)
    assert next_round(replace(start, participants=(ahead, *start.participants[1:]))) is None


def test_a_number_that_needs_two_sizes_is_left_to_the_search() -> None:
    assert next_round(replace(night(22, 4), sizes=(4, 3))) is None
    assert next_round(replace(night(24, 4), sizes=(4, 3))) is not None


@given(st.sampled_from([(9, 3), (16, 4), (6, 2), (7, 2)]), st.integers(0, 3), chances)
def test_the_order_of_the_input_is_no_matter(shape: tuple[int, int], rounds: int, chance: Random) -> None:
    input = played(night(*shape), rounds)
    turned = replace(
        input,
        participants=tuple(chance.sample(input.participants, len(input.participants))),
        played=tuple([tuple([table[::-1] for table in tables[::-1]]) for tables in input.played]),
    )
    assert next_round(turned) == next_round(input)


def test_the_rounds_left_of_a_design_are_those_not_played_whatever_the_scores() -> None:
    players = tuple([Participant(f"p{i}", i) for i in range(16)])
    all_rounds = rounds_left(DrawInput((4,), "x", players, 5))
    assert len(all_rounds) == 5
    assert set(rounds_left(DrawInput((4,), "x", players, 5, (all_rounds[2],)))) == set(all_rounds) - {all_rounds[2]}


def test_after_any_other_round_or_with_more_planned_nothing_is_left_of_a_design() -> None:
    players = tuple([Participant(f"p{i}") for i in range(16)])
    other = tuple([tuple([f"p{i}" for i in range(first, first + 4)]) for first in range(0, 16, 4)])
    assert rounds_left(DrawInput((4,), "x", players, 5, (other,))) == ()
    assert rounds_left(DrawInput((4,), "x", players, 6)) == ()
