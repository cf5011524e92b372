"""Tables of two: the best draw there is, by matching.

A draw is a perfect matching of least cost in the graph of all pairs, by the order of
`engine.pairing.cost`. Who sits out is paired with nobody.

Not all pairs need be looked at. Let everybody stand in order of score, and call two barred who met
before or should stay apart. In some draw that is best up to the spread, two who meet, a and d, have
no more others between them than there are players barred for a or for d. For let b stand between
them. If b meets c, who stands between them too, then a–b and c–d, and also a–c and b–d, have no
more spread than a–d and b–c; if neither is better, one pair of each is barred: two of those barred
for the two between. If b meets c from outside, beyond d say, then a–b and d–c have no more spread;
so one of them is barred: one of those barred for the one between. (Where the spread stays equal the
exchange brings those who meet closer together, so exchanging ends.) One who sits out may stand
between them, too."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import isqrt, prod
from typing import Final, NamedTuple, TypeAlias

from engine.pairing.cost import PairOfIds, meetings, ordered, seat_count
from engine.pairing.draw_input import DrawInput, Participant, TableIds
from engine.pairing.duels.look_ahead import best_kept_open
from engine.pairing.duels.matching import BITS, Edge, cheapest
from engine.pairing.lots import lot

Levels: TypeAlias = tuple[int, ...]
"""What a pair costs: byes, must, repeats, apart, out, spread, floats, opens."""
SPREAD: Final = 5
"""The level of the spread."""

ALL_PAIRS: Final = 60
"""Up to so many players all pairs are looked at; with more, floats and first turns are the best
among those that stand close enough."""
CLOSE: Final = 48
"""Where somebody is barred for more, pairs are first looked for as if nobody were barred for more
than so many: all pairs of 1,000 players of three clubs take twenty seconds."""
MOST_NEAR: Final = 2_000
"""With more players no others are looked at then: a million pairs are what memory and minutes
allow."""
AHEAD: Final = 40
"""Up to so many players the rounds to come are looked at: with more it can take seconds."""
LOT: Final = 2**61 - 1
"""A prime: the lot of a pair is the product of the lots of both, modulo this."""


class Duels(NamedTuple):
    """Who meets whom and who sits out, and how many meetings again the rounds to come then can't
    avoid at least."""

    tables: tuple[TableIds, ...]
    bye: TableIds
    later: int


@dataclass(frozen=True, slots=True)
class _Field:
    """The players in order of score, the lowest first, then of lot; with an odd number, None for
    nobody at the end.

    `met`: how often pairs have met. `barred`: how many everybody met or should stay apart from, at
    most. `lots`: those of each. `labels`: of each that is kept apart, else 0; `strict`: never, and
    not only if it can be avoided."""

    players: tuple[Participant | None, ...]
    met: Mapping[Edge, int]
    must: frozenset[Edge]
    wish: frozenset[Edge]
    barred: tuple[int, ...]
    lots: tuple[int, ...]
    fewest_byes: int
    labels: tuple[int, ...]
    strict: bool


def duels(draw_input: DrawInput) -> Duels:
    """The best duels for the next round: the same for the same input, in whatever order it is
    written."""
    field = _field(draw_input)
    size = len(field.players)
    if not size:
        return Duels((), (), 0)
    later = 0 if draw_input.rounds is None else draw_input.rounds - len(draw_input.played) - 1
    if later <= 0 or size > AHEAD or max(field.barred) + later + 1 <= size // 2:
        # By Dirac's theorem, if everybody has half of all others open there is a round without a
        # repeat.
        pairs = _closest(field)
        later = 0
    else:
        costs = _costs(field, combinations(range(size), 2))
        open_pairs = {pair for pair in costs if _open(field, pair)}
        pairs = best_kept_open(costs, open_pairs, later, draw_input.seed)
        later = _needed(open_pairs - set(pairs), field, later)
    ids = [player.player_id if player else "" for player in field.players]
    tables = [ordered(ids[a], ids[b]) for a, b in pairs if field.players[b]]
    return Duels(
        tuple(sorted(tables)), tuple([ids[a] for a, b in pairs if not field.players[b]]), later
    )


def _field(draw_input: DrawInput) -> _Field:
    lots = {
        player.player_id: int.from_bytes(lot(draw_input.seed, player.player_id))
        for player in draw_input.participants
    }
    players = sorted(
        draw_input.participants, key=lambda player: (player.score, lots[player.player_id])
    )
    place = {player.player_id: i for i, player in enumerate(players)}

    def edges(pairs: Iterable[PairOfIds]) -> dict[Edge, PairOfIds]:
        """Pairs of those who are there, by their places."""
        field_pairs = [pair for pair in pairs if pair[0] in place and pair[1] in place]
        return {(min(place[a], place[b]), max(place[a], place[b])): (a, b) for a, b in field_pairs}

    counts = meetings(draw_input)
    met = {edge: counts[pair] for edge, pair in edges(counts).items()}
    must = frozenset(edges((pair.first, pair.second) for pair in draw_input.apart if pair.must))
    wish = (
        frozenset(edges((pair.first, pair.second) for pair in draw_input.apart if not pair.must))
        - must
    )
    labels = [player.label if draw_input.labels else 0 for player in players]
    alike = Counter(labels)
    barred = [alike[label] - 1 if label else 0 for label in labels]
    for a, b in {*met, *must, *wish}:
        barred[a] += 1
        barred[b] += 1
    nobody = (None,) * (len(players) % 2)
    return _Field(
        (*players, *nobody),
        met,
        must,
        wish,
        (*barred, *[0 for _ in nobody]),
        (*[lots[player.player_id] % LOT for player in players], *[1 for _ in nobody]),
        min([player.byes for player in players], default=0),
        (*labels, *[0 for _ in nobody]),
        draw_input.labels == "must",
    )


def _closest(field: _Field) -> list[Edge]:
    """The best pairs. Where somebody is barred for very many, as those of a large club are, these
    are the best of those that stand closer than the pairs which a best draw can need, unless some
    meet there who had better not and all pairs aren't too many to be looked at."""
    if any(field.labels) and max(field.barred) > CLOSE:
        near = replace(field, barred=tuple([min(count, CLOSE) for count in field.barred]))
        pairs = cheapest(_costs(field, _near(near)))
        if len(field.players) > MOST_NEAR or not any(
            any(_levels(field, pair)[1:4]) for pair in pairs
        ):
            return pairs
    return cheapest(_costs(field, _near(field)))


