"""After a correction: keeping stages and rounds as they were played."""

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
    """Keep the members of a stage and its rounds as they were played, though corrected results
    would change them. Return the number of rounds that are kept by this, plus one if the members
    are."""
    with course_journal(stage.event, actor) as journal:
        affected_stages = event_otherwise(started_stages(stage.event))
        affected = next((row for row in affected_stages if row.stage.pk == stage.pk), None)
        if affected is None:
            return 0
        version_raise(pk=stage.pk)
        count = 0
        if affected.made:
            count += 1
            Stage.objects.filter(pk=stage.pk).update(kept=affected.made.digest)
            journal.add(StageAction.CHANGED, stage.public_id, {"kept": affected.made.digest})
            journal.record(STAGE, [stage], ["kept"])

        for stage_round in dict.fromkeys(row.stage_round for row in affected.rounds):
            count += 1
            digest = digest_of(affected.rounds, stage_round)
            StageRound.objects.filter(pk=stage_round.pk).update(kept=digest)
            details = {"number": stage_round.number, "kept": digest}
            journal.add(KeptAction.ROUND_KEPT, stage_round.public_id, details)
            journal.record(ROUND_KEPT, [stage_round])
    return count
