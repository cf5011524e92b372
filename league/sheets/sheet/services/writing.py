"""Writing on a sheet: what stands there, and what is kept beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from engine.illegal import Refused
from games.domain.branch import WrittenEntry
from games.models import SheetBranch
from games.services.open_game import Added, KeyEnded, Overtaken, Writer, entry_add
from league.sheets.branch.services import table_branch_keep
from league.sheets.confirmation.services.submission import refuse_entry
from league.sheets.sheet.models import ClubOpenGame


class Written(NamedTuple):
    """What became of entries: those that stand on the sheet, in their order, and the rest that is
    kept beside it."""

    added: list[Added]
    branch: SheetBranch | None


def sheet_write(
    *,
    row: ClubOpenGame,
    after: int,
    entries: Sequence[WrittenEntry],
    writer: Writer,
    key: UUID,
    keeps_late: bool = False,
) -> Written:
    """Let entries stand on a sheet after its first `after` ones, as far as they can, each in a
    transaction of its own. Those of a key that has ended by the server's clock are kept beside it
    under `key`, whatever time they tell.

    `keeps_late`: so are those that don't fit because others wrote; else `Overtaken` and `Refused`
    are raised as by `entry_add`. Raise `Refused` as `refuse_entry` and `table_branch_keep` do."""
    refuse_entry(row, writer)
    added: list[Added] = []
    known = after
    for place, (name, entry, at) in enumerate(entries):
        try:
            stands = entry_add(
                open_game=row.open_game.public_id,
                length=known,
                entry=entry,
                writer=writer,
                key=name,
                device_at=at,
            )
        except (KeyEnded, Overtaken, Refused) as error:
            if not keeps_late and not isinstance(error, KeyEnded):
                raise
            rest = [waiting.as_json() for waiting in entries[place:]]
            branch = table_branch_keep(row=row, after=known, entries=rest, writer=writer, key=key)
            return Written(added, branch)
        added.append(stands)
        known = stands.number + 1
    return Written(added, None)
