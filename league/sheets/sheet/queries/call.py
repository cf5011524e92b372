"""The call for the arbiter at a table, and what the arbiter ruled last."""

from __future__ import annotations

import json
from typing import NamedTuple

from engine.sheet.entry import ASIDES
from games.models import OpenSheet, SheetEntry
from league.sheets.sheet.domain.call import RulingInWords, ruling_in_words


class TableCall(NamedTuple):
    """The open `call` for the arbiter at a table, or what the arbiter `ruled` on the last call;
    both are None if there is neither. `round_number`: the round in question, from 1."""

    call: SheetEntry | None = None
    ruled: RulingInWords | None = None
    round_number: int = 0


def table_call(sheet: OpenSheet, kind: str) -> TableCall:
    """Return the call or ruling that is last on a sheet; neither if the last call was taken back.
    `kind`: the name of the kind of game. One query."""
    entries = SheetEntry.objects.filter(sheet=sheet, act__in=ASIDES).select_related(
        "account", "device"
    )
    last = entries.order_by("-number").first()
    if last is None or last.act == "call_off":
        return TableCall()
    value = json.loads(last.value)
    if last.act == "call":
        return TableCall(call=last, round_number=value["round"])
    return TableCall(ruled=ruling_in_words(kind, value), round_number=value["round"])
