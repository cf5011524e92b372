"""The facts that a timetable is made from, its stored form, and warnings about it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext

from engine.illegal import Illegal
from engine.messages import Message
from engine.pairing.timetables.timetable_cost import conflicts
from engine.pairing.timetables.timetable_input import Away as AwayInput
from engine.pairing.timetables.timetable_input import HallPlace as PlaceInput
from engine.pairing.timetables.timetable_input import Slot as SlotInput
from engine.pairing.timetables.timetable_input import TimetableInput, UntimedTable, timetable_fault
from engine.record.canonical import canonical_json
from league.floor.hall.domain.hall import Hall, place_name
from league.floor.hall.models import HallPlace, Slot
from league.floor.timetable.models import Timetable
from league.stages.round.domain.reason import ID
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN, StageFacts, StageTable
from league.stages.stage.domain.size import tables_of_group
from league.stages.stage.domain.table_name import own_place, table_number
from league.stages.stage.models import Stage

Status = Timetable.Status
IDS_IN_SENTENCES: Final = re.compile(rf"{ID.pattern}(?:\.\d+\.\d+)?")
"""The ids of players, places, slots and stages in a sentence, and the keys of tables."""


class TableKey(NamedTuple):
    """The key of a table, whether it is drawn or not: the public id of its stage, the number of its
    round, and its number there."""

    stage: str
    round_number: int
    number: int

    def __str__(self) -> str:
        """Return the key as the engine's id of a table. As text, table 2 sorts before table 10."""
        return f"{self.stage}.{self.round_number:02}.{self.number:04}"


class Timed(NamedTuple):
    """The time and the place at which a table is played."""

    slot: Slot
    place: HallPlace


@dataclass(frozen=True, slots=True)
class TimetableFacts:
    """Everything that timetables of an event are made from, and the current timetables.

    `stage`: the stage that is running or ran last, None if none has started. `draft`: the newest
    timetable if it isn't published: requested, failed or ready. `rows`: the tables of the draft and
    of the published timetable, by the timetable's row id.
    """

    hall: Hall
    stage: StageFacts | None
    draft: Timetable | None
    published: Timetable | None
    rows: Mapping[int, Mapping[TableKey, Timed]]

    @property
    def current(self) -> Timetable | None:
        """Return the timetable that can be changed: the draft if it is ready, otherwise the
        published one."""
        return self.draft if self.draft and self.draft.status == Status.READY else self.published

    def assignment(self, timetable: Timetable | None) -> Mapping[TableKey, Timed]:
        """Return the times and places of a timetable's tables."""
        return self.rows.get(timetable.pk, {}) if timetable else {}


def drawn_tables(facts: StageFacts | None) -> dict[TableKey, StageTable]:
    """Return the tables of a stage that are drawn and not finished."""
    tables = tables_of_rounds(facts, (StageRound.Status.DRAWN, *DRAWN))
    return {key: table for key, table in tables.items() if not table.finished}


def tables_of_rounds(
    facts: StageFacts | None, statuses: Collection[str]
) -> dict[TableKey, StageTable]:
    """Return the tables of the rounds of a stage that have one of the statuses."""
    if facts is None:
        return {}
    rounds = {row.number for row in facts.rounds if row.status in statuses}
    return {
        TableKey(facts.stage.public_id, table.round_number, table.number): table
        for table in facts.tables
        if table.round_number in rounds
    }


def coming_sizes(facts: StageFacts | None) -> dict[TableKey, int]:
    """Return the sizes of the tables in the planned rounds that aren't drawn yet, if as many play
    as now. Empty for a knock-out or a ladder, for a stage that is over, and if a group can't be
    seated."""
    if (
        facts is None
        or facts.stage.rounds is None
        or facts.stage.status != Stage.Status.RUNNING
        or facts.stage.by_place
    ):
        return {}
    sizes: list[int] = []
    for group in facts.groups_left:
        mix = tables_of_group(
            facts.stage, sum(member.plays for member in facts.group_members(group.pk))
        )
        if isinstance(mix, Illegal):
            return {}
        sizes += mix.tables
    return {
        TableKey(facts.stage.public_id, round_number, number): size
        for round_number in range(facts.last_number + 1, facts.stage.rounds + 1)
        for number, size in enumerate(sizes, start=1)
    }


