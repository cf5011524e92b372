"""The plan of a knock-out: byes, table sizes, who meets whom how late, and when each stage is
played."""

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.brackets.bracket import BracketInput
from engine.pairing.brackets.bracket_plan import Kind, Origin, Plan, PlannedTable, plan, snake
from tests.engine.pairing.knockouts import drawn, knockout


def stage(planned: Plan, side: str, number: int) -> list[PlannedTable]:
    """The tables of one stage."""
    return [table for table in planned.tables if (table.side, table.stage) == (side, number)]


def sizes(planned: Plan) -> list[list[int]]:
    """The sizes of the tables, stage by stage, of a single elimination."""
    rounds: list[list[int]] = [[] for _ in range(planned.rounds)]
    for table in planned.tables:
        rounds[table.round_number].append(len(table.sources))
    return rounds


def may_have_met(planned: Plan, table: PlannedTable) -> bool:
    """Whether two who come to a table may have been at one table before."""
    labels = {known.label: known for known in planned.tables}

    def ways(source: Origin) -> set[str]:
        if source.table is None:
            return set()
        return {source.table}.union(*[ways(before) for before in labels[source.table].sources])

    return any(ways(one) & ways(other) for one, other in combinations(table.sources, 2))


@pytest.mark.parametrize(
    ("number", "size", "advance", "expected", "byes"),
    [
        (8, 2, 1, [[2] * 4, [2] * 2, [2]], 0),
        (5, 2, 1, [[2], [2] * 2, [2]], 3),
        (64, 4, 2, [[4] * 16, [4] * 8, [4] * 4, [4] * 2, [4]], 0),
        (14, 4, 2, [[4, 4, 3, 3], [4, 4], [4]], 0),
        (9, 4, 2, [[3, 3, 3], [3, 3], [4]], 0),
        (5, 4, 2, [[4], [3]], 1),
        (10, 3, 1, [[3, 3, 2, 2], [2, 2], [2]], 0),
        (7, 6, 3, [[6], [4]], 1),
        (4, 6, 5, [[4]], 0),
    ],
)
def test_as_few_short_tables_and_byes_as_can_be(
    number: int, size: int, advance: int, expected: list[list[int]], byes: int
) -> None:
    planned = plan(number, size, advance, "single")
    assert [sorted(tables, reverse=True) for tables in sizes(planned)] == expected
    assert [bye.source.place for bye in planned.byes] == list(range(1, byes + 1))


def test_there_and_back_again() -> None:
    assert [snake(place, 3) for place in range(9)] == [0, 1, 2, 2, 1, 0, 0, 1, 2]


@pytest.mark.parametrize(
    ("number", "rounds"), [(2, 3), (3, 5), (4, 5), (8, 7), (16, 9), (4096, 25)]
)
def test_rounds_of_a_double_elimination(number: int, rounds: int) -> None:
    planned = plan(number, 2, 1, "double")
    assert planned.rounds == rounds
    assert len(planned.tables) == 2 * number - 1


def test_who_falls_is_played_with_at_once() -> None:
    planned = plan(16, 2, 1, "double")
    played = {(table.side, table.stage): table.round_number for table in planned.tables}
    assert [played["winners", stage] for stage in (1, 2, 3, 4)] == [0, 1, 3, 5]
    assert [played["losers", stage] for stage in (1, 2, 3, 4, 5, 6)] == [1, 2, 3, 4, 5, 6]
    assert (played["final", 1], played["reset", 1]) == (7, 8)


@pytest.mark.parametrize(("number", "stages"), [(8, 2), (16, 2), (32, 4), (64, 4)])
def test_on_the_losers_side_nobody_meets_again_at_first(number: int, stages: int) -> None:
    planned = plan(number, 2, 1, "double")
    for early in range(1, stages + 1):
        assert not any(may_have_met(planned, table) for table in stage(planned, "losers", early))


def second_meetings(cup: BracketInput, strength: dict[str, float]) -> list[str]:
    """Play a knock-out, the strongest always first: the tables before the final at which two meet
    who met before."""
    met: set[frozenset[str]] = set()
    again: list[str] = []
    while not (answer := drawn(cup)).over:
        for table in answer.tables:
            if frozenset(table.ids) in met and table.label not in ("final", "reset"):
                again.append(table.label)
            met.add(frozenset(table.ids))
        tables = [tuple(sorted(table.ids, key=strength.__getitem__)) for table in answer.tables]
        walkovers = [table.ids for table in answer.walkovers]
        cup = replace(cup, finished=(*cup.finished, (*tables, *walkovers)))
    return again


