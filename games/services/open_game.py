"""Games that are being written down: opened with their header, then one entry after the other, each
in a transaction of its own that locks the sheet and nothing else."""

from __future__ import annotations

import json
import secrets
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
from engine.record.names import Name
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
    Seat,
    SheetBranch,
    SheetEntry,
)
from games.queries.open_game import (
    HeldSheet,
    entry_json,
    is_written_since,
    sheet_entries,
    sheet_folded,
    sheet_header,
    sheet_hold,
)

TAKEN_BACK: Final = Illegal(
    "taken_back", say("this game isn't played again after all: its first result counts")
)
CHANNEL: Final = "open_game"
"""The channel on which every entry is told: the open game's public id, and the length of its
sheet."""
ENTRIES: Final = 10_000
"""Entries of one sheet: ten a round in the longest game, and as many undone."""
AMENDMENTS: Final = 100
"""Amendments of one sheet, or of one branch: each folds the whole game anew."""
BRANCHES: Final = 20
"""Branches of one sheet: a phone makes one whenever somebody else was faster. A device whose key
has ended has as many of its own, and takes none of the others' room."""
WAITS: Final = timedelta(days=1)
"""So long can what came in by a key that had ended be let onto the sheet."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Who makes an entry: exactly one of an account, a device, each by row and public id, a seat of
    an online table, and an automatic player."""

    account: tuple[int, str] | None = None
    device: tuple[int, str] | None = None
    seat: int | None = None
    automatic: str = ""

    @property
    def account_id(self) -> int | None:
        """The row of the account that writes."""
        return self.account and self.account[0]

    @property
    def device_id(self) -> int | None:
        """The row of the device that writes."""
        return self.device and self.device[0]

    def as_json(self) -> dict[str, Any]:
        """The writer as the chain of entries seals it."""
        if self.account:
            return {"account": self.account[1]}
        if self.seat is not None:
            return {"seat": self.seat}
        return {"device": self.device[1]} if self.device else {"automatic": self.automatic}


NOBODY: Final = Writer()
"""Whoever opened a game, where that isn't known."""


class KeyEnded(Exception):
    """The key of the writer's device has ended, or was revoked, by the server's clock."""


class Overtaken(Exception):
    """Others wrote since the writer last looked: `length` is that of the sheet by now, `entries`
    what came in between."""

    def __init__(self, length: int, entries: Sequence[dict[str, Any]]) -> None:
        super().__init__(f"the sheet has {length} entries by now")
        self.length = length
        self.entries = entries


@dataclass(frozen=True, slots=True)
class Added:
    """An entry that stands, by its number; `created` is false if the same one stood already.
    `sheet`: as it is now."""

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
    """Open a game of which only the header is known, with an empty sheet of a version, in the
    caller's transaction.

    Each name gets its salt now, unless the record brings it, so that the commitments in the header
    are those of the game that is sealed. IntegrityError if this source has an open game of that id
    and `edition`."""
    names = record.names or tuple(Name(salt=secrets.token_bytes(Seat.SALT)) for _ in record.seats)
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
    """Tell whether a writer's key is good by the server's clock, and hold it so until the
    transaction ends.

    All that comes in by a key goes by this, and by no time that a phone tells: entries, branches,
    codes and seals. An account and an automatic player have no key that could end."""
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
    """Let one more entry stand on the sheet of an open game, given by its public id.

    `length`: how many entries the writer knows of; calls for the arbiter and rulings that came
    since don't matter. `device_at` is kept as the writer's clock tells it, and decides nothing. The
    same `key` again changes nothing. Raises `OpenSheet.DoesNotExist`, `KeyEnded`, `Overtaken`, or
    `Refused`: with a fault of `engine.sheet.sheet.OpenSheet.apply`, with `sealed` once the sheet is
    a game, with `taken_back` once the game isn't played again after all, with `key_reused` for a
    known key with another entry."""
    held = sheet_hold(open_game, key)
    if held.earlier_number is not None:
        return _known(held.row, held.earlier_number, entry)
    if not key_hold(writer):
        raise KeyEnded
    return _stand(held, length, WrittenEntry(key, entry, device_at), writer)


def _stand(held: HeldSheet, length: int, written: WrittenEntry, writer: Writer) -> Added:
    """Append an entry that is new to a sheet that is held."""
    row, entry = held.row, written.entry
    _refuse_aside(entry)
    if row.version != WRITTEN:
        raise Refused(
            Illegal(
                "online", say("nobody writes down a game of an online table: its seats act there")
            )
        )
    if entry.act == TAKE_OVER:
        raise Refused(
            Illegal(
                "bad_record",
                say("nobody writes this down: the service takes rounds over"),
                path="act",
            )
        )
    if held.taken_back:
        raise Refused(TAKEN_BACK)
    if held.sealed:
        raise Refused(
            Illegal("sealed", say("this game is sealed: what is wrong with it is corrected there"))
        )
    if is_written_since(row, length):
        raise Overtaken(row.length, sheet_entries(row, length) if length < row.length else ())
    if row.length >= ENTRIES:
        raise Refused(
            Illegal("too_many_entries", say("no sheet has more than {most} entries", most=ENTRIES))
        )
    return entry_append(row, _folded(row, held.record, entry), written, writer)


