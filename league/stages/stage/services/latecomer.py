"""Latecomers join the running stage."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext

from league.core.log.services import Actor, Journal, club_journal
from league.events.entry.models import Entry
from league.events.entry.services.entry import course_hold
from league.events.event.models import Event
from league.stages.stage.actions import StageAction
from league.stages.stage.models import Participant
from league.stages.stage.queries.latecomer import late_plan, stage_to_join
from league.stages.stage.services.version import version_raise


def stage_join(journal: Journal, event: Event) -> list[Entry]:
    """Take the latecomers who are checked in into the running stage, with 0 points; return the new
    entries. It is part of a larger action, whose caller holds the lock of the event.

    Each joins the smallest group whose tables can seat one more, or the group of their division.
    Players for whom there is no table wait until others come or leave, or the stage allows another
    size.
    """
    plan = late_plan(event)
    if plan is None or not plan.placed:
        return []
    seed = Participant.objects.filter(stage=plan.stage).aggregate(last=Max("seed"))["last"] or 0
    Participant.objects.bulk_create(
        Participant(stage=plan.stage, entry=entry, group=group, seed=seed + number)
        for number, (entry, group) in enumerate(plan.placed, start=1)
    )
    version_raise(pk=plan.stage.pk)
    new = [entry for entry, _ in plan.placed]
    joined = {
        "joined": [entry.public_id for entry in new],
        "groups": [group.number for _, group in plan.placed],
    }
    journal.add(StageAction.CHANGED, plan.stage.public_id, joined)
    return new


def entry_join_stage(*, entry: Entry, actor: Actor) -> bool:
    """Take a latecomer into the first stage while it runs and has a round to draw, with 0 points,
    for the rounds to come. Return False if they are in it already, or no stage takes latecomers in.

    Swiss, round robin and rotating tables take them in, a knock-out never. Raise `ValidationError`
    if they aren't checked in or there is no table for them, and `Busy` while a round is being
    drawn.
    """
    with club_journal(entry.event.club_id, actor) as journal:
        event = course_hold(entry.event)
        stored = Entry.objects.get(pk=entry.pk)
        if not stored.plays:
            raise ValidationError(gettext("Check them in first."))
        stage = stage_to_join(event)
        if stage is None or Participant.objects.filter(stage=stage, entry=stored).exists():
            return False
        if stored not in stage_join(journal, event):
            raise ValidationError(
                gettext(
                    "The tables of “%(stage)s” can’t seat one more player. Allow another size in "
                    "its settings, or wait for others: they’ll come in together as soon as "
                    "there’s a table for them."
                )
                % {"stage": stage.name}
            )
    return True
