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
"""The most entries of a branch on a page; a game that is written down bid by bid has fewer."""


class SeatShown(NamedTuple):
    """A seat of an open game: the handle in the record, and the player's current name."""

    handle: str
    name: str


class SheetShown(NamedTuple):
    """An open game as pages and the API show it. `row` has its table or season and its sheet.

    `ending`: the ranks and points so far; `handed_in`: whether the writer of one of two sheets has
    handed it in; `comparison`: with the other one of two sheets, until the game is sealed;
    `sealed`: the game as which it was sealed."""

    row: ClubOpenGame
    rules: dict[str, Any]
    seats: list[SeatShown]
    ending: Ending
    handed_in: bool
    comparison: Comparison | None
    sealed: Game | None


def sheet_shown(row: ClubOpenGame) -> SheetShown:
    """Return an open game as it is shown. `row`: with its table or season and its sheet. The state
    of the sheet is stored, so a long game takes no longer."""
    record = sheet_header(row.open_game)
    return _sheet_shown(row, record, names_of_handles(row.club.pk, record.seats))


def sheets_shown(rows: QuerySet[SeasonOpenGame, Any]) -> list[SheetShown]:
    """Return open games of one season as they are shown. `rows`: of `season_games_open`. Two
    queries."""
    handles = {handle for row in rows for handle in row.handles}
    names = names_of_handles(rows[0].club.pk, handles) if rows else {}
    return [
        _sheet_shown(row, read_header(row.open_game.header, row.handles), names) for row in rows
    ]


def _sheet_shown(row: ClubOpenGame, record: Record, names: dict[str, str]) -> SheetShown:
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
    """A branch beside a sheet, for the sheet's page: its first entries, and how many `more` it has.

    The other fields are about a branch that a key sent after it had ended: whether its entries are
    on the sheet by now (`is_let_in`), whether it still `waits` for seats to agree, whether others
    have written on the sheet since (`is_passed`), and which seats have `agreed`."""

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
    """Return the branches beside the sheet of an open game, the oldest first, for the sheet's page.
    Each continues the sheet's first `after` entries.

    `written`: all entries of the sheet; `at`: the present time. If a phone whose key had ended sent
    a branch again with more entries, only the longest is returned. Three queries, or one if there
    are no branches."""
    rows = SheetBranch.objects.filter(sheet=open_game.sheet).select_related(
        "account", "device__made_by"
    )
    branches = _without_shorter_copies(list(rows.prefetch_related("agreements").order_by("pk")))
    if not branches:
        return []
    keys_on_sheet = {row.entry.key for row in written}
    header = sheet_header(open_game)
    sheet_entries = [row.entry for row in written]
    # Phones without an entry on the sheet are numbered after those that have one.
    phone_numbers = {row.entry.device_id: row.device for row in written if row.device}
    branches_in_words = []
    for branch in branches:
        if branch.device_id is not None:
            phone_numbers.setdefault(branch.device_id, len(phone_numbers) + 1)
        entries = branch_entries(branch)
        shown_entries = [_unsaved_entry(branch, entry) for entry in entries[:SHOWN]]
        entries_so_far = [*sheet_entries[: branch.after], *shown_entries]
        rows_so_far = history(header, entries_so_far, open_game.opened_at)
        phone_number = phone_numbers.get(branch.device_id)
        branches_in_words.append(
            BranchInWords(
                branch,
                [row._replace(device=phone_number) for row in rows_so_far[branch.after :]],
                more=len(entries) - len(shown_entries),
                is_let_in=branch.waits_until is not None
                and keys_on_sheet >= {entry.key for entry in entries},
                waits=branch.is_waiting(at),
                is_passed=any(row.act not in ASIDES for row in written[branch.after :]),
                agreed=[agreement.seat for agreement in branch.agreements.all()],
            )
        )
    return branches_in_words


def branches_kept(open_game: OpenGame) -> list[dict[str, Any]]:
    """Return the branches beside the sheet of an open game, the oldest first, for the API. Three
    queries."""
    keys_on_sheet = set(
        SheetEntry.objects.filter(sheet=open_game.sheet).values_list("key", flat=True)
    )
    rows = SheetBranch.objects.filter(sheet=open_game.sheet).select_related("account", "device")
    branches = []
    for branch in rows.prefetch_related("agreements").order_by("pk"):
        entries = branch_entries(branch)
        writer = {"account": branch.account.public_id} if branch.account else {}
        if branch.device:
            writer["device"] = branch.device.public_id
        branches.append(
            {
                **vars(branch),
                "by": writer,
                "entries": [entry.as_json() for entry in entries],
                "agreed": [agreement.seat for agreement in branch.agreements.all()],
                "is_let_in": keys_on_sheet >= {entry.key for entry in entries},
            }
        )
    return branches


def _without_shorter_copies(branches: list[SheetBranch]) -> list[SheetBranch]:
    """Return the branches without those of ended keys that the same phone sent again with more
    entries."""
    entries = {branch.pk: branch_entries(branch) for branch in branches}

    def continues(longer: SheetBranch, branch: SheetBranch) -> bool:
        """Return True if a branch has all entries of another one of the same phone, and more."""
        if longer.waits_until is None:
            return False
        if (longer.device_id, longer.after) != (branch.device_id, branch.after):
            return False
        count = len(entries[branch.pk])
        return len(entries[longer.pk]) > count and entries[longer.pk][:count] == entries[branch.pk]

    return [
        branch
        for branch in branches
        if branch.waits_until is None or not any(continues(longer, branch) for longer in branches)
    ]


def _unsaved_entry(branch: SheetBranch, written: WrittenEntry) -> SheetEntry:
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
    """Return the comparison of the two sheets of a game that two writers wrote down: the public id
    of the other sheet's open game, and for each differing round its number and both versions in the
    text notation. None if there is nothing to compare."""
    comparison = comparison_of(row)
    if comparison is None:
        return None
    record = sheet_header(row.open_game)
    rounds = [
        (number, round_text(record, this_round), round_text(record, other_round))
        for number, this_round, other_round in comparison.rounds
    ]
    return comparison.open_game, rounds


def sheet_in_words(open_game: OpenGame, club_id: int) -> tuple[list[str], list[EntryInWords]]:
    """Return the current names of an open game's players, in seat order, and all entries of its
    sheet. Three queries."""
    record = sheet_header(open_game)
    names = names_of_handles(club_id, record.seats)
    entries = SheetEntry.objects.filter(sheet=open_game.sheet).select_related(
        "account", "device__made_by"
    )
    version = open_game.sheet.version
    rows = history(record, list(entries.order_by("number")), open_game.opened_at, version)
    return [names.get(handle.lower(), handle) for handle in record.seats], rows
