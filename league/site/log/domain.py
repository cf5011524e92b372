"""Log entries as people read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from league.core.log.actions import ACTIONS
from league.core.log.ledger import FIRST, FORGOTTEN
from league.core.log.statements import ROWS, row_of_place
from league.core.log.texts import REASON, texts_back
from league.stages.round.domain.reason import ID, named

DIGESTS: Final = ("head", "kept")
"""Keys of payloads with a digest, which looks like a commitment."""


class LoggedChange(NamedTuple):
    """A value in an entry: its name, its text before the change (if the entry has it) and after.

    `forgotten`: True if it was a name, or a text with one, and is erased.
    """

    what: str
    before: str
    after: str
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry. `actor` is the public id of an account; None for the service itself or the command
    line.

    `follows`: True if its digest follows from the entry before and its contents. `name`: the
    subject's current name; `season`: its slug if it is a season; `online_table`: the table of a
    dealt game. `corrects`: the public id of the game that it corrects. `receipt`: a line of text
    for people to keep."""

    position: int
    action: str
    subject: str
    reason: str
    request: str
    at: datetime
    actor: str | None
    actor_name: str | None
    name: str
    season: str | None
    online_table: str | None
    digest: str
    follows: bool
    changes: list[LoggedChange]
    corrects: str
    receipt: str

    @property
    def label(self) -> str:
        """The name of the action."""
        return str(ACTIONS[self.action].label)

    @property
    def ids(self) -> set[str]:
        """The words of the entry that could be public ids."""
        ids = {self.subject}
        for change in self.changes:
            ids.update(ID.findall(f"{change.before} {change.after}"))
        return ids

    def named(self, names: Mapping[str, str]) -> LogRow:
        """Return the entry with names in place of public ids."""
        changes = [
            change._replace(before=named(change.before, names), after=named(change.after, names))
            for change in self.changes
        ]
        return replace(self, name=names.get(self.subject) or self.name, changes=changes)


def changes_of(payload: Mapping[str, Any], names: Mapping[str, Any] | None) -> list[LoggedChange]:
    """Return the values in an entry's payload, without the reason and the rows that it states.
    Texts take the place of their commitments, unless they are forgotten. A statement of a whole
    club has only rows."""
    texts = names or {}
    logged = _shown_parts(payload, texts)
    values_before: dict[str, Any] = {}
    values_after: dict[str, Any] = {}
    has_both_sides = isinstance(logged.get("before"), dict) and isinstance(
        logged.get("after"), dict
    )
    forgotten: set[str] = set()
    for place, value in logged.items():
        values_of_side = (
            values_before if place == "before" or place.endswith("_before") else values_after
        )
        if has_both_sides and place in ("before", "after"):
            values_of_side.update(value)
            continue
        values_of_side[_value_name(place)] = value
        if place not in texts and _is_commitment(place, value):
            forgotten.add(_value_name(place))

    changes = []
    for what in {**values_before, **values_after}:
        values = (spelt(values_before.get(what, "")), spelt(values_after.get(what, "")))
        changes.append(LoggedChange(what, *values, forgotten=what in forgotten))
    return changes


def _shown_parts(payload: Mapping[str, Any], texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload with its texts, without the reason and the statements of rows."""
    states_whole_club = FIRST in payload  # such an entry has nothing but rows
    parts = {}
    for place, value in texts_back(payload, texts).items():
        is_reason = place == REASON and place in texts
        if not is_reason and (states_whole_club or not _states_rows(place)):
            parts[place] = value
    return parts


def _states_rows(place: str) -> bool:
    return place == ROWS or row_of_place(place) is not None


def _value_name(place: str) -> str:
    """Return the name of the value that a key is about: `name` for `name_before` and
    `name_after`."""
    if place in ("before", "after"):
        return "account"
    return place.removesuffix("_before").removesuffix("_after")


def _is_commitment(place: str, value: object) -> bool:
    return (
        place not in DIGESTS and isinstance(value, str) and FORGOTTEN.fullmatch(value) is not None
    )


def spelt(value: object) -> str:
    """Return a value as text: texts as they are, None as a dash, everything else as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return "–"
    return json.dumps(value, ensure_ascii=False)
