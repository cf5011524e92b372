"""Known rounds: nobody meets somebody twice, in as many rounds as are known, and a stage follows
them to the end."""

from collections import Counter
from dataclasses import replace
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.cost import meetings
from engine.pairing.designs import designs
from engine.pairing.designs.designs import (
    Design,
    DesignRound,
    chairs,
    design,
    next_round,
    rounds_without_repeats,
)
from engine.pairing.designs.known_designs import DEVELOPED
from engine.pairing.draw_input import Apart, DrawInput, Participant
from engine.pairing.sizes import SizeMix, size_mix
from tests.engine.pairing.chances import chances

FOURS = {16: 5, 20: 5, 24: 7, 28: 9, 32: 10, 40: 13, 48: 14, 64: 21, 80: 25, 112: 37}
THREES = {
    9: 4,
    12: 4,
    15: 7,
    18: 8,
    21: 10,
    24: 11,
    27: 13,
    30: 14,
    33: 16,
    36: 17,
    39: 19,
    42: 20,
    45: 22,
}
FIVES = {25: 6, 30: 6, 35: 7, 125: 31}
ROUNDS = {
    **{(players, 2): players - 1 + players % 2 for players in range(2, 21)},
    **{(players, 3): rounds for players, rounds in THREES.items()},
    **{(players, 4): rounds for players, rounds in FOURS.items()},
    **{(players, 5): rounds for players, rounds in FIVES.items()},
    **{(players, players): 1 for players in range(2, 7)},
    (36, 6): 3,
    (42, 6): 7,
}


def known(players: int, size: int) -> Design:
    """The design for so many, which there is."""
    found = design(players, size)
    assert found is not None
    return found


def night(players: int, size: int, rounds: int | None = None, seed: str = "night") -> DrawInput:
    """A pods night before its first round."""
    return DrawInput(
        (size,), seed, tuple([Participant(f"p{i}") for i in range(players)]), rounds, bye=True
    )


def mix_of(input: DrawInput) -> SizeMix:
    """The sizes of its tables."""
    mix = size_mix(len(input.participants), input.sizes, bye=input.bye)
    assert isinstance(mix, SizeMix)
    return mix


def next_of(input: DrawInput) -> DesignRound | None:
    return next_round(input, mix_of(input), meetings(input))


def left_of(input: DrawInput) -> tuple[DesignRound, ...]:
    return rounds_without_repeats(input, mix_of(input), meetings(input))


def played(input: DrawInput, rounds: int) -> DrawInput:
    """The night after so many rounds more."""
    for _ in range(rounds):
        drawn = next_of(input)
        assert drawn is not None
        input = replace(input, played=(*input.played, drawn.tables))
    return input


def without(input: DrawInput, *gone: str) -> DrawInput:
    """The night once some have gone: everybody else keeps the number."""
    ids = [player.player_id for player in input.participants]
    present = tuple([player for player in input.participants if player.player_id not in gone])
    return replace(input, participants=present, chairs=chairs((), ids, input.seed))


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


@pytest.mark.parametrize(
    ("players", "size"), [(0, 2), (1, 2), (7, 3), (8, 4), (22, 4), (18, 6), (8248, 4)]
)
def test_no_design_is_known(players: int, size: int) -> None:
    assert design(players, size) is None


def test_in_an_odd_round_robin_everybody_sits_out_once() -> None:
    circle = known(7, 2)
    out = [
        set(range(7)) - {player for pair in circle.tables(number) for player in pair}
        for number in range(7)
    ]
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
    drawn = next_of(night(5, 2))
    assert drawn is not None
    assert len(drawn.bye) == 1
    assert {*drawn.bye, *[id for table in drawn.tables for id in table]} == {
        "p0",
        "p1",
        "p2",
        "p3",
        "p4",
    }


def test_the_lot_decides_who_is_who() -> None:
    drawn = {seed: next_of(night(16, 4, seed=seed)) for seed in "abc"}
    assert len({str(round) for round in drawn.values()}) == 3


def test_more_rounds_than_the_design_has_are_left_to_the_search() -> None:
    assert next_of(night(20, 4, 5)) is not None
    assert next_of(night(20, 4, 6)) is None


def test_the_rounds_of_a_design_can_be_played_in_any_order() -> None:
    whole = played(night(16, 4, 5), 5)
    last_first = replace(whole, played=whole.played[:1:-1])
    assert set(meetings(played(last_first, 2)).values()) == {1}


def test_of_a_large_design_only_the_rounds_whose_turn_comes_soon_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = played(night(16, 4, 5), 5)
    last_first = replace(whole, played=whole.played[:1:-1], rounds=None)
    assert next_of(last_first) is not None
    monkeypatch.setattr(designs, "MOST_TABLES", 8)  # two rounds, which have been played
    assert next_of(last_first) is None


def test_another_beginning_is_left_to_the_search() -> None:
    begun = played(night(16, 4, 5), 2)
    assert next_of(begun) is not None
    line = [player.player_id for player in begun.participants]
    other = tuple([tuple(line[i : i + 4]) for i in range(0, 16, 4)])
    assert next_of(replace(begun, played=(other,))) is None
    assert next_of(replace(begun, participants=begun.participants[:12])) is None


