"""An event moves on from draft to finished, and back."""

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
"""The statuses to which an event can go from each; the way back is the undo."""
UNPLAYED: Final = (Event.Status.DRAFT, Event.Status.OPEN)
"""The statuses of an event of which no stage has started."""


def event_move(*, event: Event, status: str, actor: Actor) -> bool:
    """Let an event go to another status; False: it stands there already.

    Who waits gets a free place where entries are open again. Raises `ValidationError`, and `Busy`
    while results come in for longer than a moment."""
    with transaction.atomic():
        moved = _move(event, status, actor)
        if moved and status in UNPLAYED:
            entries_move_up(event=event, actor=actor)
    event.refresh_from_db()
    return moved


def _move(event: Event, status: str, actor: Actor) -> bool:
    with course_journal(event, actor) as journal:
        event_row = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        if event_row.status == status:
            return False
        began = Stage.objects.filter(event=event).exclude(status=Stage.Status.PLANNED).exists()
        starts_anew = event_row.status == Event.Status.CANCELLED and not began
        if status not in NEXT[event_row.status] or (starts_anew and status == Event.Status.RUNNING):
            words = gettext("An event that is “%(before)s” can’t become “%(after)s”.")
            before, after = event_row.get_status_display(), Event.Status(status).label
            raise ValidationError(words % {"before": before, "after": after})
        if status in UNPLAYED and began:
            raise ValidationError(
                gettext("A stage has started. While the event runs, undo that start first.")
            )
        if (
            status == Event.Status.FINISHED
            and Stage.objects.filter(event=event, status=Stage.Status.RUNNING).exists()
        ):
            raise ValidationError(gettext("A stage is still running: finish it first."))
        role = event_acting_role(event, actor.account_id)
        payload = {
            "before": {"status": event_row.status},
            "after": {"status": status},
            "role": role,
        }
        event_row.status = status
        event_row.opened |= status == Event.Status.OPEN
        _save(event_row, ["status"])
        places_write(event_id=event.pk)
        journal.add(EventAction.CHANGED, event.public_id, payload)
        journal.state(EVENT, [event], ["status"])
        if event_row.over:
            helpers_end(
                journal,
                Helper.objects.filter(event=event_row),
                HelperInvitation.objects.filter(event=event_row),
            )
    return True
