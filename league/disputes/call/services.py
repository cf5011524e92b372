"""Calls for the arbiter: made at a table, taken back, and answered by a ruling. Each of these is an
entry of the sheet and an entry of the club's log."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.models import OpenSheet, SheetEntry
from games.services.aside import AddedAside, aside_add
from games.services.open_game import Writer
from league.core.log.services import Actor, club_journal
from league.core.viewer.queries.author import acting_role
from league.disputes.call.actions import CallAction
from league.disputes.call.queries import ruling_fault
from league.events.helper.queries import event_acting_role
from league.play.online_table.services.clock import time_given_keep
from league.sheets.confirmation.services.submission import refuse_entry
from league.sheets.sheet.domain.open_game import sheet_head
from league.sheets.sheet.models import ClubOpenGame


def call_make(*, row: ClubOpenGame, writer: Writer, key: UUID) -> AddedAside:
    """Call the arbiter to the table of an open game, in the current round. The same `key` again
    changes nothing.

    Raise `KeyEnded`, and `Refused`: `called_already`, `sealed`, and if `writer` may not write on
    the sheet.
    """
    refuse_entry(row, writer)
    with club_journal(row.club.pk, Actor(writer.account_id)) as journal:
        aside = aside_add(
            open_game=row.open_game.public_id,
            act="call",
            writer=writer,
            key=key,
            check=_refuse_nobody,
        )
        if aside.created:
            _keep_clock(row, aside)
            details = {**_details(row, aside), "by": writer.as_json()}
            journal.add(CallAction.MADE, row.open_game.public_id, details)
    return aside


def call_take_back(*, row: ClubOpenGame, writer: Writer, key: UUID) -> AddedAside:
    """Take the open call back, as the writer who made it. The same `key` again changes nothing.

    Raise `KeyEnded`, and `Refused`: `no_call`, `not_your_call`, `sealed`.
    """

    def check(sheet: OpenSheet) -> None:
        call = _last_call(sheet)
        if call is None:
            return
        caller = (call.account_id, call.device_id, call.seat)
        if caller != (writer.account_id, writer.device_id, writer.seat):
            message = say("only the person who called can withdraw the call")
            raise Refused(Illegal("not_your_call", message))

    with club_journal(row.club.pk, Actor(writer.account_id)) as journal:
        aside = aside_add(
            open_game=row.open_game.public_id,
            act="call_off",
            writer=writer,
            key=key,
            check=check,
        )
        if aside.created:
            _keep_clock(row, aside)
            details = {**_details(row, aside), "by": writer.as_json()}
            journal.add(CallAction.TAKEN_BACK, row.open_game.public_id, details)
    return aside


def call_rule(
    *, row: ClubOpenGame, call: int, case: str, decision: str, ruler: Writer, key: UUID
) -> AddedAside:
    """Answer a call by a decision in one of the usual cases. The game itself doesn't change.
    `call`: the number of the call's entry; `case`, `decision`: their codes.

    The same `key` again changes nothing. If two arbiters rule at once, the first ruling counts.

    `ruler`: an account that may rule at the table. Raise `Refused`: `no_call` if the call was
    answered or taken back, `at_the_table`, `entered_it`, `sealed`, `no_such_case`,
    `no_such_decision`."""

    def check(sheet: OpenSheet) -> None:
        fault = ruling_fault(row, ruler)
        if fault is not None:
            raise Refused(fault)
        last_call = _last_call(sheet)
        if last_call is None or last_call.number != call:
            raise Refused(Illegal("no_call", say("this call was answered or withdrawn")))

    with club_journal(row.club.pk, Actor(ruler.account_id)) as journal:
        aside = aside_add(
            open_game=row.open_game.public_id,
            act="ruling",
            value={"case": case, "decision": decision},
            writer=ruler,
            key=key,
            check=check,
        )
        if aside.created:
            _keep_clock(row, aside)
            details = _details(row, aside)
            details.update(case=case, decision=decision, role=_acting_role(row, ruler))
            journal.add(CallAction.RULED, row.open_game.public_id, details)
    return aside


def _refuse_nobody(sheet: OpenSheet) -> None:
    """Refuse nothing, whatever the `sheet`: everybody who may write at the table may call."""


def _last_call(sheet: OpenSheet) -> SheetEntry | None:
    return SheetEntry.objects.filter(sheet=sheet, act="call").order_by("-number").first()


def _details(row: ClubOpenGame, aside: AddedAside) -> dict[str, Any]:
    head = sheet_head(row.open_game.public_id, aside.sheet)
    return {"number": aside.entry.number, "sheet": head}


def _acting_role(row: ClubOpenGame, ruler: Writer) -> str:
    if row.table is not None:
        return event_acting_role(row.table.stage_round.stage.event, ruler.account_id)
    return acting_role(row.club.pk, ruler.account_id)


def _keep_clock(row: ClubOpenGame, aside: AddedAside) -> None:
    """Keep the clock of an online table as it is: a call or a ruling gives nobody more time."""
    time_given_keep(open_game=row.open_game_id, length=aside.sheet.length)
