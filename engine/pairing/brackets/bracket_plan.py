"""The plan of a knock-out: which tables there are and from where everybody comes to them, whoever
wins.

Single elimination: the best `advance` of each table go on, until one table is left, the final.

Double elimination: who doesn't go on falls to the losers' side, and who doesn't go on there is out.
The last table of the winners' side sends one on, who has lost nothing. The losers' side plays until
they fill the final with that one: one of them for tables of two, up to `size` − 1 for larger
tables. If the final is won from the losers' side, the winner has lost once, as has the one from the
winners' side, and the two play once more: the reset. All others have lost twice.

Seeding: the best go to tables of their own, then back and forth, so that 1 meets 16 and 2 meets 15,
and stay apart as long as may be. Who has met at a table before comes to one table again as late as
may be: places that come in from another table are shifted or turned against each other.

A double elimination at tables of two is that of the next power of two without its last seeds:
tables at which one of them would sit aren't played. So people meet again as late, and as rarely, as
in the full bracket.

Everywhere else, where the number doesn't fit: no table is larger than `size`, somebody goes out at
each, table sizes differ by at most one, and there are as few tables as possible. Byes go to the
best: on the winners' side as few as make byes in later rounds unneeded (so all in the first round,
for tables of two), on the losers' side as few as possible."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from typing import Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["single", "double"]
Side: TypeAlias = Literal["winners", "losers", "final", "reset", "third"]

VERSION: Final = 2
"""The version of the plans. Version 1 planned a double elimination for the number as it is, with as
few byes on the losers' side as possible; brackets that began so are played to their end so."""
SHIFTS: Final = 16
"""How many shifts of a group against the others are looked at, forwards and backwards."""


class Origin(NamedTuple):
    """From where somebody comes to a table: a place at the table of that label, or of the seeding;
    both from 1."""

    table: str | None
    place: int


Entrants: TypeAlias = list[Origin]
"""Sources of one kind (all winners of a stage, all seconds, …), the best seeded first."""


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """One table: the first `advance` go on from it.

    `stage` counts on its side from 1, `round_number` in the bracket from 0. `sources`: the best
    seeded first; those of the reset are the winner of the winners' side and that of the final."""

    label: str
    side: Side
    stage: int
    round_number: int
    sources: tuple[Origin, ...]
    advance: int


@dataclass(frozen=True, slots=True)
class PlannedBye:
    """Somebody who goes on from a stage without playing, in the round in which it is played."""

    side: Side
    stage: int
    round_number: int
    source: Origin


@dataclass(frozen=True, slots=True)
class Plan:
    """All tables in the order of their rounds, all byes, and how many rounds there are with the
    reset."""

    tables: tuple[PlannedTable, ...]
    byes: tuple[PlannedBye, ...]
    rounds: int


@lru_cache(maxsize=32)
def plan(
    number: int, size: int, advance: int, kind: Kind, third: bool = False, version: int = VERSION
) -> Plan:
    """The plan for `number` participants at tables of `size`, of which `advance` go on.

    `third`: in single elimination, those who went out just before the final play one table for the
    places after it; where they are more than one table holds there is no such table."""
    building = _Building(size, advance)
    if kind == "single":
        building.single(_seeds(number), third)
    elif size == 2 and version > 1:
        building.double(_seeds(1 << (number - 1).bit_length()))
        building.leave_out(number)
    else:
        building.double(_seeds(number))
    return building.plan()


