"""The order of seats at a table: everybody opens equally often, and then sits in each seat equally
often."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from engine.arrays import Ints
from engine.grouping import lists_by_key
from engine.pairing.cost import seat_count
from engine.pairing.draw_input import Participant, TableIds

OPENING: Final = 1 << 13
"""The weight of a first turn against other seats: more than all those that players at a table
had."""
NOT_YET: Final = 1 << 10
"""Added to the first turns of whoever shall not open: more than anybody had."""
NEVER: Final = 1 << 62
"""The cost of a seat for somebody who has one already."""


def seated(
    tables: Sequence[TableIds],
    players: Mapping[str, Participant],
    ahead: Sequence[Sequence[TableIds]] = (),
) -> tuple[TableIds, ...]:
    """The tables in seat order: with the least squared counts of first turns, then of seats; of
    such orders the nearest to the given. `ahead`: the tables of the rounds to come, where they are
    known, so that first turns come out even over all of them."""
    seatings = list(tables)
    opening = set(openers([tables, *ahead], players)) if ahead else set(players)
    for size in {len(table) for table in tables}:
        some = [number for number, table in enumerate(tables) if len(table) == size]
        counts = [
            [
                [
                    seat_count(players[player_id], seat)
                    + NOT_YET * (seat == 0 and player_id not in opening)
                    for seat in range(size)
                ]
                for player_id in tables[number]
            ]
            for number in some
        ]
        for number, order in zip(some, best_orders(weighed(np.array(counts))), strict=True):
            seatings[number] = tuple([tables[number][place] for place in order])
    return tuple(seatings)


def openers(rounds: Sequence[Sequence[TableIds]], players: Mapping[str, Participant]) -> list[str]:
    """Tell who opens at each table of the first of some rounds, so that with all of them first
    turns are shared out as evenly as can be.

    Each table first goes to whoever there has the fewest turns; then turns are handed on from table
    to table as long as somebody comes to have one less who had at least two more than whoever has
    one more in the end. No assignment has less squared counts then (Harvey, Ladner, Lovász and
    Tamir, Semi-matchings for bipartite graphs, 2006)."""
    tables = [table for tables in rounds for table in tables]
    turns = Counter({player_id: seat_count(player, 0) for player_id, player in players.items()})
    opener = []
    for table in tables:
        opener.append(min(table, key=lambda player_id: turns[player_id]))
        turns[opener[-1]] += 1
    tables_of = lists_by_key((player_id, number) for number, player_id in enumerate(opener))
    while path := _handed_on(tables, tables_of, turns):
        for giver, number, taker in path:
            tables_of[giver].remove(number)
            tables_of[taker].append(number)
            opener[number] = taker
        turns[path[0].giver] -= 1
        turns[path[-1].taker] += 1
    return opener[: len(rounds[0])]


class _Handing(NamedTuple):
    """A first turn that somebody has at a table, and who else there could have it."""

    giver: str
    table: int
    taker: str


def _handed_on(
    tables: Sequence[TableIds], tables_of: Mapping[str, Sequence[int]], turns: Mapping[str, int]
) -> list[_Handing]:
    """The turns that are handed on from somebody with many to somebody with at least two fewer;
    none if nobody has."""
    for first in sorted(tables_of, key=lambda player_id: -turns[player_id]):
        way: dict[str, _Handing | None] = {first: None}
        queue = [first]
        for giver in queue:
            for number in tables_of.get(giver, ()):
                for taker in tables[number]:
                    if taker not in way:
                        way[taker] = _Handing(giver, number, taker)
                        queue.append(taker)
        last = min(way, key=lambda player_id: turns[player_id])
        if turns[last] <= turns[first] - 2:
            path = []
            while handing := way[last]:
                path.append(handing)
                last = handing.giver
            return path[::-1]
    return []


def weighed(counts: Ints) -> Ints:
    """Weigh counts of seats, the last axis: a first turn counts as `OPENING` of the others."""
    weighed = counts.copy()
    weighed[..., 0] *= OPENING
    return weighed


def best_orders(counts: Ints) -> Ints:
    """The player for each seat of each table; `counts` (tables, players, seats): how often they had
    it before.

    One more in a seat adds twice its count, and one, to the squared counts: so the sum of the
    counts is to be least. Of several such orders it is the one whose first seat, then the second,
    and so on, has the player of the lowest number: seat by seat from what those behind cost at
    least with whoever is still to sit down (Held and Karp, 1962), as eight have 40,320 orders."""
    tables, size = counts.shape[:2]
    least = np.zeros((tables, 1 << size), np.int64)
    for group, players, rest in _groups(size):
        least[:, group] = (counts[:, players, -len(players)] + least[:, rest]).min(1)
    orders, waiting, rows = (
        np.zeros((tables, size), np.int64),
        np.full(tables, (1 << size) - 1),
        np.arange(tables),
    )
    for seat in range(size):
        costs = (
            counts[:, :, seat] + least[rows[:, None], waiting[:, None] & ~(1 << np.arange(size))]
        )
        costs[waiting[:, None] >> np.arange(size) & 1 == 0] = NEVER
        orders[:, seat] = costs.argmin(1)
        waiting ^= 1 << orders[:, seat]
    return orders


@cache
def _groups(size: int) -> list[tuple[int, list[int], list[int]]]:
    """All groups of so many players, behind those within them: each as bits, its players, and, for
    each of these, the bits of the group without them."""
    members = [
        [player for player in range(size) if group >> player & 1] for group in range(1 << size)
    ]
    return [
        (group, players, [group ^ 1 << player for player in players])
        for group, players in enumerate(members)
        if group
    ]
