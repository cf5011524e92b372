"""The input of a timetable: the tables to be played, places, times, and players' absences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from engine.illegal import Illegal, quote
from engine.messages import Message, say

MOST_TABLES: Final = 2_000
MOST_PLACES: Final = 500
MOST_SLOTS: Final = 500
MOST_CELLS: Final = 100_000
"""Tables times slots."""
MOST_AT_A_TABLE: Final = 20

Wish: TypeAlias = Literal["absent", "end", "late", "breaks", "moves"]
"""What to keep small: players at tables when they would rather not play; the last slot in use;
the slots of all tables together; tables of a player one right after the other; changes of place
between two tables of a player."""
WISHES: Final[tuple[Wish, ...]] = get_args(Wish)

Assignment: TypeAlias = Mapping[str, tuple[str, str]]
"""Slot and place of each table, by their ids."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A time at which tables are played. `pause`: whether the break after it is long enough to
    be a new start."""

    id: str
    pause: bool = False


@dataclass(frozen=True, slots=True)
class HallPlace:
    """A place where a table can be played: its number in the hall, and how many seats it has.

    `closed`: the slots at which it isn't available.
    """

    id: str
    number: int
    size: int
    closed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UntimedTable:
    """A table that needs a time and a place.

    `size`: the seats that it needs. `players`: the players known to sit there. `group`: tables of
    the same group (None for none) play round by round: every table of a `round` is over before one
    of a later round begins. `away`: the slots at which it can't be played.
    """

    id: str
    size: int
    players: tuple[str, ...] = ()
    group: str | None = None
    round: int = 0
    away: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Away:
    """Slots at which a player can't play or, unless `must`, would rather not."""

    player: str
    slots: tuple[str, ...]
    must: bool = True


@dataclass(frozen=True, slots=True)
class TimetableInput:
    """The input of a timetable. Only the order of the slots has a meaning: the earliest comes
    first.

    `wishes`: the wishes that count, the most important one first; `moves` always comes last, as the
    places are found after the times. `names`: how tables, places, slots, players and groups are
    called in sentences; without a name, by their id.
    """

    tables: tuple[UntimedTable, ...]
    places: tuple[HallPlace, ...]
    slots: tuple[Slot, ...]
    away: tuple[Away, ...] = ()
    wishes: tuple[Wish, ...] = ("absent", "end")
    names: Mapping[str, str] = field(default_factory=dict)

    def name(self, any_id: str) -> str:
        """Return a name for use in a sentence, shortened and printable."""
        return quote(self.names.get(any_id, any_id))

    def listed(self, ids: Iterable[str]) -> str:
        """Return the first twelve names, one after the other."""
        names = [self.name(any_id) for any_id in ids]
        if len(names) > 12:
            names[12:] = ["…"]
        return ", ".join(names)

    def players(self) -> dict[str, list[UntimedTable]]:
        """Return the tables of each player, both in the order of their ids."""
        tables_by_player: dict[str, list[UntimedTable]] = {}
        for table in sorted(self.tables, key=lambda table: table.id):
            for player in table.players:
                tables_by_player.setdefault(player, []).append(table)
        return dict(sorted(tables_by_player.items()))

    def absences(self, *, must: bool) -> dict[str, set[str]]:
        """Return the slots at which each player can't play, or would rather not, by their ids."""
        slots: dict[str, set[str]] = {}
        for away in self.away:
            if away.must == must:
                slots.setdefault(away.player, set()).update(away.slots)
        return dict(sorted(slots.items()))


def timetable_fault(timetable_input: TimetableInput) -> Illegal | None:
    """Return what is wrong with an input, None if nothing is.

    Errors: `too_few`, `too_many`, and `bad_timetable` with the path."""
    return _wrong_size(timetable_input) or next(_wrong_parts(timetable_input), None)


def _wrong_size(timetable_input: TimetableInput) -> Illegal | None:
    lists = (
        ("tables", len(timetable_input.tables), MOST_TABLES),
        ("places", len(timetable_input.places), MOST_PLACES),
        ("slots", len(timetable_input.slots), MOST_SLOTS),
    )
    for path, count, most in lists:
        if not count:
            return Illegal("too_few", say("must not be empty"), path=path)
        if count > most:
            return _too_many(path, count, most)
    cells = len(timetable_input.tables) * len(timetable_input.slots)
    if cells > MOST_CELLS:
        return _too_many("tables", cells, MOST_CELLS)
    return None


def _too_many(path: str, count: int, most: int) -> Illegal:
    return Illegal(
        "too_many",
        say("a timetable can take at most {most} of them, not {given}", most=most, given=count),
        path=path,
    )


def _wrong_parts(timetable_input: TimetableInput) -> Iterator[Illegal]:
    slots = {slot.id for slot in timetable_input.slots}
    yield from _repeated("tables", [table.id for table in timetable_input.tables])
    yield from _repeated("places", [place.id for place in timetable_input.places])
    yield from _repeated("slots", [slot.id for slot in timetable_input.slots])
    for index, place in enumerate(timetable_input.places):
        path = f"places[{index}]"
        yield from _out_of_range(f"{path}.size", place.size, 1)
        yield from _out_of_range(f"{path}.number", place.number, 0)
        yield from _unknown(f"{path}.closed", place.closed, slots)
    for index, table in enumerate(timetable_input.tables):
        yield from _wrong_table(f"tables[{index}]", table, slots)
    players = {player for table in timetable_input.tables for player in table.players}
    for index, away in enumerate(timetable_input.away):
        yield from _unknown(f"away[{index}].player", (away.player,), players)
        yield from _unknown(f"away[{index}].slots", away.slots, slots)
    yield from _repeated("wishes", timetable_input.wishes)
    for index, wish in enumerate(timetable_input.wishes):
        yield from _unknown(f"wishes[{index}]", (wish,), set[str](WISHES))


def _repeated(path: str, ids: Sequence[str]) -> Iterator[Illegal]:
    seen: set[str] = set()
    for index, any_id in enumerate(ids):
        if any_id in seen:
            yield _bad(f"{path}[{index}]", say("“{id}” is listed twice", id=quote(any_id)))
        seen.add(any_id)


def _wrong_table(path: str, table: UntimedTable, slots: set[str]) -> Iterator[Illegal]:
    if not 1 <= table.size <= MOST_AT_A_TABLE:
        yield _bad(
            f"{path}.size", say("must be from {least} to {most}", least=1, most=MOST_AT_A_TABLE)
        )
    if len(table.players) > table.size:
        yield _bad(f"{path}.players", say("more players than seats"))
    if len(set(table.players)) < len(table.players):
        yield _bad(f"{path}.players", say("a player sits there twice"))
    yield from _out_of_range(f"{path}.round", table.round, 0)
    yield from _unknown(f"{path}.away", table.away, slots)


def _out_of_range(path: str, number: int, least: int) -> Iterator[Illegal]:
    if number < least:
        yield _bad(path, say("must be {least} or more, not {given}", least=least, given=number))


def _unknown(path: str, ids: Iterable[str], known_ids: set[str]) -> Iterator[Illegal]:
    for any_id in ids:
        if any_id not in known_ids:
            yield _bad(path, say("“{id}” is unknown", id=quote(any_id)))


def _bad(path: str, message: Message) -> Illegal:
    return Illegal("bad_timetable", message, path=path)
