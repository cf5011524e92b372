"""The plan of a knock-out: all tables, and the sources of their players, whoever wins.

Single elimination: the best `advance` of each table go on, until one table is left, the final.

Double elimination: players who don't go on from the winners' side fall to the losers' side, and
those who don't go on there are eliminated. The last table of the winners' side sends on one player,
who has lost nothing. The losers' side plays until its players fill the final with that one: one of
them for tables of two, up to `size` − 1 for larger tables. If a player from the losers' side wins
the final, that player and the one from the winners' side have both lost once, and play again: the
reset. All others have lost twice.

Seeding: the best seeds go to tables of their own, then back and forth, so that 1 meets 16 and 2
meets 15, and they stay apart as long as possible. Players who have met at a table come to one table
again as late as possible: places that come in from another table are shifted or turned against each
other.

A double elimination at tables of two is that of the next power of two without its last seeds:
tables with a missing player aren't played. So players meet again as late, and as rarely, as in the
full bracket.

In all other cases, where the number doesn't fit: no table is larger than `size`, a player is
eliminated at each, table sizes differ by at most one, and there are as few tables as possible. Byes
go to the best: on the winners' side as few as avoid byes in later rounds (so all in the first
round, for tables of two), on the losers' side as few as possible.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from typing import Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["single", "double"]
Side: TypeAlias = Literal["winners", "losers", "final", "reset", "third"]

VERSION: Final = 2
"""The version of the plans. Version 1 planned a double elimination for the exact number of
players, with as few byes on the losers' side as possible; brackets that began with it are
finished with it."""
SHIFTS: Final = 16
"""How many shifts of a group against the others are tried, forwards and backwards."""


class Origin(NamedTuple):
    """The source of a player: a place at the table with that label, or in the seeding (None);
    places count from 1."""

    table: str | None
    place: int


Entrants: TypeAlias = list[Origin]
"""Sources of one kind (all winners of a stage, all runners-up, …), the best seeded first."""


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table whose first `advance` players go on.

    `stage` counts from 1 on its side, `round_number` from 0 in the bracket. `sources`: the best
    seeded first; those of the reset are the winners of the winners' side and of the final.
    """

    label: str
    side: Side
    stage: int
    round_number: int
    sources: tuple[Origin, ...]
    advance: int


@dataclass(frozen=True, slots=True)
class PlannedBye:
    """A player who skips a stage, in the round in which it is played."""

    side: Side
    stage: int
    round_number: int
    source: Origin


@dataclass(frozen=True, slots=True)
class Plan:
    """All tables in the order of their rounds, all byes, and the number of rounds including the
    reset."""

    tables: tuple[PlannedTable, ...]
    byes: tuple[PlannedBye, ...]
    rounds: int


@lru_cache(maxsize=32)
def plan(
    number: int, size: int, advance: int, kind: Kind, third: bool = False, version: int = VERSION
) -> Plan:
    """Return the plan for `number` participants at tables of `size`, of which `advance` go on.

    `third`: in single elimination, the players eliminated just before the final play a table for
    the places after it; if they are more than one table holds, there is no such table.
    """
    building = _Building(size, advance)
    if kind == "single":
        building.single(_seeds(number), third)
    elif size == 2 and version > 1:
        building.double(_seeds(1 << (number - 1).bit_length()))
        building.shrink_to(number)
    else:
        building.double(_seeds(number))
    return building.plan()


