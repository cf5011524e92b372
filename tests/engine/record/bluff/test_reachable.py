"""The outcomes that the checker lets pass are those that games of Bluff can come to, no more and no
fewer.

For small sizes all games are played: every bet that can be lost, and everybody who can leave.
Rulings B8, B9, B11 to B13, B17, B20."""

from collections.abc import Iterator
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple

import pytest

from engine.bluff.ruleset import EXACT, Exact, Ruleset
from engine.bluff.showdown import clockwise, losses
from engine.illegal import Illegal
from engine.record.bluff.outcome import clock_end, impossible_end, known_end, points_bounds
from engine.record.outcome import KnownEnd

Dice = tuple[int, ...]


class Standing(NamedTuple):
    """A game between two rounds: dice of each seat, who went out, with the dice gone after it, and
    who left."""

    owned: Dice
    exits: tuple[tuple[Dice, int], ...] = ()
    forfeit: Dice = ()


def following(rules: Ruleset, standing: Standing, *, leaving: bool) -> Iterator[Standing]:
    """The game after each bet that can be lost, and after each way in which seats can leave."""
    owned = standing.owned
    live = [seat for seat, dice in enumerate(owned) if dice]
    for bidder in live:
        for surplus in range(-rules.dice, rules.dice + 1):
            bid = max(0, -surplus)
            lost = losses(rules, owned, bidder, clockwise(owned)[bidder], bid, bid + surplus)
            yield after(rules, standing, lost, ())
    for leavers in (group for size in range(1, len(live)) for group in combinations(live, size)):
        if leaving:
            yield after(
                rules,
                standing,
                tuple([dice * (seat in leavers) for seat, dice in enumerate(owned)]),
                leavers,
            )


def after(rules: Ruleset, standing: Standing, lost: Dice, leavers: Dice) -> Standing:
    owned = tuple([dice - gone for dice, gone in zip(standing.owned, lost, strict=True)])
    out = tuple([seat for seat, dice in enumerate(standing.owned) if dice and not owned[seat]])
    exits = ((out, rules.dice * len(owned) - sum(owned)),) if out else ()
    return Standing(owned, standing.exits + exits, standing.forfeit + leavers)


def end_of(rules: Ruleset, standing: Standing) -> KnownEnd:
    """The end of a game that stops here: by the clock, if several seats are left."""
    owned = standing.owned
    gone = rules.dice * len(owned) - sum(owned)
    rank = [1 + sum(rival > dice for rival in owned) for dice in owned]
    points = [gone + dice for dice in owned]
    ahead = len(owned)
    for seats, dice in standing.exits:
        ahead -= len(seats)
        for seat in seats:
            rank[seat], points[seat] = ahead + 1, dice
    if sum(map(bool, owned)) == 1:
        return KnownEnd(tuple(rank), tuple(points), None, standing.forfeit)
    return KnownEnd(tuple(rank), tuple(points), owned, standing.forfeit, "clock")


def reachable(rules: Ruleset, seats: int, *, leaving: bool) -> set[KnownEnd]:
    """All ends of all games. Of those who leave together any may be named first."""
    start = Standing((rules.dice,) * seats)
    known, waiting = {start}, [start]
    while waiting:
        standing = waiting.pop()
        if sum(map(bool, standing.owned)) > 1:
            new = set(following(rules, standing, leaving=leaving)) - known
            known |= new
            waiting += new
    ends = {end_of(rules, standing) for standing in known}
    return {
        end._replace(forfeit=order)
        for end in ends
        for order in permutations(end.forfeit)
        if all(end.rank[later] <= end.rank[before] for before, later in pairwise(order))
    }


def accepted(rules: Ruleset, seats: int, *, leaving: bool, by_clock: bool) -> set[KnownEnd]:
    """All outcomes with points that the checker lets pass."""
    sizes = range(seats) if leaving else range(1)
    orders = [order for size in sizes for order in permutations(range(seats), size)]
    ranks = [rank for rank in product(range(1, seats + 1), repeat=seats) if is_rank(rank)]
    dice: list[Dice | None] = (
        [*product(range(rules.dice + 1), repeat=seats)] if by_clock else [None]
    )
    ends = [
        KnownEnd(rank, None, owned, order, "clock" if by_clock else None)
        for rank, owned, order in product(ranks, dice, orders)
    ]
    return {
        end._replace(points=points)
        for end in ends
        if passes(rules, end)
        for points in product(range(rules.dice * seats + 1), repeat=seats)
        if passes(rules, end._replace(points=points))
    }


