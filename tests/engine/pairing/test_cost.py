"""What a draw costs, criterion by criterion."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.bounds import bounds, fewest_again
from engine.pairing.cost import Cost, cost_of, criteria, float_of, floats_at, meetings, spread
from engine.pairing.draw_input import Apart, DrawInput, Participant
from engine.pairing.sizes import SizeMix
from tests.engine.pairing.chances import chances

PLAYERS = (
    Participant("a", 5, seats=(1, 0), floats="down"),
    Participant("b", 3, short=1, seats=(0, 1)),
    Participant("c", 3, short=1),
    Participant("d", 1, byes=1, short=1),
)


def cost(*tables: tuple[str, ...], bye: tuple[str, ...] = (), **changes: object) -> Cost:
    return cost_of(DrawInput((2,), "x", PLAYERS, **changes), tables, bye)  # type: ignore[arg-type]


def test_the_first_criterion_that_differs_decides() -> None:
    given = DrawInput((4, 3), "x", PLAYERS)
    meets, must, out = (
        Cost(0, 0, 0, 1, 9, 9, 9, 9, 9, 9),
        Cost(0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
        Cost(1, *[0] * 9),
    )
    assert meets.ranked(given) < must.ranked(given) < out.ranked(given)


def test_turns_at_short_tables_count_before_meetings_or_right_behind_them() -> None:
    short, meets, wish = (
        Cost(0, 1, *[0] * 8),
        Cost(0, 0, 0, 1, *[0] * 6),
        Cost(0, 0, 0, 0, 1, *[0] * 5),
    )
    strict = DrawInput((4, 3), "x", PLAYERS)
    assert wish.ranked(strict) < meets.ranked(strict) < short.ranked(strict)
    free = replace(strict, meetings_first=True)
    assert wish.ranked(free) < short.ranked(free) < meets.ranked(free)
    assert criteria(meetings_first=False)[:4] == ("byes", "short", "must", "repeats")
    assert criteria(meetings_first=True)[:4] == ("byes", "must", "repeats", "short")


def test_meetings_again_count_as_often_as_two_met_and_those_to_come_are_added() -> None:
    played = ((("a", "b"),), (("b", "a", "c"),))
    assert cost(("a", "b"), ("c", "d"), played=played).repeats == 2
    assert cost_of(DrawInput((2,), "x", PLAYERS), (("a", "b"), ("c", "d")), later=3).repeats == 3


def test_points_count_by_their_squared_differences() -> None:
    assert cost(("a", "b"), ("c", "d")).spread == 4 + 4
    assert cost(("a", "b", "c", "d")).spread == 4 + 4 + 16 + 0 + 4 + 4


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=6))
def test_the_spread_is_that_of_all_pairs(scores: list[int]) -> None:
    assert 2 * spread(scores) == sum((one - other) ** 2 for one in scores for other in scores)


def test_those_of_one_label_count_as_if_each_two_of_them_were_to_be_apart() -> None:
    players = tuple(
        [Participant(id, label=number) for id, number in zip("abcd", (1, 1, 0, 0), strict=True)]
    )

    def costs(**changes: object) -> tuple[int, int]:
        found = cost_of(DrawInput((4,), "x", players, **changes), (("a", "b", "c", "d"),))  # type: ignore[arg-type]
        return found.must, found.apart

    assert costs() == (0, 0)
    assert costs(labels="wish") == (0, 1)
    assert costs(labels="must") == (1, 0)
    assert costs(labels="wish", apart=(Apart("b", "a", must=True), Apart("c", "d"))) == (1, 1)
    assert costs(labels="must", apart=(Apart("a", "b"),)) == (1, 0)


def test_who_sits_out_costs_what_they_have_above_the_last() -> None:
    assert cost(("b", "c"), bye=("a", "d")).out == 4
    assert cost(("a", "b"), bye=("c", "d")).out == 2


def test_sitting_out_or_short_counts_beyond_those_who_did_so_least() -> None:
    assert cost(("a", "b"), bye=("c", "d")).byes == 1
    short = cost_of(DrawInput((3, 2), "x", PLAYERS), (("a", "b"), ("c", "d")))
    assert short.short == 3


def test_wishes_and_musts_are_two_criteria() -> None:
    found = cost(("a", "b"), ("c", "d"), apart=(Apart("b", "a", True), Apart("c", "d")))
    assert (found.must, found.apart) == (1, 1)


def test_a_pair_that_is_named_twice_must_not_meet_if_it_must_not_once() -> None:
    for strictness in (True, False):
        found = cost(
            ("a", "b"),
            ("c", "d"),
            apart=(Apart("b", "a", strictness), Apart("a", "b", not strictness)),
        )
        assert (found.must, found.apart) == (1, 0)


def test_somebody_floats_alone_above_or_below_all_others_at_a_table() -> None:
    assert [float_of(score, [3, 5]) for score in (1, 3, 5, 6)] == ["up", None, None, "down"]
    players = {player.player_id: player for player in PLAYERS}
    assert floats_at(("a", "b", "c"), players) == {"a": "down", "b": None, "c": None}
    assert cost(("a", "b"), ("c", "d")).floats == 1


def test_first_turns_count_squared_with_this_round() -> None:
    assert cost(("a", "b"), ("c", "d")).opens == 4 + 1
    assert cost(("b", "a"), ("c", "d")).opens == 1 + 1 + 1
    assert cost(("b", "c"), bye=("a",)).opens == 1 + 1


def test_seats_count_squared_with_this_round() -> None:
    assert cost(("a", "b"), ("c", "d")).seats == 4 + 4 + 1 + 1
    assert cost(("b", "a"), ("c", "d")).seats == 2 + 2 + 1 + 1


def test_bounds_tell_what_nobody_can_avoid() -> None:
    players = tuple([Participant(f"p{i}", i) for i in range(4)])
    given = DrawInput((2,), "x", players, 5, ((("p0", "p1"), ("p2", "p3")),))
    assert bounds(given, SizeMix((2, 2), 0), meetings(given)) == {
        "byes": 0,
        "short": 0,
        "repeats": 4,
        "spread": 2,
    }


def test_everybody_meets_others_again_once_there_is_nobody_else() -> None:
    pairs = [[("a", "b"), ("c", "d")], [("a", "c"), ("b", "d")], [("a", "d"), ("b", "c")]]
    assert fewest_again(pairs) == 0
    assert fewest_again([*pairs, pairs[0], pairs[1]]) == 4


def test_four_from_three_tables_are_a_pair_again_at_least() -> None:
    """Who sat out, or wasn't there, comes from no table."""
    twelve = [tuple(range(first, first + 4)) for first in (0, 4, 8)]
    assert fewest_again([twelve, twelve, twelve]) == 6
    assert fewest_again([twelve, [(0, 4, 8, 12)]]) == 0
    assert fewest_again([twelve[:1], [(0, 1, 2, 3)]]) == 6


@given(chances)
def test_no_rounds_have_fewer_meetings_again_than_their_bound(chance: Random) -> None:
    people = range(chance.randrange(2, 12))
    rounds = []
    for _ in range(chance.randrange(1, 5)):
        line = chance.sample(people, chance.randrange(2, len(people) + 1))
        size = chance.randrange(2, 6)
        rounds.append([line[i : i + size] for i in range(0, len(line), size)])
    met = Counter(
        frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2)
    )
    assert fewest_again(rounds) <= sum(met.values()) - len(met)
