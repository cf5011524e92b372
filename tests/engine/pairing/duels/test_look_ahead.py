"""Duels that leave enough first meetings for the rounds to come."""

from itertools import combinations, islice, permutations

import pytest

from engine.pairing.draw_input import DrawInput, Participant
from engine.pairing.duels.duels import duels
from engine.pairing.duels.look_ahead import by_cost, lay_out
from engine.pairing.duels.matching import Edge
from tests.engine.pairing.swiss import played_through

HEXAGON = {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)}
TRIANGLES = {(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)}


@pytest.mark.parametrize(
    ("number", "rounds"), [(4, 3), (5, 5), (6, 5), (7, 7), (8, 7), (10, 9), (12, 11), (16, 13)]
)
def test_nobody_meets_again_in_as_many_rounds_as_there_can_be(number: int, rounds: int) -> None:
    for seed in range(5):
        final, costs = played_through(number, rounds, seed)
        assert sum(cost.repeats for cost in costs) == 0
        assert max(player.byes for player in final.participants) == number % 2


def test_without_the_look_somebody_meets_again() -> None:
    assert any(
        cost.repeats for seed in range(5) for cost in played_through(10, 9, seed, planned=False)[1]
    )


def test_the_cheapest_round_waits_where_it_would_end_the_tournament() -> None:
    # After these two rounds a and b, c and d, e and f are nearest, but would leave two triangles.
    ids = "abcdef"
    players = tuple(
        [Participant(id, score) for id, score in zip(ids, (9, 9, 5, 5, 1, 1), strict=True)]
    )
    open_pairs = {"ab", "cd", "ef", "ac", "ae", "ce", "bd", "bf", "df"}
    left = [pair for pair in map("".join, combinations(ids, 2)) if pair not in open_pairs]
    assert sorted(left) == ["ad", "af", "bc", "be", "cf", "de"]
    input = DrawInput(
        (2,),
        "x",
        players,
        5,
        ((("a", "d"), ("b", "e"), ("c", "f")), (("a", "f"), ("b", "c"), ("d", "e"))),
    )
    nearest = (("a", "b"), ("c", "d"), ("e", "f"))
    assert duels(DrawInput((2,), "x", players, 3, input.played)).tables == nearest
    assert duels(input).tables != nearest


def test_rounds_that_cant_be_without_repeats_are_counted() -> None:
    players = tuple([Participant(id) for id in "abcd"])
    assert duels(DrawInput((2,), "x", players, 3)).later == 0
    assert duels(DrawInput((2,), "x", players, 5)).later == 4


def test_a_hexagon_holds_two_rounds_and_two_triangles_none() -> None:
    plan = lay_out(HEXAGON, 6, 2, "x")
    assert sorted(plan) == [[(0, 1), (2, 3), (4, 5)], [(0, 5), (1, 2), (3, 4)]]
    assert lay_out(TRIANGLES, 6, 1, "x") == []


def test_all_ways_by_cost() -> None:
    costs: dict[Edge, int] = {
        pair: (7 * pair[0] + 3 * pair[1] ** 2) % 31 for pair in combinations(range(6), 2)
    }
    ways = {
        tuple(sorted([tuple(sorted(line[i : i + 2])) for i in (0, 2, 4)]))
        for line in permutations(range(6))
    }
    found = list(by_cost(costs))
    totals = [sum(costs[pair] for pair in pairs) for pairs in found]
    assert {tuple(pairs) for pairs in found} == ways
    assert len(found) == len(ways) == 15
    assert totals == sorted(totals)
    assert list(islice(by_cost(costs), 1)) == found[:1]
