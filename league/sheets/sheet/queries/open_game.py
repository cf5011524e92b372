"""An open game as pages and the API show it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from engine.record.header import read_header
from engine.record.kind import Ending
from engine.record.record import Record
from engine.record.write import rules_json
from engine.sheet.entry import ASIDES
from engine.sheet.sheet import resume
from games.domain.branch import WrittenEntry, branch_entries
from games.models import Game, OpenGame, SheetBranch, SheetEntry
from games.queries.open_game import sheet_header
from league.core.player.queries.player import names_of_handles
from league.sheets.confirmation.queries.double_entry import Comparison, comparison_of, sealed_game
from league.sheets.sheet.domain.history import EntryInWords, history, round_text
from league.sheets.sheet.models import ClubOpenGame, SeasonOpenGame

SHOWN: Final = 200
"""The most entries of a branch on a page: more than a game has that is written down bid by bid."""


class SeatShown(NamedTuple):
    """Somebody at an open game: the handle as it was written, and what they are called now."""

    handle: str
    name: str


class SheetShown(NamedTuple):
    """An open game with its table or season, its seats, the `ending` of the game so far, whether
    the sheet is `handed_in`, its `comparison` with another, and the game as which it was
    `sealed`."""

    row: ClubOpenGame
    rules: dict[str, Any]
    seats: list[SeatShown]
    ending: Ending
    handed_in: bool
    comparison: Comparison | None
    sealed: Game | None


def sheet_shown(row: ClubOpenGame) -> SheetShown:
    """Return an open game that comes with its table or season and its sheet; what it costs doesn't
    depend on how long the game is."""
    record = sheet_header(row.open_game)
    return _shown(row, record, names_of_handles(row.club.pk, record.seats))


def sheets_shown(rows: QuerySet[SeasonOpenGame, Any]) -> list[SheetShown]:
    """Open games of one season, of rows as `season_games_open` has them. Two queries."""
    handles = {handle for row in rows for handle in row.handles}
    names = names_of_handles(rows[0].club.pk, handles) if rows else {}
    return [_shown(row, read_header(row.open_game.header, row.handles), names) for row in rows]


def _shown(row: ClubOpenGame, record: Record, names: dict[str, str]) -> SheetShown:
    sealed = sealed_game(row)
    return SheetShown(
        row,
        rules=dict(rules_json(record)),
        seats=[SeatShown(handle, names.get(handle.lower(), handle)) for handle in record.seats],
        ending=resume(record, row.open_game.sheet.state).ending,
        handed_in=hasattr(row, "submission"),
        comparison=None if sealed else comparison_of(row),
        sealed=sealed,
    )


class BranchInWords(NamedTuple):
    """What is kept beside a sheet, by an account or a device: its first entries, and how many
    `more` there are.

    Of what a key sent that had ended: whether it stands on the sheet by now (`is_let_in`), whether
    it still `waits`, and whether others have written since (`is_passed`); `agreed`: the seats that
    let it in."""

    branch: SheetBranch
    entries: list[EntryInWords]
    more: int
    is_let_in: bool
    waits: bool
    is_passed: bool
    agreed: list[int]


def branches_in_words(
    open_game: OpenGame, written: Sequence[EntryInWords], at: datetime
) -> list[BranchInWords]:
    """What is kept beside the sheet of an open game, each as it goes on after the entries before
    it. `written`: those of the sheet. `at`: now. Of what one phone sent again and longer, with its
    key ended, the longest is told. Three queries, one where there is nothing."""
    rows = SheetBranch.objects.filter(sheet=open_game.sheet).select_related(
        "account", "device__made_by"
    )
    branches = _longest(list(rows.prefetch_related("agreements").order_by("pk")))
    if not branches:
        return []
    keys = {row.entry.key for row in written}
    header = sheet_header(open_game)
    earlier = [row.entry for row in written]
    phones = {row.entry.device_id: row.device for row in written if row.device}
    branches_in_words = []
    for branch in branches:
        if branch.device_id is not None:
            phones.setdefault(branch.device_id, len(phones) + 1)
        kept = branch_entries(branch)
        late = [_late_entry(branch, entry) for entry in kept[:SHOWN]]
        lines = history(header, [*earlier[: branch.after], *late], open_game.opened_at)[
            branch.after :
        ]
        branches_in_words.append(
            BranchInWords(
                branch,
                [row._replace(device=phones.get(branch.device_id)) for row in lines],
                more=len(kept) - len(late),
                is_let_in=branch.waits_until is not None and keys >= {entry.key for entry in kept},
                waits=branch.is_waiting(at),
                is_passed=any(row.act not in ASIDES for row in written[branch.after :]),
                agreed=[agreement.seat for agreement in branch.agreements.all()],
            )
        )
    return branches_in_words


def branches_kept(open_game: OpenGame) -> list[dict[str, Any]]:
    """What is kept beside the sheet of an open game, as programs read it, the oldest first. Three
    queries."""
    keys = set(SheetEntry.objects.filter(sheet=open_game.sheet).values_list("key", flat=True))
    rows = SheetBranch.objects.filter(sheet=open_game.sheet).select_related("account", "device")
    branches = []
    for branch in rows.prefetch_related("agreements").order_by("pk"):
        written = branch_entries(branch)
        by = {"account": branch.account.public_id} if branch.account else {}
        if branch.device:
            by["device"] = branch.device.public_id
        branches.append(
            {
                **vars(branch),
                "by": by,
                "entries": [entry.as_json() for entry in written],
                "agreed": [agreement.seat for agreement in branch.agreements.all()],
                "is_let_in": keys >= {entry.key for entry in written},
            }
        )
    return branches


def _longest(branches: list[SheetBranch]) -> list[SheetBranch]:
    """Branches without those of ended keys of which another one, by the same phone, says all and
    more."""
    entries = {branch.pk: branch_entries(branch) for branch in branches}

    def is_more(longer: SheetBranch, branch: SheetBranch) -> bool:
        """Return True if a branch goes on where the other one ends."""
        if (longer.device_id, longer.after) != (
            branch.device_id,
            branch.after,
        ) or longer.waits_until is None:
            return False
        count = len(entries[branch.pk])
        return len(entries[longer.pk]) > count and entries[longer.pk][:count] == entries[branch.pk]

    return [
        branch
        for branch in branches
        if branch.waits_until is None or not any(is_more(longer, branch) for longer in branches)
    ]


def _late_entry(branch: SheetBranch, written: WrittenEntry) -> SheetEntry:
    """Return an entry of a branch as if it stood on the sheet; it is stored nowhere."""
    return SheetEntry(
        act=written.entry.act,
        value=json.dumps(written.entry.value),
        key=written.key,
        account=branch.account,
        device=branch.device,
        device_at=written.at,
        made_at=branch.made_at,
    )


def comparison_in_words(row: ClubOpenGame) -> tuple[str, list[tuple[int, str, str]]] | None:
    """Return the other sheet of a game that two wrote down, by its open game's public id, and the
    number of each round in which they don't agree, with both in the text notation; None for a game
    that one wrote down."""
    comparison = comparison_of(row)
    if comparison is None:
        return None
    record = sheet_header(row.open_game)
    return comparison.open_game, [
        (number, round_text(record, value), round_text(record, rival))
        for number, value, rival in comparison.rounds
    ]


def sheet_in_words(open_game: OpenGame, club_id: int) -> tuple[list[str], list[EntryInWords]]:
    """Return all that was written on the sheet of an open game, and how those who sit there are
    called now. Three queries."""
    record = sheet_header(open_game)
    names = names_of_handles(club_id, record.seats)
    entries = SheetEntry.objects.filter(sheet=open_game.sheet).select_related(
        "account", "device__made_by"
    )
    version = open_game.sheet.version
    rows = history(record, list(entries.order_by("number")), open_game.opened_at, version)
    return [names.get(handle.lower(), handle) for handle in record.seats], rows