@pytest.mark.parametrize("number", range(5, 65))
def test_two_meet_again_as_rarely_as_in_the_next_larger_bracket_with_absent_players(
    number: int,
) -> None:
    cup = knockout(number, kind="double")
    full = knockout(1 << (number - 1).bit_length(), kind="double")
    full = replace(full, absent=frozenset(full.participants[number:]))
    by_seed = {player: float(seed) for seed, player in enumerate(full.participants)}
    assert len(second_meetings(cup, by_seed)) <= len(second_meetings(full, by_seed)) <= 1
    for run in range(3):
        chance = Random(run)
        strength = {player: chance.random() for player in full.participants}
        assert len(second_meetings(cup, strength)) <= len(second_meetings(full, strength))


def test_of_ten_players_no_two_meet_again_before_the_last_table_of_the_losers_side() -> None:
    cup = knockout(10, kind="double")
    by_seed = {player: float(seed) for seed, player in enumerate(cup.participants)}
    last = stage(plan(10, 2, 1, "double"), "losers", 5)
    assert second_meetings(cup, by_seed) == [table.label for table in last]
    before = replace(cup, version=1)
    assert second_meetings(before, by_seed) == ["L3.1", "L5.1"]


def test_plans_of_before_stay_as_they_are() -> None:
    pairs, others = sha256(), sha256()
    for number in range(2, 130):
        pairs.update(repr(plan(number, 2, 1, "double", version=1)).encode())
    for size in range(2, 7):
        kinds: tuple[Kind, ...] = ("single",) if size == 2 else ("single", "double")
        for advance, kind, number in product(range(1, size), kinds, range(2, 50)):
            assert plan(number, size, advance, kind, version=1) == plan(number, size, advance, kind)
            others.update(repr(plan(number, size, advance, kind)).encode())
    assert pairs.hexdigest() == "2d17aee481bec678cb31784a1e8689e92d951507ab86819794a858ad91f52f2b"
    assert others.hexdigest() == "08d0bae30301f203d791b2cd9ab9049a2ecc3e901afd081699851765b74c1ad2"


@pytest.mark.parametrize("number", [2, 4, 8, 16, 32, 64])
def test_a_full_bracket_is_planned_as_before(number: int) -> None:
    assert plan(number, 2, 1, "double") == plan(number, 2, 1, "double", version=1)


def test_seconds_come_to_another_table_than_their_winners() -> None:
    planned = plan(64, 4, 2, "single")
    assert not any(
        may_have_met(planned, table)
        for number in (2, 3)
        for table in stage(planned, "winners", number)
    )


def test_those_of_the_winners_side_stay_apart_for_long() -> None:
    for number in (8, 16, 64):
        planned = plan(number, 2, 1, "single")
        assert not any(may_have_met(planned, table) for table in planned.tables)


def test_a_third_place_needs_losers_that_one_table_holds() -> None:
    def third(number: int, size: int, advance: int) -> list[PlannedTable]:
        return stage(plan(number, size, advance, "single", third=True), "third", 1)

    assert [table.sources for table in third(4, 2, 1)] == [(Origin("W1.1", 2), Origin("W1.2", 2))]
    assert [len(table.sources) for table in third(8, 4, 2)] == [4]
    assert third(3, 2, 1) == third(2, 2, 1) == third(27, 3, 1)[:0]
    assert third(27, 3, 1) == []


@given(
    st.integers(2, 6).flatmap(lambda size: st.tuples(st.just(size), st.integers(1, size - 1))),
    st.integers(2, 150),
    st.sampled_from(("single", "double")),
)
def test_every_plan_is_whole(shape: tuple[int, int], number: int, kind: Kind) -> None:
    size, advance = shape
    planned = plan(number, size, advance, kind)
    known = {table.label: table for table in planned.tables}
    assert len(known) == len(planned.tables)
    uses: Counter[Origin] = Counter()
    for table in planned.tables:
        assert 2 <= len(table.sources) <= size
        if table.side in ("winners", "losers"):
            assert len(table.sources) > table.advance
        for source in table.sources:
            assert source.table is None or known[source.table].round_number < table.round_number
            if table.side != "reset":
                uses[source] += 1
    assert set(uses.values()) == {1}
    assert {source.place for source in uses if source.table is None} == set(range(1, number + 1))
    for table in planned.tables:
        goes_on = table.side != "final" and table.side != "reset"
        places = (
            len(table.sources)
            if kind == "double" and table.side == "winners"
            else min(table.advance, 99)
        )
        assert not goes_on or all(
            Origin(table.label, place) in uses for place in range(1, places + 1)
        )
