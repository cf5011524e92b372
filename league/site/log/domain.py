"""Log entries as people read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from league.core.log.actions import ACTIONS
from league.core.log.ledger import FORGOTTEN
from league.core.log.statements import ROWS, row_of_place
from league.core.log.texts import REASON, texts_back
from league.stages.round.domain.reason import ID, named

DIGESTS: Final = ("head", "kept")
"""Keys of payloads with a digest, which looks like a commitment."""


class LoggedChange(NamedTuple):
    """A value in an entry: before, if the entry says that, and after.

    `forgotten`: it was a name, or a text with one."""

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
        """The words of the entry that may be public ids."""
        words = {self.subject}
        for change in self.changes:
            words.update(ID.findall(f"{change.before} {change.after}"))
        return words

    def named(self, names: Mapping[str, str]) -> LogRow:
        """Return the entry with names in place of public ids."""
        changes = [
            change._replace(before=named(change.before, names), after=named(change.after, names))
            for change in self.changes
        ]
        return replace(self, name=names.get(self.subject) or self.name, changes=changes)


def changes_of(payload: Mapping[str, Any], names: Mapping[str, Any] | None) -> list[LoggedChange]:
    """Return the values in an entry's payload without the reason and the rows that it states. Words
    take the place of their commitments unless they are forgotten. The statement of a whole club
    has only rows."""
    words = names or {}
    logged = _shown_parts(payload, words)
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    has_both = isinstance(logged.get("before"), dict) and isinstance(logged.get("after"), dict)
    lost: set[str] = set()
    for place, value in logged.items():
        side = before if place == "before" or place.endswith("_before") else after
        if has_both and place in ("before", "after"):
            side.update(value)
            continue
        side[_subject_of_key(place)] = value
        if place not in words and _is_commitment(place, value):
            lost.add(_subject_of_key(place))

    changes = []
    for what in {**before, **after}:
        values = (spelt(before.get(what, "")), spelt(after.get(what, "")))
        changes.append(LoggedChange(what, *values, forgotten=what in lost))
    return changes


def _shown_parts(payload: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    shown = {}
    for place, value in texts_back(payload, words).items():
        is_reason = place == REASON and place in words
        if not is_reason and ("first" in payload or not _is_stated(place)):
            shown[place] = value
    return shown


def _is_stated(place: str) -> bool:
    """Return True for statements of rows, whose contents are in the rest of the entry."""
    return place == ROWS or row_of_place(place) is not None


def _subject_of_key(place: str) -> str:
    """Return the subject of a key: `name_before` and `name_after` are both about `name`."""
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
