"""Latecomers to a stage that is played, and which group has a table for them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from engine.grouping import lists_by_key
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.stages.stage.domain.latecomer import late_places
from league.stages.stage.models import Group, Stage
from league.stages.stage.queries.group import entry_divisions


class LatePlan(NamedTuple):
    """Those who are there and not in a stage that is played, in the order of entering; and who of
    them comes into which of its groups. The others have no table there."""

    stage: Stage
    entries: list[Entry]
    placed: list[tuple[Entry, Group]]

    @property
    def without_table(self) -> int:
        """Read how many have none."""
        return len(self.entries) - len(self.placed)


def late_plan(event: Event) -> LatePlan | None:
    """Read who would join the stage that is played, with the next round; None where no stage takes
    anybody in."""
    stage = stage_to_join(event)
    if stage is None:
        return None
    late = list(late_entries(stage))
    if not late:
        return LatePlan(stage, [], [])
    plays = Q(
        participants__entry__status=Entry.Status.ENTERED,
        participants__entry__checked_in_at__isnull=False,
    )
    groups = Group.objects.filter(stage=stage, number__lte=stage.groups).order_by("number")
    counted = list(groups.annotate(playing=Count("participants", filter=plays)))
    return LatePlan(
        stage, late, (_in_divisions if stage.by_division else _evenly)(stage, late, counted)
    )


def _evenly(stage: Stage, late: list[Entry], groups: list[Any]) -> list[tuple[Entry, Group]]:
    """Put those who come late into the smallest groups that have a table for them."""
    sizes = [group.playing for group in groups]
    ways = [
        (size + place, group.number, group)
        for group, size, more in zip(
            groups, sizes, late_places(stage, sizes, len(late)), strict=True
        )
        for place in range(more)
    ]
    return list(
        zip(late, [group for _, _, group in sorted(ways, key=lambda way: way[:2])], strict=False)
    )


def _in_divisions(stage: Stage, late: list[Entry], groups: list[Any]) -> list[tuple[Entry, Group]]:
    """Put those who come late into the groups of their divisions, so many as have a table there.
    Whose division isn't played is in the lowest that is."""
    numbers, lowest = {group.name: group.number for group in groups}, groups[-1].number
    names = {pk: division.name for pk, division in entry_divisions(stage.event, late).items()}
    entries = lists_by_key((numbers.get(names.get(entry.pk, ""), lowest), entry) for entry in late)
    return [
        (entry, group)
        for group in groups
        for entry in entries[group.number][
            : late_places(stage, [group.playing], len(entries[group.number]))[0]
        ]
    ]


def late_entries(stage: Stage) -> QuerySet[Entry]:
    """Read who is there and not in a stage, in the order of entering."""
    return _late(stage.event_id, stage.pk).select_related("player").order_by("number")


def _late(event: int | OuterRef, stage: int | OuterRef) -> QuerySet[Entry]:
    there = Entry.objects.filter(
        event=event, status=Entry.Status.ENTERED, checked_in_at__isnull=False
    )
    return there.exclude(participations__stage=stage)


HAS_LATE: Final = Exists(_late(OuterRef("event"), OuterRef("pk")))
"""Of a stage: true if somebody is there who isn't in it."""


def stage_to_join(event: Event) -> Stage | None:
    """The stage that somebody who comes late still gets into: the first one, while it has a round
    to draw."""
    stage = Stage.objects.filter(event=event.pk, number=1, status=Stage.Status.RUNNING).first()
    if stage is None or not stage.format_rules.joinable:
        return None
    status = stage.stage_rounds.model.Status
    asked = stage.stage_rounds.exclude(status__in=(status.TAKEN_BACK, status.FAILED)).count()
    return stage if stage.rounds is None or asked < stage.rounds else None
