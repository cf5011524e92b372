"""All that a timetable costs, and what it breaks, whoever made it."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias, TypeVar

from engine.grouping import lists_by_key
from engine.messages import Message, say
from engine.pairing.timetables.timetable_input import (
    Assignment,
    HallPlace,
    TimetableInput,
    UntimedTable,
    Wish,
)

Sat: TypeAlias = tuple[int, str, str]
"""When and where somebody is: the slot's position from 0, the table, the place."""
Where = TypeVar("Where")


def timetable_cost(timetable_input: TimetableInput, assignment: Assignment) -> dict[Wish, int]:
    """Tell how much each wish of the input isn't met, in their order: how often, or for `end` and
    `late` the last slot in use and the sum of the tables' slots, counted from 0.

    The slots of the assignment must be known ones; tables without a slot cost nothing.
    """
    position = {slot.id: index for index, slot in enumerate(timetable_input.slots)}
    positions = [position[slot] for slot, _ in assignment.values()]
    cost: dict[Wish, int] = {
        "absent": sum(1 for _ in _away(timetable_input, assignment, must=False)),
        "end": max(positions, default=0),
        "late": sum(positions),
        "breaks": 0,
        "moves": 0,
    }
    for way in _ways(timetable_input, assignment).values():
        for (before, _, place_before), (after, _, taken_at) in pairwise(way):
            cost["breaks"] += after == before + 1 and not timetable_input.slots[before].pause
            cost["moves"] += place_before != taken_at
    return {wish: cost[wish] for wish in timetable_input.wishes}


def conflicts(timetable_input: TimetableInput, assignment: Assignment) -> tuple[Message, ...]:
    """A sentence for each thing that an assignment breaks, such as one that was made by hand; none
    if all is well.

    The input must be one without a fault; the assignment may be anything: unknown tables, slots and
    places are told, too, and left out of all else."""
    slots = {slot.id for slot in timetable_input.slots}
    tables = {table.id: table for table in timetable_input.tables}
    places = {place.id: place for place in timetable_input.places}
    placed = {
        player_id: (slot, place)
        for player_id, (slot, place) in sorted(assignment.items())
        if player_id in tables and slot in slots and place in places
    }
    return (
        *_strangers(timetable_input, assignment, placed),
        *(
            message
            for player_id in placed
            for message in _misplaced(
                timetable_input,
                tables[player_id],
                placed[player_id][0],
                places[placed[player_id][1]],
            )
        ),
        *_at_once(timetable_input, placed),
        *_absent(timetable_input, placed),
        *_out_of_order(timetable_input, placed),
    )


