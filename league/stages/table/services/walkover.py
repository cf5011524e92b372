"""Tables that are given without play, because too few of their players are left."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from league.core.locks import Space, transaction_lock_patient
from league.core.log.services import Actor, Journal, club_journal
from league.events.entry.models import Entry
from league.events.event.services import refuse_unless_running
from league.stages.result.services.result import table_hold, table_settle
from league.stages.result.services.void import table_games_void
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN, NO_ROUND, StageFacts, StageTable
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.actions import TableAction
from league.stages.table.domain.walkover import entries_without_share, may_be_given
from league.stages.table.models import WALKOVER, Table, TableGame, Walkover
from league.stages.table.queries.table import sitting_at


@transaction.atomic
def walkover_give(*, table: Table, actor: Actor) -> bool:
    """Give a table without play to the players who are still there. If all its games are void, it
    is closed instead, and brings nobody anything. Return False if the table was given already.

    The players get a bye for the round; in a knock-out they go on. Games of the table stay sealed
    and count in the season, but not in the stage. A free table is taken back instead: its games are
    voided. Raise `ValidationError` if there is no reason, the table is finished or can be played,
    or its round isn't published.
    """
    if not actor.reason:
        raise ValidationError(
            {"reason": gettext("Say why the table isn’t played. Everybody can read it.")}
        )
    facts, row = _locked_facts(table)
    if row.walkover:
        return False
    if StageRound.objects.get(pk=table.stage_round_id).status not in DRAWN:
        raise ValidationError(
            gettext("This round isn’t being played: it was taken back, or isn’t published yet.")
        )
    if not may_be_given(facts, row):
        raise ValidationError(
            gettext(
                "There are enough players for this table, or it’s already finished. Enter a result."
            )
        )
    if facts.stage.format_rules.free:
        games = [game.game for game in row.games]
        table_games_void(games=games, among=TableGame.objects.filter(table=table), actor=actor)
    with club_journal(table.stage_round.stage.event.club_id, actor) as journal:
        _store_decision(journal, table, absent=entries_without_share(facts, row), stands=True)
    return True


def walkover_undo(*, table: Table, actor: Actor) -> bool:
    """Let a table that was given without play be played after all; return False if it wasn't given.

    Raise `ValidationError` once the next round is drawn.
    """
    with club_journal(table.stage_round.stage.event.club_id, actor) as journal:
        facts, row = _locked_facts(table)
        if not row.walkover:
            return False
        later = StageRound.objects.filter(stage=facts.stage, number__gt=row.round_number).exclude(
            status__in=NO_ROUND
        )
        if not facts.stage.format_rules.undrawn and later.exists():
            raise ValidationError(
                gettext("The next round was drawn from it. Take that round back first.")
            )
        _store_decision(journal, table, absent=(), stands=False)
    return True


def _locked_facts(table: Table) -> tuple[StageFacts, StageTable]:
    """Lock the event; return the facts of the table's stage, and the table's row in them."""
    transaction_lock_patient(Space.EVENT, table.stage_round.stage.event_id)
    stage = Stage.objects.select_related("event").get(pk=table.stage_round.stage_id)
    refuse_unless_running(stage.event)
    if stage.status != Stage.Status.RUNNING:
        raise ValidationError(gettext("This stage isn’t under way."))
    facts = stage_facts(stage)
    row = next((row for row in facts.tables if row.pk == table.pk), None)
    if row is None:
        raise ValidationError(
            gettext("This round isn’t being played: it was taken back, or isn’t published yet.")
        )
    return facts, row


def _store_decision(
    journal: Journal, table: Table, *, absent: tuple[int, ...], stands: bool
) -> None:
    """Store as a fact that a table is given without play (`stands`) or is played after all, and
    update its result; `absent` are the entries to which it brings nothing."""
    table = table_hold(table)
    revision = (
        Walkover.objects.filter(table=table).aggregate(last=Max("revision"))["last"] or 0
    ) + 1
    walkover = Walkover.objects.create(
        table=table,
        revision=revision,
        stands=stands,
        absent=list(absent),
        reason=journal.actor.reason,
        made_at=journal.at,
        made_by_id=journal.actor.account_id,
    )
    table_settle(table, sitting_at(table))
    entries = dict(Entry.objects.filter(pk__in=absent).values_list("pk", "public_id"))
    payload = {"stands": stands, "absent": [entries[pk] for pk in absent], "revision": revision}
    journal.add(TableAction.WALKOVER, table.public_id, payload)
    journal.record(WALKOVER, [walkover])
