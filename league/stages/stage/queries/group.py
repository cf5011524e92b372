"""The groups with which a stage would start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.db.models import F, FilteredRelation, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, ngettext

from engine.illegal import Illegal
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.stages.stage.domain.group import (
    GroupPlan,
    NumberedName,
    division_groups,
    equal_groups,
    group_tables,
    in_divisions,
)
from league.stages.stage.models import Participant, Stage
from league.stages.stage.queries.stage import present_entries
from league.standings.division.models import Division, DivisionPlayer


def group_plan(stage: Stage, entries: Sequence[Entry]) -> GroupPlan:
    """Return the groups with which a stage would start with these entries, given in the order of
    their seeding: equally strong groups, or the divisions of the season. A later stage by division
    keeps the groups of the stage before."""
    if not stage.by_division:
        return equal_groups(stage.groups, len(entries))
    if stage.number == 1:
        names = entry_divisions(stage.event, entries)
    else:
        rows = Participant.objects.filter(
            stage__event=stage.event_id, stage__number=stage.number - 1
        )
        groups = rows.values_list("entry", "group__number", "group__name")
        names = {entry: NumberedName(number, name) for entry, number, name in groups}
    return division_groups([names[entry.pk] for entry in entries if entry.pk in names])


def entry_divisions(event: Event, entries: Sequence[Entry]) -> dict[int, NumberedName]:
    """Return the season's divisions in which these entries play, by row id of the entry; empty if
    the season has none.

    A substitute plays in the division of the player for whom they count; a player in no division,
    in the lowest.
    """
    lowest = Division.objects.filter(season=event.season_id).order_by("-number").first()
    if lowest is None:
        return {}
    # The highest division comes last, and so decides for a player who was merged from two.
    rows = DivisionPlayer.objects.filter(season=event.season_id).order_by("-division__number")
    player = Coalesce("player__merged_into", "player")
    divisions = {
        player_id: NumberedName(number, name)
        for player_id, number, name in rows.values_list(
            player, "division__number", "division__name"
        )
    }
    counts_for = Coalesce(
        "substitutes__merged_into", "substitutes", "player__merged_into", "player"
    )
    players = Entry.objects.filter(pk__in=[entry.pk for entry in entries]).values_list(
        "pk", counts_for
    )
    return {
        pk: divisions.get(player_id, NumberedName(lowest.number, lowest.name))
        for pk, player_id in players
    }


def played_in_divisions(event: Event) -> dict[int, str]:
    """Return the name of the division in which each entry of an event plays, by row id; empty
    unless all its started stages are played in divisions."""
    if not in_divisions(Stage.objects.filter(event=event)):
        return {}
    rows = Participant.objects.filter(stage__event=event, stage__number=1)
    return dict(rows.values_list("entry", "group__name"))


def ordered_by_division(entries: QuerySet[Entry], stages: Sequence[Stage]) -> QuerySet[Entry]:
    """Return the entries of an event with these stages ordered by division, and annotated with its
    name as `division`. Return them unchanged if the event isn't played in divisions."""
    if not in_divisions(stages):
        return entries
    own = FilteredRelation("participations", condition=Q(participations__stage=stages[0]))
    divided = entries.annotate(own=own, division=F("own__group__name"))
    return divided.order_by(F("own__group__number").asc(nulls_last=True), *entries.query.order_by)


def first_groups(stage: Stage, count: int) -> GroupPlan:
    """Return the groups with which an event's first stage would start with `count` players or, if
    it is played in divisions, with the players who are checked in."""
    if stage.by_division:
        return group_plan(stage, present_entries(stage.event))
    return equal_groups(stage.groups, count)


def mix_words(stage: Stage, groups: GroupPlan) -> str:
    """Return a sentence on the tables of a round: “13 players are checked in: a round has 1 table
    of 4, 3 tables of 3.”"""
    count = len(groups.numbers)
    there = ngettext(
        "%(count)d player is checked in", "%(count)d players are checked in", count
    ) % {"count": count}
    if stage.by_division and groups.names:
        by_name = zip(groups.names, groups.sizes, strict=True)
        there = f"{there} ({', '.join(f'{name} {size}' for name, size in by_name)})"

    mixes = [mix for mix in group_tables(stage, groups) if not isinstance(mix, Illegal)]
    if len(mixes) < len(groups.names) or not mixes:
        return f"{there}."

    sizes = Counter(size for mix in mixes for size in mix.tables)
    parts = []
    for size in sorted(sizes, reverse=True):
        number = sizes[size]
        words = ngettext("%(number)d table of %(size)d", "%(number)d tables of %(size)d", number)
        parts.append(words % {"number": number, "size": size})
    byes = sum(mix.byes for mix in mixes)
    if byes:
        parts.append(ngettext("%(count)d sits out", "%(count)d sit out", byes) % {"count": byes})
    return gettext("%(there)s: a round has %(tables)s.") % {
        "there": there,
        "tables": ", ".join(parts),
    }
