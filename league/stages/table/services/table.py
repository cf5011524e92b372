"""Setting up tables without a draw: free tables, and the challenges of a ladder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from engine.scoring.stage.stage_file import MOST_ROUNDS
from league.core.hooks import Hook
from league.core.log.services import Actor, Journal
from league.events.event.services import course_journal, refuse_unless_running
from league.stages.round.models import ROUND, StageRound
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.domain.size import table_sizes
from league.stages.stage.domain.table_name import own_place
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts
from league.stages.stage.services.latecomer import stage_join
from league.stages.table.actions import TableAction
from league.stages.table.models import Table, TableSeat

tables_drawn: Final = Hook[[StageRound], object]()
"""Called when a round got tables, each at the place of its own number."""


def table_set_up(*, stage: Stage, players: Sequence[str], actor: Actor) -> Table:
    """Set up a table of a stage without a draw: `players` are ids of entries in seat order, the
    challenger of a ladder first.

    Each challenge of a ladder is a round of its own. Free tables all belong to one round, and
    latecomers join the stage with them. Raise `ValidationError` if the stage has a draw or isn't
    running, the number of players doesn't fit, a player isn't in the stage or still sits at another
    table, or there are as many tables as the stage's file can hold.
    """
    with course_journal(stage.event, actor) as journal:
        stage_row = Stage.objects.select_related("event__season").get(pk=stage.pk)
        refuse_unless_running(stage_row.event)
        if not stage_row.format_rules.undrawn or stage_row.status != Stage.Status.RUNNING:
            raise ValidationError(
                gettext("You can only set up tables at ladders and free tables that have started.")
            )
        stage_join(journal, stage_row.event)
        facts = stage_facts(stage_row)
        entries = _entries_to_seat(facts, players)
        return _table_add(journal, facts, _round_for_new_table(facts), entries, players)


def _round_for_new_table(facts: StageFacts) -> StageRound:
    if facts.stage.format_rules.free and facts.rounds:
        return facts.rounds[-1]
    number = 1 + facts.last_number
    return StageRound.objects.create(
        stage=facts.stage, number=number, status=StageRound.Status.PUBLISHED
    )


def _table_add(
    journal: Journal,
    facts: StageFacts,
    stage_round: StageRound,
    entries: Sequence[int],
    players: Sequence[str],
) -> Table:
    number = 1 + sum(table.round_number == stage_round.number for table in facts.tables)
    if number > MOST_ROUNDS:
        raise ValidationError(
            gettext("A stage has at most %(most)d tables of this kind.") % {"most": MOST_ROUNDS}
        )
    table = Table.objects.create(
        stage_round=stage_round,
        group_id=facts.groups[0].pk,
        number=number,
        place=own_place(facts.stage, stage_round.number, number),
    )
    TableSeat.objects.bulk_create(
        TableSeat(table=table, seat=seat, entry_id=pk) for seat, pk in enumerate(entries)
    )
    tables_drawn(stage_round)
    payload = {
        "number": stage_round.number,
        "players": list(players),
        "round": stage_round.public_id,
        "stage": facts.stage.public_id,
        "table": number,
    }
    journal.add(TableAction.CHALLENGED, table.public_id, payload)
    journal.state(ROUND, [stage_round])
    return table


def _entries_to_seat(facts: StageFacts, players: Sequence[str]) -> list[int]:
    rules = facts.stage.format_rules
    sizes = table_sizes(facts.stage.event.season, rules)
    most = sizes[-1] if rules.free else facts.stage.sizes[0]
    if not 2 <= len(players) <= most or len(set(players)) < len(players):
        raise ValidationError(gettext("Choose 2 to %(most)d different players.") % {"most": most})

    members = {member.entry_id: member for member in facts.members.values() if member.plays}
    if any(entry_id not in members for entry_id in players):
        raise ValidationError(gettext("Only players who are in the stage and checked in can play."))

    chosen = [members[entry_id] for entry_id in players]
    busy = {entry for table in facts.open_tables for entry in table.entries}
    busy_names = [member.name for member in chosen if member.entry in busy]
    if busy_names:
        raise ValidationError(
            gettext("%(names)s still sit at a table without a result. Enter it first.")
            % {"names": ", ".join(busy_names)}
        )
    return [member.entry for member in chosen]
