"""What came too late to stand on a sheet: it is kept beside it, so that nothing that was written is lost."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

from games.models import OpenSheet, SheetBranch
from games.services.open_game import Writer, branch_check, branch_keep
from league.log.services import Actor, club_journal
from league.sheets.actions import SheetAction
from league.sheets.models import ClubOpenGame
from league.sheets.signals import branch_kept


def table_branch_keep(
    *, row: ClubOpenGame, after: int, entries: Sequence[dict[str, Any]], writer: Writer, key: UUID
) -> SheetBranch:
    """Keep entries that somebody wrote after the first `after` entries of an open game's sheet while others wrote; the
    log tells their digest. The same `key` again changes nothing. Raises `Refused` as `branch_check` and `branch_keep`
    do. What takes long is done before the club's log is held."""
    sheet = OpenSheet.objects.select_related("open_game").get(open_game=row.open_game)
    branch_check(sheet=sheet, after=after, entries=entries)
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
            journal.add(SheetAction.BRANCH_KEPT, branch.public_id, payload)
            journal.write()
            branch_kept.send(SheetBranch, branch=branch, account=branch.device.made_by_id if branch.device else account)
    return branch
