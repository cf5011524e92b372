"""Rounds known beforehand in which nobody meets somebody twice, as long as that goes on: round
robins and pods nights.

Pairs: the circle method. Larger tables: affine planes and transversal designs over finite fields,
and designs found by search that a rotation develops (`engine.pairing.designs.known_designs`).
Everybody has a number in the design, and keeps it. A design goes on when players leave, and serves
fewer players than it has: their chairs stay empty, and its tables are so much smaller, or, for
pairs, who would meet nobody sits out."""

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
"""Up to so many players all planned rounds are drawn together. More find others whom they haven't
met by themselves."""
MOST_TABLES: Final = 20_000
"""At about so many tables of a design's rounds one looks for the next round, a second or less: in a
large field with several chairs empty hardly any round has tables of the right sizes."""

NumberedTables: TypeAlias = list[tuple[int, ...]]
"""The tables of one round, of players numbered from 0."""


class DesignRound(NamedTuple):
    """A round of a design with the players in it: the tables, and who sits out."""

    tables: tuple[TableIds, ...]
    bye: TableIds


class Design(ABC):
    """Rounds for so many players at tables of one size, in which no two meet twice."""

    def __init__(self, players: int, size: int, rounds: int) -> None:
        self.players, self.size, self.rounds = players, size, rounds

    @abstractmethod
    def tables(self, number: int) -> NumberedTables:
        """The tables of a round, counted from 0; who is at none sits out."""

    @property
    def complete(self) -> bool:
        """True if everybody meets everybody, so that one may begin anew without anybody having met
        more often."""
        return self.rounds * (self.players // self.size * self.size) * (
            self.size - 1
        ) == self.players * (self.players - 1)


class Circle(Design):
    """Pairs: one stays, all others move one place on along a circle (Kirkman 1847); with an odd
    number nobody stays."""

    def __init__(self, players: int) -> None:
        super().__init__(players, 2, players - 1 + players % 2)

    def tables(self, number: int) -> NumberedTables:
        """Those opposite each other on the circle."""
        around = self.rounds
        pairs: NumberedTables = [
            ((number + i) % around, (number - i) % around) for i in range(1, (around + 1) // 2)
        ]
        return pairs if self.players % 2 else [*pairs, (number, around)]


class AllTogether(Design):
    """All at one table."""

    def __init__(self, players: int) -> None:
        super().__init__(players, players, 1)

    def tables(self, number: int) -> NumberedTables:
        """The one there is."""
        return [tuple(range(self.players))]


class Transversal(Design):
    """As many groups as a table has seats; who is in one group doesn't meet, or only in the rounds
    after.

    Everybody is an element of a ring in one of the groups. In round b, table a has a + g·b of each
    group g, for g that differ by units: so two of unlike groups meet in one round alone. In the
    rounds after, each group plays a design of its own. With fields this gives affine planes (Bose
    1938)."""

    def __init__(self, size: int, elements: Ring, group: int) -> None:
        self.ring, self.group = elements, group
        self.inner = design(group, size)
        super().__init__(size * group, size, group + (self.inner.rounds if self.inner else 0))
        self.index = {element: number for number, element in enumerate(elements.elements())}

    def tables(self, number: int) -> NumberedTables:
        """One of each group at a table, or in the last rounds of one group alone."""
        starts = [seat * self.group for seat in range(self.size)]
        if self.inner and number >= self.group:
            inside = self.inner.tables(number - self.group)
            return [
                tuple([start + player for player in table]) for start in starts for table in inside
            ]
        factor = list(self.index)[number]
        shifts = [self.ring.multiply(self.ring.apart(seat), factor) for seat in range(self.size)]
        return [
            tuple(
                [
                    start + self.index[self.ring.add(element, shift)]
                    for start, shift in zip(starts, shifts, strict=True)
                ]
            )
            for element in self.index
        ]


class Rotated(Design):
    """Rounds that are developed from the first by a rotation."""

    def __init__(self, size: int, developed: Developed) -> None:
        self.developed = developed
        super().__init__(developed.players, size, developed.rounds)

    def tables(self, number: int) -> NumberedTables:
        """The first round, rotated so many times; then the orbits, each a round."""
        return self.developed.tables(number)


@cache
def design(players: int, size: int) -> Design | None:
    """The design with most rounds that is known for so many players at full tables of that size."""
    if size == players:
        return AllTogether(players)
    if size == 2:
        return Circle(players) if players > 1 else None
    group, remainder = divmod(players, size)
    block_design: list[Design] = (
        [Rotated(size, DEVELOPED[players, size])] if (players, size) in DEVELOPED else []
    )
    elements = ring(group) if group and not remainder else None
    if elements and elements.units_apart >= size:
        block_design.append(Transversal(size, elements, group))
    return max(block_design, key=lambda design: design.rounds, default=None)


def chairs(before: Sequence[str], present: Iterable[str], seed: str) -> tuple[str, ...]:
    """The players in the order of their numbers in a design: everybody keeps the number while
    others come and go.

    `before`: the same for the draw before, empty for the first one. Who is new, by lots from the
    seed, has the first numbers whose players are gone, then those behind the last. Numbers of
    others who are gone stay theirs: at their tables a chair is empty."""
    there = set(present)
    newcomers = sorted(there.difference(before), key=lambda player_id: lot(seed, player_id))
    free = [number for number, player_id in enumerate(before) if player_id not in there]
    taken = dict(zip(free, newcomers, strict=False))
    return (
        *[taken.get(number, player_id) for number, player_id in enumerate(before)],
        *newcomers[len(free) :],
    )


def next_round(
    draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int], *, look_ahead: bool = True
) -> DesignRound | None:
    """The next round of a design, where all scores are equal and nobody need stay apart.

    None where no design is known that has the planned rounds, where too few of its rounds are left
    that nobody has met in, or where it would begin with somebody sitting out who did so more often
    than others. `met`: the input's meetings. `look_ahead`: count the rounds that are left; else the
    design is trusted to have them."""
    block_design = _design_of(draw_input, mix)
    if (
        block_design is None
        or draw_input.keeps_apart
        or len({player.score for player in draw_input.participants}) > 1
    ):
        return None
    rounds = max(draw_input.rounds or 0, len(draw_input.played) + 1)
    unmet = _unmet(block_design, draw_input, mix, met)
    left = list(unmet if look_ahead else islice(unmet, 1))
    to_come = rounds - len(draw_input.played)
    enough = len(left) >= to_come if look_ahead else rounds <= block_design.rounds
    if not left or not (enough or block_design.complete):
        return None
    some_short = mix.tables[-1] < draw_input.sizes[0]
    design_round = (
        _next_in_turn(left, draw_input, min(to_come, len(left))) if some_short else left[0]
    )
    byes = {player.player_id: player.byes for player in draw_input.participants}
    if design_round is None or (
        not draw_input.played
        and any(byes[player_id] > min(byes.values()) for player_id in design_round.bye)
    ):
        return None
    return design_round