@dataclass(slots=True)
class _Building:
    """The stages planned so far, each after those that it takes people from."""

    size: int
    advance: int
    stages: list[list[PlannedTable]] = field(default_factory=list)
    byes: list[tuple[int, PlannedBye]] = field(default_factory=list)
    met: dict[str, int] = field(default_factory=dict)
    """For each label the tables at which those who sit there may have met: a bit for each."""

    def single(self, seeds: Entrants, third: bool) -> None:
        """Plan the winners' side, its final, and the table for the places after it."""
        groups, out = [seeds], list[Entrants]()
        for stage, fallen in self._winners(groups):
            groups, out = stage, fallen
        losers = [source for group in out for source in group]
        if third and 2 <= len(losers) <= self.size:
            self._add([self._table("third", "third", 1, losers, 0)])
        self._add([self._table("final", "final", 1, _flat(groups), 1)])

    def double(self, seeds: Entrants) -> None:
        """Plan both sides, the final and the reset."""
        groups = [seeds]
        drops: list[list[Entrants]] = []
        for stage, fallen in self._winners(groups):
            groups = stage
            drops.append(fallen)
        number = 1 + len(drops)
        last = self._table(_label("winners", number, 1), "winners", number, _flat(groups), 1)
        self._add([last])
        champion = Origin(last.label, 1)
        drops.append([[Origin(last.label, place)] for place in range(2, len(last.sources) + 1)])
        survivors = self._losers(drops)
        self._add([self._table("final", "final", 1, [champion, *_flat(survivors)], 1)])
        self._add([self._table("reset", "reset", 1, [champion, Origin("final", 1)], 1)])

    def leave_out(self, number: int) -> None:
        """Take out all seeds behind a number, and the tables of two that have a place without
        anybody."""
        full, self.stages = self.stages, []
        comes: dict[Origin, Origin | None] = {}
        stages: Counter[Side] = Counter()
        for planned in full:
            side = planned[0].side
            stage = stages[side] + 1
            tables: list[PlannedTable] = []
            byes: Entrants = []
            for table in planned:
                sources = [comes.get(source, source) for source in table.sources]
                present = [
                    source
                    for source in sources
                    if source and (source.table or source.place <= number)
                ]
                if len(present) < len(sources):
                    byes += present
                    comes[Origin(table.label, 1)] = present[0] if present else None
                    comes[Origin(table.label, 2)] = None
                    continue
                label = _label(side, stage, len(tables) + 1)
                comes |= {Origin(table.label, place): Origin(label, place) for place in (1, 2)}
                tables.append(replace(table, label=label, stage=stage, sources=tuple(present)))
            if tables:
                self.byes += [
                    (len(self.stages), PlannedBye(side, stage, 0, source)) for source in byes
                ]
                self._add(tables)
                stages[side] = stage

    def _winners(self, groups: list[Entrants]) -> Iterator[tuple[list[Entrants], list[Entrants]]]:
        """Plan stages until those left fit at one table: who goes on from each, and who falls."""
        number = 0
        while (remaining := _count(groups)) > self.size:
            number += 1
            byes, tables = winners_cut(remaining, self.size, self.advance)
            groups, fallen = self._stage("winners", number, groups, byes, tables)
            yield groups, fallen

    def _losers(self, drops: list[list[Entrants]]) -> list[Entrants]:
        """Plan the losers' side until those left fit at the final: who is left.

        Where more are there than fall to them next, they first play among themselves, and then with
        those."""
        pool: list[Entrants] = []
        number = 0
        for fallen in drops:
            if _count(pool) > max(_count(fallen), self.advance):
                number += 1
                pool = self._loser_stage(number, pool)
            pool = [*fallen, *pool]
            if fallen is not drops[0] and _count(pool) > max(self.advance, self.size - 1):
                number += 1
                pool = self._loser_stage(number, pool)
        while _count(pool) > self.size - 1:
            number += 1
            pool = self._loser_stage(number, pool)
        return pool

    def _loser_stage(self, number: int, pool: list[Entrants]) -> list[Entrants]:
        byes, tables = losers_cut(_count(pool), self.size, self.advance)
        return self._stage("losers", number, pool, byes, tables)[0]

    def _stage(
        self, side: Side, number: int, groups: list[Entrants], byes: int, tables: int
    ) -> tuple[list[Entrants], list[Entrants]]:
        """Plan one stage: who goes on, those with byes and the winners first, then the seconds …,
        and who falls."""
        order = self._apart(side, groups, byes, tables)
        seats: list[Entrants] = [[] for _ in range(tables)]
        for place, source in enumerate(order[byes:]):
            seats[snake(place, tables)].append(source)
        planned = [
            self._table(_label(side, number, i), side, number, sources, self.advance)
            for i, sources in enumerate(seats, 1)
        ]
        self._add(planned)
        self.byes += [
            (len(self.stages) - 1, PlannedBye(side, number, 0, source)) for source in order[:byes]
        ]
        through = [_places(planned, place) for place in range(1, self.advance + 1)]
        through[0] = [*order[:byes], *through[0]]
        return through, [
            _places(planned, place) for place in range(self.advance + 1, self.size + 1)
        ]

    def _apart(self, side: Side, groups: list[Entrants], byes: int, tables: int) -> Entrants:
        """The groups in one line, each shifted or turned so that those who may have met come to
        different tables."""
        order: Entrants = []
        met = [0] * tables
        for group in groups:
            start = len(order) - byes
            masks = [self.met[source.table] if source.table else 0 for source in group]
            at = [snake(start + i, tables) if start + i >= 0 else -1 for i in range(len(group))]
            line = (
                min(_lines(len(group), side), key=partial(_meetings, met, at, masks))
                if order
                else range(len(group))
            )
            order += [group[i] for i in line]
            for table, i in zip(at, line, strict=True):
                if table >= 0:
                    met[table] |= masks[i]
        return order

    def _table(
        self, label: str, side: Side, stage: int, sources: Sequence[Origin], advance: int
    ) -> PlannedTable:
        mask = 1 << len(self.met)
        for source in sources:
            mask |= self.met[source.table] if source.table else 0
        self.met[label] = mask
        return PlannedTable(label, side, stage, 0, tuple(sources), advance)

    def _add(self, tables: list[PlannedTable]) -> None:
        self.stages.append(tables)

    def plan(self) -> Plan:
        """The plan, each stage in the last round that makes nothing later."""
        stage_of = {table.label: i for i, stage in enumerate(self.stages) for table in stage}
        before_end = [0] * len(self.stages)
        for i in reversed(range(len(self.stages))):
            sources = [source for table in self.stages[i] for source in table.sources]
            sources += [bye.source for stage, bye in self.byes if stage == i]
            for stage in {stage_of[source.table] for source in sources if source.table}:
                before_end[stage] = max(before_end[stage], before_end[i] + 1)
        last = max(before_end)
        tables = [
            replace(table, round_number=last - before_end[i])
            for i, stage in enumerate(self.stages)
            for table in stage
        ]
        byes = [replace(bye, round_number=last - before_end[i]) for i, bye in self.byes]
        return Plan(
            tuple(sorted(tables, key=lambda table: table.round_number)), tuple(byes), last + 1
        )