def rounds_in_order(
    timetable_input: TimetableInput,
) -> Iterator[tuple[str, list[UntimedTable], list[UntimedTable]]]:
    """Each group's tables of one round and of the next one that has tables, groups and tables in
    order of their ids."""
    groups: defaultdict[str, defaultdict[int, list[UntimedTable]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for table in sorted(timetable_input.tables, key=lambda table: table.id):
        if table.group is not None:
            groups[table.group][table.round].append(table)
    for group, rounds in sorted(groups.items()):
        for earlier, later in pairwise(sorted(rounds)):
            yield group, rounds[earlier], rounds[later]


def _ways(timetable_input: TimetableInput, assignment: Assignment) -> dict[str, list[Sat]]:
    """Tell where each player goes, in order of time."""
    position = {slot.id: index for index, slot in enumerate(timetable_input.slots)}
    return {
        player: sorted(
            (position[assignment[t.id][0]], t.id, assignment[t.id][1])
            for t in tables
            if t.id in assignment
        )
        for player, tables in timetable_input.players().items()
    }


def _away(
    timetable_input: TimetableInput, assignment: Assignment, *, must: bool
) -> Iterator[tuple[str, str, str]]:
    """Player, table and slot wherever somebody plays who can't, or would rather not."""
    players = timetable_input.players()
    for player, slots in timetable_input.absences(must=must).items():
        for table in players[player]:
            if table.id in assignment and assignment[table.id][0] in slots:
                yield player, table.id, assignment[table.id][0]


def _strangers(
    timetable_input: TimetableInput, assignment: Assignment, placed: Assignment
) -> Iterator[Message]:
    """Tables without a time and place, and entries that name something unknown."""
    for player_id in sorted({table.id for table in timetable_input.tables} - assignment.keys()):
        yield say("{table} has no time and place yet", table=timetable_input.name(player_id))
    for player_id in sorted(assignment.keys() - placed.keys()):
        table, slot, place = (
            timetable_input.name(part) for part in (player_id, *assignment[player_id])
        )
        yield say(
            "{table} at {slot}, {place}: not all of these are known",
            table=table,
            slot=slot,
            place=place,
        )


def _misplaced(
    timetable_input: TimetableInput, table: UntimedTable, slot: str, place: HallPlace
) -> Iterator[Message]:
    """Return what is wrong with a table's own time and place."""
    names = {
        "table": timetable_input.name(table.id),
        "slot": timetable_input.name(slot),
        "place": timetable_input.name(place.id),
    }
    if table.size > place.size:
        yield say(
            "{table} needs {size} seats, {place} has {most}",
            size=table.size,
            most=place.size,
            **names,
        )
    if slot in place.closed:
        yield say("{place} isn’t to be had at {slot}, where {table} is to be played", **names)
    if slot in table.away:
        yield say("{table} can’t be played at {slot}", **names)


def _at_once(timetable_input: TimetableInput, assignment: Assignment) -> Iterator[Message]:
    """Two tables at one place, or one player at two tables, at the same time."""
    taken_at = lists_by_key((where, table) for table, where in sorted(assignment.items()))
    for (slot, place), ids in _shared(taken_at):
        yield say(
            "{tables} are at {place} at once, at {slot}",
            tables=timetable_input.listed(ids),
            place=timetable_input.name(place),
            slot=timetable_input.name(slot),
        )
    for player, tables in timetable_input.players().items():
        slots = lists_by_key(
            (assignment[table.id][0], table.id) for table in tables if table.id in assignment
        )
        for slot, ids in _shared(slots):
            yield say(
                "{player} is at {tables} at once, at {slot}",
                player=timetable_input.name(player),
                tables=timetable_input.listed(ids),
                slot=timetable_input.name(slot),
            )


def _shared(tables: dict[Where, list[str]]) -> list[tuple[Where, list[str]]]:
    return [(where, ids) for where, ids in tables.items() if len(ids) > 1]


def _absent(timetable_input: TimetableInput, assignment: Assignment) -> Iterator[Message]:
    """Players at times at which they can't, or would rather not."""
    for must in (True, False):
        for player, table, slot in _away(timetable_input, assignment, must=must):
            names = {
                "player": timetable_input.name(player),
                "table": timetable_input.name(table),
                "slot": timetable_input.name(slot),
            }
            if must:
                yield say("{player} can’t play at {slot}, where {table} is", **names)
            else:
                yield say("{player} would rather not play at {slot}, where {table} is", **names)


def _out_of_order(timetable_input: TimetableInput, assignment: Assignment) -> Iterator[Message]:
    """Tables that begin before an earlier round of their group is over."""
    position = {slot.id: index for index, slot in enumerate(timetable_input.slots)}
    starts = {table: position[slot] for table, (slot, _) in assignment.items()}
    last: dict[str, UntimedTable] = {}
    for group, earlier, later in rounds_in_order(timetable_input):
        before = [
            table
            for table in (*last.values(), *earlier)
            if table.group == group and table.id in starts
        ]
        if before:
            last[group] = max(before, key=lambda table: starts[table.id])
        for table in later:
            if group in last and table.id in starts and starts[table.id] <= starts[last[group].id]:
                yield say(
                    (
                        "{table} begins at {slot}, before {last} of an earlier round of {group} "
                        "is over"
                    ),
                    table=timetable_input.name(table.id),
                    slot=timetable_input.name(assignment[table.id][0]),
                    last=timetable_input.name(last[group].id),
                    group=timetable_input.name(group),
                )
