"""Who comes late to a stage that is played, and which group has a table for them."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heapreplace
from typing import Final, NamedTuple

from django.db.models import Count, Q, QuerySet

from engine.illegal import Illegal
from engine.pairing.sizes import SIZES
from league.entries.models import Entry
from league.events.models import Event
from league.stages.domain.size import tables_of_group
from league.stages.models import Format, Group, Stage


class LatePlan(NamedTuple):
    """Who is there and not in a stage that is played, in the order of entering; and the groups of the first of them,
    one each. The others have no table there."""

    stage: Stage
    entries: list[Entry]
    groups: list[Group]

    @property
    def without_table(self) -> int:
        """How many have none."""
        return len(self.entries) - len(self.groups)


def late_plan(event: Event) -> LatePlan | None:
    """Who would join the stage that is played, with the next round; None where no stage takes anybody in."""
    stage = stage_to_join(event)
    if stage is None:
        return None
    late = list(late_entries(stage))
    if not late:
        return LatePlan(stage, [], [])
    plays = Q(participants__entry__status=Entry.Status.ENTERED, participants__entry__checked_in_at__isnull=False)
    groups = Group.objects.filter(stage=stage, number__lte=stage.groups).order_by("number")
    counted = list(groups.annotate(playing=Count("participants", filter=plays)))
    sizes = [group.playing for group in counted]
    ways = []
    for group, here, more in zip(counted, sizes, late_places(stage, sizes, len(late)), strict=True):
        ways += [(here + place, group.number, group) for place in range(more)]
    return LatePlan(stage, late, [group for _, _, group in sorted(ways, key=lambda way: way[:2])])


def late_entries(stage: Stage) -> QuerySet[Entry]:
    """Who is there and not in a stage, in the order of entering."""
    there = Entry.objects.filter(event=stage.event_id, status=Entry.Status.ENTERED, checked_in_at__isnull=False)
    return there.exclude(participations__stage=stage).order_by("number")


def late_places(stage: Stage, playing: Sequence[int], count: int) -> list[int]:
    """How many of so many who come late each group takes in, where so many play in each: as many as can be without
    leaving somebody for whom the table sizes have no table, in groups as even as can be."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for here, about in zip(playing, _evenly(playing, count), strict=True):
        near = range(max(0, about - SIZES[-1]), min(count, about + SIZES[-1]) + 1)
        choices = [
            more for more in (0, *near) if more == 0 or not isinstance(tables_of_group(stage, here + more), Illegal)
        ]
        grown: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (uneven, fewer) in best.items():
            for more in choices:
                if taken + more <= count:
                    plan = (uneven + (here + more) ** 2, (*fewer, -more))
                    grown[taken + more] = min(grown.get(taken + more, plan), plan)
        best = grown
    _, fewer = best[max(best)]
    return [-more for more in fewer]


def _evenly(playing: Sequence[int], count: int) -> list[int]:
    """How many each group gets if everybody goes to the smallest one."""
    sizes = [(here, number) for number, here in enumerate(playing)]
    heapify(sizes)
    added = [0] * len(playing)
    for _ in range(count):
        here, number = sizes[0]
        heapreplace(sizes, (here + 1, number))
        added[number] += 1
    return added


JOINABLE: Final = (Format.SWISS, Format.ROUND_ROBIN, Format.PODS)
"""The formats that seat whoever is there, round by round."""


def stage_to_join(event: Event) -> Stage | None:
    """The stage that somebody who comes late still gets into: the first one, while it has a round to draw."""
    stage = Stage.objects.filter(event=event.pk, number=1, status=Stage.Status.RUNNING, format__in=JOINABLE).first()
    if stage is None:
        return None
    status = stage.stage_rounds.model.Status
    asked = stage.stage_rounds.exclude(status__in=(status.TAKEN_BACK, status.FAILED)).count()
    return stage if stage.rounds is None or asked < stage.rounds else None
