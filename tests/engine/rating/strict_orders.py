"""What the package openskill makes of a game, and the mean of that over all strict orders."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import sqrt
from statistics import fmean

from openskill.models import PlackettLuce

State = tuple[float, float]


def by_openskill(states: Sequence[State], ranks: Sequence[int]) -> list[State]:
    """Mu and sigma of each seat after a game, from those before it."""
    model = PlackettLuce()
    teams = [[model.rating(mu, sigma)] for mu, sigma in states]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [(player.mu, player.sigma) for [player] in after]


def mean_by_openskill(states: Sequence[State], ranks: Sequence[int]) -> list[State]:
    """The same, as the mean over all strict orders: that of mu and that of the variance."""
    games = [by_openskill(states, order) for order in strict_orders(ranks)]
    by_seat = zip(*games, strict=True)
    return [
        (fmean([mu for mu, _ in seat]), sqrt(fmean([sigma**2 for _, sigma in seat])))
        for seat in by_seat
    ]


def strict_orders(ranks: Sequence[int]) -> Iterator[list[int]]:
    """Return all orders without a shared place in which nobody passes a seat with a better rank."""
    places = [
        [seat for seat, rank in enumerate(ranks) if rank == place] for place in sorted(set(ranks))
    ]
    for finish in product(*map(permutations, places)):
        order = [seat for place in finish for seat in place]
        yield [1 + order.index(seat) for seat in range(len(ranks))]
