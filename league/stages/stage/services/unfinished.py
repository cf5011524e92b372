"""All that has to be so before a round, or a stage, can go on."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import StageFacts


def refuse_unfinished(facts: StageFacts, *, open_tables: bool = False) -> None:
    """Raise `ValidationError` if a table isn't finished (unless there may be `open_tables`), or a round isn't out
    yet."""
    for stage_round in facts.rounds:
        number = {"number": stage_round.number}
        if stage_round.status == StageRound.Status.ASKED:
            raise ValidationError(gettext("Round %(number)d is being drawn. Look at it in a moment.") % number)
        if stage_round.status == StageRound.Status.DRAWN:
            raise ValidationError(gettext("Round %(number)d is drawn. Publish it, or take it back.") % number)
    if facts.open_tables and not open_tables:
        tables = ", ".join(str(table.sign) for table in facts.open_tables[:10])
        raise ValidationError(gettext("Enter the results of these tables first: %(tables)s.") % {"tables": tables})
