"""The groups of a stage: their members, and the tables at which they fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_uppercase
from typing import NamedTuple

from django.utils.translation import gettext

from engine.illegal import Illegal
from engine.pairing.sizes import SizeMix
from league.stages.stage.domain.size import tables_of_group
from league.stages.stage.models import Stage


class NumberedName(NamedTuple):
    """A division of the season (the highest is 1), or a group of the stage before."""

    number: int
    name: str


class GroupPlan(NamedTuple):
    """The groups with which a stage would start: the `names` of all groups and, for each player in
    the order of the seeding, the number of the group, from 1."""

    names: Sequence[str]
    numbers: Sequence[int]

    @property
    def sizes(self) -> list[int]:
        """Return the number of players in each group."""
        return [self.numbers.count(number) for number in range(1, len(self.names) + 1)]


def equal_groups(groups: int, count: int) -> GroupPlan:
    """Return about equally strong groups for `count` players, named A, B, …"""
    names = [""] * groups
    if 1 < groups <= len(ascii_uppercase):
        names = list(ascii_uppercase[:groups])
    return GroupPlan(names, [group_at(place, groups) for place in range(count)])


def division_groups(divisions: Sequence[NumberedName]) -> GroupPlan:
    """Return a group for each division, the highest first, from the players' divisions."""
    order = sorted(set(divisions))
    names = [name for _, name in order]
    return GroupPlan(names, [1 + order.index(division) for division in divisions])


def group_at(place: int, groups: int) -> int:
    """Return the group, from 1, of the player at a place of the seeding, from 0: back and forth
    (1, 2, 3, 3, 2, 1, …), so that groups are about equally strong."""
    lap, step = divmod(place, groups)
    if lap % 2 == 0:
        return 1 + step
    return groups - step


def group_tables(stage: Stage, plan: GroupPlan) -> list[SizeMix | Illegal]:
    """Return the table sizes of a round for each group, or why a group can't be seated.

    Empty for knock-outs, ladders and free tables, which can seat any number.
    """
    if stage.by_place or stage.format_rules.free:
        return []
    return [tables_of_group(stage, size) for size in plan.sizes]


def seating_fault(stage: Stage, plan: GroupPlan) -> str:
    """Return a sentence on why a stage can't be played in these groups, and what to do about it;
    empty if it can."""
    if stage.by_division and not plan.names:
        return gettext(
            "The season has no divisions yet. Say who plays in which, or let the stage make "
            "its groups."
        )
    for name, mix in zip(plan.names, group_tables(stage, plan), strict=False):
        if isinstance(mix, Illegal) and stage.by_division and stage.number == 1:
            text = gettext(
                "Tables of these sizes can’t seat everybody in “%(group)s” (%(reason)s). Allow "
                "another size, or change who plays in which division."
            )
            return text % {"group": name, "reason": mix.message.translated(gettext)}
        if isinstance(mix, Illegal):
            text = gettext(
                "Tables of these sizes can’t seat everybody (%(reason)s). Allow another size."
            )
            return text % {"reason": mix.message.translated(gettext)}
    return ""


def in_divisions(stages: Iterable[Stage]) -> bool:
    """Return True if all started stages of an event are played in divisions; False before the first
    one has started."""
    started = [stage.by_division for stage in stages if stage.status != Stage.Status.PLANNED]
    return bool(started) and all(started)


def group_title(name: str) -> str:
    """Return the title of a group: “Group A”, or the name of its division; empty for an only
    group."""
    if len(name) != 1:
        return name
    return gettext("Group %(name)s") % {"name": name}
