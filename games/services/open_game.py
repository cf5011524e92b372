"""Games that are being written down: opened with their header, then one entry after the other.

Each entry is one transaction that locks only the sheet.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.canonical import canonical_header, canonical_json, first_digest
from engine.record.header import stored_header
from engine.record.record import Record
from engine.sheet import sheet as engine_sheet
from engine.sheet.entry import ASIDES, TAKE_OVER, first_link, next_link, stored_entry
from engine.sheet.entry import SheetEntry as Entry
from engine.sheet.versions import WRITTEN, AnySheet, begin
from games.domain.branch import WrittenEntry, branch_entries
from games.models import (
    Device,
    Game,
    OpenGame,
    OpenSeat,
    OpenSheet,
    SealedSheet,
    SheetBranch,
    SheetEntry,
)
from games.queries.open_game import (
    HeldSheet,
    entry_json,
    has_changed_since,
    sheet_entries,
    sheet_folded,
    sheet_header,
    sheet_hold,
)
from games.services.game import new_names

TAKEN_BACK: Final = Illegal(
    "taken_back", say("this game isn't being played again after all: its first result counts")
)
CHANNEL: Final = "open_game"
"""The channel on which every entry is announced: the open game's public id, and the length of
its sheet."""
ENTRIES: Final = 10_000
"""The most entries of one sheet: ten a round in the longest game, and as many undone."""
AMENDMENTS: Final = 100
"""The most amendments of one sheet, or of one branch: each folds the whole game again."""
BRANCHES: Final = 20
"""The most branches of one sheet: a phone makes one whenever somebody else was faster. A device
whose key has ended may have as many of its own, which don't count for the others."""
WAITS: Final = timedelta(days=1)
"""How long entries that came with an ended key can be let onto the sheet."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The writer of an entry.

    It is exactly one of an account, a device (each by row id and public id), a seat of an online
    table, and an automatic player.
    """

    account: tuple[int, str] | None = None
    device: tuple[int, str] | None = None
    seat: int | None = None
    automatic: str = ""

    @property
    def account_id(self) -> int | None:
        """Return the row id of the account, if an account writes."""
        return None if self.account is None else self.account[0]

    @property
    def device_id(self) -> int | None:
        """Return the row id of the device, if a device writes."""
        return None if self.device is None else self.device[0]

    def as_json(self) -> dict[str, Any]:
        """Return the writer as the chain of entries seals it."""
        if self.account:
            return {"account": self.account[1]}
        if self.seat is not None:
            return {"seat": self.seat}
        if self.device:
            return {"device": self.device[1]}
        return {"automatic": self.automatic}


NOBODY: Final = Writer()
"""The opener of a game if unknown."""


class KeyEnded(Exception):
    """The key of the writer's device has ended, or was revoked, by the server's clock."""


class Overtaken(Exception):
    """Others wrote since the writer last looked.

    `length`: how many entries the sheet has now; `entries`: the entries written in between.
    """

    def __init__(self, length: int, entries: Sequence[dict[str, Any]]) -> None:
        super().__init__(f"the sheet has {length} entries by now")
        self.length = length
        self.entries = entries


@dataclass(frozen=True, slots=True)
class Added:
    """An entry on a sheet, by its number. `created`: False if the same one was there already."""

    sheet: OpenSheet
    number: int
    created: bool


def game_open(
    *,
    record: Record,
    source: str,
    opener: Writer = NOBODY,
    version: int = WRITTEN,
    edition: int = 1,
) -> OpenGame:
    """Open a game of which only the header is known, with an empty sheet, in the caller's
    transaction.

    A record without names gets salts now, so that the commitments in the header are those of the
    later sealed game. `version`: of the sheet. Raise IntegrityError if this source has an open game
    of that id and `edition`.
    """
    names = record.names or new_names(record)
    record = replace(record, names=names)
    digest = first_digest(canonical_header(record))
    open_game = OpenGame.objects.create(
        source=source,
        external_id=record.record_id,
        kind=record.kind.name,
        header=stored_header(record),
        digest=digest,
        edition=edition,
        opened_at=timezone.now(),
        opened_by_id=opener.account_id,
        device_id=opener.device_id,
    )
    OpenSeat.objects.bulk_create(
        OpenSeat(open_game=open_game, number=number, handle=handle, seal=name.seal)
        for number, (handle, name) in enumerate(zip(record.seats, names, strict=True))
    )
    state = begin(version, record).state()
    OpenSheet.objects.create(
        open_game=open_game, version=version, link=first_link(digest), state=state
    )
    return open_game


