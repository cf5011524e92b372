"""Rounds known beforehand in which nobody meets somebody twice, as long as that goes on: round robins and pods nights.

Pairs: the circle method. Larger tables: affine planes and transversal designs over finite fields, and designs found by
search that a rotation develops (`engine.pairing.designs.known_designs`).
"""

from abc import ABC, abstractmethod
from functools import cache
from itertools import chain
from typing import TypeAlias

from engine.pairing.designs.finite_ring import Ring, ring
from engine.pairing.designs.known_designs import DEVELOPED, Developed
from engine.pairing.draw_input import DrawInput, TableIds
from engine.pairing.lots import lot

NumberedTables: TypeAlias = list[tuple[int, ...]]
"""The tables of one round, of players numbered from 0."""


class Design(ABC):
    """Rounds for so many players at tables of one size, in which no two meet twice."""

    def __init__(self, players: int, size: int, rounds: int) -> None:
        self.players, self.size, self.rounds = players, size, rounds

    @abstractmethod
    def tables(self, number: int) -> NumberedTables:
        """The tables of a round, counted from 0; who is at none sits out."""

    @property
    def complete(self) -> bool:
        """True if everybody meets everybody, so that one may begin anew without anybody having met more often."""
        return self.rounds * (self.players // self.size * self.size) * (self.size - 1) == self.players * (
            self.players - 1
        )


class Circle(Design):
    """Pairs: one stays, all others move one place on along a circle (Kirkman 1847); with an odd number nobody stays."""

    def __init__(self, players: int) -> None:
        super().__init__(players, 2, players - 1 + players % 2)

    def tables(self, number: int) -> NumberedTables:
        """Those opposite each other on the circle."""
        around = self.rounds
        pairs: NumberedTables = [((number + i) % around, (number - i) % around) for i in range(1, (around + 1) // 2)]
        return pairs if self.players % 2 else [*pairs, (number, around)]


class AllTogether(Design):
    """All at one table."""

    def __init__(self, players: int) -> None:
        super().__init__(players, players, 1)

    def tables(self, number: int) -> NumberedTables:
        """The one there is."""
        return [tuple(range(self.players))]


class Transversal(Design):
    """As many groups as a table has seats; who is in one group doesn't meet, or only in the rounds after.

    Everybody is an element of a ring in one of the groups. In round b, table a has a + g·b of each group g, for g that
    differ by units: so two of unlike groups meet in one round alone. In the rounds after, each group plays a design of
    its own. With fields this gives affine planes (Bose 1938).
    """

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
            return [tuple([start + player for player in table]) for start in starts for table in inside]
        factor = list(self.index)[number]
        shifts = [self.ring.multiply(self.ring.apart(seat), factor) for seat in range(self.size)]
        return [
            tuple(
                [start + self.index[self.ring.add(element, shift)] for start, shift in zip(starts, shifts, strict=True)]
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
    block_design: list[Design] = [Rotated(size, DEVELOPED[players, size])] if (players, size) in DEVELOPED else []
    elements = ring(group) if group and not remainder else None
    if elements and elements.units_apart >= size:
        block_design.append(Transversal(size, elements, group))
    return max(block_design, key=lambda design: design.rounds, default=None)


def next_round(draw_input: DrawInput) -> tuple[tuple[TableIds, ...], TableIds] | None:
    """The next round of a design, its tables and who sits out, where all scores are equal and nobody need stay apart.

    None where no design is known that has the planned rounds, where the rounds played aren't its beginning, or where it
    would begin with somebody sitting out who did so more often than others. Whose number is whose is drawn by lot from
    the seed, which therefore is to be the same in all rounds.
    """
    number, size = len(draw_input.participants), draw_input.sizes[0]
    if draw_input.apart or len({player.score for player in draw_input.participants}) > 1:
        return None
    block_design = design(number, size)
    rounds = max(draw_input.rounds or 0, len(draw_input.played) + 1)
    if block_design is None or (rounds > block_design.rounds and not block_design.complete):
        return None
    ids = sorted(
        [player.player_id for player in draw_input.participants], key=lambda player_id: lot(draw_input.seed, player_id)
    )
    for i, played in enumerate(draw_input.played):
        if {frozenset(table) for table in played} != {frozenset(table) for table in _seated(block_design, ids, i)}:
            return None
    tables = _seated(block_design, ids, len(draw_input.played))
    seated = {player_id for table in tables for player_id in table}
    byes = {player.player_id: player.byes for player in draw_input.participants}
    bye = tuple([player_id for player_id in ids if player_id not in seated])
    if not draw_input.played and any(byes[player_id] > min(byes.values()) for player_id in bye):
        return None
    return tables, bye


def rounds_left(draw_input: DrawInput) -> tuple[tuple[TableIds, ...], ...]:
    """The rounds of the design that haven't been played, whatever the scores; none where another round has been.

    None either where the design has fewer rounds than are planned, or somebody must or wishes to stay apart.
    """
    block_design = design(len(draw_input.participants), draw_input.sizes[0])
    if block_design is None or draw_input.apart or draw_input.rounds is None or draw_input.rounds > block_design.rounds:
        return ()
    ids = sorted(
        [player.player_id for player in draw_input.participants], key=lambda player_id: lot(draw_input.seed, player_id)
    )
    tables_of = [_seated(block_design, ids, i) for i in range(block_design.rounds)]
    rounds = {frozenset(map(frozenset, tables)): tables for tables in tables_of}
    played = {frozenset(map(frozenset, tables)) for tables in draw_input.played}
    if not played <= rounds.keys() or {player_id for tables in rounds.values() for player_id in chain(*tables)} != set(
        ids
    ):
        return ()
    return tuple([tables for key, tables in rounds.items() if key not in played])


def _seated(block_design: Design, ids: list[str], number: int) -> tuple[TableIds, ...]:
    """A round of a design with the players in it; after its last round it begins anew."""
    return tuple(
        [tuple([ids[player] for player in table]) for table in block_design.tables(number % block_design.rounds)]
    )
