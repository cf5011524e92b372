"""After a correction: what was played is kept, or the course of the event is taken back to where it would differ."""

from __future__ import annotations

from django.db import transaction

from league.draws.services.round import round_take_back
from league.evening.services.stage import stage_restart, stage_resume
from league.locks import Space, transaction_lock_patient
from league.log.models import Action
from league.log.services import Actor, club_journal
from league.rulings.domain.round import digest_of
from league.rulings.domain.stage import event_otherwise
from league.stages.models import Stage
from league.stages.services.version import version_raise
from league.tables.models import StageRound
from league.tables.queries.stage import started_stages
from league.tables.services.round import NO_ROUND


def played_keep(*, stage: Stage, actor: Actor) -> int:
    """Keep who is in a stage, and its rounds, as they were played, though corrected results would have made them
    otherwise; returns of how much that is said for the first time."""
    with club_journal(stage.event.club_id, actor) as journal:
        transaction_lock_patient(Space.EVENT, stage.event_id)
        others = event_otherwise(started_stages(stage.event))
        found = next((row for row in others if row.stage.pk == stage.pk), None)
        if found is None:
            return 0
        version_raise(pk=stage.pk)
        if found.made:
            Stage.objects.filter(pk=stage.pk).update(kept=found.made.digest)
            journal.add(Action.STAGE_CHANGED, stage.public_id, {"kept": found.made.digest})
        kept = {row.round: digest_of(found.rounds, row.round) for row in found.rounds}
        for stage_round, digest in kept.items():
            StageRound.objects.filter(pk=stage_round.pk).update(kept=digest)
            payload = {"number": stage_round.number, "kept": digest}
            journal.add(Action.ROUND_KEPT, stage_round.public_id, payload)
    return len(kept) + (found.made is not None)


def stage_set_back(*, stage: Stage, actor: Actor) -> None:
    """Set a stage and all after it back to before their start, so that they can be made up anew; their rounds are taken
    back, with results. Raises `ValidationError` unless the event is running."""
    with transaction.atomic():
        transaction_lock_patient(Space.EVENT, stage.event_id)
        started = Stage.objects.select_related("event").filter(event=stage.event_id, number__gte=stage.number)
        for later in started.exclude(status=Stage.Status.PLANNED).order_by("-number"):
            if later.status == Stage.Status.FINISHED:
                stage_resume(stage=later, actor=actor)
            rounds = StageRound.objects.select_related("stage__event").filter(stage=later)
            first = rounds.exclude(status__in=NO_ROUND).order_by("number").first()
            if first is not None:
                round_take_back(stage_round=first, actor=actor, with_results=True)
            stage_restart(stage=later, actor=actor)


def course_take_back(*, stage_round: StageRound, actor: Actor) -> None:
    """Take a round of a stage back, and all that came after it, in later stages too. Raises `ValidationError` unless
    the event is running."""
    stage = stage_round.stage
    with transaction.atomic():
        transaction_lock_patient(Space.EVENT, stage.event_id)
        later = Stage.objects.select_related("event").filter(event=stage.event_id, number=stage.number + 1).first()
        if later is not None:
            stage_set_back(stage=later, actor=actor)
        if Stage.objects.get(pk=stage.pk).status == Stage.Status.FINISHED:
            stage_resume(stage=stage, actor=actor)
        round_take_back(stage_round=stage_round, actor=actor, with_results=True)
