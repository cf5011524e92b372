"""Adding entries to a sheet, and keeping beside it those that can't be added."""

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
    """The result of sending entries: those `added` to the sheet, in their order, and the `branch`
    with the others, which is kept beside it."""

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
    """Add entries to a sheet one after another, each in a transaction of its own. If the writer's
    key has ended by the server's clock, keep the entries that aren't added as a branch, beside the
    sheet.

    `after`: how many entries of the sheet the writer has seen. `key`: the key of the branch.
    `keeps_late`: also keep entries that don't fit because others wrote meanwhile; otherwise raise
    `Overtaken` or `Refused` for them. Raise `Refused` if `refuse_entry` or `table_branch_keep`
    refuses."""
    refuse_entry(row, writer)
    added: list[Added] = []
    known_length = after
    for index, (entry_key, entry, at) in enumerate(entries):
        try:
            added_entry = entry_add(
                open_game=row.open_game.public_id,
                length=known_length,
                entry=entry,
                writer=writer,
                key=entry_key,
                device_at=at,
            )
        except (KeyEnded, Overtaken, Refused) as error:
            if not keeps_late and not isinstance(error, KeyEnded):
                raise
            rest = [written.as_json() for written in entries[index:]]
            branch = table_branch_keep(
                row=row, after=known_length, entries=rest, writer=writer, key=key
            )
            return Written(added, branch)
        added.append(added_entry)
        known_length = added_entry.number + 1
    return Written(added, branch=None)
