"""The history of an event, read from the club's log: append-only, and in the order in which
everything happened."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import QuerySet

from engine.grouping import lists_by_key
from league.core.log.actions import Action
from league.core.log.models import LogEntry
from league.core.log.texts import texts_back
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer
from league.events.entry.actions import EntryAction
from league.events.entry.models import Entry
from league.events.entry.queries.entry import ACTIVE
from league.events.event.actions import EventAction
from league.events.event.models import Event
from league.stages.course.domain import (
    HistoryEntry,
    HistoryLine,
    HistoryNames,
    HistoryRound,
    draw_pairs,
    has_been_finished,
    history_lines,
)
from league.stages.draw.models import Draw
from league.stages.round.actions import RoundAction
from league.stages.round.models import StageRound
from league.stages.stage.actions import StageAction
from league.stages.stage.models import Stage

ACTIONS: Final = (
    *(
        EventAction.CHANGED,
        StageAction.STARTED,
        StageAction.CHANGED,
        RoundAction.ASKED,
        RoundAction.DRAWN,
    ),
    *(RoundAction.CHANGED, RoundAction.PUBLISHED, RoundAction.TAKEN_BACK),
)
"""All of an event's course that lines are made of; of entries only what is changed after its
end."""


def event_history(event: Event, viewer: Viewer, stages: Sequence[Stage]) -> list[HistoryLine]:
    """Return the history of an event that comes from a loader, the latest line first.

    Asks eight queries at most, however much there is, and two where nothing was changed.

    Scorers and organisers read the names of those who withdrew, too. A reason without a role beside
    it was written for the readers of the log, and stays theirs."""
    rounds = _rounds(stages) if stages else {}
    entries = _entries(
        event, [event.public_id, *(stage.public_id for stage in stages), *rounds], ACTIONS
    )
    if has_been_finished(entries):
        ids = Entry.objects.filter(event=event).order_by().values("public_id")
        entries = sorted(
            entries + _entries(event, ids, [EntryAction.CHANGED]), key=lambda entry: entry.position
        )
    drawn_again = draw_pairs(entries, rounds)
    names = HistoryNames(
        stages={stage.public_id: stage.name for stage in stages},
        rounds=rounds,
        entries=_people(event, viewer) if drawn_again or _changes(entries) else {},
        players=_players(event, entries),
        draws=_draws(drawn_again),
    )
    lines = history_lines(entries, names)
    if any(line.reason and not line.role for line in lines) and not viewer.user.has_perm(
        "league.read_log", event.club
    ):
        return [line if line.role else replace(line, reason="") for line in lines]
    return lines


def _rounds(stages: Sequence[Stage]) -> dict[str, HistoryRound]:
    """All rounds of these stages, also those that count for nothing, by public id."""
    stages_by_key = {stage.pk: stage for stage in stages}
    rows = (
        StageRound.objects.filter(stage__in=stages_by_key)
        .order_by("pk")
        .values_list("public_id", "number", "stage")
    )
    return {
        public_id: HistoryRound(
            public_id,
            number,
            (stage := stages_by_key[key]).public_id,
            stage.number,
            stage.name,
            undrawn=stage.format_rules.undrawn,
        )
        for public_id, number, key in rows
    }


def _entries(
    event: Event, subjects: Sequence[str] | QuerySet[Any, Any], actions: Sequence[Action]
) -> list[HistoryEntry]:
    """What the club's log says of these, by their public ids, in order."""
    entries = LogEntry.objects.filter(
        club=event.club_id, subject__in=subjects, action__in=actions
    ).exclude(subject="")
    return [
        HistoryEntry(
            row.position,
            row.action,
            row.subject,
            texts_back(json.loads(row.payload), row.names),
            row.why,
            row.at,
        )
        for row in entries.order_by("position")
    ]


def _changes(entries: Sequence[HistoryEntry]) -> list[HistoryEntry]:
    """Those entries of the log that changed an entry of the event."""
    return [entry for entry in entries if entry.action == EntryAction.CHANGED]


def _people(event: Event, viewer: Viewer) -> dict[str, str]:
    """The names of those who have entered an event and whom the viewer may see, by the entry's
    public id."""
    entries = Entry.objects.filter(event=event)
    if not viewer.user.has_perm("league.score_event", event):
        entries = entries.filter(status__in=ACTIVE)
    return dict(entries.values_list("public_id", "player__name"))


def _players(event: Event, entries: Sequence[HistoryEntry]) -> dict[str, str]:
    """The names of those for whom somebody plays, or played, by public id."""
    ids = {
        entry.payload.get(side, {}).get("substitutes")
        for entry in _changes(entries)
        for side in ("before", "after")
    } - {None}
    return dict(
        Player.objects.filter(club=event.club_id, public_id__in=ids).values_list(
            "public_id", "name"
        )
    )


def _draws(rounds: Collection[str]) -> dict[str, list[dict[str, Any]]]:
    """The inputs of the draws of these rounds, by the rounds' public ids, group by group."""
    draws = Draw.objects.filter(stage_round__public_id__in=rounds, revision=1).order_by(
        "stage_round", "group__number"
    )
    inputs = draws.values_list("stage_round__public_id", "input")
    return lists_by_key((public_id, json.loads(text)) for public_id, text in inputs)
