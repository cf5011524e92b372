"""What a seat of Lügen-Kniffel may know in the middle of a turn, and what it can do then."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from engine.kniffel.combinations import ANNOUNCEABLE, Announcement, Dice, Ruleset
from engine.kniffel.sheet import Sheet
from engine.players.chooser import Chooser


class TurnView(NamedTuple):
    """All that one seat may know; the sheets are the table's own, to be read and not to be written
    on.

    `playing`: the seats that didn't leave. `rolls`: how often the roller has rolled. Only the
    roller sees dice: those `locked` under earlier cups and those just rolled (`fresh`), both
    ascending. Only who is asked to doubt has an `announcement`. Ruling K11 (K)."""

    rules: Ruleset
    seat: int
    playing: tuple[int, ...]
    sheets: Sequence[Sheet]
    rolls: int = 0
    locked: Dice = ()
    fresh: Dice = ()
    announcement: Announcement | None = None

    @property
    def sheet(self) -> Sheet:
        """The sheet of the seat that looks."""
        return self.sheets[self.seat]

    @property
    def dice(self) -> Dice:
        """The five dice under the roller's cups, ascending."""
        return tuple(sorted(self.locked + self.fresh))

    @property
    def open_fields(self) -> list[str]:
        """The combinations that are neither noted nor crossed on the own sheet. Ruling K5 (K)."""
        return [combination for combination, field in self.sheet.items() if not field.filled]

    @property
    def announcements(self) -> list[Announcement]:
        """All that the own sheet lets the seat announce. Rulings K2, K5 (K)."""
        zero = {0} if self.rules.allow_zero else set()
        return [
            Announcement(combination, points)
            for combination in self.open_fields
            for points in sorted(ANNOUNCEABLE[combination] | zero)
        ]


TurnMove: TypeAlias = Dice | Announcement | bool
"""After a roll the dice of it that stay, as another one follows, or what is announced; else whether
the seat doubts."""
TurnPlayer: TypeAlias = Chooser[TurnView, TurnMove]
"""A player of Lügen-Kniffel."""
