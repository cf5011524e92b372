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
    and in a turn of Lügen-Kniffel that nobody doubted, only their public part is compared. Two
    queries."""
    if record.proof is None:
        return
    commitment = record.proof.commitment
    name = commitment.hex()
    try:
        dealer = dealer_of(record)
    except DealerSecret.DoesNotExist:
        yield Difference("dealer secret", name, "row", stored_value=False, true_value=True)
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
    """Yield the contradictions between the hidden acts of a game and its entries.

    `sheet`: the empty sheet, to which the entries are applied. `acts`: by number; those with an
    entry are taken out."""
    kind = ONLINE_KINDS[sheet.record.kind]
    round_acts: list[SheetEntry] = []
    for entry in entries:
        name = f"{public_id} {entry['number']}"
        public_entry = stored_entry(entry["act"], entry["value"])
        act = acts.pop(entry["number"], None)
        if act is None and not _is_complete_act(kind, public_entry):
            yield Difference("hidden act", name, "row", stored_value=False, true_value=True)
        if act is not None:
            whole = SheetEntry(public_entry.act, _parsed(act.value))
            # Whether the act fits its entry, as the act itself must not be disclosed.
            fits_entry = _is_canonical(act.value) and _public_part(kind, whole) == public_entry
            cells = [
                ("round_number", act.round_number, sheet.closed),
                ("act", act.act, public_entry.act),
                ("value", fits_entry, True),
            ]
            yield from cell_differences("hidden act", name, cells)
            round_acts.append(whole)
        if public_entry.act == "reveal":
            if not _explains_reveal(kind, dealer, sheet, round_acts, public_entry):
                yield Difference(
                    "hidden act", name, "value", "other acts", "those that the dealer told here"
                )
            round_acts = []
        sheet.apply(public_entry)
    for number in acts:
        name = f"{public_id} {number}"
        yield Difference("hidden act", name, "row", stored_value=True, true_value=False)


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


def _is_complete_act(kind: AnyOnlineKind, entry: SheetEntry) -> bool:
    """Return True if an entry is a complete act, not only the public part of a hidden act, which
    would be malformed as an act."""
    return _public_part(kind, entry) is not None


def _explains_reveal(
    kind: AnyOnlineKind,
    dealer: Dealer,
    sheet: DealtSheet,
    acts: Sequence[SheetEntry],
    reveal_entry: SheetEntry,
) -> bool:
    try:
        return kind.reveal(dealer, sheet, tuple(acts)) == reveal_entry.value
    except (LookupError, TypeError, ValueError, Refused):
        return False  # these acts can't be played at all
