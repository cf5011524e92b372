"""The history of an event, read from the club's log, in the order in which everything happened."""

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
    has_been_finished,
    history_lines,
    rounds_drawn_again,
)
from league.stages.draw.models import Draw
from league.stages.round.actions import RoundAction
from league.stages.round.models import StageRound
from league.stages.stage.actions import StageAction
from league.stages.stage.models import Stage

ACTIONS: Final = (
    EventAction.CHANGED,
    StageAction.STARTED,
    StageAction.CHANGED,
    RoundAction.ASKED,
    RoundAction.DRAWN,
    RoundAction.CHANGED,
    RoundAction.PUBLISHED,
    RoundAction.TAKEN_BACK,
)
"""The actions that the history shows, apart from changes of entries after the event's end."""


def event_history(event: Event, viewer: Viewer, stages: Sequence[Stage]) -> list[HistoryLine]:
    """Return the history of an event, the latest line first, by at most eight queries, and by two
    if nothing was changed.

    Scorers and organisers also read the names of players who withdrew. A reason that was logged
    without a role was meant for the readers of the log, and is shown only to them.
    """
    rounds = _rounds_by_id(stages)
    subjects = [event.public_id, *(stage.public_id for stage in stages), *rounds]
    entries = _log_entries(event, subjects, ACTIONS)
    if has_been_finished(entries):
        entry_ids = Entry.objects.filter(event=event).order_by().values("public_id")
        entries += _log_entries(event, entry_ids, [EntryAction.CHANGED])
        entries.sort(key=lambda entry: entry.position)

    round_ids_drawn_again = rounds_drawn_again(entries, rounds)
    entry_names: dict[str, str] = {}
    if round_ids_drawn_again or _entry_changes(entries):
        entry_names = _visible_names(event, viewer)
    names = HistoryNames(
        stages={stage.public_id: stage.name for stage in stages},
        rounds=rounds,
        entries=entry_names,
        players=_substituted_names(event, entries),
        draws=_first_draw_inputs(round_ids_drawn_again),
    )
    lines = history_lines(entries, names)

    has_hidden_reason = any(line.reason and not line.role for line in lines)
    if has_hidden_reason and not viewer.user.has_perm("league.read_log", event.club):
        return [line if line.role else replace(line, reason="") for line in lines]
    return lines


def _rounds_by_id(stages: Sequence[Stage]) -> dict[str, HistoryRound]:
    if not stages:
        return {}
    stages_by_key = {stage.pk: stage for stage in stages}
    rows = (
        StageRound.objects.filter(stage__in=stages_by_key)
        .order_by("pk")
        .values_list("public_id", "number", "stage")
    )
    rounds = {}
    for public_id, number, key in rows:
        stage = stages_by_key[key]
        rounds[public_id] = HistoryRound(
            public_id=public_id,
            number=number,
            stage=stage.public_id,
            stage_number=stage.number,
            stage_name=stage.name,
            undrawn=stage.format_rules.undrawn,
        )
    return rounds


def _log_entries(
    event: Event, subjects: Sequence[str] | QuerySet[Any, Any], actions: Sequence[Action]
) -> list[HistoryEntry]:
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


def _entry_changes(entries: Sequence[HistoryEntry]) -> list[HistoryEntry]:
    return [entry for entry in entries if entry.action == EntryAction.CHANGED]


def _visible_names(event: Event, viewer: Viewer) -> dict[str, str]:
    entries = Entry.objects.filter(event=event)
    if not viewer.user.has_perm("league.score_event", event):
        entries = entries.filter(status__in=ACTIVE)
    return dict(entries.values_list("public_id", "player__name"))


def _substituted_names(event: Event, entries: Sequence[HistoryEntry]) -> dict[str, str]:
    ids = set()
    for entry in _entry_changes(entries):
        for side in ("before", "after"):
            player_id = entry.payload.get(side, {}).get("substitutes")
            if player_id is not None:
                ids.add(player_id)
    players = Player.objects.filter(club=event.club_id, public_id__in=ids)
    return dict(players.values_list("public_id", "name"))


def _first_draw_inputs(rounds: Collection[str]) -> dict[str, list[dict[str, Any]]]:
    draws = Draw.objects.filter(stage_round__public_id__in=rounds, revision=1).order_by(
        "stage_round", "group__number"
    )
    inputs = draws.values_list("stage_round__public_id", "input")
    return lists_by_key((public_id, json.loads(text)) for public_id, text in inputs)
