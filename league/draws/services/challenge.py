"""Challenges: at a ladder nothing is drawn, people say who plays whom."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from league.events.services.event import refuse_still
from league.locks import Space, transaction_lock_patient
from league.log.services import Actor, club_journal
from league.stages.models import Stage
from league.tables.actions import TableAction
from league.tables.domain.place import own_place
from league.tables.domain.stage import StageFacts
from league.tables.models import StageRound, Table, TableSeat
from league.tables.queries.stage import stage_facts
from league.tables.signals import tables_drawn


def table_challenge(*, stage: Stage, players: Sequence[str], actor: Actor) -> Table:
    """Set up a table of a ladder: `players` are the ids of entries in seat order, the challenger first.

    Each challenge is a round of its own. Raises `ValidationError`: the stage is no running ladder, too few or too many,
    somebody isn't in it, or still sits at another table.
    """
    with club_journal(stage.event.club_id, actor) as journal:
        transaction_lock_patient(Space.EVENT, stage.event_id)
        stage_row = Stage.objects.select_related("event").get(pk=stage.pk)
        refuse_still(stage_row.event)
        if not stage_row.format_rules.ladder or stage_row.status != Stage.Status.RUNNING:
            raise ValidationError(gettext("Challenges are for ladders that have started."))
        facts = stage_facts(stage_row)
        entries = _challengers(facts, players)
        number = 1 + facts.last_number
        stage_round = StageRound.objects.create(stage=stage_row, number=number, status=StageRound.Status.PUBLISHED)
        table = Table.objects.create(
            stage_round=stage_round, group_id=facts.groups[0].pk, number=1, place=own_place(stage_row, number, 1)
        )
        TableSeat.objects.bulk_create(TableSeat(table=table, seat=seat, entry_id=pk) for seat, pk in enumerate(entries))
        tables_drawn.send(StageRound, stage_round=stage_round)
        where = {"round": stage_round.public_id, "stage": stage_row.public_id}
        journal.add(TableAction.CHALLENGED, table.public_id, {"number": number, "players": list(players), **where})
    return table


def _challengers(facts: StageFacts, players: Sequence[str]) -> list[int]:
    """The entries of those who play, by their ids. Raises `ValidationError`."""
    most = facts.stage.sizes[0]
    if not 2 <= len(players) <= most or len(set(players)) < len(players):
        raise ValidationError(gettext("Choose 2 to %(most)d different players.") % {"most": most})
    members = {member.entry_id: member for member in facts.members.values() if member.plays}
    if any(entry_id not in members for entry_id in players):
        raise ValidationError(gettext("Only who is in the ladder, and there, can play."))
    busy = {entry for table in facts.open_tables for entry in table.entries}
    sitting = [members[entry_id].name for entry_id in players if members[entry_id].entry in busy]
    if sitting:
        raise ValidationError(
            gettext("%(names)s still sit at a table without a result. Enter it first.") % {"names": ", ".join(sitting)}
        )
    return [members[entry_id].entry for entry_id in players]
