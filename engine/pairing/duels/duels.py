"""Tables of two: the best possible draw, by matching.

A draw is a perfect matching of least cost in the graph of all pairs, by the order of
`engine.pairing.cost`. A player who sits out is paired with nobody.

Not all pairs need be considered. Order the players by score, and call two players barred if they
met before or should stay apart. Then some draw that is best up to the spread has this property: if
a and d meet, there are no more players between them than there are players barred for a or for d.
Proof: let b stand between them. If b meets c, who also stands between them, then neither a–b with
c–d, nor a–c with b–d, has more spread than a–d with b–c; so if neither is better, one pair of each
is barred: two barred pairs for the two players between. If b meets c from outside, say beyond d,
then a–b with d–c has no more spread; so one of them is barred: one barred pair for the one player
between. (Where the spread stays equal, the exchange brings opponents closer together, so exchanging
ends.) A player who sits out may stand between them, too.
"""

from bisect import bisect_left
from collections import Counter
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
"""Up to this many players all pairs are considered; with more, floats and first turns are the
best among pairs that stand close enough."""
CLOSE: Final = 48
"""If a player is barred for more than this, pairs are first searched as if nobody were: all
pairs of 1,000 players of three clubs take twenty seconds."""
MOST_NEAR: Final = 2_000
"""With more players, the search stops there: a million pairs are what memory and minutes allow."""
AHEAD: Final = 40
"""Up to this many players, the rounds to come are considered: with more it can take seconds."""
LOT: Final = 2**61 - 1
"""A prime: the lot of a pair is the product of the two players' lots, modulo this."""


class Duels(NamedTuple):
    """The pairs, the player who sits out, and a lower bound of the repeated meetings in the
    rounds to come."""

    tables: tuple[TableIds, ...]
    bye: TableIds
    later: int


@dataclass(frozen=True, slots=True)
class _Field:
    """The players in order of score, the lowest first, then of lot; with an odd number, None at the
    end.

    `met`: how often pairs have met. `barred`: for each player, how many opponents they met or
    should stay apart from, at most. `labels`: of each player who is kept apart by it, else 0;
    `strict`: whether always, not only if a meeting can be avoided.
    """

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
    """Return the best duels for the next round.

    The same input gives the same duels, in whatever order it is written."""
    field = _field(draw_input)
    size = len(field.players)
    if not size:
        return Duels((), (), 0)
    later = 0
    if draw_input.rounds is not None:
        later = draw_input.rounds - len(draw_input.played) - 1
    if later <= 0 or size > AHEAD or max(field.barred) + later + 1 <= size // 2:
        # By Dirac's theorem there is a round without a repeat if everybody still has half of all
        # others open.
        pairs = _closest(field)
        later = 0
    else:
        costs = _costs(field, combinations(range(size), 2))
        open_pairs = {pair for pair in costs if _is_open(field, pair)}
        pairs = best_kept_open(costs, open_pairs, later, draw_input.seed)
        later = _fewest_repeats(open_pairs - set(pairs), field, later)

    tables: list[TableIds] = []
    bye: list[str] = []
    for a, b in pairs:
        first = field.players[a]
        second = field.players[b]
        assert first is not None
        if second:
            tables.append(ordered(first.player_id, second.player_id))
        else:
            bye.append(first.player_id)
    return Duels(tuple(sorted(tables)), tuple(bye), later)


def _field(draw_input: DrawInput) -> _Field:
    lots = {
        player.player_id: int.from_bytes(lot(draw_input.seed, player.player_id))
        for player in draw_input.participants
    }
    players = sorted(
        draw_input.participants, key=lambda player: (player.score, lots[player.player_id])
    )
    place = {player.player_id: i for i, player in enumerate(players)}
    met = {
        _edge(place, pair): count
        for pair, count in meetings(draw_input).items()
        if pair[0] in place and pair[1] in place
    }
    apart = [pair for pair in draw_input.apart if pair.first in place and pair.second in place]
    must = {_edge(place, (pair.first, pair.second)) for pair in apart if pair.must}
    wish = {_edge(place, (pair.first, pair.second)) for pair in apart if not pair.must} - must

    labels = [player.label if draw_input.labels else 0 for player in players]
    players_by_label = Counter(labels)
    barred = [players_by_label[label] - 1 if label else 0 for label in labels]
    for a, b in {*met, *must, *wish}:
        barred[a] += 1
        barred[b] += 1

    field_players: list[Participant | None] = [*players]
    field_lots = [lots[player.player_id] % LOT for player in players]
    if len(players) % 2:
        field_players.append(None)
        field_lots.append(1)
        barred.append(0)
        labels.append(0)
    return _Field(
        players=tuple(field_players),
        met=met,
        must=frozenset(must),
        wish=frozenset(wish),
        barred=tuple(barred),
        lots=tuple(field_lots),
        fewest_byes=min([player.byes for player in players], default=0),
        labels=tuple(labels),
        strict=draw_input.labels == "must",
    )


def _edge(place: Mapping[str, int], pair: PairOfIds) -> Edge:
    a = place[pair[0]]
    b = place[pair[1]]
    return min(a, b), max(a, b)


