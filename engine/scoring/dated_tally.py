"""Tallies that remember their state before the last day of play, for the arrows next to ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo

from engine.scoring.standings import Criterion, K, table
from engine.scoring.tally import Tally


@dataclass(frozen=True, slots=True)
class DatedTally:
    """One player's games, added in any order; `DatedTally()` holds none.

    `total`: all games. `day`: the player's last day of play, None if no game has a date. `before`:
    the games before that day. Games without a date count as played on one day before any other.
    """

    total: Tally = field(default_factory=Tally)
    before: Tally = field(default_factory=Tally)
    day: date | None = None

    def add(self, day: date | None, tally: Tally) -> "DatedTally":
        """Return the tally with one more game, or several games of one day."""
        total = self.total + tally
        if day == self.day:
            return DatedTally(total, self.before, day)
        if day is None or (self.day is not None and day < self.day):
            return DatedTally(total, self.before + tally, self.day)
        return DatedTally(total, self.total, day)

    def until(self, last_day: date | None) -> Tally:
        """Return the games before `last_day`, the last day of play of the whole ranking."""
        if self.day == last_day:
            return self.before
        return self.total


def day_of(played_at: datetime | None, zone: tzinfo) -> date | None:
    """Return the day of play in `zone`; None for a game without a time."""
    if played_at is None:
        return None
    try:
        return played_at.astimezone(zone).date()
    except OverflowError:  # the last hours of the calendar, or its first
        return played_at.date()


def last_day(rows: Mapping[K, DatedTally]) -> date | None:
    """Return the last day of play of a ranking; None if no game has a date."""
    return max((row.day for row in rows.values() if row.day is not None), default=None)


def ranks_before(
    rows: Mapping[K, DatedTally], last_day: date | None, order: Sequence[Criterion]
) -> dict[K, int]:
    """Return the ranks before the ranking's last day of play.

    Only players who had a game before that day have a rank. `rows`: all rows of the ranking.
    `last_day`: the latest day among them.
    """
    tallies = {player: row.until(last_day) for player, row in rows.items()}
    played = {player: tally for player, tally in tallies.items() if tally.games}
    return {standing.player: standing.rank for standing in table(played, order)}