def entry_append(row: OpenSheet, sheet: AnySheet, written: WrittenEntry, writer: Writer) -> Added:
    """Append an entry to a sheet that is held, and note what `sheet` came to by it."""
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
    added.link = row.link = next_link(bytes(row.link), entry_json(added, writer.as_json()))
    added.save(force_insert=True)
    row.length, row.state, row.over = number + 1, sheet.state(), sheet.over
    if entry.act not in ASIDES:
        row.heard_at = added.made_at
    row.save(update_fields=["length", "link", "state", "over", "heard_at"])
    _tell(row.open_game.public_id, row.length)
    return Added(row, number, created=True)


def _refuse_aside(entry: Entry) -> None:
    """Refuse a call or a ruling that comes as what was played: it has a way of its own
    (`games.services.aside`)."""
    if entry.act in ASIDES:
        raise Refused(
            Illegal(
                "bad_record", say("nobody writes this down as an entry of the play"), path="act"
            )
        )


def _known(row: OpenSheet, number: int, entry: Entry) -> Added:
    """The entry that has the key already."""
    earlier_entry = SheetEntry.objects.get(sheet=row, number=number)
    if (earlier_entry.act, json.loads(earlier_entry.value)) != (entry.act, entry.value):
        raise Refused(Illegal("key_reused", say("this key was sent with another entry")))
    return Added(row, number, created=False)


def _folded(row: OpenSheet, record: Record, entry: Entry) -> engine_sheet.OpenSheet:
    """The sheet with one more entry: from the state that is kept, but for an amendment, which needs
    all rounds."""
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
                "too_many_entries", say("no sheet has more than {most} amendments", most=AMENDMENTS)
            )
        )


def _tell(open_game: str, length: int) -> None:
    with connection.cursor() as cursor:
        cursor.callproc("pg_notify", [CHANNEL, f"{open_game}:{length}"])


def branch_check(*, sheet: OpenSheet, after: int, entries: Sequence[dict[str, Any]]) -> None:
    """Raise `Refused` where `entries` (`act` and `value`) can't have been written after the first
    `after` entries of a sheet, which comes with its open game: with `no_such_entry` if the sheet
    hasn't as many, else with the fault of the first that doesn't stand. Nothing is held meanwhile:
    what stands on a sheet stays there."""
    if after > sheet.length:
        raise Refused(
            Illegal("no_such_entry", say("the sheet has {length} entries", length=sheet.length))
        )
    _refuse_many_amendments(sum(entry["act"] == "amend" for entry in entries))
    folded = sheet_folded(sheet, sheet_header(sheet.open_game), before=after)
    for each in entries:
        entry = stored_entry(each["act"], each["value"])
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
    """Keep beside a sheet what was written after its first `after` entries and can't stand there,
    in the caller's transaction, in which nobody else keeps one; sealed or not. `entries` have
    `key`, `act`, `value` and `at`, and `branch_check` let them pass. Where the writer's key has
    ended, the branch waits to be let in for `WAITS`.

    The branch, and whether it is new: the same `key` again changes nothing, nor do the same entries
    of a key that has ended, which a phone first sends one by one and then together. Raises
    `Refused`: with `key_reused` for a known key with other entries, with `too_many_branches`."""
    written = canonical_json(list(entries)).decode()
    earlier = SheetBranch.objects.filter(sheet=sheet, key=key).first()
    if earlier is not None:
        if (earlier.after, earlier.entries) != (after, written):
            raise Refused(Illegal("key_reused", say("this key was sent with other entries")))
        return earlier, False
    is_good = key_hold(writer)
    kept = SheetBranch.objects.filter(sheet=sheet, waits_until__isnull=is_good)
    if not is_good:
        kept = kept.filter(device=writer.device_id)
        same = kept.filter(after=after, entries=written).first()
        if same is not None:
            return same, False
    if kept.count() >= BRANCHES:
        raise Refused(
            Illegal(
                "too_many_branches", say("no sheet has more than {most} branches", most=BRANCHES)
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
        waits_until=None if is_good else made_at + WAITS,
    )
    return branch, True


def branch_let_in(*, branch: SheetBranch) -> OpenSheet:
    """Let the entries of a branch stand on its sheet as its own writer's, in the caller's
    transaction; the sheet as it is then. Who has to agree with that has done so. Twice is once.

    Raises `Overtaken` if somebody wrote since, and `Refused` as `entry_add` does.
    """
    open_game = branch.sheet.open_game.public_id
    device = branch.device
    writer = Writer(device=(device.pk, device.public_id)) if device else NOBODY
    length = branch.after
    for written in branch_entries(branch):
        held = sheet_hold(open_game, written.key)
        if held.earlier_number is None:
            added = _stand(held, length, written, writer)
        else:
            added = _known(held.row, held.earlier_number, written.entry)
        length = added.number + 1
    return held.row


def sheet_seal(*, sheet: OpenSheet, game: Game) -> None:
    """Note that a sheet, which is held, became this game, in the transaction that seals the game;
    nothing is added to it any more."""
    SealedSheet.objects.create(game=game, sheet=sheet, length=sheet.length, link=sheet.link)
    _tell(sheet.open_game.public_id, sheet.length)
