"""The plan of a knock-out: byes, table sizes, who meets whom how late, and when each stage is played."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.brackets.bracket_plan import Kind, Origin, Plan, PlannedTable, plan, snake


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


@pytest.mark.parametrize(("number", "rounds"), [(2, 3), (3, 5), (4, 5), (8, 7), (16, 9), (4096, 25)])
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


def test_seconds_come_to_another_table_than_their_winners() -> None:
    planned = plan(64, 4, 2, "single")
    assert not any(may_have_met(planned, table) for number in (2, 3) for table in stage(planned, "winners", number))


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
        places = len(table.sources) if kind == "double" and table.side == "winners" else min(table.advance, 99)
        assert not goes_on or all(Origin(table.label, place) in uses for place in range(1, places + 1))
