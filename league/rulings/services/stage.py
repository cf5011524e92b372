"""After a correction: what was played is kept, or the course of the event is taken back to where it would differ."""

from __future__ import annotations

from league.locks import Space, transaction_lock_patient
from league.log.services import Actor, club_journal
from league.rulings.actions import KeptAction
from league.rulings.domain.round import digest_of
from league.rulings.domain.stage import event_otherwise
from league.stages.actions import StageAction
from league.stages.models import Stage
from league.stages.services.version import version_raise
from league.tables.models import StageRound
from league.tables.queries.stage import started_stages


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
            journal.add(StageAction.CHANGED, stage.public_id, {"kept": found.made.digest})
        kept = {row.round: digest_of(found.rounds, row.round) for row in found.rounds}
        for stage_round, digest in kept.items():
            StageRound.objects.filter(pk=stage_round.pk).update(kept=digest)
            payload = {"number": stage_round.number, "kept": digest}
            journal.add(KeptAction.ROUND_KEPT, stage_round.public_id, payload)
    return len(kept) + (found.made is not None)