def is_rank(rank: Dice) -> bool:
    return list(rank) == [1 + sum(rival < place for rival in rank) for place in rank]


def passes(rules: Ruleset, end: KnownEnd) -> bool:
    return not isinstance(known_end(rules, end), Illegal) and impossible_end(rules, end) is None


def rules_of(exact: Exact, dice: int) -> Ruleset:
    return Ruleset(exact=exact, dice=dice, scoring="cntdice")


@pytest.mark.parametrize("exact", EXACT.values())
@pytest.mark.parametrize(
    ("seats", "dice", "leaving"), [(2, 1, True), (2, 3, True), (3, 1, True), (3, 2, True)]
)
def test_all_games_of_a_small_size_and_nothing_else(
    seats: int, dice: int, leaving: bool, exact: Exact
) -> None:
    rules = rules_of(exact, dice)
    for by_clock in (False, True):
        ends = {
            end
            for end in reachable(rules, seats, leaving=leaving)
            if (end.ended is not None) == by_clock
        }
        assert accepted(rules, seats, leaving=leaving, by_clock=by_clock) == ends


@pytest.mark.parametrize(
    ("seats", "dice", "exact"),
    [
        *((seats, dice, exact) for seats, dice in ((3, 3), (4, 1)) for exact in EXACT.values()),
        (4, 2, EXACT["all"]),
    ],
)
def test_all_games_that_nobody_leaves_and_nothing_else(seats: int, dice: int, exact: Exact) -> None:
    rules = rules_of(exact, dice)
    ends = {end for end in reachable(rules, seats, leaving=False) if end.ended is None}
    assert accepted(rules, seats, leaving=False, by_clock=False) == ends


def test_b13_of_three_seats_with_two_dice_72_outcomes_that_the_order_allows_cannot_be() -> None:
    rules = rules_of("all", 2)
    in_order = [
        KnownEnd(rank, points)
        for rank in product((1, 2, 3), repeat=3)
        if is_rank(rank) and rank.count(1) == 1
        for points in product(range(7), repeat=3)
        if max(points) == 6
        and list(rank) == [1 + sum(rival > own for rival in points) for own in points]
    ]
    assert len(in_order) == 108
    assert sum(not passes(rules, end) for end in in_order) == 72


@pytest.mark.parametrize("exact", EXACT.values())
def test_every_game_lies_within_the_bounds_and_each_bound_is_reached(exact: Exact) -> None:
    rules = rules_of(exact, 2)
    scores: dict[KnownEnd, list[set[int]]] = {}
    for end in reachable(rules, 3, leaving=True):
        assert end.points is not None
        columns = scores.setdefault(end._replace(points=None), [set() for _ in end.rank])
        for column, score in zip(columns, end.points, strict=True):
            column.add(score)
    for end, columns in scores.items():
        bounds = points_bounds(rules, end)
        assert [(scores[0], scores[-1]) for scores in bounds] == [
            (min(column), max(column)) for column in columns
        ]


@pytest.mark.parametrize("exact", EXACT.values())
def test_b20_the_end_by_the_clock_follows_from_dice_and_who_went_out(exact: Exact) -> None:
    rules = rules_of(exact, 2)
    for standing in [
        Standing((2, 2, 1)),
        Standing((2, 0, 1), (((1,), 3),)),
        Standing((1, 0, 1), (((1,), 4),), (1,)),
    ]:
        end = end_of(rules, standing)
        answer = clock_end(
            rules, standing.owned, [seats for seats, _ in standing.exits], standing.forfeit
        )
        assert answer in (end, end._replace(points=None))
        assert answer.points == end.points or standing.exits
    with pytest.raises(ValueError, match="without dice"):
        clock_end(rules, (2, 0, 1))
