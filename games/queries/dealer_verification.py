"""The verification of what the dealer keeps secret about an online game: its secret, and the hidden
acts of seats.

No difference discloses a die, a secret or a hidden act: the person who runs an audit may sit at the
table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.dice.dealer import Dealer
from engine.illegal import Refused
from engine.record.canonical import canonical_json
from engine.record.record import Record
from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import SheetEntry, stored_entry
from engine.sheet.online_kind import ONLINE_KINDS, AnyOnlineKind, begin
from games.domain.difference import Difference, cell_differences
from games.models import DealerSecret, HiddenAct, OpenSheet
from games.queries.online_game import dealer_of


def dealer_differences(
    public_id: str, row: OpenSheet, record: Record, entries: Sequence[Mapping[str, Any]]
) -> Iterator[Difference]:
    """Yield every contradiction in what the dealer keeps about an online game.

    `public_id`: of the open game. `record`: its header. `entries`: its sheet, from `sheet_entries`.
    Hidden acts are compared with what the dealer disclosed when it closed the round. Before that,
    and in an undoubted turn of Lügen-Kniffel, only their public part is compared. Two queries."""
    if record.proof is None:
        return
    commitment = record.proof.commitment
    name = commitment.hex()
    try:
        dealer = dealer_of(record)
    except DealerSecret.DoesNotExist:
        yield Difference("dealer secret", name, "row", False, True)
        return
    except ValueError:
        yield Difference("dealer secret", name, "secret", "no secret", "the one of this commitment")
        return
    if dealer.proof([]).commitment != commitment:
        yield Difference(
            "dealer secret", name, "secret", "another one", "the one of this commitment"
        )
        return
    kind = ONLINE_KINDS[record.kind]
    if kind.hides:
        acts = {act.number: act for act in HiddenAct.objects.filter(sheet=row)}
        yield from _hidden_act_differences(public_id, dealer, begin(record), entries, acts)


def _hidden_act_differences(
    public_id: str,
    dealer: Dealer,
    sheet: DealtSheet,
    entries: Sequence[Mapping[str, Any]],
    acts: dict[int, HiddenAct],
) -> Iterator[Difference]:
    kind = ONLINE_KINDS[sheet.record.kind]
    of_round: list[SheetEntry] = []
    for entry in entries:
        name = f"{public_id} {entry['number']}"
        stated = stored_entry(entry["act"], entry["value"])
        act = acts.pop(entry["number"], None)
        if act is None and not _is_complete_act(kind, stated):
            yield Difference("hidden act", name, "row", False, True)
        if act is not None:
            whole = SheetEntry(stated.act, _parsed(act.value))
            cells = [
                ("round_number", act.round_number, sheet.closed),
                ("act", act.act, stated.act),
                ("value", _is_canonical(act.value) and _public_part(kind, whole) == stated, True),
            ]
            yield from cell_differences("hidden act", name, cells)
            of_round.append(whole)
        if stated.act == "reveal":
            if not _explains_reveal(kind, dealer, sheet, of_round, stated):
                yield Difference(
                    "hidden act", name, "value", "other acts", "those that the dealer told here"
                )
            of_round = []
        sheet.apply(stated)
    for number in acts:
        yield Difference("hidden act", f"{public_id} {number}", "row", True, False)


def _parsed(value: str) -> dict[str, Any]:
    try:
        parsed = json.loads(value)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _is_canonical(value: str) -> bool:
    return canonical_json(_parsed(value)).decode() == value


def _public_part(kind: AnyOnlineKind, whole: SheetEntry) -> SheetEntry | None:
    try:
        return kind.public_part(whole)
    except Refused:
        return None


def _is_complete_act(kind: AnyOnlineKind, stated: SheetEntry) -> bool:
    """Return True if an entry is a complete act: the public part of a hidden one can't be sent
    as an act."""
    return _public_part(kind, stated) is not None


def _explains_reveal(
    kind: AnyOnlineKind,
    dealer: Dealer,
    sheet: DealtSheet,
    acts: Sequence[SheetEntry],
    stated: SheetEntry,
) -> bool:
    try:
        return kind.reveal(dealer, sheet, tuple(acts)) == stated.value
    except (LookupError, TypeError, ValueError, Refused):
        return False  # these acts can't be played at all