@pytest.mark.parametrize(("players", "rounds"), [(20, 7), (20, 18), (6, 1)])
def test_a_round_robin_goes_on_when_somebody_leaves(players: int, rounds: int) -> None:
    """Who would have met them sits out, so nobody more than once."""
    left = without(played(night(players, 2, players - 1), rounds), "p3")
    whole = played(left, players - 1 - rounds)
    assert set(meetings(whole).values()) == {1}
    out = Counter(
        id
        for tables in whole.played[rounds:]
        for id in {f"p{i}" for i in range(players)} - {*chain(*tables)}
    )
    assert {count for id, count in out.items() if id != "p3"} == {1}


@pytest.mark.parametrize(
    ("players", "sizes", "rounds"),
    [(23, (4, 3), 7), (27, (4, 3), 9), (24, (5, 4), 6), (14, (3, 2), 7)],
)
def test_the_design_one_larger_serves_with_an_empty_chair(
    players: int, sizes: tuple[int, ...], rounds: int
) -> None:
    whole = played(replace(night(players, sizes[0], rounds), sizes=sizes), rounds)
    assert set(meetings(whole).values()) == {1}
    short = Counter(
        chain(*[table for tables in whole.played for table in tables if len(table) < sizes[0]])
    )
    assert max(short.values()) == 1


def test_with_two_empty_chairs_it_serves_as_long_as_those_sit_short_whose_turn_it_is() -> None:
    """22 in fours: six rounds without a meeting again have somebody sit short twice before others
    did once."""
    two_empty = replace(night(22, 4, 6), sizes=(4, 3))
    assert next_of(two_empty) is None
    assert next_of(replace(two_empty, meetings_first=True)) is not None
    assert next_of(replace(two_empty, rounds=2)) is not None


def test_who_comes_late_takes_the_chair_of_who_has_gone_or_one_behind_the_last() -> None:
    ids = [f"p{i}" for i in range(4)]
    before = chairs((), ids, "night")
    assert sorted(before) == ids
    assert chairs(before, [*ids, "late"], "x") == (*before, "late")
    gone = [id for id in ids if id != before[1]]
    assert chairs(before, [*gone, "late"], "x") == (before[0], "late", *before[2:])
    two = chairs(before, [*gone, "late", "later"], "x")
    assert (two[0], *two[2:4]) == (before[0], *before[2:])
    assert {two[1], two[4]} == {"late", "later"}
    assert chairs(before, gone, "x") == before


def test_who_comes_late_meets_nobody_twice() -> None:
    begun = played(replace(night(23, 4, 7), sizes=(4, 3)), 3)
    ids = [player.player_id for player in begun.participants]
    late = replace(
        begun,
        participants=(*begun.participants, Participant("late")),
        chairs=chairs(chairs((), ids, begun.seed), [*ids, "late"], "x"),
    )
    assert set(meetings(played(late, 4)).values()) == {1}


def test_a_round_whose_tables_would_have_other_sizes_is_passed_over() -> None:
    """Two whose chairs are empty would have met at a table: it would have two players."""
    start = replace(night(24, 4, 7), sizes=(4, 3))
    pair = played(start, 7).played[2][0][:2]
    left = left_of(without(start, *pair))
    assert len(left) == 0
    assert len(left_of(replace(without(start, *pair), rounds=6))) == 6


def test_unequal_scores_and_those_apart_are_left_to_the_search() -> None:
    start = night(16, 4, 5)
    assert next_of(replace(start, apart=(Apart("p1", "p2"),))) is None
    ahead = replace(start.participants[0], score=1)
    assert next_of(replace(start, participants=(ahead, *start.participants[1:]))) is None


def test_a_number_that_no_design_comes_near_is_left_to_the_search() -> None:
    assert next_of(replace(night(22, 5), sizes=(5, 4, 3))) is None
    assert next_of(replace(night(24, 4), sizes=(4, 3))) is not None


@given(st.sampled_from([(9, 3), (16, 4), (6, 2), (7, 2)]), st.integers(0, 3), chances)
def test_the_order_of_the_input_is_no_matter(
    shape: tuple[int, int], rounds: int, chance: Random
) -> None:
    input = played(night(*shape), rounds)
    turned = replace(
        input,
        participants=tuple(chance.sample(input.participants, len(input.participants))),
        played=tuple([tuple([table[::-1] for table in tables[::-1]]) for tables in input.played]),
    )
    assert next_of(turned) == next_of(input)


def test_the_rounds_left_of_a_design_are_those_in_which_nobody_met_whatever_the_scores() -> None:
    players = tuple([Participant(f"p{i}", i) for i in range(16)])
    all_rounds = left_of(DrawInput((4,), "x", players, 5))
    assert len(all_rounds) == 5
    assert set(left_of(DrawInput((4,), "x", players, 5, (all_rounds[2].tables,)))) == set(
        all_rounds
    ) - {all_rounds[2]}


def test_after_any_other_round_or_with_more_planned_nothing_is_left_of_a_design() -> None:
    players = tuple([Participant(f"p{i}") for i in range(16)])
    other = tuple([tuple([f"p{i}" for i in range(first, first + 4)]) for first in range(0, 16, 4)])
    assert left_of(DrawInput((4,), "x", players, 5, (other,))) == ()
    assert left_of(DrawInput((4,), "x", players, 6)) == ()
