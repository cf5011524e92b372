"""The groups of a stage: who comes into which, and at which tables they fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.utils.translation import gettext

from engine.illegal import Illegal
from engine.pairing.sizes import SizeMix
from league.stages.stage.domain.size import tables_of_group
from league.stages.stage.models import Stage


class NumberedName(NamedTuple):
    """A division of the season, the highest has 1, or a group of the stage before."""

    number: int
    name: str


class GroupPlan(NamedTuple):
    """The groups with which a stage would start: the `names` of all, and the `numbers`, from 1, of
    those into which the players come, in the order of the seeding."""

    names: Sequence[str]
    numbers: Sequence[int]

    @property
    def sizes(self) -> list[int]:
        """How many come into each group."""
        return [self.numbers.count(number) for number in range(1, len(self.names) + 1)]


def equal_groups(groups: int, count: int) -> GroupPlan:
    """Groups for so many players that are about equally strong."""
    names = [chr(64 + number) if 1 < groups <= 26 else "" for number in range(1, groups + 1)]
    return GroupPlan(names, [group_at(place, groups) for place in range(count)])


def division_groups(divisions: Sequence[NumberedName]) -> GroupPlan:
    """A group for each division in which somebody plays, the highest first; `divisions`: those of
    the players."""
    order = sorted(set(divisions))
    return GroupPlan(
        [name for _, name in order], [1 + order.index(division) for division in divisions]
    )


def group_at(place: int, groups: int) -> int:
    """The number of the group of whom the seeding has at a place, from 0: back and forth, so that
    the groups are about as strong."""
    lap, step = divmod(place, groups)
    return 1 + (step if lap % 2 == 0 else groups - 1 - step)


def group_tables(stage: Stage, plan: GroupPlan) -> list[SizeMix | Illegal]:
    """The tables of a round of a stage, a mix for each group, or why one can't be seated.

    A knock-out and a ladder seat whom they need, free tables who likes to sit there; a final seats
    everybody at one."""
    if stage.by_place or stage.format_rules.free:
        return []
    return [tables_of_group(stage, size) for size in plan.sizes]


def seating_fault(stage: Stage, plan: GroupPlan) -> str:
    """Say why a stage can't be played in these groups, and what to do; nothing if it can."""
    if stage.by_division and not plan.names:
        return gettext(
            "The season has no divisions yet. Say who plays in which, or let the stage make "
            "its groups."
        )
    for name, mix in zip(plan.names, group_tables(stage, plan), strict=False):
        if isinstance(mix, Illegal) and stage.by_division and stage.number == 1:
            text = gettext(
                "Tables of these sizes don’t seat everybody of “%(group)s” (%(reason)s). Allow "
                "one more size, or "
                "change who plays in which division."
            )
            return text % {"group": name, "reason": mix.message.translated(gettext)}
        if isinstance(mix, Illegal):
            text = gettext(
                "Tables of these sizes don’t seat everybody (%(reason)s). Allow one more size."
            )
            return text % {"reason": mix.message.translated(gettext)}
    return ""


def in_divisions(stages: Iterable[Stage]) -> bool:
    """True if all stages of an event that have started are played in divisions, False before the
    first one has."""
    started = [stage.by_division for stage in stages if stage.status != Stage.Status.PLANNED]
    return bool(started) and all(started)


def group_title(name: str) -> str:
    """A group as people call it: “Group A”, or the name of its division; empty where all play
    together."""
    return gettext("Group %(name)s") % {"name": name} if len(name) == 1 else name
