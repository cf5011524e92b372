"""Latecomers to a stage that is played, and which group has a table for them."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count, Q, QuerySet

from league.entries.models import Entry
from league.events.models import Event
from league.stages.domain.latecomer import late_places
from league.stages.models import Group, Stage


class LatePlan(NamedTuple):
    """Those who are there and not in a stage that is played, in the order of entering; and the groups of the first of
    them, one each. The others have no table there."""

    stage: Stage
    entries: list[Entry]
    groups: list[Group]

    @property
    def without_table(self) -> int:
        """Read how many have none."""
        return len(self.entries) - len(self.groups)


def late_plan(event: Event) -> LatePlan | None:
    """Read who would join the stage that is played, with the next round; None where no stage takes anybody in."""
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
    ways = [
        (size + place, group.number, group)
        for group, size, more in zip(counted, sizes, late_places(stage, sizes, len(late)), strict=True)
        for place in range(more)
    ]
    return LatePlan(stage, late, [group for _, _, group in sorted(ways, key=lambda way: way[:2])])


def late_entries(stage: Stage) -> QuerySet[Entry]:
    """Read who is there and not in a stage, in the order of entering."""
    there = Entry.objects.select_related("player").filter(
        event=stage.event_id, status=Entry.Status.ENTERED, checked_in_at__isnull=False
    )
    return there.exclude(participations__stage=stage).order_by("number")


def stage_to_join(event: Event) -> Stage | None:
    """The stage that somebody who comes late still gets into: the first one, while it has a round to draw."""
    stage = Stage.objects.filter(event=event.pk, number=1, status=Stage.Status.RUNNING).first()
    if stage is None or not stage.format_rules.joinable:
        return None
    status = stage.stage_rounds.model.Status
    asked = stage.stage_rounds.exclude(status__in=(status.TAKEN_BACK, status.FAILED)).count()
    return stage if stage.rounds is None or asked < stage.rounds else None
