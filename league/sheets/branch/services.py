"""Branches of a sheet: entries that a device sent, but that can't be added to the sheet, because
others wrote meanwhile or because the device's key had ended. They are kept beside the sheet, so
that nothing is lost, and may be let onto it later."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import OpenSheet, SheetBranch
from games.queries.open_game import has_changed_since, is_let_in
from games.services.open_game import (
    KeyEnded,
    Writer,
    branch_check,
    branch_keep,
    branch_let_in,
    key_hold,
)
from league.core.hooks import Hook
from league.core.log.services import Actor, club_journal
from league.sheets.branch.models import BRANCH, BRANCH_AGREEMENT, BranchAgreement
from league.sheets.confirmation.queries.double_entry import is_of_two
from league.sheets.device.queries import seat_of
from league.sheets.sheet.actions import SheetAction
from league.sheets.sheet.models import ClubOpenGame

SEATS: Final = 2
"""How many seats must agree before a branch of an ended key is added to the sheet."""
MESSAGES: Final[dict[str, Message]] = {
    "not_at_the_table": say("only players at this table can say what was played"),
    "not_waiting": say(
        "nobody has to agree to this any more: its key was good, or its time is over"
    ),
    "sealed": say("this game is sealed: correct the game itself if something is wrong"),
    "written_since": say("others have written since: undo or amend what is on the sheet instead"),
}
branch_kept: Final = Hook[[SheetBranch, int | None], object]()
"""Called with each new branch that came too late, and the row id of the account that wrote it or
that made the phone's key. The sheet may be sealed."""


def table_branch_keep(
    *, row: ClubOpenGame, after: int, entries: Sequence[dict[str, Any]], writer: Writer, key: UUID
) -> SheetBranch:
    """Keep entries as a branch beside the sheet of an open game, because others wrote meanwhile or
    because the writer's key has ended; in the latter case they wait to be let onto the sheet. Log
    their digest.

    `after`: the entries follow the first `after` entries of the sheet. `key`: if it was sent
    before, nothing changes. Raise `Refused` if `branch_check` or `branch_keep` refuses the
    entries."""
    sheet = OpenSheet.objects.select_related("open_game").get(open_game=row.open_game)
    branch_check(sheet=sheet, after=after, entries=entries)  # Slow, so before the log is locked.
    account = writer.account_id
    with club_journal(row.club.pk, Actor(account)) as journal:
        branch, is_new = branch_keep(
            sheet=sheet, after=after, entries=entries, writer=writer, key=key, made_at=journal.at
        )
        if is_new:
            payload = {
                "open_game": row.open_game.public_id,
                "after": after,
                "entries": sha256(branch.entries.encode()).hexdigest(),
                "by": writer.as_json(),
            }
            if branch.waits_until is not None:
                payload["waits_until"] = branch.waits_until.isoformat()
            journal.add(SheetAction.BRANCH_KEPT, branch.public_id, payload)
            journal.record(BRANCH, [branch])
            journal.write()
        if is_new and branch.waits_until is None:
            writing_account = branch.device.made_by_id if branch.device else account
            branch_kept(branch, writing_account)
    return branch


@transaction.atomic
def branch_agree(*, row: ClubOpenGame, branch: SheetBranch, writer: Writer) -> bool:
    """Store that the writer's seat agrees with a branch (late entries) of the sheet of `row`. When
    the second seat agrees, add its entries to the sheet. Return True once they are on the sheet.
    Idempotent.

    Raise `KeyEnded`, and `Refused`: `not_at_the_table` for a writer without a seat, `not_waiting`,
    `sealed`, `written_since`."""
    sheet = OpenSheet.objects.select_for_update(of=("self",), no_key=True).get(pk=branch.sheet_id)
    if is_let_in(branch):
        return True
    if not key_hold(writer):
        raise KeyEnded
    seat = seat_of(row, writer)
    if seat is None:
        raise _refusal("not_at_the_table")
    if is_of_two(row) and row.concealed:
        raise _refusal("not_waiting")
    with club_journal(row.club.pk, Actor(writer.account_id)) as journal:
        if hasattr(sheet, "sealed"):
            raise _refusal("sealed")
        if not branch.is_waiting(journal.at):
            raise _refusal("not_waiting")
        if has_changed_since(sheet, branch.after):
            raise _refusal("written_since")
        agreement, is_new = BranchAgreement.objects.get_or_create(
            branch=branch, seat=seat, defaults={"made_at": journal.at}
        )
        if is_new:
            payload = {"open_game": row.open_game.public_id, "seat": seat, "by": writer.as_json()}
            journal.add(SheetAction.BRANCH_AGREED, branch.public_id, payload)
            journal.record(BRANCH_AGREEMENT, [agreement])
        if BranchAgreement.objects.filter(branch=branch).count() < SEATS:
            return False
        branch_let_in(branch=branch)
    return True


def _refusal(code: str) -> Refused:
    return Refused(Illegal(code, MESSAGES[code]))
