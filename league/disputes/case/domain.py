"""The timeline of a game: its sheet and all that was done with its result, in the order in which it
happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from games.domain.correction import GameChanges
from games.models import Game
from league.core.account.models import User
from league.core.log.actions import Action
from league.sheets.sheet.domain.history import EntryInWords


class CaseState(TextChoices):
    """How far a dispute has come."""

    NONE = "none", _("nobody objects")
    RAISED = "raised", _("waits for a ruling")
    HEARD = "heard", _("the table is asked")
    RULED = "ruled", _("ruled")
    APPEALED = "appealed", _("appealed")
    CLOSED = "closed", _("closed")
    WITHDRAWN = "withdrawn", _("withdrawn")
    OUT_OF_TIME = "out_of_time", _("too late to object")


@dataclass(frozen=True, slots=True)
class CaseFact:
    """Something that was done with a game once it was sealed.

    `action`: as the club's log calls it, at the `position` there; None for what was done before the
    log told of it. `game`: the revision that it is about. `account`: who did it, `role`: in which
    role, empty where that isn't known. `seat`: for which seat. `words`: what was said. `path`: the
    page that shows it; empty for none. `about`: the public id under which the log tells of it, if
    that isn't the game's. `way`: how an objection ended, by its name. `title`: what happened, where
    the action doesn't say it; `note`: what else is to be known of it."""

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
        """The public id under which the log tells of it."""
        return self.about or self.game.public_id


@dataclass(frozen=True, slots=True)
class TimelinePart:
    """A part of a timeline: entries of the sheet that follow each other, or one fact."""

    entries: list[EntryInWords]
    fact: CaseFact | None


def timeline(
    entries: Sequence[EntryInWords], facts: Sequence[CaseFact], round_number: int | None = None
) -> list[TimelinePart]:
    """Put the entries of a sheet and the facts about its game in order; with a round, only the
    entries of that one.

    Of what happened at the same moment the sheet comes first, and facts stay in their order.
    """
    written = [entry for entry in entries if round_number in (None, entry.round_number)]
    happened: list[tuple[datetime, EntryInWords | CaseFact]] = [
        (entry.entry.made_at, entry) for entry in written
    ]
    happened += [(fact.at, fact) for fact in facts]
    happened.sort(key=lambda pair: (pair[0], isinstance(pair[1], CaseFact)))
    parts: list[TimelinePart] = []
    for _at, each in happened:
        if isinstance(each, CaseFact):
            parts.append(TimelinePart([], each))
        elif parts and parts[-1].fact is None:
            parts[-1].entries.append(each)
        else:
            parts.append(TimelinePart([each], None))
    return parts


def disputed_rounds(
    changes: GameChanges | None, compared: Sequence[tuple[int, str, str]]
) -> list[int]:
    """Return the numbers of the rounds that are disputed, in order: those that a proposal changes,
    and those in which two sheets differ."""
    numbers = {number for number, _, _ in compared}
    for change in changes.rounds if changes else ():
        number = change.number_before or change.number_after
        if number is not None:
            numbers.add(number)
    return sorted(numbers)
