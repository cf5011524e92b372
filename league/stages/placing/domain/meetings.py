"""Meetings in a stage: how often any two players sat at the same table, walkovers apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from engine.grouping import lists_by_key
from engine.pairing.bounds import fewest_again
from league.stages.stage.domain.facts import Member, StageFacts

WIDTH: Final = 40
"""The largest group whose table of meetings has a column for each player."""


class MetAgain(NamedTuple):
    """A player who was met more than once, and how often."""

    member: Member
    times: int


class MeetingsOfMember(NamedTuple):
    """A player's meetings: the number of others met, those met `again`, and the `times` that each
    member of the group was met, in the group's order (None for the player; empty if the group is
    too large for columns)."""

    number: int
    member: Member
    others: int
    again: tuple[MetAgain, ...]
    times: tuple[int | None, ...]


class MeetingsOfGroup(NamedTuple):
    """A group's meetings: its `rows`, the number of `pairs` that met, of meetings `again`, and the
    `least` number of them in any draw of the same tables."""

    name: str
    columns: tuple[Member, ...]
    rows: tuple[MeetingsOfMember, ...]
    pairs: int
    again: int
    least: int


def meetings_of(facts: StageFacts) -> list[MeetingsOfGroup]:
    """Return the meetings of a stage, group by group."""
    return [_meetings_in_group(facts, group.pk, group.name) for group in facts.groups]


def _meetings_in_group(facts: StageFacts, group: int, name: str) -> MeetingsOfGroup:
    members = facts.group_members(group)
    met: dict[int, Counter[int]] = {member.entry: Counter() for member in members}
    tables = facts.played_tables(group)
    for table in tables:
        for first, second in combinations(table.entries, 2):
            met[first][second] += 1
            met[second][first] += 1
    columns = tuple(members) if len(members) <= WIDTH else ()
    rows = [
        _meetings_of_member(number, member, met[member.entry], facts, columns)
        for number, member in enumerate(members, 1)
    ]
    pairs = sum(row.others for row in rows) // 2
    meetings = sum(sum(counts.values()) for counts in met.values()) // 2
    rounds = lists_by_key([(facts.file_round(table), table.entries) for table in tables])
    return MeetingsOfGroup(
        name, columns, tuple(rows), pairs, meetings - pairs, fewest_again([*rounds.values()])
    )


def _meetings_of_member(
    number: int,
    member: Member,
    meetings_by_entry: Counter[int],
    facts: StageFacts,
    columns: Sequence[Member],
) -> MeetingsOfMember:
    again = [
        MetAgain(facts.members[entry], times)
        for entry, times in meetings_by_entry.items()
        if times > 1
    ]
    again.sort(key=lambda met: met.member.seed)
    times = tuple(None if other is member else meetings_by_entry[other.entry] for other in columns)
    return MeetingsOfMember(
        number, member, others=len(meetings_by_entry), again=tuple(again), times=times
    )