def _closest(field: _Field) -> list[Edge]:
    """Return the best pairs.

    If some players are barred for very many, as in a large club, only pairs of players who stand
    close to each other are considered first. If players would then meet who should not, all
    necessary pairs are considered, unless the field is too large for that."""
    if any(field.labels) and max(field.barred) > CLOSE:
        fewer_barred = tuple([min(count, CLOSE) for count in field.barred])
        close_field = replace(field, barred=fewer_barred)
        pairs = cheapest(_costs(field, _pairs_to_consider(close_field)))
        if len(field.players) > MOST_NEAR:
            return pairs
        if not any(_should_not_meet(field, pair) for pair in pairs):
            return pairs
    return cheapest(_costs(field, _pairs_to_consider(field)))


def _should_not_meet(field: _Field, pair: Edge) -> bool:
    _, must, repeats, apart, *_ = _cost_levels(field, pair)
    return bool(must or repeats or apart)


def _pairs_to_consider(field: _Field) -> Iterator[Edge]:
    """Yield the pairs that a best draw may have, by the proof at the top of this module.

    All pairs of a small field. Else two players are a pair if no more players stand between them
    than are barred for one of the two, added up; one more may stand there if somebody sits out.
    Everybody is also paired with nobody (None, the last of an odd field) and so may sit out."""
    size = len(field.players)
    if size <= ALL_PAIRS:
        yield from combinations(range(size), 2)
        return
    has_bye = field.players[-1] is None
    players = size - has_bye
    # Only a few players are barred for more than the usual number: for all others, the search
    # ends close to the player, and those few are tried one by one.
    usual_barred = sorted(field.barred)[-isqrt(size)]
    much_barred = [b for b in range(players) if field.barred[b] > usual_barred]
    for a in range(size):
        reach_alone = a + field.barred[a] + 1 + has_bye
        end = max(a + 1, min(players, reach_alone + usual_barred + 1))
        much_barred_beyond = much_barred[bisect_left(much_barred, end) :]
        for b in chain(range(a + 1, end), much_barred_beyond):
            if b <= reach_alone + field.barred[b]:
                yield a, b
        if has_bye and a < players:
            nobody = size - 1
            yield a, nobody


def _cost_levels(field: _Field, pair: Edge) -> Levels:
    a = field.players[pair[0]]
    b = field.players[pair[1]]
    if a is None or b is None:
        lowest = field.players[0]
        player = a or b
        assert lowest is not None
        assert player is not None
        byes = player.byes - field.fewest_byes
        out = player.score - lowest.score
        return byes, 0, 0, 0, out, 0, 0, 0
    has_same_label = 0 < field.labels[pair[0]] == field.labels[pair[1]]
    must = pair in field.must or (has_same_label and field.strict)
    wish = pair in field.wish or has_same_label
    floats = 0
    if a.score < b.score:
        floats = (a.floats == "up") + (b.floats == "down")
    # The player who has opened less often opens, and then has one first turn more.
    opens = min(seat_count(a, seat=0), seat_count(b, seat=0))
    return (
        0,
        must,
        field.met.get(pair, 0),
        wish and not must,
        0,
        (a.score - b.score) ** 2,
        floats,
        opens,
    )


def _costs(field: _Field, pairs: Iterable[Edge]) -> dict[Edge, int]:
    """Return the cost of each pair as one number.

    Whatever all pairs of a draw cost at one level weighs less than a cost of 1 at the level before;
    the lots decide ties. If points lie too far apart for a number of `BITS` bits, the last bits of
    their squares are dropped."""
    levels = {pair: _cost_levels(field, pair) for pair in pairs}
    half = len(field.players) // 2
    bases = _bases(levels, half)
    excess = (prod(bases) * half).bit_length() - BITS
    if excess > 0:
        levels = {
            pair: (*cost[:SPREAD], cost[SPREAD] >> excess + 1, *cost[SPREAD + 1 :])
            for pair, cost in levels.items()
        }
        bases = _bases(levels, half)
    lots = 1 << max(0, BITS - (prod(bases) * half).bit_length())
    costs = {}
    for (a, b), criteria in levels.items():
        cost = 0
        for base, value in zip(bases, criteria, strict=True):
            cost = cost * base + value
        lot_of_pair = field.lots[a] * field.lots[b] % LOT
        costs[a, b] = cost * lots * half + lot_of_pair % lots
    return costs


def _bases(levels: Mapping[Edge, Levels], half: int) -> list[int]:
    """Return how many values the sum of each level over all `half` pairs of a draw can have."""
    return [1 + half * max(column) for column in zip(*levels.values(), strict=True)]


def _is_open(field: _Field, pair: Edge) -> bool:
    """Return True if the two players may meet and haven't met, or, in a pair with nobody, if it is
    the player's turn to sit out."""
    byes, must, repeats, *_ = _cost_levels(field, pair)
    return not (byes or must or repeats)


def _fewest_repeats(open_pairs: Iterable[Edge], field: _Field, later: int) -> int:
    """Return a lower bound of the repeated meetings in `later` rounds with these open pairs."""
    opponents_left: Counter[int] = Counter()
    for a, b in open_pairs:
        if field.players[b]:
            opponents_left[a] += 1
            opponents_left[b] += 1
    has_bye = field.players[-1] is None
    players = len(field.players) - has_bye
    # Everybody may sit out once if somebody sits out in each round.
    opponents_needed = later - has_bye
    missing = sum(max(0, opponents_needed - opponents_left[player]) for player in range(players))
    # Half of them, rounded up: a repeated meeting is counted for both of its players.
    return -(-missing // 2)
