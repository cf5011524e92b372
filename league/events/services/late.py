"""Who comes late joins the stage that is played."""

from __future__ import annotations

from django.db.models import Max

from league.events.models import Entry, Event, Participant
from league.events.queries.late import late_plan
from league.events.services.version import version_raise
from league.log.models import Action
from league.log.services import Journal


def stage_join(journal: Journal, event: Event) -> list[Entry]:
    """Take those who are there into the stage that is played, with 0 points, as part of a larger action; returns who is
    new in it.

    Each comes into the smallest group whose tables seat one more. Who would have no table waits, until more come or
    leave, or the stage allows one more size. The caller is alone with the event's course.
    """
    plan = late_plan(event)
    if plan is None or not plan.groups:
        return []
    seed = Participant.objects.filter(stage=plan.stage).aggregate(last=Max("seed"))["last"] or 0
    new = plan.entries[: len(plan.groups)]
    Participant.objects.bulk_create(
        Participant(stage=plan.stage, entry=entry, group=group, seed=seed + number)
        for number, (entry, group) in enumerate(zip(new, plan.groups, strict=True), start=1)
    )
    version_raise(pk=plan.stage.pk)
    joined = {"joined": [entry.public_id for entry in new], "groups": [group.number for group in plan.groups]}
    journal.add(Action.STAGE_CHANGED, plan.stage.public_id, joined)
    return new
