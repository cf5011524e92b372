"""The needs that every timetable must meet, each with its sentence; and what is impossible at
first sight."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from engine.grouping import lists_by_key
from engine.messages import Message, say
from engine.pairing.timetables.timetable_cost import rounds_in_order
from engine.pairing.timetables.timetable_input import TimetableInput, UntimedTable

Cells: TypeAlias = list[tuple[str, int]]
"""Tables at slots, by the table's id and the slot's position."""


@dataclass(frozen=True, slots=True)
class Need:
    """A need that every timetable must meet, and its sentence.

    `rows`: cells, and how many of them may be used at most. `order`: all tables of the first list
    are over before any of the second begins.
    """

    sentence: Message
    rows: tuple[tuple[Cells, int], ...] = ()
    order: tuple[list[str], list[str]] = ([], [])


def needs(timetable_input: TimetableInput) -> list[Need]:
    """Return the needs of a timetable, always in the same order.

    That each table has exactly one time is not among them.
    """
    return [
        *_absence_needs(timetable_input),
        *_one_table_at_a_time(timetable_input),
        *_enough_places(timetable_input),
        *_round_order(timetable_input),
    ]


def plainly_impossible(timetable_input: TimetableInput) -> tuple[Message, ...]:
    """Return a sentence for each impossibility that counting alone shows."""
    tables = sorted(timetable_input.tables, key=lambda table: table.id)
    largest = max(place.size for place in timetable_input.places)
    large = [
        say(
            "{table} needs {size} seats, and no spot has more than {most}",
            table=timetable_input.name(table.id),
            size=table.size,
            most=largest,
        )
        for table in tables
        if table.size > largest
    ]
    room = () if large else _too_little_room(timetable_input)
    return (
        *large,
        *room,
        *_tables_without_slot(timetable_input, tables),
        *_players_with_too_many_tables(timetable_input),
        *_groups_with_too_many_rounds(timetable_input),
    )


def _positions(timetable_input: TimetableInput) -> dict[str, int]:
    return {slot.id: index for index, slot in enumerate(timetable_input.slots)}


def _in_order(timetable_input: TimetableInput, slots: set[str]) -> list[str]:
    return [slot.id for slot in timetable_input.slots if slot.id in slots]


def _absence_needs(timetable_input: TimetableInput) -> Iterator[Need]:
    position = _positions(timetable_input)
    players = timetable_input.players()
    for player, absences in timetable_input.absences(must=True).items():
        slots = _in_order(timetable_input, absences)
        cells = [(table.id, position[slot]) for table in players[player] for slot in slots]
        yield Need(_cant_play(timetable_input, player, absences), rows=((cells, 0),))
    for table in sorted(timetable_input.tables, key=lambda table: table.id):
        slots = _in_order(timetable_input, set(table.away))
        if slots:
            sentence = say(
                "{table} can’t be played at {slots}",
                table=timetable_input.name(table.id),
                slots=timetable_input.listed(slots),
            )
            cells = [(table.id, position[slot]) for slot in slots]
            yield Need(sentence, rows=((cells, 0),))


def _cant_play(timetable_input: TimetableInput, player: str, slots: set[str]) -> Message:
    names = timetable_input.listed(_in_order(timetable_input, slots))
    return say("{player} can’t play at {slots}", player=timetable_input.name(player), slots=names)


def _one_table_at_a_time(timetable_input: TimetableInput) -> Iterator[Need]:
    slots = range(len(timetable_input.slots))
    for player, tables in timetable_input.players().items():
        if len(tables) > 1:
            ids = [table.id for table in tables]
            sentence = say(
                "{player} plays at one table at a time: {tables}",
                player=timetable_input.name(player),
                tables=timetable_input.listed(ids),
            )
            rows = tuple(([(table_id, slot) for table_id in ids], 1) for slot in slots)
            yield Need(sentence, rows)


def _open_places(timetable_input: TimetableInput, size: int) -> list[int]:
    return [
        sum(place.size >= size and slot.id not in place.closed for place in timetable_input.places)
        for slot in timetable_input.slots
    ]


def _enough_places(timetable_input: TimetableInput) -> Iterator[Need]:
    """Yield the needs that no slot has more tables of a size or larger than places for them.

    As larger places also serve smaller tables, each table then finds a place."""
    for size in sorted({table.size for table in timetable_input.tables}):
        tables = sorted(table.id for table in timetable_input.tables if table.size >= size)
        open_places = enumerate(_open_places(timetable_input, size))
        slots_by_count = lists_by_key(
            (count, slot) for slot, count in open_places if count < len(tables)
        )
        for count, slots in sorted(slots_by_count.items()):
            slot_ids = [timetable_input.slots[slot].id for slot in slots]
            sentence = say(
                "at {slots}, spots available with {size} seats or more: {count}",
                slots=timetable_input.listed(slot_ids),
                count=count,
                size=size,
            )
            rows = tuple(([(table, slot) for table in tables], count) for slot in slots)
            yield Need(sentence, rows)


def _round_order(timetable_input: TimetableInput) -> Iterator[Need]:
    for group, earlier, later in rounds_in_order(timetable_input):
        sentence = say(
            "{group}: round {earlier} is over before round {later} begins",
            group=timetable_input.name(group),
            earlier=earlier[0].round,
            later=later[0].round,
        )
        yield Need(sentence, order=([table.id for table in earlier], [table.id for table in later]))


def _too_little_room(timetable_input: TimetableInput) -> Iterator[Message]:
    for size in sorted({table.size for table in timetable_input.tables}):
        tables = sum(table.size >= size for table in timetable_input.tables)
        cells = sum(_open_places(timetable_input, size))
        if cells < tables:
            yield say(
                "more tables need a spot with {size} seats or more ({tables}) than there are such "
                "spots in all slots together ({cells})",
                tables=tables,
                size=size,
                cells=cells,
            )


def _tables_without_slot(
    timetable_input: TimetableInput, tables: list[UntimedTable]
) -> Iterator[Message]:
    absences = timetable_input.absences(must=True)
    all_slots = {slot.id for slot in timetable_input.slots}
    for table in tables:
        absent = {
            player: absences[player] for player in sorted(table.players) if player in absences
        }
        if all_slots <= set(table.away).union(*absent.values()):
            reasons = [
                _cant_play(timetable_input, player, slots) for player, slots in absent.items()
            ]
            if table.away:
                names = timetable_input.listed(_in_order(timetable_input, set(table.away)))
                reasons.append(say("it can’t be played at {slots}", slots=names))
            yield say(
                "there is no time for {table}: {why}",
                table=timetable_input.name(table.id),
                why=_joined(reasons),
            )


def _joined(messages: list[Message]) -> Message:
    joined, *rest = messages
    for message in rest:
        joined = say("{first}; {second}", first=joined, second=message)
    return joined


def _players_with_too_many_tables(timetable_input: TimetableInput) -> Iterator[Message]:
    absences = timetable_input.absences(must=True)
    for player, tables in timetable_input.players().items():
        free = len(timetable_input.slots) - len(absences.get(player, ()))
        if len(tables) > free:
            yield say(
                "{player} is at more tables ({count}) than slots are left to play in ({slots}): "
                "{tables}",
                player=timetable_input.name(player),
                count=len(tables),
                slots=free,
                tables=timetable_input.listed(table.id for table in tables),
            )


def _groups_with_too_many_rounds(timetable_input: TimetableInput) -> Iterator[Message]:
    rounds: defaultdict[str, set[int]] = defaultdict(set)
    for table in timetable_input.tables:
        if table.group is not None:
            rounds[table.group].add(table.round)
    for group, numbers in sorted(rounds.items()):
        if len(numbers) > len(timetable_input.slots):
            yield say(
                "{group} has more rounds, one after the other ({rounds}), than there are slots "
                "({slots})",
                group=timetable_input.name(group),
                rounds=len(numbers),
                slots=len(timetable_input.slots),
            )
