"""The game: whose turn it is, what announcements and doubts do to the sheets, and when it ends."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.clock import CLOCK, ONE_LEFT, Ended, not_by_clock
from engine.illegal import Illegal, quote
from engine.kniffel.combinations import (
    DICE,
    Announcement,
    Dice,
    Ruleset,
    can_be_announced,
    is_true,
    score,
)
from engine.kniffel.rolls import wrong_dice
from engine.kniffel.sheet import Sheet
from engine.messages import say
from engine.ranks import ranks

SEATS: Final = range(2, 9)
"""Two to eight seats (Ruling K0)."""


class Turn(NamedTuple):
    """A roller's announcement, the seats that doubt it, and the five dice if they are recorded."""

    announcement: Announcement
    doubters: Sequence[int] = ()
    dice: Dice | None = None


class TurnEnd(NamedTuple):
    """The result of a turn: the roller, the score of the dice in the announced combination, and
    whether the announcement was true.

    `score` and `true` are None if the dice aren't recorded.
    """

    seat: int
    score: int | None
    true: bool | None


class Game:
    """A game of Lügen-Kniffel in play.

    `sheets`: in seat order. `roller`: the seat whose turn it is, None when the game is over.
    `turns`: how many each seat has had. `playing`: the seats that haven't left; `leavers`: those
    that have, in order, grouped by when they left. `ended`: what ended the game before its last
    lap, if anything did. `last_lap`: the seats whose last turns are still to come, None before the
    first sheet is full.
    """

    __slots__ = ("ended", "last_lap", "leavers", "playing", "roller", "rules", "sheets", "turns")

    def __init__(self, seats: int, opener: int, rules: Ruleset) -> None:
        """Raise ValueError unless there are two to eight seats and the opener is one of them
        (Ruling K0)."""
        if seats not in SEATS or opener not in range(seats):
            raise ValueError(f"no table for {seats} seats with opener {opener}")
        self.rules = rules
        self.sheets = [Sheet() for _ in range(seats)]
        self.roller: int | None = opener
        self.turns = [0] * seats
        self.playing = tuple(range(seats))
        self.leavers: list[tuple[int, ...]] = []
        self.ended: Ended | None = None
        self.last_lap: list[int] | None = None

    @property
    def over(self) -> bool:
        """Return True if nobody has a turn left: all last turns were played, all seats but one have
        left, or time is up.

        Rulings K10, K15, K17: the last lap, leaving and time is up."""
        return self.roller is None

    @property
    def totals(self) -> list[int]:
        """Return the points in seat order, including the bonus (Ruling K13)."""
        return [sheet.total for sheet in self.sheets]

    @property
    def bonus(self) -> list[int]:
        """Return the bonus in seat order, each 0 or 35 (Ruling K12)."""
        return [sheet.bonus for sheet in self.sheets]

    @property
    def rank(self) -> list[int]:
        """Return ranks in seat order from 1; equal totals share one (1, 1, 3).

        Seats that left are behind all others (Ruling K15); of these, seats that left later are
        ahead.
        """
        return ranks(self.totals, self.playing, self.leavers)

    def play(self, turn: Turn) -> TurnEnd | Illegal:
        """Play the roller's turn and pass to the next roller; an illegal turn changes nothing.

        Rulings K2 to K10: announcements, doubts, strikes, the end.
        """
        roller = self.roller
        if roller is None:
            return Illegal("game_over", say("the game is over: nobody has a turn left"))
        illegal = self.fault(roller, turn)
        if illegal is not None:
            return illegal
        end = self._end(roller, turn)
        is_exposed_lie = bool(turn.doubters) and end.true is False
        self._settle(roller, turn, lie=is_exposed_lie)
        self.turns[roller] += 1
        self.roller = self._next(roller)
        return end

    def forfeit(self, seats: Sequence[int]) -> Illegal | None:
        """Let seats leave between two turns, or during a turn that is void by it (Ruling K15).

        Error: `wrong_seat` if one of them left before, or if nobody would be left.
        """
        for seat in seats:
            if seat not in self.playing:
                return Illegal(
                    "wrong_seat", say("seat {seat} is already out and can't forfeit", seat=seat)
                )
        if len(seats) == len(self.playing):
            return Illegal("wrong_seat", say("the last seat can't forfeit"))
        self.leavers.append(tuple(sorted(seats)))
        self.playing = tuple([seat for seat in self.playing if seat not in seats])
        if len(self.playing) == 1:
            self.roller = None
        elif self.roller is not None and self.roller in seats:
            self.roller = self._next(self.roller)
        return None

    def end_by_clock(self) -> Illegal | None:
        """End the game between two turns, as time is up; return `clock_mismatch` if it can't end
        so (Ruling K17)."""
        if self.over:
            if len(self.playing) == 1:
                return not_by_clock(ONE_LEFT)
            return not_by_clock(say("the last lap ended the game, not the clock"))
        if self.last_lap is not None:
            return not_by_clock(say("the last lap has begun, so it is played out"))
        if len({self.turns[seat] for seat in self.playing}) > 1:
            return not_by_clock(
                say("not every seat still playing has had the same number of turns")
            )
        self.ended = CLOCK
        self.roller = None
        return None

    def fault(self, roller: int, turn: Turn) -> Illegal | None:
        """Return what is wrong with a seat's turn, if anything: its announcement (Rulings K2, K5),
        its doubters, or its dice."""
        combination, points = turn.announcement
        if not can_be_announced(turn.announcement, self.rules):
            return Illegal(
                "no_such_announcement",
                say(
                    "{combination} with {points} points can't be announced",
                    combination=quote(combination),
                    points=points,
                ),
            )
        if self.sheets[roller][combination].filled:
            return Illegal(
                "category_closed",
                say(
                    "seat {seat} has already noted or crossed {combination}",
                    seat=roller,
                    combination=combination,
                ),
            )
        listeners = set(self.playing) - {roller}
        if len(listeners.intersection(turn.doubters)) < len(turn.doubters):
            return Illegal(
                "bad_doubter",
                say(
                    "doubters must be seats at the table other than {roller}, each given once",
                    roller=roller,
                ),
            )
        if turn.dice is None:
            if turn.doubters:
                return Illegal("dice_needed", say("a doubted turn must show its dice"))
            return None
        wrong = wrong_dice(turn.dice, DICE)
        return None if wrong is None else Illegal(*wrong)

    def _end(self, roller: int, turn: Turn) -> TurnEnd:
        if turn.dice is None:
            return TurnEnd(roller, None, None)
        return TurnEnd(
            roller,
            score(turn.announcement.combination, turn.dice),
            is_true(turn.announcement, turn.dice, self.rules),
        )

    def _settle(self, roller: int, turn: Turn, *, lie: bool) -> None:
        """Write the turn on the sheets. `lie`: whether a doubt has exposed a lie.

        Without a lie the roller notes the points, and each doubter gets a strike (Rulings K6, K7).
        At a lie the roller gets the strike, and each doubter notes the points (Ruling K8)."""
        combination, points = turn.announcement
        field_of_roller = self.sheets[roller][combination]
        fields_of_doubters = [self.sheets[seat][combination] for seat in turn.doubters]
        if not lie:
            field_of_roller.note(points)
            for field in fields_of_doubters:
                field.strike()
            return
        field_of_roller.strike()
        # A doubter never notes a Kniffel.
        if combination != "kniffel":
            for field in fields_of_doubters:
                if not field.filled:
                    field.note(points)

    def _next(self, roller: int) -> int | None:
        """Return the seat with the next turn; None at the end of the game.

        Ruling K10: the first full sheet begins the last lap, in which each seat has one more turn,
        the current roller last. A seat whose sheet is full when its turn comes is skipped, as are
        seats that left."""
        seats = len(self.sheets)
        playing = self.playing
        clockwise = [(roller + step) % seats for step in range(1, seats + 1)]
        if self.last_lap is None:
            if not any(self.sheets[seat].full for seat in playing):
                if not self.leavers:
                    return clockwise[0]
                return next(seat for seat in clockwise if seat in playing)
            self.last_lap = clockwise
        while self.last_lap:
            seat = self.last_lap.pop(0)
            if seat in playing and not self.sheets[seat].full:
                return seat
        return None
