"""All that a timetable is made from: tables that are to be played, places, times, and who can't or
would rather not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from engine.grouping import lists_by_key
from engine.illegal import Illegal, quote
from engine.messages import Message, say

MOST_TABLES: Final = 2_000
MOST_PLACES: Final = 500
MOST_SLOTS: Final = 500
MOST_CELLS: Final = 100_000
"""Tables times slots."""
MOST_AT_A_TABLE: Final = 20

Wish: TypeAlias = Literal["absent", "end", "late", "breaks", "moves"]
"""What is to be little: players at tables when they would rather not play; the last slot in use;
the slots of all tables together; tables of a player one right after the other; changes of place
between two tables of a player. """
WISHES: Final[tuple[Wish, ...]] = get_args(Wish)

Assignment: TypeAlias = Mapping[str, tuple[str, str]]
"""Slot and place of each table, by their ids."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A time at which tables are played. `pause`: whether enough time passes after it that the next
    is a new start."""

    id: str
    pause: bool = False


@dataclass(frozen=True, slots=True)
class HallPlace:
    """Where a table can be played: the furniture, with its number in the hall, and how many it
    takes.

    `closed` names the slots at which it isn't to be had.
    """

    id: str
    number: int
    size: int
    closed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UntimedTable:
    """A table that is to get a time and a place.

    `size` seats are needed, `players` are those of whom it is known that they sit there. Of the
    same `group` (a text, None for none) every table of a `round` is over before one of a later
    round begins. `away` names the slots at which it can't be played."""

    id: str
    size: int
    players: tuple[str, ...] = ()
    group: str | None = None
    round: int = 0
    away: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Away:
    """Slots at which a player can't play; if it isn't a `must`, would rather not."""

    player: str
    slots: tuple[str, ...]
    must: bool = True


@dataclass(frozen=True, slots=True)
class TimetableInput:
    """Everything that a timetable depends on. Only the order of the slots means something: the
    earliest comes first.

    `wishes` are those that count, the most important one first; `moves` always comes last, as the
    places are given when the times are. `names` says how tables, places, slots, players and groups
    are called in sentences; without a name, by their id."""

    tables: tuple[UntimedTable, ...]
    places: tuple[HallPlace, ...]
    slots: tuple[Slot, ...]
    away: tuple[Away, ...] = ()
    wishes: tuple[Wish, ...] = ("absent", "end")
    names: Mapping[str, str] = field(default_factory=dict)

    def name(self, player_id: str) -> str:
        """Tell how this is called in a sentence: short, and nothing that can't be printed."""
        return quote(self.names.get(player_id, player_id))

    def listed(self, ids: Iterable[str]) -> str:
        """Several names one after the other, the first twelve of them."""
        names = [self.name(player_id) for player_id in ids]
        return ", ".join(names[:12] + ["…"] * (len(names) > 12))

    def players(self) -> dict[str, list[UntimedTable]]:
        """The tables of each player, players by id and tables in the order of theirs."""
        in_order = sorted(self.tables, key=lambda table: table.id)
        return dict(
            sorted(
                lists_by_key(
                    (player, table) for table in in_order for player in table.players
                ).items()
            )
        )

    def absences(self, *, must: bool) -> dict[str, set[str]]:
        """The slots at which each player can't play, or would rather not, by their ids."""
        slots: dict[str, set[str]] = {}
        for away in self.away:
            if away.must == must:
                slots.setdefault(away.player, set()).update(away.slots)
        return dict(sorted(slots.items()))


def timetable_fault(timetable_input: TimetableInput) -> Illegal | None:
    """Return what is wrong with an input, by itself: `too_few`, `too_many`, or `bad_timetable` with
    the path. None is fine."""
    return _wrong_size(timetable_input) or next(_wrong_parts(timetable_input), None)


def _wrong_size(timetable_input: TimetableInput) -> Illegal | None:
    """Nothing to plan with, or more than can be planned."""
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
    return _too_many("tables", cells, MOST_CELLS) if cells > MOST_CELLS else None


def _too_many(path: str, count: int, most: int) -> Illegal:
    return Illegal(
        "too_many",
        say("a timetable can take {most} of them at most, not {given}", most=most, given=count),
        path=path,
    )


def _wrong_parts(timetable_input: TimetableInput) -> Iterator[Illegal]:
    """Ids that are there twice or unknown, numbers out of range, one list after the other."""
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
    ids_seen: set[str] = set()
    for index, player_id in enumerate(ids):
        if player_id in ids_seen:
            yield _bad(f"{path}[{index}]", say("“{id}” is there twice", id=quote(player_id)))
        ids_seen.add(player_id)


def _wrong_table(path: str, table: UntimedTable, slots: set[str]) -> Iterator[Illegal]:
    """Return what is wrong with one table."""
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
    for player_id in ids:
        if player_id not in known_ids:
            yield _bad(path, say("“{id}” is unknown", id=quote(player_id)))


def _bad(path: str, message: Message) -> Illegal:
    return Illegal("bad_timetable", message, path=path)
