"""What a seat of Lügen-Kniffel may know during a turn, and what it can do then."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from engine.kniffel.combinations import ANNOUNCEABLE, Announcement, Dice, Ruleset
from engine.kniffel.sheet import Sheet
from engine.players.chooser import Chooser


class TurnView(NamedTuple):
    """What one seat may know; the sheets are the table's own, and only for reading.

    `playing`: the seats that haven't left. `rolls`: how often the roller has rolled. Only the
    roller sees dice: those `locked` under earlier cups and those just `rolled`, both ascending.
    Only a seat that is asked to doubt has an `announcement`. Ruling K11: the dice are the roller's
    secret.
    """

    rules: Ruleset
    seat: int
    playing: tuple[int, ...]
    sheets: Sequence[Sheet]
    rolls: int = 0
    locked: Dice = ()
    rolled: Dice = ()
    announcement: Announcement | None = None

    @property
    def sheet(self) -> Sheet:
        """Return the seat's own sheet."""
        return self.sheets[self.seat]

    @property
    def dice(self) -> Dice:
        """Return the five dice under the roller's cups, ascending."""
        return tuple(sorted(self.locked + self.rolled))

    @property
    def open_fields(self) -> list[str]:
        """Return the combinations that are neither noted nor crossed on the seat's own sheet, so
        that they can be announced (Ruling K5)."""
        return [combination for combination, field in self.sheet.items() if not field.filled]

    @property
    def announcements(self) -> list[Announcement]:
        """Return all announcements that the seat's own sheet allows.

        Ruling K2: the points of each combination, zero only if the ruleset allows it."""
        zero = {0} if self.rules.allow_zero else set()
        announcements: list[Announcement] = []
        for combination in self.open_fields:
            points_allowed = sorted(ANNOUNCEABLE[combination] | zero)
            announcements += [Announcement(combination, points) for points in points_allowed]
        return announcements


TurnMove: TypeAlias = Dice | Announcement | bool
"""After a roll, the dice of it that are kept for another roll, or the announcement; else whether
the seat doubts."""
TurnPlayer: TypeAlias = Chooser[TurnView, TurnMove]
"""A player of Lügen-Kniffel."""
