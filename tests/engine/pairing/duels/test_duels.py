"""Duels: nobody meets again, neighbours meet, byes go round, and no draw would be better."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
import rustworkx
from hypothesis import given

from engine.pairing.cost import cost_of, meetings, ordered
from engine.pairing.draw_input import Apart, DrawInput, Participant
from engine.pairing.duels.duels import _field, _pairs_to_consider, duels
from engine.pairing.duels.matching import Edge, cheapest
from tests.engine.pairing.chances import chances
from tests.engine.pairing.swiss import inputs, played_through
from tests.engine.pairing.tournaments import tournament


@pytest.fixture
def _only_near_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a few players are drawn as if they were many."""
    monkeypatch.setattr("engine.pairing.duels.duels.ALL_PAIRS", 0)


def scored(*scores: int, played: str = "") -> DrawInput:
    """Players a, b, c … with these scores; `played`: one round, as in `"ab cd"`."""
    players = tuple([Participant(id, score) for id, score in zip("abcdefgh", scores, strict=False)])
    return DrawInput(
        (2,), "evening", players, played=(tuple(map(tuple, played.split())),), bye=True
    )


def best_by_all_pairs(input: DrawInput) -> tuple[int, ...]:
    """Byes, must, repeats, apart, out and spread of the best draw, by matching in the full
    graph."""
    players = input.participants
    met = meetings(input)
    must = {ordered(pair.first, pair.second) for pair in input.apart if pair.must}
    wish = {ordered(pair.first, pair.second) for pair in input.apart if not pair.must}
    alike = {
        ordered(one.player_id, other.player_id)
        for one, other in combinations(players, 2)
        if input.labels and one.label == other.label > 0
    }
    must, wish = (must | alike, wish) if input.labels == "must" else (must, wish | alike)
    wish -= must
    lowest = min(player.score for player in players)
    fewest = min(player.byes for player in players)
    base = 10**5
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(players) + len(players) % 2))
    for a, one in enumerate(players):
        for b, other in enumerate(players[:a]):
            pair = ordered(one.player_id, other.player_id)
            cost = ((pair in must) * base + met[pair]) * base + (pair in wish)
            graph.add_edge(a, b, base**6 - cost * base**2 - (one.score - other.score) ** 2)
        if len(players) % 2:
            graph.add_edge(
                a,
                len(players),
                base**6 - (one.byes - fewest) * base**5 - (one.score - lowest) * base,
            )
    pairs = rustworkx.max_weight_matching(graph, True, weight_fn=int)
    left = sum(base**6 - graph.get_edge_data(a, b) for a, b in pairs)
    found = []
    for _ in range(5):
        left, level = divmod(left, base)
        found.append(level)
    return left, *found[::-1]


def cost(input: DrawInput) -> tuple[int, ...]:
    """The same of our draw."""
    drawn = duels(input)
    found = cost_of(input, drawn.tables, drawn.bye)
    return found.byes, found.must, found.repeats, found.apart, found.out, found.spread


def test_neighbours_meet() -> None:
    assert duels(scored(3, 1, 3, 1)).tables == (("a", "c"), ("b", "d"))


def test_nobody_meets_again() -> None:
    assert duels(scored(3, 3, 1, 1, played="ab cd")).tables in (
        (("a", "c"), ("b", "d")),
        (("a", "d"), ("b", "c")),
    )


def test_who_meets_again_where_it_must_be_has_met_least_often() -> None:
    input = scored(3, 3, 1, 1, played="ab cd")
    input = replace(
        input,
        played=(*input.played, *input.played, (("a", "c"), ("b", "d")), (("a", "d"), ("b", "c"))),
    )
    assert ("a", "b") not in duels(input).tables


def test_who_must_stay_apart_does_before_nobody_meets_again() -> None:
    input = scored(1, 1, 1, 1, played="ab cd")
    must = replace(input, apart=(Apart("a", "c", must=True), Apart("d", "a", must=True)))
    assert duels(must).tables == (("a", "b"), ("c", "d"))
    wish = replace(input, apart=(Apart("a", "c"), Apart("d", "a")))
    assert ("a", "b") not in duels(wish).tables


def test_a_wish_to_stay_apart_is_before_the_spread() -> None:
    assert ("a", "b") not in duels(replace(scored(9, 9, 1, 1), apart=(Apart("b", "a"),))).tables


def test_the_lowest_of_those_whose_turn_it_is_sits_out() -> None:
    input = scored(9, 4, 4, 2, 2)
    assert duels(input).bye in (("d",), ("e",))
    had = [replace(player, byes=int(player.player_id in "de")) for player in input.participants]
    drawn = duels(replace(input, participants=tuple(had)))
    assert drawn.bye in (("b",), ("c",))