@dataclass(slots=True)
class _Building:
    """The stages planned so far, each after the stages that its players come from."""

    size: int
    advance: int
    stages: list[list[PlannedTable]] = field(default_factory=list)
    byes: list[tuple[int, PlannedBye]] = field(default_factory=list)
    met: dict[str, int] = field(default_factory=dict)
    """By label, the tables at which a table's players may have met: one bit for each."""

    def single(self, seeds: Entrants, third: bool) -> None:
        """Plan the winners' side, its final, and the table for the places after it."""
        groups = [seeds]
        out: list[Entrants] = []
        for advancing, fallen in self._winners(groups):
            groups = advancing
            out = fallen
        losers = _flat(out)
        if third and 2 <= len(losers) <= self.size:
            third_place = self._table("third", "third", stage=1, sources=losers, advance=0)
            self.stages.append([third_place])
        final = self._table("final", "final", stage=1, sources=_flat(groups), advance=1)
        self.stages.append([final])

    def double(self, seeds: Entrants) -> None:
        """Plan both sides, the final and the reset."""
        groups = [seeds]
        drops: list[list[Entrants]] = []
        for advancing, fallen in self._winners(groups):
            groups = advancing
            drops.append(fallen)
        stage = 1 + len(drops)
        label = _label("winners", stage, number=1)
        last = self._table(label, "winners", stage, sources=_flat(groups), advance=1)
        self.stages.append([last])
        champion = Origin(last.label, 1)
        drops.append([[Origin(last.label, place)] for place in range(2, len(last.sources) + 1)])
        survivors = self._losers(drops)
        finalists = [champion, *_flat(survivors)]
        final = self._table("final", "final", stage=1, sources=finalists, advance=1)
        self.stages.append([final])
        reset_players = [champion, Origin("final", 1)]
        reset = self._table("reset", "reset", stage=1, sources=reset_players, advance=1)
        self.stages.append([reset])

    def shrink_to(self, players: int) -> None:
        """Turn the plan for a power of two into one for the first `players` seeds only.

        Tables of two that then lack a player are removed. A player left alone at one has a bye and
        goes on like its winner; nobody takes the place of its loser."""
        full_stages = self.stages
        self.stages = []
        # The source that now stands for a source of the full plan; None for nobody.
        replacements: dict[Origin, Origin | None] = {}
        stages: Counter[Side] = Counter()
        for full_stage in full_stages:
            side = full_stage[0].side
            stage = stages[side] + 1
            tables: list[PlannedTable] = []
            byes: Entrants = []
            for table in full_stage:
                present = []
                for planned_source in table.sources:
                    source = replacements.get(planned_source, planned_source)
                    if source and (source.table or source.place <= players):
                        present.append(source)
                first = Origin(table.label, 1)
                second = Origin(table.label, 2)
                if len(present) < len(table.sources):
                    byes += present
                    replacements[first] = present[0] if present else None
                    replacements[second] = None
                    continue
                label = _label(side, stage, len(tables) + 1)
                replacements[first] = Origin(label, 1)
                replacements[second] = Origin(label, 2)
                tables.append(replace(table, label=label, stage=stage, sources=tuple(present)))
            if tables:
                self._add_byes(side, stage, byes)
                self.stages.append(tables)
                stages[side] = stage

    def _winners(self, groups: list[Entrants]) -> Iterator[tuple[list[Entrants], list[Entrants]]]:
        """Plan stages until the remaining players fit at one table.

        Yield for each stage the players who go on, and those who fall to the losers' side."""
        number = 0
        while _count(groups) > self.size:
            number += 1
            byes, tables = winners_cut(_count(groups), self.size, self.advance)
            groups, fallen = self._stage("winners", number, groups, byes, tables)
            yield groups, fallen

    def _losers(self, drops: list[list[Entrants]]) -> list[Entrants]:
        """Plan the losers' side until the remaining players fit at the final.

        `drops`: the players who fall from each stage of the winners' side. If more wait on the
        losers' side than fall next, they first play among themselves."""
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
        """Plan one stage; return the groups of players who go on, and those of the others.

        The first group has the players with byes and the winners of the tables, the second the
        runners-up, and so on."""
        order = self._apart(side, groups, byes, tables)
        with_bye = order[:byes]
        seats: list[Entrants] = [[] for _ in range(tables)]
        for place, source in enumerate(order[byes:]):
            seats[snake(place, tables)].append(source)
        planned = [
            self._table(_label(side, number, i), side, number, sources, self.advance)
            for i, sources in enumerate(seats, 1)
        ]
        self._add_byes(side, number, with_bye)
        self.stages.append(planned)

        through = [_players_at_place(planned, place) for place in range(1, self.advance + 1)]
        through[0] = with_bye + through[0]
        fallen = [
            _players_at_place(planned, place) for place in range(self.advance + 1, self.size + 1)
        ]
        return through, fallen

    def _add_byes(self, side: Side, number: int, sources: Entrants) -> None:
        """Add the byes of the stage that will be added next; `plan` gives them their round."""
        index = len(self.stages)
        for source in sources:
            bye = PlannedBye(side, stage=number, round_number=0, source=source)
            self.byes.append((index, bye))

    def _apart(self, side: Side, groups: list[Entrants], byes: int, tables: int) -> Entrants:
        """Return the groups in one line, each shifted or turned to keep apart players who may have
        met.

        The first `byes` players sit out; the others are dealt to the tables."""
        order: Entrants = []
        met = [0] * tables
        for group in groups:
            start = len(order) - byes
            masks = [self._met_at(source) for source in group]
            seats = range(start, start + len(group))
            # −1: the player has a bye.
            tables_of = [snake(seat, tables) if seat >= 0 else -1 for seat in seats]
            line: Sequence[int] = range(len(group))
            if order:
                line = min(
                    _orders_to_try(len(group), side),
                    key=partial(_possible_meetings, met, tables_of, masks),
                )
            order += [group[i] for i in line]
            for table, i in zip(tables_of, line, strict=True):
                if table >= 0:
                    met[table] |= masks[i]
        return order

    def _table(
        self, label: str, side: Side, stage: int, sources: Sequence[Origin], advance: int
    ) -> PlannedTable:
        """Make a table, which `plan` gives its round, and note whom its players may have met."""
        mask = 1 << len(self.met)
        for source in sources:
            mask |= self._met_at(source)
        self.met[label] = mask
        return PlannedTable(
            label, side, stage, round_number=0, sources=tuple(sources), advance=advance
        )

    def _met_at(self, source: Origin) -> int:
        if source.table is None:
            return 0
        return self.met[source.table]

    def plan(self) -> Plan:
        """Return the plan, with each stage in the last round that delays no other."""
        stage_of = {table.label: i for i, stage in enumerate(self.stages) for table in stage}
        rounds_after = [0] * len(self.stages)
        for i in reversed(range(len(self.stages))):
            sources = [source for table in self.stages[i] for source in table.sources]
            sources += [bye.source for stage, bye in self.byes if stage == i]
            for stage in {stage_of[source.table] for source in sources if source.table}:
                rounds_after[stage] = max(rounds_after[stage], rounds_after[i] + 1)
        last = max(rounds_after)
        tables = [
            replace(table, round_number=last - rounds_after[i])
            for i, stage in enumerate(self.stages)
            for table in stage
        ]
        byes = [replace(bye, round_number=last - rounds_after[i]) for i, bye in self.byes]
        tables.sort(key=lambda table: table.round_number)
        return Plan(tuple(tables), tuple(byes), last + 1)


