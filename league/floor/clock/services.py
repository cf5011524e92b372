"""The clock of a round: set, started, stopped, set back to its start."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext

from league.core.log.services import Actor
from league.events.event.services import course_journal
from league.floor.hall.actions import HallAction
from league.stages.round.models import LONGEST, StageRound
from league.stages.stage.domain.facts import DRAWN
from league.stages.stage.services.version import version_raise


def round_clock_set(*, stage_round: StageRound, minutes: int | None, actor: Actor) -> bool:
    """Say how many minutes a round has, also while its clock runs; None: it has no clock. False: no
    change."""
    if minutes is not None and not 1 <= minutes <= LONGEST:
        raise ValidationError(
            {
                "minutes": gettext("Choose between %(least)d and %(most)d minutes.")
                % {"least": 1, "most": LONGEST}
            }
        )
    changes: dict[str, Any] = {"minutes": minutes}
    if minutes is None:
        changes |= {"clock_started_at": None, "clock_stopped_at": None}
    return _change(
        stage_round,
        actor,
        "set",
        lambda stage_round_row, moment: changes if stage_round_row.minutes != minutes else None,
    )


def round_clock_start(*, stage_round: StageRound, actor: Actor) -> bool:
    """Start the clock of a published round, or let it go on where it was stopped; False: it runs.

    Raise `ValidationError` for a round that isn't published or has no minutes.
    """

    def start(row: StageRound, moment: datetime) -> dict[str, Any] | None:
        if row.status not in DRAWN:
            raise ValidationError(gettext("Publish the round first: nobody is playing it yet."))
        if row.minutes is None:
            raise ValidationError({"minutes": gettext("Set the minutes for the round first.")})
        if row.clock_started_at is None:
            return {"clock_started_at": moment, "clock_stopped_at": None}
        if row.clock_stopped_at is None:
            return None
        return {
            "clock_started_at": row.clock_started_at + (moment - row.clock_stopped_at),
            "clock_stopped_at": None,
        }

    return _change(stage_round, actor, "started", start)


def round_clock_stop(*, stage_round: StageRound, actor: Actor) -> bool:
    """Stop the clock where it is; False: it doesn't run."""

    def stop(row: StageRound, moment: datetime) -> dict[str, Any] | None:
        runs = row.clock_started_at is not None and row.clock_stopped_at is None
        return {"clock_stopped_at": moment} if runs else None

    return _change(stage_round, actor, "stopped", stop)


def round_clock_reset(*, stage_round: StageRound, actor: Actor) -> bool:
    """Set the clock back to its full time, standing; False: it stands there."""

    def reset(row: StageRound, moment: datetime) -> dict[str, Any] | None:
        if row.clock_started_at is not None:
            return {"clock_started_at": None, "clock_stopped_at": None}
        return None

    return _change(stage_round, actor, "reset", reset)


def _change(stage_round: StageRound, actor: Actor, what: str, change: Any) -> bool:
    """Change a round's clock by what `change` gives for the stored round and the present time; None
    is no change."""
    stage = stage_round.stage
    with course_journal(stage.event, actor) as journal:
        row = StageRound.objects.get(pk=stage_round.pk)
        if row.status == StageRound.Status.TAKEN_BACK:
            raise ValidationError(gettext("This round has been taken back."))
        changes = change(row, timezone.now())
        if changes is None:
            return False
        StageRound.objects.filter(pk=row.pk).update(**changes)
        version_raise(pk=stage.pk)
        minutes = changes.get("minutes", row.minutes)
        journal.add(HallAction.ROUND_CLOCK, row.public_id, {"clock": what, "minutes": minutes})
    stage_round.refresh_from_db(fields=["minutes", "clock_started_at", "clock_stopped_at"])
    return True
