"""The order of seats at a table: all players open equally often, and then sit in each seat
equally often."""

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
"""The weight of a first turn against other seats: more than all seats that a table's players
have had."""
NOT_YET: Final = 1 << 10
"""Added to the first turns of players who shall not open: more than anybody has had."""
NEVER: Final = 1 << 62
"""The cost of a seat for a player who already has one."""


def seated(
    tables: Sequence[TableIds],
    players: Mapping[str, Participant],
    ahead: Sequence[Sequence[TableIds]] = (),
) -> tuple[TableIds, ...]:
    """Return the tables in seat order: the least squared counts of first turns, then of all seats.

    Of several such orders, the one nearest to the given order. `ahead`: the tables of later rounds,
    where they are known, so that first turns even out over all of them."""
    seatings = list(tables)
    may_open = set(openers([tables, *ahead], players)) if ahead else set(players)

    def counts_of(player_id: str, size: int) -> list[int]:
        counts = [seat_count(players[player_id], seat) for seat in range(size)]
        if player_id not in may_open:
            counts[0] += NOT_YET
        return counts

    for size in {len(table) for table in tables}:
        numbers = [number for number, table in enumerate(tables) if len(table) == size]
        counts = [
            [counts_of(player_id, size) for player_id in tables[number]] for number in numbers
        ]
        orders = best_orders(weighed(np.array(counts)))
        for number, order in zip(numbers, orders, strict=True):
            seatings[number] = tuple([tables[number][place] for place in order])
    return tuple(seatings)


def openers(rounds: Sequence[Sequence[TableIds]], players: Mapping[str, Participant]) -> list[str]:
    """Return the player who opens at each table of the first round, so that first turns even out
    over all rounds.

    Each table first goes to the player there with the fewest turns. Then turns are handed on along
    paths of tables, as long as a player at one end has at least two more than the player at the
    other end. No assignment then has smaller squared counts (Harvey, Ladner, Lovász and Tamir,
    Semi-matchings for bipartite graphs, 2006).
    """
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
    """A first turn at a table, the player who has it, and another player there who could take
    it."""

    giver: str
    table: int
    taker: str


def _handed_on(
    tables: Sequence[TableIds], tables_of: Mapping[str, Sequence[int]], turns: Mapping[str, int]
) -> list[_Handing]:
    """Return the turns to hand on, from a player with many to one with at least two fewer.

    Empty if there are no two such players."""
    for first in sorted(tables_of, key=lambda player_id: -turns[player_id]):
        handing_to = _handings_from(first, tables, tables_of)
        last = min(handing_to, key=lambda player_id: turns[player_id])
        if turns[last] <= turns[first] - 2:
            path = []
            while handing := handing_to[last]:
                path.append(handing)
                last = handing.giver
            return path[::-1]
    return []


def _handings_from(
    first: str, tables: Sequence[TableIds], tables_of: Mapping[str, Sequence[int]]
) -> dict[str, _Handing | None]:
    """Return the players whom a turn of the first player can reach, each with the last handing on a
    shortest path."""
    handing_to: dict[str, _Handing | None] = {first: None}
    queue = [first]
    for giver in queue:
        for number in tables_of.get(giver, ()):
            takers = [taker for taker in tables[number] if taker not in handing_to]
            for taker in takers:
                handing_to[taker] = _Handing(giver, number, taker)
            queue += takers
    return handing_to


def weighed(counts: Ints) -> Ints:
    """Return a copy of seat counts (the last axis) in which a first turn counts `OPENING` times."""
    weighed_counts = counts.copy()
    weighed_counts[..., 0] *= OPENING
    return weighed_counts


def best_orders(counts: Ints) -> Ints:
    """Return the player for each seat of each table.

    `counts` (tables, players, seats): how often each player has had each seat. One more turn in a
    seat adds twice its count, plus one, to the squared counts; so the sum of the counts is to be
    least. Of several such orders, it is the one whose first seat has the player of the lowest
    number, then whose second seat has, and so on. As eight players have 40,320 orders, seats are
    filled one by one, from the least cost of each set of players who may remain (Held and Karp,
    1962)."""
    tables, size = counts.shape[:2]
    least = np.zeros((tables, 1 << size), np.int64)
    for subset, players, rest in _subsets(size):
        # The players of a subset take the last seats; each may take the first of these.
        first_seat = -len(players)
        least[:, subset] = (counts[:, players, first_seat] + least[:, rest]).min(1)

    orders = np.zeros((tables, size), np.int64)
    waiting = np.full(tables, (1 << size) - 1)
    rows = np.arange(tables)[:, None]
    bits = 1 << np.arange(size)
    for seat in range(size):
        without_each = waiting[:, None] & ~bits
        costs = counts[:, :, seat] + least[rows, without_each]
        costs[waiting[:, None] & bits == 0] = NEVER
        orders[:, seat] = costs.argmin(1)
        waiting ^= 1 << orders[:, seat]
    return orders


@cache
def _subsets(size: int) -> list[tuple[int, list[int], list[int]]]:
    """Return all subsets of the players 0 to `size` − 1 except the empty one, smaller ones first.

    Each is a tuple: its bit mask (bit n for player n), its players, and for each of these the mask
    of the subset without that player."""
    subsets = []
    for subset in range(1, 1 << size):
        players = [player for player in range(size) if subset >> player & 1]
        rest = [subset ^ 1 << player for player in players]
        subsets.append((subset, players, rest))
    return subsets
