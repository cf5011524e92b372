"""Designs: rounds known beforehand without repeated meetings, for round robins and pods.

Pairs: the circle method. Larger tables: affine planes and transversal designs over finite fields,
and designs found by search that a rotation develops (`engine.pairing.designs.known_designs`).

Each player has a number in the design, and keeps it. A design continues when players leave, and
serves fewer players than it was made for: their chairs stay empty, and its tables are smaller by
that many, or, for pairs, the player without an opponent sits out.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from typing import Final, NamedTuple, TypeAlias

from engine.pairing.cost import PairOfIds, pairs_at
from engine.pairing.designs.finite_ring import Ring, ring
from engine.pairing.designs.known_designs import DEVELOPED, Developed
from engine.pairing.draw_input import DrawInput, TableIds
from engine.pairing.lots import lot
from engine.pairing.sizes import SizeMix

LOOK_AHEAD: Final = 64
"""Up to this many players, all planned rounds are drawn together. Larger fields find new
opponents anyway."""
MOST_TABLES: Final = 20_000
"""About how many tables of a design's rounds are searched for the next round, which takes a
second or less: in a large field with several empty chairs, hardly any round has tables of the
right sizes."""

NumberedTables: TypeAlias = list[tuple[int, ...]]
"""The tables of one round, with players numbered from 0."""


class DesignRound(NamedTuple):
    """A round of a design: the tables with their players, and the players who sit out."""

    tables: tuple[TableIds, ...]
    bye: TableIds


class Design(ABC):
    """Rounds for a number of players at tables of one size, without repeated meetings."""

    def __init__(self, players: int, size: int, rounds: int) -> None:
        self.players = players
        self.size = size
        self.rounds = rounds

    @abstractmethod
    def tables(self, number: int) -> NumberedTables:
        """Return the tables of a round, counted from 0; players at no table sit out."""

    @property
    def complete(self) -> bool:
        """Return True if everybody meets everybody, so that the design can be played again."""
        seats = self.players // self.size * self.size
        meetings = self.rounds * seats * (self.size - 1)
        return meetings == self.players * (self.players - 1)


class Circle(Design):
    """Pairs by the circle method (Kirkman 1847): one player stays, all others move one place along
    the circle.

    With an odd number, nobody stays.
    """

    def __init__(self, players: int) -> None:
        # An odd number of players needs one round more, as one of them sits out in each.
        super().__init__(players, size=2, rounds=players - 1 + players % 2)

    def tables(self, number: int) -> NumberedTables:
        """Return the pairs of opposite places on the circle."""
        around = self.rounds
        pairs: NumberedTables = [
            ((number + i) % around, (number - i) % around) for i in range(1, (around + 1) // 2)
        ]
        if self.players % 2 == 0:
            pairs.append((number, around))
        return pairs


class AllTogether(Design):
    """One table with all players."""

    def __init__(self, players: int) -> None:
        super().__init__(players, size=players, rounds=1)

    def tables(self, number: int) -> NumberedTables:
        """Return the only table."""
        return [tuple(range(self.players))]


class Transversal(Design):
    """Players in as many groups as a table has seats; each table has one player of each group.
    Players of one group meet only in the last rounds, if at all.

    Each player is an element of a ring in one of the groups. In round b, table a has the element a
    + g·b of each group g, where the g differ by units: so two players of different groups meet in
    only one round. In the rounds after, each group plays a design of its own. With fields this
    gives affine planes (Bose 1938).
    """

    def __init__(self, table_size: int, elements: Ring, group_size: int) -> None:
        self.ring = elements
        self.group_size = group_size
        self.inner = design(group_size, table_size)
        inner_rounds = self.inner.rounds if self.inner else 0
        super().__init__(
            players=table_size * group_size, size=table_size, rounds=group_size + inner_rounds
        )
        self.index = {element: number for number, element in enumerate(elements.elements())}

    def tables(self, number: int) -> NumberedTables:
        """Return tables with one player of each group, or in the last rounds of only one group."""
        starts = [group * self.group_size for group in range(self.size)]
        tables = []
        if self.inner and number >= self.group_size:
            inner_tables = self.inner.tables(number - self.group_size)
            for start in starts:
                tables += [tuple([start + player for player in table]) for table in inner_tables]
            return tables
        factor = list(self.index)[number]
        shifts = [self.ring.multiply(self.ring.apart(seat), factor) for seat in range(self.size)]
        for element in self.index:
            places = [self.index[self.ring.add(element, shift)] for shift in shifts]
            players = [start + place for start, place in zip(starts, places, strict=True)]
            tables.append(tuple(players))
        return tables


class Rotated(Design):
    """Rounds developed from the first by a rotation."""

    def __init__(self, size: int, developed: Developed) -> None:
        self.developed = developed
        super().__init__(developed.players, size, developed.rounds)

    def tables(self, number: int) -> NumberedTables:
        """Return the first round, rotated `number` times; after those, the orbits, each a round."""
        return self.developed.tables(number)


@cache
def design(players: int, size: int) -> Design | None:
    """Return the known design with the most rounds for that many players at tables of `size`; None
    if no design is known."""
    if size == players:
        return AllTogether(players)
    if size == 2:
        return Circle(players) if players > 1 else None
    designs: list[Design] = []
    if (players, size) in DEVELOPED:
        designs.append(Rotated(size, DEVELOPED[players, size]))
    group_size, remainder = divmod(players, size)
    elements = ring(group_size) if group_size and not remainder else None
    if elements and elements.units_apart >= size:
        designs.append(Transversal(size, elements, group_size))
    return max(designs, key=lambda design: design.rounds, default=None)


def chairs(before: Sequence[str], present: Iterable[str], seed: str) -> tuple[str, ...]:
    """Return the players in the order of their numbers in a design, which each player keeps.

    `before`: the result for the draw before, empty for the first draw. New players, ordered by lots
    from the seed, get the first numbers whose players have left, then numbers after the last. If
    fewer players came than left, the remaining numbers stay with the players who left: their chairs
    stay empty."""
    present_ids = set(present)
    newcomers = sorted(present_ids.difference(before), key=lambda player_id: lot(seed, player_id))
    numbered = list(before)
    free = [number for number, player_id in enumerate(before) if player_id not in present_ids]
    for number, newcomer in zip(free, newcomers, strict=False):
        numbered[number] = newcomer
    return (*numbered, *newcomers[len(free) :])


def next_round(
    draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int], *, look_ahead: bool = True
) -> DesignRound | None:
    """Return the next round of a design, if all scores are equal and nobody need stay apart.

    None if no known design has the planned rounds, if too few of its rounds are left without a
    repeated meeting, or if its first round would give a bye to a player who has had more byes than
    others. `met`: the input's meetings. `look_ahead`: whether to count the rounds that are left; if
    not, the design is trusted to have enough."""
    block_design = _design_of(draw_input, mix)
    if block_design is None or draw_input.keeps_apart:
        return None
    scores = {player.score for player in draw_input.participants}
    if len(scores) > 1:
        return None

    played = len(draw_input.played)
    rounds = max(draw_input.rounds or 0, played + 1)
    rounds_to_come = rounds - played
    unmet = _unplayed_rounds(block_design, draw_input, mix, met)
    if look_ahead:
        left = list(unmet)
        is_enough = len(left) >= rounds_to_come
    else:
        left = list(islice(unmet, 1))
        is_enough = rounds <= block_design.rounds
    if not left or not (is_enough or block_design.complete):
        return None

    design_round: DesignRound | None = left[0]
    has_short_table = mix.tables[-1] < draw_input.sizes[0]
    if has_short_table:
        design_round = _next_in_turn(left, draw_input, min(rounds_to_come, len(left)))
    if design_round is None:
        return None
    byes = {player.player_id: player.byes for player in draw_input.participants}
    fewest_byes = min(byes.values())
    is_unfair = any(byes[player_id] > fewest_byes for player_id in design_round.bye)
    if not draw_input.played and is_unfair:
        return None
    return design_round


def _next_in_turn(
    left: Sequence[DesignRound], draw_input: DrawInput, round_count: int
) -> DesignRound | None:
    """Choose `round_count` rounds in which nobody sits at a short table out of turn, and return the
    first of them; None if there aren't as many.

    If meetings count first, return the round whose players at short tables have sat at one least
    often."""
    counts = Counter({player.player_id: player.short for player in draw_input.participants})

    def players_at_short_tables(design_round: DesignRound) -> list[str]:
        players: list[str] = []
        for table in design_round.tables:
            if len(table) < draw_input.sizes[0]:
                players += table
        return players

    def times_short(design_round: DesignRound) -> int:
        """Return how often the players who would sit at short tables did so before."""
        return sum([counts[player] for player in players_at_short_tables(design_round)])

    if draw_input.meetings_first:
        return min(left, key=times_short)
    places = len(players_at_short_tables(left[0]))
    to_choose = list(left)
    chosen: list[DesignRound] = []
    for _ in range(round_count):
        best = min(to_choose, key=times_short)
        if times_short(best) > sum(sorted(counts.values())[:places]):
            return None
        to_choose.remove(best)
        chosen.append(best)
        counts.update(players_at_short_tables(best))
    return chosen[0]


def rounds_without_repeats(
    draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]
) -> tuple[DesignRound, ...]:
    """Return all rounds of a design that repeat no meeting of the rounds played; scores don't
    matter.

    Empty if there are fewer than the rounds still planned, or if some players must or wish to stay
    apart. `met`: the input's meetings.
    """
    block_design = _design_of(draw_input, mix)
    if block_design is None or draw_input.keeps_apart or draw_input.rounds is None:
        return ()
    left = tuple(_unplayed_rounds(block_design, draw_input, mix, met))
    rounds_to_come = draw_input.rounds - len(draw_input.played)
    return left if len(left) >= rounds_to_come else ()


def _design_of(draw_input: DrawInput, mix: SizeMix) -> Design | None:
    """Return the design that has a chair for every player of the input."""
    size = draw_input.sizes[0]
    chairs_needed = len(draw_input.participants) if mix.byes else len(mix.tables) * size
    return design(max(chairs_needed, len(draw_input.chairs)), size)


def _unplayed_rounds(
    block_design: Design, draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]
) -> Iterator[DesignRound]:
    """Yield the rounds that repeat no meeting, beginning with the one in turn.

    A complete design begins again once it is played. With empty chairs, the tables must have the
    sizes of the mix. Of a large design, only rounds soon in turn are considered."""
    present = {player.player_id for player in draw_input.participants}
    ids = chairs(draw_input.chairs, present, draw_input.seed)
    times_played, turn = divmod(len(draw_input.played), block_design.rounds)
    meetings_allowed = times_played if block_design.complete else 0
    most_rounds = max(1, MOST_TABLES // len(mix.tables))
    numbers = [*range(turn, block_design.rounds), *range(turn)]
    for number in numbers[:most_rounds]:
        tables = []
        for chair_numbers in block_design.tables(number):
            table = [ids[chair] for chair in chair_numbers if chair < len(ids)]
            seated = tuple([player_id for player_id in table if player_id in present])
            if len(seated) > 1:
                tables.append(seated)
        if tuple(sorted(map(len, tables), reverse=True)) != mix.tables:
            continue
        pairs = chain.from_iterable(map(pairs_at, tables))
        if any(met.get(pair, 0) > meetings_allowed for pair in pairs):
            continue
        bye = present.difference(*tables)
        yield DesignRound(
            tuple(tables), tuple([player_id for player_id in ids if player_id in bye])
        )
