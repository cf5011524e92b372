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
    """Set how many minutes a round lasts, also while its clock runs; with None it has no clock.
    Return False if nothing changed. Raise `ValidationError` for too many or too few minutes."""
    if minutes is not None and not 1 <= minutes <= LONGEST:
        raise ValidationError(
            {
                "minutes": gettext("Choose between %(least)d and %(most)d minutes.")
                % {"least": 1, "most": LONGEST}
            }
        )

    def set_minutes(row: StageRound, moment: datetime) -> dict[str, Any] | None:
        if row.minutes == minutes:
            return None
        if minutes is None:
            return {"minutes": None, "clock_started_at": None, "clock_stopped_at": None}
        return {"minutes": minutes}

    return _change_clock(stage_round, actor, "set", set_minutes)


def round_clock_start(*, stage_round: StageRound, actor: Actor) -> bool:
    """Start the clock of a published round, or let it run on from where it was stopped. Return
    False if it is running already.

    Raise `ValidationError` if the round isn't published or has no minutes.
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

    return _change_clock(stage_round, actor, "started", start)


def round_clock_stop(*, stage_round: StageRound, actor: Actor) -> bool:
    """Stop the clock of a round where it is. Return False if it isn't running."""

    def stop(row: StageRound, moment: datetime) -> dict[str, Any] | None:
        is_running = row.clock_started_at is not None and row.clock_stopped_at is None
        return {"clock_stopped_at": moment} if is_running else None

    return _change_clock(stage_round, actor, "stopped", stop)


def round_clock_reset(*, stage_round: StageRound, actor: Actor) -> bool:
    """Reset the clock of a round to its full time, and stop it. Return False if it hasn't been
    started."""

    def reset(row: StageRound, moment: datetime) -> dict[str, Any] | None:
        if row.clock_started_at is not None:
            return {"clock_started_at": None, "clock_stopped_at": None}
        return None

    return _change_clock(stage_round, actor, "reset", reset)


def _change_clock(stage_round: StageRound, actor: Actor, log_word: str, changes_for: Any) -> bool:
    """Change a round's clock, and log `log_word`. Return False if nothing changed.

    `changes_for` gets the stored round and the present time. It returns the new values of the
    fields that change, or None if nothing changes."""
    stage = stage_round.stage
    with course_journal(stage.event, actor) as journal:
        stored_round = StageRound.objects.get(pk=stage_round.pk)
        if stored_round.status == StageRound.Status.TAKEN_BACK:
            raise ValidationError(gettext("This round has been taken back."))
        changes = changes_for(stored_round, timezone.now())
        if changes is None:
            return False
        StageRound.objects.filter(pk=stored_round.pk).update(**changes)
        version_raise(pk=stage.pk)
        minutes = changes.get("minutes", stored_round.minutes)
        journal.add(
            HallAction.ROUND_CLOCK, stored_round.public_id, {"clock": log_word, "minutes": minutes}
        )
    stage_round.refresh_from_db(fields=["minutes", "clock_started_at", "clock_stopped_at"])
    return True
