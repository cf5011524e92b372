"""The cost of a timetable, and the needs that it breaks, even if it was made by hand."""

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
"""When and where a player is: the slot's position from 0, the table, the place."""
Where = TypeVar("Where")


def timetable_cost(timetable_input: TimetableInput, assignment: Assignment) -> dict[Wish, int]:
    """Return how far each wish of the input isn't met, in their order.

    The cost is a count; for `end` it is the last slot in use, and for `late` the sum of the tables'
    slots, counted from 0. The slots of the assignment must be known; tables without a slot cost
    nothing."""
    position = {slot.id: index for index, slot in enumerate(timetable_input.slots)}
    positions = [position[slot] for slot, _ in assignment.values()]
    cost: dict[Wish, int] = {
        "absent": sum(1 for _ in _played_while_away(timetable_input, assignment, must=False)),
        "end": max(positions, default=0),
        "late": sum(positions),
        "breaks": 0,
        "moves": 0,
    }
    for route in _routes(timetable_input, assignment).values():
        for (before, _, place_before), (after, _, place_after) in pairwise(route):
            is_next = after == before + 1
            cost["breaks"] += is_next and not timetable_input.slots[before].pause
            cost["moves"] += place_before != place_after
    return {wish: cost[wish] for wish in timetable_input.wishes}


def conflicts(timetable_input: TimetableInput, assignment: Assignment) -> tuple[Message, ...]:
    """Return a sentence for each need that an assignment breaks, and for each of its players who
    would rather not play then.

    The input must be without a fault. The assignment may be anything, such as one made by hand:
    unknown tables, slots and places are reported, and then ignored."""
    slots = {slot.id for slot in timetable_input.slots}
    tables = {table.id: table for table in timetable_input.tables}
    places = {place.id: place for place in timetable_input.places}
    placed = {
        table_id: (slot, place)
        for table_id, (slot, place) in sorted(assignment.items())
        if table_id in tables and slot in slots and place in places
    }
    messages = list(_unplaced_or_unknown(timetable_input, assignment, placed))
    for table_id, (slot, place) in placed.items():
        messages += _misplaced(timetable_input, tables[table_id], slot, places[place])
    messages += _double_bookings(timetable_input, placed)
    messages += _absent_players(timetable_input, placed)
    messages += _rounds_out_of_order(timetable_input, placed)
    return tuple(messages)


def rounds_in_order(
    timetable_input: TimetableInput,
) -> Iterator[tuple[str, list[UntimedTable], list[UntimedTable]]]:
    """Yield each group with the tables of one round and those of its next round.

    Groups and tables are in the order of their ids.
    """
    groups: defaultdict[str, defaultdict[int, list[UntimedTable]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for table in sorted(timetable_input.tables, key=lambda table: table.id):
        if table.group is not None:
            groups[table.group][table.round].append(table)
    for group, rounds in sorted(groups.items()):
        for earlier, later in pairwise(sorted(rounds)):
            yield group, rounds[earlier], rounds[later]


def _routes(timetable_input: TimetableInput, assignment: Assignment) -> dict[str, list[Sat]]:
    position = {slot.id: index for index, slot in enumerate(timetable_input.slots)}
    routes = {}
    for player, tables in timetable_input.players().items():
        route = []
        for table in tables:
            if table.id in assignment:
                slot, place = assignment[table.id]
                route.append((position[slot], table.id, place))
        routes[player] = sorted(route)
    return routes


def _played_while_away(
    timetable_input: TimetableInput, assignment: Assignment, *, must: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield the player, table and slot of each game that a player can't (`must`) or would rather
    not play."""
    players = timetable_input.players()
    for player, slots in timetable_input.absences(must=must).items():
        for table in players[player]:
            if table.id in assignment and assignment[table.id][0] in slots:
                yield player, table.id, assignment[table.id][0]


def _unplaced_or_unknown(
    timetable_input: TimetableInput, assignment: Assignment, placed: Assignment
) -> Iterator[Message]:
    for table_id in sorted({table.id for table in timetable_input.tables} - assignment.keys()):
        yield say("{table} has no time and place yet", table=timetable_input.name(table_id))
    for table_id in sorted(assignment.keys() - placed.keys()):
        slot, place = assignment[table_id]
        yield say(
            "{table} at {slot}, {place}: not all of these are known",
            table=timetable_input.name(table_id),
            slot=timetable_input.name(slot),
            place=timetable_input.name(place),
        )


def _misplaced(
    timetable_input: TimetableInput, table: UntimedTable, slot: str, place: HallPlace
) -> Iterator[Message]:
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
        yield say("{place} isn’t available at {slot}, when {table} is to be played", **names)
    if slot in table.away:
        yield say("{table} can’t be played at {slot}", **names)


def _double_bookings(timetable_input: TimetableInput, assignment: Assignment) -> Iterator[Message]:
    tables_by_place = lists_by_key((where, table) for table, where in sorted(assignment.items()))
    for (slot, place), ids in _shared(tables_by_place):
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


def _shared(tables_at: dict[Where, list[str]]) -> list[tuple[Where, list[str]]]:
    return [(where, ids) for where, ids in tables_at.items() if len(ids) > 1]


def _absent_players(timetable_input: TimetableInput, assignment: Assignment) -> Iterator[Message]:
    for must in (True, False):
        for player, table, slot in _played_while_away(timetable_input, assignment, must=must):
            names = {
                "player": timetable_input.name(player),
                "table": timetable_input.name(table),
                "slot": timetable_input.name(slot),
            }
            if must:
                yield say("{player} can’t play at {slot}, when {table} is played", **names)
            else:
                yield say(
                    "{player} would rather not play at {slot}, when {table} is played", **names
                )


def _rounds_out_of_order(
    timetable_input: TimetableInput, assignment: Assignment
) -> Iterator[Message]:
    position = {slot.id: index for index, slot in enumerate(timetable_input.slots)}
    starts = {table: position[slot] for table, (slot, _) in assignment.items()}
    # By group, the table of all earlier rounds that begins last.
    last: dict[str, UntimedTable] = {}
    for group, earlier, later in rounds_in_order(timetable_input):
        timed_earlier = [table for table in earlier if table.id in starts]
        if group in last:
            timed_earlier.insert(0, last[group])
        if not timed_earlier:
            continue
        last[group] = max(timed_earlier, key=lambda table: starts[table.id])
        last_start = starts[last[group].id]
        for table in later:
            if table.id not in starts or starts[table.id] > last_start:
                continue
            slot, _ = assignment[table.id]
            yield say(
                "{table} begins at {slot}, before {last} of an earlier round of {group} is over",
                table=timetable_input.name(table.id),
                slot=timetable_input.name(slot),
                last=timetable_input.name(last[group].id),
                group=timetable_input.name(group),
            )
