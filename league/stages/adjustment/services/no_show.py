"""A no-show as a ruling: somebody should have played at a table, and didn't come."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.db import transaction

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.models import Game
from league.core.locks import Space, transaction_lock_patient
from league.core.log.services import Actor
from league.events.entry.models import Entry
from league.events.entry.services.entry import entry_withdraw
from league.stages.adjustment.domain import seats_put_last
from league.stages.adjustment.queries import ranks_counting
from league.stages.adjustment.services.order import absent_put_last
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.domain.walkover import may_be_given
from league.stages.table.models import Table, TableScore, TableSeat
from league.stages.table.services.walkover import walkover_give
from league.standings.adjustment.models import SetOrder


class NoShow(NamedTuple):
    """What a no-show came to: the orders that were set at the table, and whether it was given without play."""

    orders: tuple[SetOrder, ...]
    given: bool


@transaction.atomic
def no_show_rule(*, table: Table, absent: Collection[Entry], actor: Actor, role: str = "") -> NoShow:
    """Rule that entries of a table, which come with their event, didn't come to it.

    In each game that was played there, in which they have a seat, they are put last. Where none was played they are
    noted as no-shows, as at check-in, and the table is given without play if too few are left for it; else the others
    play it. Nothing happens to what is so already.

    Raises `Refused` as `absent_put_last` does, and with `wrong_table` for somebody who doesn't sit there;
    `ValidationError` as `entry_withdraw` and `walkover_give` do, which want a reason of the actor.
    """
    transaction_lock_patient(Space.EVENT, table.stage_round.stage.event_id)
    sitting = set(TableSeat.objects.filter(table=table).values_list("entry", flat=True))
    if not absent or not {entry.pk for entry in absent} <= sitting:
        raise Refused(Illegal("wrong_table", say("somebody of these doesn't sit at this table"), path="absent"))
    scores = TableScore.objects.filter(table=table, ranks__isnull=False).select_related("game").order_by("number")
    played = {score.game: _seats(score, absent) for score in scores}
    if played:
        return NoShow(_put_last(played, actor, role), given=False)
    for entry in absent:
        entry_withdraw(entry=entry, actor=actor, no_show=True)
    return NoShow((), given=_give(table, actor))


def _seats(score: TableScore, absent: Collection[Entry]) -> list[int]:
    """The seats of a game in which these entries sit, from 0."""
    entries = {entry.pk for entry in absent}
    return [seat for seat, entry in enumerate(score.entries) if entry in entries]


def _put_last(played: Mapping[Game, list[int]], actor: Actor, role: str) -> tuple[SetOrder, ...]:
    orders = []
    for game, seats in played.items():
        ranks = ranks_counting(game)
        if seats and seats_put_last(ranks, seats) != ranks:
            orders.append(absent_put_last(game=game, seats=seats, actor=actor, role=role))
    return tuple(orders)


def _give(table: Table, actor: Actor) -> bool:
    """Give the table without play if too few are left there; whether that was done."""
    facts = stage_facts(table.stage_round.stage)
    row = next((row for row in facts.tables if row.pk == table.pk), None)
    if row is None or row.walkover or not may_be_given(facts, row):
        return False
    return walkover_give(table=table, actor=actor)
