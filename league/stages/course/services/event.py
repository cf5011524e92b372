"""Moving an event from draft to finished, and back."""

from __future__ import annotations

from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from league.core.log.services import Actor
from league.events.event.actions import EventAction
from league.events.event.models import EVENT, Event
from league.events.event.services import _save, course_journal, entries_move_up
from league.events.helper.models import Helper, HelperInvitation
from league.events.helper.queries import event_acting_role
from league.events.helper.services import helpers_end
from league.stages.placing.services import places_write
from league.stages.stage.models import Stage

NEXT: Final[dict[str, tuple[str, ...]]] = {
    Event.Status.DRAFT: (Event.Status.OPEN, Event.Status.CANCELLED),
    Event.Status.OPEN: (Event.Status.DRAFT, Event.Status.RUNNING, Event.Status.CANCELLED),
    Event.Status.RUNNING: (Event.Status.OPEN, Event.Status.FINISHED, Event.Status.CANCELLED),
    Event.Status.FINISHED: (Event.Status.RUNNING,),
    Event.Status.CANCELLED: (Event.Status.DRAFT, Event.Status.RUNNING),
}
"""The statuses to which an event can move from each status; moving back is the undo."""
UNPLAYED: Final = (Event.Status.DRAFT, Event.Status.OPEN)
"""The statuses of an event none of whose stages has started."""


def event_move(*, event: Event, status: str, actor: Actor) -> bool:
    """Move an event to another status; return False if it has that status already.

    When entries open again, free places go to the waiting list. Raise `ValidationError`, and
    `Busy` if results keep the event locked for too long.
    """
    with transaction.atomic():
        moved = _change_status(event, status, actor)
        if moved and status in UNPLAYED:
            entries_move_up(event=event, actor=actor)
    event.refresh_from_db()
    return moved


def _change_status(event: Event, status: str, actor: Actor) -> bool:
    with course_journal(event, actor) as journal:
        event_row = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        if event_row.status == status:
            return False
        _refuse_status(event_row, status)
        payload = {
            "before": {"status": event_row.status},
            "after": {"status": status},
            "role": event_acting_role(event, actor.account_id),
        }
        event_row.status = status
        if status == Event.Status.OPEN:
            event_row.opened = True
        _save(event_row, ["status"])
        places_write(event_id=event.pk)
        journal.add(EventAction.CHANGED, event.public_id, payload)
        journal.record(EVENT, [event], ["status"])
        if event_row.over:
            helpers_end(
                journal,
                Helper.objects.filter(event=event_row),
                HelperInvitation.objects.filter(event=event_row),
            )
    return True


def _refuse_status(event: Event, status: str) -> None:
    stage_has_started = (
        Stage.objects.filter(event=event).exclude(status=Stage.Status.PLANNED).exists()
    )
    allowed = NEXT[event.status]
    if event.status == Event.Status.CANCELLED and not stage_has_started:
        # Nothing was played before it was cancelled, so it can only start over as a draft.
        allowed = tuple(
            next_status for next_status in allowed if next_status != Event.Status.RUNNING
        )
    if status not in allowed:
        raise ValidationError(
            gettext("An event that is “%(before)s” can’t become “%(after)s”.")
            % {"before": event.get_status_display(), "after": Event.Status(status).label}
        )
    if status in UNPLAYED and stage_has_started:
        raise ValidationError(
            gettext("A stage has started. While the event is under way, undo that start first.")
        )
    if (
        status == Event.Status.FINISHED
        and Stage.objects.filter(event=event, status=Stage.Status.RUNNING).exists()
    ):
        raise ValidationError(gettext("A stage is still under way: finish it first."))