def _seeds(number: int) -> Entrants:
    return [Origin(None, place) for place in range(1, number + 1)]


def _label(side: Side, stage: int, number: int) -> str:
    prefixes: dict[Side, str] = {"winners": "W", "losers": "L"}
    return f"{prefixes[side]}{stage}.{number}" if side in prefixes else side


def snake(place: int, tables: int) -> int:
    """Return the table for a place of the order, both from 0: along the tables and back again."""
    row, column = divmod(place, tables)
    if row % 2:
        return tables - 1 - column
    return column


def winners_cut(number: int, size: int, advance: int) -> tuple[int, int]:
    """Return how many byes and tables a stage of the winners' side has.

    It has the fewest byes that leave later stages without any; if later byes can't be avoided, the
    fewest that this stage can have.
    """
    for byes in range(number - 1):
        for tables in _table_counts(number - byes, size, advance):
            if _fits_without_byes(byes + advance * tables, size, advance):
                return byes, tables
    return losers_cut(number, size, advance)


def losers_cut(number: int, size: int, advance: int) -> tuple[int, int]:
    """Return how many byes and tables a stage of the losers' side has: the fewest byes, then the
    fewest tables."""
    byes = 0
    while not _table_counts(number - byes, size, advance):
        byes += 1
    return byes, _table_counts(number - byes, size, advance)[0]


def _table_counts(number: int, size: int, advance: int) -> range:
    """Return the numbers of tables that can seat the players, with at least one eliminated at
    each."""
    return range(-(-number // size), number // (advance + 1) + 1)


@cache
def _fits_without_byes(number: int, size: int, advance: int) -> bool:
    if number <= size:
        return True
    return any(
        _fits_without_byes(advance * tables, size, advance)
        for tables in _table_counts(number, size, advance)
    )


def _orders_to_try(number: int, side: Side) -> Iterator[Sequence[int]]:
    """Yield the orders in which a group is tried: each shift, forwards and backwards.

    Shifts that also help in later stages come first: small shifts on the winners' side, as they
    leave others to the next stage; on the losers' side the half, as it brings in players of the
    other half of the bracket."""
    preferred = number // 2 if side == "losers" else 0
    shifts = {number * i // SHIFTS for i in range(SHIFTS)}
    for shift in sorted(shifts, key=lambda shift: abs(shift - preferred)):
        yield [*range(shift, number), *range(shift)]
        yield [*reversed(range(shift)), *reversed(range(shift, number))]


def _possible_meetings(
    met: list[int], tables_of: list[int], masks: list[int], line: Sequence[int]
) -> int:
    """Count the earlier tables at which players who would now sit together may have met.

    `met`: by table, the earlier tables of the players seated so far, as bits. `tables_of`: the
    table for each place in the line, −1 for a bye. `masks`: the earlier tables of each player, as
    bits. `line`: the order that is tried."""
    meetings = 0
    for table, i in zip(tables_of, line, strict=True):
        if table >= 0:
            meetings += (met[table] & masks[i]).bit_count()
    return meetings


def _players_at_place(tables: list[PlannedTable], place: int) -> Entrants:
    return [Origin(table.label, place) for table in tables if place <= len(table.sources)]


def _flat(groups: list[Entrants]) -> Entrants:
    return [source for group in groups for source in group]


def _count(groups: list[Entrants]) -> int:
    return sum(map(len, groups))