def _seeds(number: int) -> Entrants:
    return [Origin(None, place) for place in range(1, number + 1)]


def _label(side: Side, stage: int, number: int) -> str:
    """Return the label of a table: `W2.1`, `L3.2`, `final`, `reset`, `third`."""
    prefixes: dict[Side, str] = {"winners": "W", "losers": "L"}
    return f"{prefixes[side]}{stage}.{number}" if side in prefixes else side


def snake(place: int, tables: int) -> int:
    """The table of somebody at a place of the order, both from 0: there and back again."""
    row, column = divmod(place, tables)
    return tables - 1 - column if row % 2 else column


def winners_cut(number: int, size: int, advance: int) -> tuple[int, int]:
    """Tell how many byes and tables a stage of the winners' side has: the fewest byes after which
    none are needed.

    Where they can't be avoided later the fewest now.
    """
    for byes in range(number - 1):
        for tables in _tables(number - byes, size, advance):
            if _fits(byes + advance * tables, size, advance):
                return byes, tables
    return losers_cut(number, size, advance)


def losers_cut(number: int, size: int, advance: int) -> tuple[int, int]:
    """Tell how many byes and tables a stage of the losers' side has: the fewest byes, then the
    fewest tables."""
    cuts = ((byes, _tables(number - byes, size, advance)) for byes in range(number))
    return next((byes, tables[0]) for byes, tables in cuts if tables)


def _tables(number: int, size: int, advance: int) -> range:
    """Tell how many tables can seat that many with nobody going out at none of them."""
    return range(-(-number // size), number // (advance + 1) + 1)


@cache
def _fits(number: int, size: int, advance: int) -> bool:
    """True if that many can be played down to one table without byes."""
    return number <= size or any(
        _fits(advance * tables, size, advance) for tables in _tables(number, size, advance)
    )


def _lines(number: int, side: Side) -> Iterator[Sequence[int]]:
    """The lines in which a group of that many is looked at: shifted, and the other way round.

    First those that keep people apart in later stages, too: on the winners' side the small shifts,
    which leave others to the next stage; on the losers' side the half, which brings in those of the
    other half."""
    first = number // 2 if side == "losers" else 0
    for shift in sorted(
        {number * i // SHIFTS for i in range(SHIFTS)}, key=lambda shift: abs(shift - first)
    ):
        yield [*range(shift, number), *range(shift)]
        yield [*reversed(range(shift)), *reversed(range(shift, number))]


def _meetings(met: list[int], at: list[int], masks: list[int], line: Sequence[int]) -> int:
    """Tell how many tables those who come together may have met at before, with a group in this
    line."""
    return sum(
        [
            (met[table] & masks[i]).bit_count()
            for table, i in zip(at, line, strict=True)
            if table >= 0
        ]
    )


def _places(tables: list[PlannedTable], place: int) -> Entrants:
    """All who come to a place at those tables; short tables don't have the last ones."""
    return [Origin(table.label, place) for table in tables if place <= len(table.sources)]


def _flat(groups: list[Entrants]) -> Entrants:
    return [source for group in groups for source in group]


def _count(groups: list[Entrants]) -> int:
    return sum(map(len, groups))
