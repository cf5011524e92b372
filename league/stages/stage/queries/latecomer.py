"""Latecomers to the running stage, and the groups with a table for them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from league.events.entry.models import Entry
from league.events.event.models import Event
from league.stages.stage.domain.latecomer import late_places
from league.stages.stage.models import Group, Stage
from league.stages.stage.queries.group import entry_divisions


class LatePlan(NamedTuple):
    """The latecomers: the entries that are checked in and not in the running stage, in the order of
    entering; `placed`: the ones that get a table, with their groups."""

    stage: Stage
    entries: list[Entry]
    placed: list[tuple[Entry, Group]]

    @property
    def without_table(self) -> int:
        """Return how many entries have no table."""
        return len(self.entries) - len(self.placed)


def late_plan(event: Event) -> LatePlan | None:
    """Return the latecomers who would join the running stage with the next round; None if no stage
    takes latecomers in."""
    stage = stage_to_join(event)
    if stage is None:
        return None
    late = list(late_entries(stage))
    if not late:
        return LatePlan(stage, entries=[], placed=[])

    is_playing = Q(
        participants__entry__status=Entry.Status.ENTERED,
        participants__entry__checked_in_at__isnull=False,
    )
    groups = Group.objects.filter(stage=stage, number__lte=stage.groups).order_by("number")
    groups_with_counts = list(groups.annotate(playing=Count("participants", filter=is_playing)))
    place_in_groups = _placed_in_divisions if stage.by_division else _placed_evenly
    return LatePlan(stage, late, place_in_groups(stage, late, groups_with_counts))


def _placed_evenly(stage: Stage, late: list[Entry], groups: list[Any]) -> list[tuple[Entry, Group]]:
    """Return the latecomers who get a table, with the group of each: the smallest group takes the
    next one, as long as its tables can seat one more."""
    sizes = [group.playing for group in groups]
    places = late_places(stage, sizes, len(late))
    free_places = []
    for group, size, count in zip(groups, sizes, places, strict=True):
        # Each place with the number of players already in the group, to fill small groups first.
        free_places += [(size + place, group.number, group) for place in range(count)]
    free_places.sort(key=lambda place: place[:2])
    return [(entry, group) for entry, (_, _, group) in zip(late, free_places, strict=False)]


def _placed_in_divisions(
    stage: Stage, late: list[Entry], groups: list[Any]
) -> list[tuple[Entry, Group]]:
    numbers = {group.name: group.number for group in groups}
    lowest = groups[-1].number
    divisions = entry_divisions(stage.event, late)
    late_by_group: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in late:
        division = divisions.get(entry.pk)
        # Players of a division without a group join the lowest one.
        number = numbers.get(division.name, lowest) if division else lowest
        late_by_group[number].append(entry)

    placed = []
    for group in groups:
        latecomers = late_by_group[group.number]
        (count,) = late_places(stage, [group.playing], len(latecomers))
        placed += [(entry, group) for entry in latecomers[:count]]
    return placed


def late_entries(stage: Stage) -> QuerySet[Entry]:
    """Return the entries that are there and not in a stage, in the order of entering."""
    return (
        _checked_in_entries_not_in_stage(stage.event_id, stage.pk)
        .select_related("player")
        .order_by("number")
    )


def _checked_in_entries_not_in_stage(
    event: int | OuterRef, stage: int | OuterRef
) -> QuerySet[Entry]:
    checked_in = Entry.objects.filter(
        event=event, status=Entry.Status.ENTERED, checked_in_at__isnull=False
    )
    return checked_in.exclude(participations__stage=stage)


HAS_LATE: Final = Exists(_checked_in_entries_not_in_stage(OuterRef("event"), OuterRef("pk")))
"""The condition that a player is there who isn't in the stage."""


def stage_to_join(event: Event) -> Stage | None:
    """Return the event's first stage while it runs and has a round to draw, if its format takes
    latecomers in; else None."""
    stage = Stage.objects.filter(event=event.pk, number=1, status=Stage.Status.RUNNING).first()
    if stage is None or not stage.format_rules.joinable:
        return None
    status = stage.stage_rounds.model.Status
    rounds_requested = stage.stage_rounds.exclude(
        status__in=(status.TAKEN_BACK, status.FAILED)
    ).count()
    if stage.rounds is not None and rounds_requested >= stage.rounds:
        return None
    return stage
