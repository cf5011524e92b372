"""After a correction: what was played is kept, or the course of the event is taken back to where it
would differ."""

from __future__ import annotations

from league.core.log.services import Actor
from league.disputes.otherwise.actions import KeptAction
from league.disputes.otherwise.domain.round import digest_of
from league.disputes.otherwise.domain.stage import event_otherwise
from league.events.event.services import course_journal
from league.stages.round.models import ROUND_KEPT, StageRound
from league.stages.stage.actions import StageAction
from league.stages.stage.models import STAGE, Stage
from league.stages.stage.queries.facts import started_stages
from league.stages.stage.services.version import version_raise


def played_keep(*, stage: Stage, actor: Actor) -> int:
    """Keep who is in a stage, and its rounds, as they were played, though corrected results would
    have made them otherwise; returns of how much that is said for the first time."""
    with course_journal(stage.event, actor) as journal:
        affected = event_otherwise(started_stages(stage.event))
        stage_affected = next((row for row in affected if row.stage.pk == stage.pk), None)
        if stage_affected is None:
            return 0
        version_raise(pk=stage.pk)
        if stage_affected.made:
            Stage.objects.filter(pk=stage.pk).update(kept=stage_affected.made.digest)
            journal.add(StageAction.CHANGED, stage.public_id, {"kept": stage_affected.made.digest})
            journal.state(STAGE, [stage], ["kept"])
        digests = {
            row.stage_round: digest_of(stage_affected.rounds, row.stage_round)
            for row in stage_affected.rounds
        }
        for stage_round, digest in digests.items():
            StageRound.objects.filter(pk=stage_round.pk).update(kept=digest)
            journal.add(
                KeptAction.ROUND_KEPT,
                stage_round.public_id,
                {"number": stage_round.number, "kept": digest},
            )
            journal.state(ROUND_KEPT, [stage_round])
    return len(digests) + (stage_affected.made is not None)
