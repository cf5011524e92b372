"""Rounds that were taken back: whether they were public, and when and why they were taken back."""

from __future__ import annotations

import json

from django.db.models import QuerySet

from league.core.log.models import LogEntry
from league.stages.round.actions import RoundAction
from league.stages.round.domain.round import Retraction
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN
from league.stages.stage.models import Stage


def is_public(stage_round: StageRound) -> bool:
    """Return True if everybody who sees the event may see the round: it is published, or was
    published before it was taken back. At most one query is made if its stage and event are
    loaded."""
    if stage_round.status != StageRound.Status.TAKEN_BACK:
        return stage_round.status in DRAWN
    if stage_round.stage.format_rules.undrawn:  # its tables are published as they are set up
        return True
    return _log_entries(stage_round, RoundAction.PUBLISHED).exists()


def retracted_round(stage: Stage, number: int, public_id: str = "") -> StageRound:
    """Return the latest round of this number that was published and taken back, or the one with
    this public id. At most three queries are made. Raise `StageRound.DoesNotExist`."""
    rounds = stage.stage_rounds.filter(number=number, status=StageRound.Status.TAKEN_BACK)
    if public_id:
        rounds = rounds.filter(public_id=public_id)
    if not stage.format_rules.undrawn:
        entries = LogEntry.objects.filter(
            club=stage.event.club_id, action=RoundAction.PUBLISHED
        ).exclude(subject="")
        ids = list(rounds.values_list("public_id", flat=True))
        rounds = rounds.filter(
            public_id__in=list(entries.filter(subject__in=ids).values_list("subject", flat=True))
        )
    return rounds.latest("pk")


def retraction_of(stage_round: StageRound) -> Retraction | None:
    """Return when, by whom and why a round was taken back; None if it wasn't. A reason logged
    without a role was written for the readers of the log, and is left out."""
    if stage_round.status != StageRound.Status.TAKEN_BACK:
        return None
    entry = _log_entries(stage_round, RoundAction.TAKEN_BACK).latest("position")
    role = json.loads(entry.payload).get("role", "")
    return Retraction(entry.at, entry.why if role else "", role)


def _log_entries(stage_round: StageRound, action: RoundAction) -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(
        club=stage_round.stage.event.club_id, subject=stage_round.public_id, action=action
    )
