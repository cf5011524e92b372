"""Entries of a sheet apart from the play: calls for the arbiter, and rulings.

They are valid whatever others write meanwhile, and don't change the game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from uuid import UUID

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.sheet.entry import AsideAct
from engine.sheet.entry import SheetEntry as Entry
from engine.sheet.sheet import OpenSheet as WrittenSheet
from engine.sheet.versions import resume, rounds_of
from games.domain.branch import WrittenEntry
from games.models import OpenSheet, SheetEntry
from games.queries.open_game import HeldSheet, sheet_hold
from games.services.open_game import ENTRIES, KeyEnded, Writer, entry_append, key_hold

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class AddedAside(NamedTuple):
    """A call, its end or a ruling on a sheet: its row and the sheet. `created`: False if it was
    there already."""

    entry: SheetEntry
    sheet: OpenSheet
    created: bool


def aside_add(
    *,
    open_game: str,
    act: AsideAct,
    value: Mapping[str, Any] = NOTHING,
    writer: Writer,
    key: UUID,
    check: Callable[[OpenSheet], None],
) -> AddedAside:
    """Add a call, its end or a ruling to the sheet of an open game, in the caller's transaction.

    `value`: without the round. `check`: called with the locked sheet; may raise `Refused`. The same
    `key` again changes nothing. Raise `OpenSheet.DoesNotExist`, `KeyEnded`, and `Refused` with
    `sealed`, `key_reused`, `too_many_entries`, or an error of `engine.sheet.call.apply_aside`."""
    held = sheet_hold(open_game, key)
    row = held.row
    if held.earlier_number is not None:
        return _added_before(held, act, value, writer)
    if not key_hold(writer):
        raise KeyEnded
    if held.sealed:
        raise Refused(
            Illegal("sealed", say("this game is sealed: object to its result if it is wrong"))
        )
    if row.length >= ENTRIES:
        raise Refused(
            Illegal(
                "too_many_entries", say("a sheet can have at most {most} entries", most=ENTRIES)
            )
        )
    check(row)

    sheet = resume(row.version, held.record, row.state)
    entry = Entry(act, {**_round_of(act, rounds_of(sheet)), **value})
    wrong = sheet.apply(entry)
    if wrong is not None:
        raise Refused(wrong)
    added = entry_append(row, sheet, WrittenEntry(key, entry, at=None), writer)
    return AddedAside(_entry(row, added.number), row, created=True)


def _round_of(act: AsideAct, sheet: WrittenSheet) -> dict[str, Any]:
    if act == "call":
        return {"round": sheet.last_begun}
    if act == "ruling":
        return {"round": sheet.call}
    return {}


def _added_before(
    held: HeldSheet, act: AsideAct, value: Mapping[str, Any], writer: Writer
) -> AddedAside:
    assert held.earlier_number is not None
    entry = _entry(held.row, held.earlier_number)
    earlier_value = json.loads(entry.value)
    # The caller's `value` lacks the round, which `aside_add` added.
    earlier_value.pop("round", None)
    is_same = entry.act == act and earlier_value == dict(value)
    earlier_writer = (entry.account_id, entry.device_id, entry.seat)
    if not is_same or earlier_writer != (writer.account_id, writer.device_id, writer.seat):
        raise Refused(Illegal("key_reused", say("this key was already used for another entry")))
    return AddedAside(entry, held.row, created=False)


def _entry(row: OpenSheet, number: int) -> SheetEntry:
    return SheetEntry.objects.select_related("account", "device").get(sheet=row, number=number)