def timetable_input(
    facts: TimetableFacts, *, ahead: bool, first: Slot | None = None
) -> TimetableInput:
    """Return the input of the next timetable, with ids for all names: the drawn tables that aren't
    finished and, with `ahead`, the tables of the rounds to come; all places; the slots from `first`
    on."""
    hall = facts.hall
    stage = facts.stage
    slots = {
        slot.pk: slot.public_id
        for slot in hall.slots
        if first is None or slot.starts_at >= first.starts_at
    }
    tables = []
    for key, table in drawn_tables(stage).items():
        assert stage is not None
        player_ids = stage.ids(table)
        tables.append(
            # A table has at least one seat, even if nobody is known to sit there.
            UntimedTable(str(key), max(len(player_ids), 1), player_ids, key.stage, key.round_number)
        )
    if ahead:
        tables += [
            UntimedTable(str(key), size, (), key.stage, key.round_number)
            for key, size in coming_sizes(stage).items()
        ]
    seated_players = {player_id for table in tables for player_id in table.players}
    return TimetableInput(
        tables=tuple(tables),
        places=tuple(
            PlaceInput(
                place.public_id,
                place.number,
                place.size,
                tuple(slots[pk] for pk in place.closed if pk in slots),
            )
            for place in hall.places
        ),
        slots=tuple(SlotInput(slot_id) for slot_id in slots.values()),
        away=tuple(
            AwayInput(row.entry.public_id, (slots[row.slot_id],), row.must)
            for row in hall.away
            if row.slot_id in slots and row.entry.public_id in seated_players
        ),
    )


def input_json(timetable: TimetableInput) -> str:
    """Return an input as text to be stored, without names."""
    return canonical_json(
        {name: value for name, value in asdict(timetable).items() if name != "names"}
    ).decode()


def input_read(text: str) -> TimetableInput:
    """Return the input that `input_json` wrote."""
    stored: dict[str, Any] = json.loads(text)
    return TimetableInput(
        tables=tuple(UntimedTable(**_with_tuples(part)) for part in stored["tables"]),
        places=tuple(PlaceInput(**_with_tuples(part)) for part in stored["places"]),
        slots=tuple(SlotInput(**_with_tuples(part)) for part in stored["slots"]),
        away=tuple(AwayInput(**_with_tuples(part)) for part in stored["away"]),
        wishes=tuple(stored["wishes"]),
    )


def _with_tuples(part: dict[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in part.items()
    }


def key_name(key: TableKey, stage: Stage | None) -> str:
    """Return the name of a table of a stage as part of a sentence."""
    number = table_number(stage, key.round_number, key.number) if stage else key.number
    return gettext("round %(round)d, table %(number)d") % {
        "round": key.round_number,
        "number": number,
    }


def names_in(facts: TimetableFacts) -> dict[str, str]:
    """Return the names of everything in an input, by its id, in the reader's language."""
    hall = facts.hall
    names = hall.slot_names | {place.public_id: place_name(place) for place in hall.places}
    if facts.stage is not None:
        names[facts.stage.stage.public_id] = facts.stage.stage.name
        names |= {member.entry_id: member.name for member in facts.stage.members.values()}
    keys = {
        *drawn_tables(facts.stage),
        *coming_sizes(facts.stage),
        *(key for rows in facts.rows.values() for key in rows),
    }
    stage = facts.stage.stage if facts.stage else None
    return names | {str(key): key_name(key, stage) for key in keys}


def failure_lines(timetable: Timetable, names: Mapping[str, str]) -> list[str]:
    """Return sentences, in the reader's language, on why a timetable couldn't be made."""
    messages = [Message.from_json(reason).translated(gettext) for reason in timetable.failure or ()]
    return [
        IDS_IN_SENTENCES.sub(lambda match: names.get(match[0], match[0]), sentence)
        for sentence in messages
    ]


def warnings(
    facts: TimetableFacts, timetable: Timetable, assignment: Mapping[TableKey, Timed]
) -> list[str]:
    """Return sentences on what is wrong with the times and places of a timetable's tables as things
    are now. Tables that are finished or no longer exist are left out."""
    current_input = replace(timetable_input(facts, ahead=timetable.ahead), names=names_in(facts))
    if timetable_fault(current_input):
        return []
    table_ids = {table.id for table in current_input.tables}
    planned = {
        str(key): (timed.slot.public_id, timed.place.public_id)
        for key, timed in assignment.items()
        if str(key) in table_ids
    }
    return [message.translated(gettext) for message in conflicts(current_input, planned)]


def place_of(
    stage: Stage, round_number: int, number: int, timed: Timed | None
) -> tuple[str, datetime | None]:
    """Return the place and the time of an unfinished table: those of the published timetable, or
    the place of its own number and no time."""
    if timed is None:
        return (own_place(stage, round_number, number), None)
    return (str(timed.place), timed.slot.starts_at)