def _next_in_turn(
    left: Sequence[DesignRound], draw_input: DrawInput, number: int
) -> DesignRound | None:
    """The first of so many of some rounds, in none of which somebody sits short whose turn it
    isn't; None if there aren't so many. Where meetings count first, the round in which those sit
    short who did least often before."""
    counts = Counter({player.player_id: player.short for player in draw_input.participants})

    def short(design_round: DesignRound) -> list[str]:
        return [
            player
            for table in design_round.tables
            if len(table) < draw_input.sizes[0]
            for player in table
        ]

    def times_short(design_round: DesignRound) -> int:
        """How often those who would sit short did before."""
        return sum([counts[player] for player in short(design_round)])

    if draw_input.meetings_first:
        return min(left, key=times_short)
    places = len(short(left[0]))
    to_choose = list(left)
    chosen: list[DesignRound] = []
    for _ in range(number):
        best = min(to_choose, key=times_short)
        if times_short(best) > sum(sorted(counts.values())[:places]):
            return None
        to_choose.remove(best)
        chosen.append(best)
        counts.update(short(best))
    return chosen[0]


def rounds_left(
    draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]
) -> tuple[DesignRound, ...]:
    """The rounds of a design in which nobody would meet somebody again, whatever the scores.

    None where they are fewer than are planned, or somebody must or wishes to stay apart.
    """
    block_design = _design_of(draw_input, mix)
    if block_design is None or draw_input.keeps_apart or draw_input.rounds is None:
        return ()
    left = tuple(_unmet(block_design, draw_input, mix, met))
    return left if len(left) >= draw_input.rounds - len(draw_input.played) else ()


def _design_of(draw_input: DrawInput, mix: SizeMix) -> Design | None:
    """The design for all chairs that there are, or that full tables would have."""
    size, players = draw_input.sizes[0], len(draw_input.participants)
    full = players if mix.byes else len(mix.tables) * size
    return design(max(full, len(draw_input.chairs)), size)


def _unmet(
    block_design: Design, draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]
) -> Iterator[DesignRound]:
    """The rounds that can be drawn and in which nobody met, beginning with the one whose turn it
    is.

    Once a design in which everybody meets everybody was played, it begins anew. With empty chairs a
    round can be drawn if its tables have the sizes of the mix. Of a large design only the rounds
    whose turn comes soon are looked at."""
    present = {player.player_id for player in draw_input.participants}
    ids = chairs(draw_input.chairs, present, draw_input.seed)
    times, turn = divmod(len(draw_input.played), block_design.rounds)
    most = max(1, MOST_TABLES // len(mix.tables))
    for number in (*range(turn, block_design.rounds), *range(turn))[:most]:
        tables = [
            tuple([ids[player] for player in table if player < len(ids) and ids[player] in present])
            for table in block_design.tables(number)
        ]
        seated = [table for table in tables if len(table) > 1]
        if tuple(sorted(map(len, seated), reverse=True)) == mix.tables and not any(
            met.get(pair, 0) > times * block_design.complete
            for table in seated
            for pair in pairs_at(table)
        ):
            bye = present.difference(chain(*seated))
            yield DesignRound(
                tuple(seated), tuple([player_id for player_id in ids if player_id in bye])
            )
