"""An entry of the log as people read it."""

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
"""Places at which a payload tells a digest, which looks like a commitment."""


class LoggedChange(NamedTuple):
    """One thing that an entry tells: what it was before, where it tells that, and what it is now.

    `forgotten`: it was somebody's name, or a text that told one.
    """

    what: str
    before: str
    after: str
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry. `actor` is the public id of an account, None for the service itself or the command
    line.

    `follows`: whether its digest follows from the entry before and from what it says. `name` is
    what the subject is called today, `season` its slug if it is a season, and `online_table` that
    at which a game was dealt. `corrects` is the public id of the game that it corrects. `receipt`
    is the line of text that somebody can keep of it."""

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
        """Return what was done, in words."""
        return str(ACTIONS[self.action].label)

    @property
    def ids(self) -> set[str]:
        """Return all that may be a public id in what is shown of it."""
        return {
            self.subject,
            *(
                word
                for change in self.changes
                for word in ID.findall(f"{change.before} {change.after}")
            ),
        }

    def named(self, names: Mapping[str, str]) -> LogRow:
        """Return it with the names of things for their public ids."""
        changes = [
            change._replace(before=named(change.before, names), after=named(change.after, names))
            for change in self.changes
        ]
        return replace(self, name=names.get(self.subject) or self.name, changes=changes)


def changes_of(payload: Mapping[str, Any], names: Mapping[str, Any] | None) -> list[LoggedChange]:
    """Return what the payload of an entry tells but for the reason and the rows that it states,
    with the words whose commitments it has, as far as they aren't forgotten. A statement of a whole
    club tells nothing but rows."""
    words = names or {}
    logged = {
        place: value
        for place, value in texts_back(payload, words).items()
        if (place != REASON or place not in words) and ("first" in payload or not _is_stated(place))
    }
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    both = isinstance(logged.get("before"), dict) and isinstance(logged.get("after"), dict)
    lost: set[str] = set()
    for place, value in logged.items():
        side = before if place == "before" or place.endswith("_before") else after
        if both and place in ("before", "after"):
            side.update(value)
        else:
            side[_what(place)] = value
            if place not in words and _was_word(place, value):
                lost.add(_what(place))
    return [
        LoggedChange(
            what, spelt(before.get(what, "")), spelt(after.get(what, "")), forgotten=what in lost
        )
        for what in [*before, *(what for what in after if what not in before)]
    ]


def _is_stated(place: str) -> bool:
    """Return True for what says the cells of rows, which whoever reads the entry finds in the rest
    of it."""
    return place == ROWS or row_of_place(place) is not None


def _what(place: str) -> str:
    """Return what a key of a payload is about: `name_before` and `name_after` are both about
    `name`."""
    return (
        "account"
        if place in ("before", "after")
        else place.removesuffix("_before").removesuffix("_after")
    )


def _was_word(place: str, value: object) -> bool:
    """True if this was a word that is sealed as a commitment."""
    return (
        place not in DIGESTS and isinstance(value, str) and FORGOTTEN.fullmatch(value) is not None
    )


def spelt(value: object) -> str:
    """A value as people read it: texts as they are, nothing as a dash, all else as JSON."""
    if isinstance(value, str):
        return value
    return "–" if value is None else json.dumps(value, ensure_ascii=False)
