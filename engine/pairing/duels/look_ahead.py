"""The look at the rounds to come: duels that leave enough first meetings for all planned rounds."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import islice
from random import Random
from typing import Final

from engine.pairing.duels.matching import Edge, cheapest

TRIES: Final = 40
"""How often the rounds to come are laid out by lot before they count as impossible."""
LOOKS: Final = 60
"""How many draws of the next round are considered, the cheapest first."""
SCALE: Final = 2**32


def best_kept_open(
    costs: Mapping[Edge, int], open_pairs: Collection[Edge], later: int, seed: str
) -> list[Edge]:
    """Return the cheapest pairs that leave as many rounds of open pairs as possible, `later` at
    most.

    `costs`: of all pairs. `open_pairs`: the pairs that may meet without a repeat. If none of the
    cheapest draws leaves enough rounds, the result is the cheapest round of a plan that has them.
    """
    best = cheapest(costs)
    rounds = min(later, min(_degrees(open_pairs, 2 * len(best))) - 1)
    while rounds > 0:
        plan = lay_out(open_pairs, 2 * len(best), rounds + 1, seed)
        if plan:
            for pairs in islice(by_cost(costs), LOOKS):
                if lay_out(set(open_pairs) - set(pairs), 2 * len(best), rounds, seed):
                    return pairs
            return min(plan, key=lambda pairs: sum([costs[pair] for pair in pairs]))
        rounds -= 1
    return best


def lay_out(open_pairs: Iterable[Edge], players: int, rounds: int, seed: str) -> list[list[Edge]]:
    """Return `rounds` rounds in which everybody is in an open pair and no pair meets twice.

    Empty if none were found in `TRIES` attempts. Each round takes pairs of the players who have the
    most open pairs left; lots decide among equals."""
    chance = Random(seed)
    for _ in range(TRIES):
        plan: list[list[Edge]] = []
        pairs_left = sorted(open_pairs)
        while len(plan) < rounds:
            degrees = _degrees(pairs_left, players)
            most_open = 2 * max(degrees)
            costs = {}
            for a, b in pairs_left:
                # The more open pairs the two have left, the cheaper it is to use one up.
                cost = most_open - degrees[a] - degrees[b]
                costs[a, b] = cost * SCALE + chance.randrange(SCALE)
            pairs = cheapest(costs)
            if 2 * len(pairs) < players:
                break
            plan.append(pairs)
            pairs_left = sorted(set(pairs_left).difference(pairs))
        else:
            return plan
    return []


def by_cost(costs: Mapping[Edge, int]) -> Iterator[list[Edge]]:
    """Yield all ways to put everybody into pairs, the cheapest first (Murty 1968).

    Once the cheapest way is found, all other ways are split into groups by the first of its pairs
    that they lack; each group puts its own cheapest way on the heap."""
    best = cheapest(costs)
    heap = [(sum([costs[pair] for pair in best]), best, dict(costs), list[Edge]())]
    while heap:
        total, pairs, allowed, pairs_kept = heappop(heap)
        yield sorted(pairs_kept + pairs)
        for i, pair_to_avoid in enumerate(pairs):
            fixed = pairs[:i]
            seated = {player for pair in fixed for player in pair}
            rest = {
                pair: cost
                for pair, cost in allowed.items()
                if pair != pair_to_avoid and seated.isdisjoint(pair)
            }
            others = cheapest(rest)
            if len(others) == len(pairs) - i:
                total_fixed = total - sum([costs[pair] for pair in pairs[i:]])
                new_total = total_fixed + sum([costs[pair] for pair in others])
                heappush(heap, (new_total, others, rest, pairs_kept + fixed))


def _degrees(pairs: Iterable[Edge], players: int) -> list[int]:
    """Return in how many of the pairs each player is."""
    degrees = [0] * players
    for a, b in pairs:
        degrees[a] += 1
        degrees[b] += 1
    return degrees