def key_hold(writer: Writer) -> bool:
    """Return True if a writer's key is valid by the server's clock, and lock its device, so that
    nobody ends the key before the transaction does.

    Whatever is sent with a key (entries, branches, codes and seals) is judged by the server's
    clock, never by a phone's. Accounts and automatic players have no key that could end.
    """
    if writer.device_id is None:
        return True
    device = Device.objects.select_for_update(no_key=True).get(pk=writer.device_id)
    return not device.has_ended(timezone.now())


@transaction.atomic
def entry_add(
    *,
    open_game: str,
    length: int,
    entry: Entry,
    writer: Writer,
    key: UUID,
    device_at: datetime | None = None,
) -> Added:
    """Add an entry to the sheet of an open game, given by its public id.

    `length`: how many entries the writer knows, not counting later calls for the arbiter and
    rulings. `device_at`: the time by the writer's clock, which decides nothing. The same `key`
    again changes nothing. Raise `OpenSheet.DoesNotExist`, `KeyEnded`, `Overtaken`, or `Refused`:
    with an error of `engine.sheet.sheet.OpenSheet.apply`, with `sealed` once the sheet is a game,
    with `taken_back` once the game isn't played again after all, with `key_reused` for a known key
    with another entry.
    """
    held = sheet_hold(open_game, key)
    if held.earlier_number is not None:
        return _added_before(held.row, held.earlier_number, entry)
    if not key_hold(writer):
        raise KeyEnded
    return _add_entry(held, length, WrittenEntry(key, entry, device_at), writer)


def _add_entry(held: HeldSheet, length: int, written: WrittenEntry, writer: Writer) -> Added:
    row = held.row
    entry = written.entry
    _refuse_aside(entry)
    if row.version != WRITTEN:
        raise Refused(
            Illegal(
                "online",
                say("a game at an online table can't be written down: its seats act there"),
            )
        )
    if entry.act == TAKE_OVER:
        raise Refused(
            Illegal(
                "bad_record",
                say("this can't be written down: the service takes rounds over"),
                path="act",
            )
        )
    if held.taken_back:
        raise Refused(TAKEN_BACK)
    if held.sealed:
        raise Refused(
            Illegal(
                "sealed", say("this game is sealed: correct the game itself if something is wrong")
            )
        )
    if has_changed_since(row, length):
        missed = sheet_entries(row, length) if length < row.length else []
        raise Overtaken(row.length, missed)
    if row.length >= ENTRIES:
        raise Refused(
            Illegal(
                "too_many_entries", say("a sheet can have at most {most} entries", most=ENTRIES)
            )
        )
    return entry_append(row, _folded(row, held.record, entry), written, writer)


def entry_append(row: OpenSheet, sheet: AnySheet, written: WrittenEntry, writer: Writer) -> Added:
    """Append an entry to a locked sheet. `sheet`: the engine's sheet after this entry."""
    entry = written.entry
    number = row.length
    added = SheetEntry(
        sheet=row,
        number=number,
        act=entry.act,
        value=canonical_json(entry.value).decode(),
        account_id=writer.account_id,
        device_id=writer.device_id,
        seat=writer.seat,
        automatic=writer.automatic,
        key=written.key,
        device_at=written.at,
        made_at=timezone.now(),
    )
    added.link = next_link(bytes(row.link), entry_json(added, writer.as_json()))
    added.save(force_insert=True)
    row.link = added.link
    row.length = number + 1
    row.state = sheet.state()
    row.over = sheet.over
    if entry.act not in ASIDES:
        row.heard_at = added.made_at
    row.save(update_fields=["length", "link", "state", "over", "heard_at"])
    _announce(row.open_game.public_id, row.length)
    return Added(row, number, created=True)


def _refuse_aside(entry: Entry) -> None:
    if entry.act in ASIDES:
        raise Refused(
            Illegal(
                "bad_record", say("this can't be written down as an entry of the play"), path="act"
            )
        )


def _added_before(row: OpenSheet, number: int, entry: Entry) -> Added:
    earlier = SheetEntry.objects.get(sheet=row, number=number)
    is_same = earlier.act == entry.act and json.loads(earlier.value) == entry.value
    if not is_same:
        raise Refused(Illegal("key_reused", say("this key was already used for another entry")))
    return Added(row, number, created=False)


def _folded(row: OpenSheet, record: Record, entry: Entry) -> engine_sheet.OpenSheet:
    """Return the engine's sheet after one more entry, or raise `Refused`."""
    # Only an amendment needs all earlier entries; for others, the stored state is enough.
    if entry.act == "amend":
        _refuse_many_amendments(SheetEntry.objects.filter(sheet=row, act="amend").count() + 1)
        sheet = sheet_folded(row, record)
    else:
        sheet = engine_sheet.resume(record, row.state)
    wrong = sheet.apply(entry)
    if wrong is not None:
        raise Refused(wrong)
    return sheet