def test_nobody_floats_down_twice_running_where_another_can() -> None:
    input = scored(2, 2, 2, 1)
    floated = [
        replace(player, floats="down" if player.player_id in "ab" else None)
        for player in input.participants
    ]
    assert duels(replace(input, participants=tuple(floated))).tables == (("a", "b"), ("c", "d"))


def test_the_last_of_those_whose_turn_it_is_sits_out_whatever_the_spread_of_the_others() -> None:
    """With c out, nobody would have other points than who they meet."""
    assert duels(scored(9, 9, 3, 2, 2, 1, 1)).bye in (("f",), ("g",))


def test_those_who_opened_meet_those_who_did_not() -> None:
    input = scored(1, 1, 1, 1)
    opened = [
        replace(player, seats=(int(player.player_id in "ab"), 0)) for player in input.participants
    ]
    pairs = {
        duels(replace(input, participants=tuple(opened), seed=seed)).tables for seed in "abcdefgh"
    }
    assert pairs == {(("a", "c"), ("b", "d")), (("a", "d"), ("b", "c"))}


def test_in_a_swiss_everybody_opens_equally_often() -> None:
    """Of eight rounds four are everybody's share; where scores leave no choice, it is one more or
    fewer."""
    opened = Counter(
        table[0] for drawn in tournament(200, (2,), 8, 1).draws for table in drawn.tables
    )
    assert {opened[f"p{i}"] for i in range(200)} <= {3, 4, 5}
    assert sum(opened[f"p{i}"] == 4 for i in range(200)) >= 190


def test_a_few_or_nobody() -> None:
    assert duels(scored()) == ((), (), 0)
    assert duels(scored(1)) == ((), ("a",), 0)
    assert duels(scored(1, 1)) == ((("a", "b"),), (), 0)


def test_the_lot_decides_what_is_left() -> None:
    drawn = {duels(replace(scored(0, 0, 0, 0), seed=seed)).tables for seed in "abcdefgh"}
    assert len(drawn) == 3


@given(inputs())
def test_everybody_meets_one_or_sits_out(input: DrawInput) -> None:
    drawn = duels(input)
    seated = [*drawn.bye, *[id for table in drawn.tables for id in table]]
    assert sorted(seated) == sorted(player.player_id for player in input.participants)
    assert len(drawn.bye) == len(input.participants) % 2


@given(inputs(), chances)
def test_the_order_of_the_input_is_no_matter(input: DrawInput, chance: Random) -> None:
    turned = replace(
        input,
        participants=tuple(chance.sample(input.participants, len(input.participants))),
        played=tuple(
            [tuple([table[::-1] for table in reversed(tables)]) for tables in input.played]
        ),
        apart=tuple([Apart(pair.second, pair.first, pair.must) for pair in reversed(input.apart)]),
    )
    assert duels(turned) == duels(input)


@given(inputs())
def test_no_draw_is_better(input: DrawInput) -> None:
    if input.participants:
        assert cost(input) == best_by_all_pairs(input)


@pytest.mark.usefixtures("_only_near_pairs")
@given(inputs(most=40))
def test_no_draw_is_better_than_the_best_of_near_pairs(input: DrawInput) -> None:
    if input.participants:
        assert cost(input) == best_by_all_pairs(input)


@pytest.mark.parametrize("number", [120, 121])
def test_a_large_swiss_has_no_repeats_and_the_best_spread(number: int) -> None:
    final, costs = played_through(number, 7, 1)
    assert [cost.repeats for cost in costs] == [0] * 7
    assert max(player.byes for player in final.participants) == number % 2
    assert cost(replace(final, rounds=None)) == best_by_all_pairs(final)


def test_costs_fit_however_far_apart_points_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.pairing.duels.duels.BITS", 64)
    costs: list[int] = []

    def seen(given: dict[Edge, int]) -> list[Edge]:
        costs.extend(given.values())
        return cheapest(given)

    monkeypatch.setattr("engine.pairing.duels.duels.cheapest", seen)
    scores = [-1_000_000 + i if i % 2 else 1_000_000 - i for i in range(101)]
    players = [Participant(f"p{i}", score, byes=1000 * (i == 0)) for i, score in enumerate(scores)]
    found = duels(DrawInput((2,), "s", tuple(players), played=((("p0", "p2"),),) * 9, bye=True))
    assert max(costs) * (len(scores) // 2) < 1 << 64
    assert found.bye != ("p0",)


def test_one_whom_nobody_may_meet_costs_no_others_a_look_at_everybody() -> None:
    players = tuple([Participant(f"p{i}", i) for i in range(400)])
    apart = tuple([Apart("p200", f"p{i}") for i in range(400) if i != 200])
    field = _field(DrawInput((2,), "s", players, apart=apart))
    near = set(_pairs_to_consider(field))
    assert near == {
        (a, b)
        for a in range(400)
        for b in range(a + 1, 400)
        if b - a <= field.barred[a] + field.barred[b] + 1
    }
    assert len(near) < 400 * 5
