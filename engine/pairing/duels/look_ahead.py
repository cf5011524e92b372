"""The look at the rounds to come: duels that leave enough first meetings for all the rounds that
are planned."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import islice
from random import Random
from typing import Final

from engine.pairing.duels.matching import Edge, cheapest

TRIES: Final = 40
"""How often the rounds to come are laid out by lot before they count as impossible."""
LOOKS: Final = 60
"""How many draws of the next round are looked at, the cheapest first."""
SCALE: Final = 2**32


def best_kept_open(
    costs: Mapping[Edge, int], open_pairs: Collection[Edge], later: int, seed: str
) -> list[Edge]:
    """The cheapest pairs that leave as many rounds of open pairs as can be, `later` at most.

    `costs`: of all pairs. `open_pairs`: those that may meet without a repeat. Where none of the
    cheapest leaves so many, the cheapest round of a plan that does."""
    best = cheapest(costs)
    rounds = min(later, min(_degrees(open_pairs, 2 * len(best))) - 1)
    while rounds > 0:
        plan = laid_out(open_pairs, 2 * len(best), rounds + 1, seed)
        if plan:
            for pairs in islice(by_cost(costs), LOOKS):
                if laid_out(set(open_pairs) - set(pairs), 2 * len(best), rounds, seed):
                    return pairs
            return min(plan, key=lambda pairs: sum([costs[pair] for pair in pairs]))
        rounds -= 1
    return best


def laid_out(open_pairs: Iterable[Edge], players: int, rounds: int, seed: str) -> list[list[Edge]]:
    """So many rounds in which everybody is in an open pair and no pair meets twice; none if they
    weren't found."""
    chance = Random(seed)
    for _ in range(TRIES):
        plan: list[list[Edge]] = []
        pairs_left = sorted(open_pairs)
        while len(plan) < rounds:
            degrees = _degrees(pairs_left, players)
            most = 2 * max(degrees)
            pairs = cheapest(
                {
                    (a, b): (most - degrees[a] - degrees[b]) * SCALE + chance.randrange(SCALE)
                    for a, b in pairs_left
                }
            )
            if 2 * len(pairs) < players:
                break
            plan.append(pairs)
            pairs_left = sorted(set(pairs_left).difference(pairs))
        else:
            return plan
    return []


def by_cost(costs: Mapping[Edge, int]) -> Iterator[list[Edge]]:
    """All ways to put everybody into pairs, the cheapest first (Murty 1968).

    After the cheapest, the others are split by the first of its pairs that they don't have.
    """
    best = cheapest(costs)
    heap = [(sum([costs[pair] for pair in best]), best, dict(costs), list[Edge]())]
    while heap:
        total, pairs, allowed, pairs_kept = heappop(heap)
        yield sorted(pairs_kept + pairs)
        for i, pair in enumerate(pairs):
            fixed = pairs[:i]
            seated = {player for pair in fixed for player in pair}
            rest = {
                pair_beside: cost
                for pair_beside, cost in allowed.items()
                if pair_beside != pair and seated.isdisjoint(pair_beside)
            }
            pair_beside = cheapest(rest)
            if len(pair_beside) == len(pairs) - i:
                before = total - sum([costs[pair] for pair in pairs[i:]])
                heappush(
                    heap,
                    (
                        before + sum([costs[pair] for pair in pair_beside]),
                        pair_beside,
                        rest,
                        pairs_kept + fixed,
                    ),
                )


def _degrees(pairs: Iterable[Edge], players: int) -> list[int]:
    """In how many pairs everybody is."""
    degrees = [0] * players
    for a, b in pairs:
        degrees[a] += 1
        degrees[b] += 1
    return degrees