def _refuse_many_amendments(count: int) -> None:
    if count > AMENDMENTS:
        raise Refused(
            Illegal(
                "too_many_entries",
                say("a sheet can have at most {most} amendments", most=AMENDMENTS),
            )
        )


def _announce(open_game: str, length: int) -> None:
    with connection.cursor() as cursor:
        cursor.callproc("pg_notify", [CHANNEL, f"{open_game}:{length}"])


def branch_check(*, sheet: OpenSheet, after: int, entries: Sequence[dict[str, Any]]) -> None:
    """Raise `Refused` if `entries` can't follow the first `after` entries of a sheet.

    `entries`: each with `act` and `value`. Errors: `no_such_entry` if the sheet has fewer than
    `after` entries, else the error of the first invalid entry. Nothing is locked, as a sheet never
    loses entries."""
    if after > sheet.length:
        raise Refused(
            Illegal("no_such_entry", say("the sheet has {length} entries", length=sheet.length))
        )
    _refuse_many_amendments(sum(entry["act"] == "amend" for entry in entries))
    folded = sheet_folded(sheet, sheet_header(sheet.open_game), before=after)
    for written in entries:
        entry = stored_entry(written["act"], written["value"])
        _refuse_aside(entry)
        wrong = folded.apply(entry)
        if wrong is not None:
            raise Refused(wrong)


def branch_keep(
    *,
    sheet: OpenSheet,
    after: int,
    entries: Sequence[dict[str, Any]],
    writer: Writer,
    key: UUID,
    made_at: datetime,
) -> tuple[SheetBranch, bool]:
    """Store entries that can't be added to a sheet as a branch; return it, and whether it is new.

    The caller's transaction must keep others from storing branches meanwhile; the sheet may be
    sealed. `entries`: each with `key`, `act`, `value` and `at`, accepted by `branch_check`; they
    follow the first `after` entries. If the writer's key has ended, the branch waits for `WAITS` to
    be let in.

    The same `key` again changes nothing, nor do the same entries from an ended key, which a phone
    first sends one by one and then together. Raise `Refused` with `key_reused` for a known key with
    other entries, or `too_many_branches`.
    """
    written = canonical_json(list(entries)).decode()
    earlier = SheetBranch.objects.filter(sheet=sheet, key=key).first()
    if earlier is not None:
        if earlier.after != after or earlier.entries != written:
            raise Refused(Illegal("key_reused", say("this key was already used for other entries")))
        return earlier, False
    has_valid_key = key_hold(writer)
    branches = SheetBranch.objects.filter(sheet=sheet, waits_until__isnull=has_valid_key)
    if not has_valid_key:
        branches = branches.filter(device=writer.device_id)
        same = branches.filter(after=after, entries=written).first()
        if same is not None:
            return same, False
    if branches.count() >= BRANCHES:
        raise Refused(
            Illegal(
                "too_many_branches", say("a sheet can have at most {most} branches", most=BRANCHES)
            )
        )
    branch = SheetBranch.objects.create(
        sheet=sheet,
        after=after,
        entries=written,
        account_id=writer.account_id,
        device_id=writer.device_id,
        key=key,
        made_at=made_at,
        waits_until=None if has_valid_key else made_at + WAITS,
    )
    return branch, True


def branch_let_in(*, branch: SheetBranch) -> OpenSheet:
    """Add the entries of a branch to its sheet under the writer of the branch; return the sheet.

    The caller must have begun a transaction, and checked that somebody with the right to do so has
    accepted the branch. Entries that are on the sheet already stay as they are. Raise `Overtaken`
    if somebody wrote since, and `Refused` with an error of `entry_add`.
    """
    open_game = branch.sheet.open_game.public_id
    device = branch.device
    writer = Writer(device=(device.pk, device.public_id)) if device else NOBODY
    length = branch.after
    for written in branch_entries(branch):
        held = sheet_hold(open_game, written.key)
        if held.earlier_number is None:
            added = _add_entry(held, length, written, writer)
        else:
            added = _added_before(held.row, held.earlier_number, written.entry)
        length = added.number + 1
    return held.row


def sheet_seal(*, sheet: OpenSheet, game: Game) -> None:
    """Store that a locked sheet became this game, in the transaction that seals the game.

    The sheet takes no more entries.
    """
    SealedSheet.objects.create(game=game, sheet=sheet, length=sheet.length, link=sheet.link)
    _announce(sheet.open_game.public_id, sheet.length)
