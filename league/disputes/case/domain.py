"""The timeline of a case: the entries of the game's sheet and the facts about its result, in the
order in which they happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.domain.correction import GameChanges
from games.models import Game
from league.core.account.models import User
from league.core.log.actions import Action
from league.sheets.sheet.domain.history import EntryInWords


class CaseState(TextChoices):
    """The state of a dispute."""

    NONE = "none", _("nobody objects")
    RAISED = "raised", _("waiting for a ruling")
    HEARD = "heard", _("hearing open")
    RULED = "ruled", _("ruled")
    APPEALED = "appealed", _("appealed")
    CLOSED = "closed", _("closed")
    WITHDRAWN = "withdrawn", pgettext_lazy("a dispute", "withdrawn")
    OUT_OF_TIME = "out_of_time", _("too late to object")


@dataclass(frozen=True, slots=True)
class CaseFact:
    """Something that was done with a sealed game.

    `action` and `position`: those of the entry in the club's log; the position is None if the log
    has no such entry. `game`: the revision concerned. `account`: who did it, None if unknown;
    `role`: in which role, empty if unknown. `seat`: the seat for which it was done, None for no
    seat. `words`: the text that belongs to it, such as a reason. `path`: of the page that shows it;
    empty for no page. `about`: the public id of the log's subject, if that isn't the game's. `way`:
    how an objection ended, else empty. `title`: replaces the label of the action. `note`: a further
    sentence."""

    at: datetime
    action: Action
    game: Game
    account: User | None = None
    role: str = ""
    seat: int | None = None
    words: str = ""
    path: str = ""
    about: str = ""
    way: str = ""
    position: int | None = None
    title: str = ""
    note: str = ""

    @property
    def subject(self) -> str:
        """Return the public id of the log's subject."""
        return self.about or self.game.public_id


@dataclass(frozen=True, slots=True)
class TimelinePart:
    """A part of a timeline: consecutive entries of the sheet, or one fact."""

    entries: list[EntryInWords]
    fact: CaseFact | None


def timeline(
    entries: Sequence[EntryInWords], facts: Sequence[CaseFact], round_number: int | None = None
) -> list[TimelinePart]:
    """Return the entries of a sheet and the facts about its game in the order of time. With a
    `round_number`, leave out the entries of other rounds.

    At the same time, entries come before facts, and facts keep their order.
    """
    moments: list[tuple[datetime, EntryInWords | CaseFact]] = []
    for entry in entries:
        if round_number in (None, entry.round_number):
            moments.append((entry.entry.made_at, entry))
    moments += [(fact.at, fact) for fact in facts]
    moments.sort(key=lambda moment: (moment[0], isinstance(moment[1], CaseFact)))

    parts: list[TimelinePart] = []
    for _at, entry_or_fact in moments:
        if isinstance(entry_or_fact, CaseFact):
            parts.append(TimelinePart(entries=[], fact=entry_or_fact))
        elif parts and parts[-1].fact is None:
            parts[-1].entries.append(entry_or_fact)
        else:
            parts.append(TimelinePart(entries=[entry_or_fact], fact=None))
    return parts


def disputed_rounds(
    changes: GameChanges | None, compared: Sequence[tuple[int, str, str]]
) -> list[int]:
    """Return the numbers of the disputed rounds, ascending: the rounds that a proposal changes
    (`changes`), and those in which two sheets differ (`compared`: number and both texts)."""
    numbers = {number for number, _, _ in compared}
    for change in changes.rounds if changes else ():
        number = change.number_before or change.number_after
        if number is not None:
            numbers.add(number)
    return sorted(numbers)