def _near(field: _Field) -> Iterator[Edge]:
    """The pairs that a best draw needs; all with nobody."""
    size = len(field.players)
    if size <= ALL_PAIRS:
        yield from combinations(range(size), 2)
        return
    odd = field.players[-1] is None
    usual = sorted(field.barred)[-isqrt(size)]
    shunned = [b for b in range(size - odd) if field.barred[b] > usual]
    for a in range(size):
        reach = a + field.barred[a] + 1 + odd
        end = max(a + 1, min(size - odd, reach + usual + 1))
        for b in chain(range(a + 1, end), shunned[bisect_left(shunned, end) :]):
            if b <= reach + field.barred[b]:
                yield a, b
        if odd and a < size - 1:
            yield a, size - 1


def _levels(field: _Field, pair: Edge) -> Levels:
    """Return what a pair costs, the weightiest first."""
    a, b = field.players[pair[0]], field.players[pair[1]]
    if a is None or b is None:
        lowest, player = field.players[0], a or b
        assert lowest is not None
        assert player is not None
        return player.byes - field.fewest_byes, 0, 0, 0, player.score - lowest.score, 0, 0, 0
    alike = 0 < field.labels[pair[0]] == field.labels[pair[1]]
    must = pair in field.must or (alike and field.strict)
    return (
        0,
        must,
        field.met.get(pair, 0),
        (alike or pair in field.wish) and not must,
        0,
        (a.score - b.score) ** 2,
        (a.floats == "up") + (b.floats == "down") if a.score < b.score else 0,
        min(
            seat_count(a, 0), seat_count(b, 0)
        ),  # who has opened less often opens, and has once more
    )


def _costs(field: _Field, pairs: Iterable[Edge]) -> dict[Edge, int]:
    """Return what pairs cost in one number each, in which all pairs together at one level weigh
    less than one of the level before; the lots decide what is left. Where points lie too far apart
    for that, the last bits of their squares are left out."""
    levels = {pair: _levels(field, pair) for pair in pairs}
    half = len(field.players) // 2
    bases = _bases(levels, half)
    over = (prod(bases) * half).bit_length() - BITS
    if over > 0:
        levels = {
            pair: (*cost[:SPREAD], cost[SPREAD] >> over + 1, *cost[SPREAD + 1 :])
            for pair, cost in levels.items()
        }
        bases = _bases(levels, half)
    lots = 1 << max(0, BITS - (prod(bases) * half).bit_length())
    costs = {}
    for (a, b), criteria in levels.items():
        cost = 0
        for base, value in zip(bases, criteria, strict=True):
            cost = cost * base + value
        costs[a, b] = cost * lots * half + field.lots[a] * field.lots[b] % LOT % lots
    return costs


def _bases(levels: Mapping[Edge, Levels], half: int) -> list[int]:
    """Tell how many values each level can have, added up over all pairs of a draw."""
    return [1 + half * max(column) for column in zip(*levels.values(), strict=True)]


def _open(field: _Field, pair: Edge) -> bool:
    """True if two may meet for the first time, or one may sit out whose turn it is."""
    return not any(_levels(field, pair)[:3])


def _needed(open_pairs: Iterable[Edge], field: _Field, later: int) -> int:
    """Tell how many meetings again so many rounds need at least, if these pairs are left."""
    pairs_left: defaultdict[int, int] = defaultdict(int)
    odd = field.players[-1] is None
    for pair in open_pairs:
        if field.players[pair[1]]:
            for player in pair:
                pairs_left[player] += 1
    return -(
        -sum(max(0, later - odd - pairs_left[player]) for player in range(len(field.players) - odd))
        // 2
    )
