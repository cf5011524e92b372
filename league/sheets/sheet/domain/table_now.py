"""How a table stands while its game is being written down: who holds what, whose turn it is, what
was said last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from engine.bluff.game import Game as BluffGame
from engine.bluff.showdown import clockwise
from engine.bluff.track import TEXT
from engine.illegal import Illegal
from engine.kniffel.combinations import Announcement
from engine.kniffel.notation import parse_announcement
from engine.record.bluff.settle import RoundResult
from engine.sheet.sheet import OpenSheet


class SeatNow(NamedTuple):
    """Somebody at a table; `number` counts from 0. `holding`: dice, or the points of the sheet.
    `rank`: once the game is over."""

    number: int
    handle: str
    name: str
    holding: int
    out: bool
    turn: bool
    rank: int | None


class LastWord(NamedTuple):
    """A bid, or an announcement, that was the last one, and the seat it came from. `count`: what
    there was of it, once its round is `closed`."""

    seat: int | None
    bid: str = ""
    announcement: Announcement | None = None
    count: int | None = None  # type: ignore[assignment]  # hides tuple.count
    closed: bool = False


class TableNow(NamedTuple):
    """A table as its sheet tells it by now. `round_number`: of the round (turn) that is being
    played."""

    kind: str
    round_number: int
    seats: tuple[SeatNow, ...]
    last: LastWord | None
    over: bool
    heard_at: datetime | None

    @property
    def with_dice(self) -> bool:
        """Return True if what somebody holds is dice, which are lost."""
        return self.kind == "bluff"

    @property
    def dice_left(self) -> int:
        """How many dice are on the table."""
        return sum(seat.holding for seat in self.seats)

    @property
    def winners(self) -> list[SeatNow]:
        """Those who have won."""
        return [seat for seat in self.seats if seat.rank == 1]

    @property
    def speaker(self) -> SeatNow | None:
        """The one whose word was the last."""
        return None if self.last is None or self.last.seat is None else self.seats[self.last.seat]


def table_now(
    sheet: OpenSheet,
    people: Sequence[tuple[str, str]],
    closing: dict[str, Any] | None,
    heard_at: datetime | None,
) -> TableNow:
    """Return the table of a sheet, also of one that was resumed. `people`: handles and names, in
    seat order; `closing`: the value of the last entry, if that closed a round."""
    game = sheet.game
    over = sheet.over
    if isinstance(game, BluffGame):
        holding = list(game.owned)
        playing = [dice > 0 for dice in game.owned]
        turn = clockwise(game.owned)[sheet.notes[-1]["seat"]] if sheet.notes else game.opener
    else:
        holding = [points.total for points in game.sheets]
        playing = [seat in game.playing for seat in range(len(people))]
        turn = game.roller
    ranks = sheet.ending.rank or (None,) * len(people)
    seats = tuple(
        SeatNow(
            seat, *who, holding[seat], not playing[seat], not over and seat == turn, ranks[seat]
        )
        for seat, who in enumerate(people)
    )
    return TableNow(
        sheet.record.kind.name, sheet.closed + 1, seats, _last_word(sheet, closing), over, heard_at
    )


def _last_word(sheet: OpenSheet, closing: dict[str, Any] | None) -> LastWord | None:
    """Return the last word of the round that is being played, or else of the one that was closed by
    the last entry."""
    if sheet.notes:
        note = sheet.notes[-1]
        return LastWord(note["seat"], note.get("bid", ""), announcement_of(note.get("say")))
    if closing is None or sheet.last_round is None:
        return None
    kind = sheet.record.kind
    before = kind.game_of_state(sheet.record.rules, sheet.last_round.game)
    unit, _ = kind.read_round(closing, len(sheet.record.seats), "")
    roller = getattr(before, "roller", None)
    result = kind.settle(before, unit, "", False)
    if isinstance(result, RoundResult):
        if result.bid is None:
            return None
        return LastWord(result.bidder, TEXT[result.bid], None, result.count, closed=True)
    announcement = announcement_of(closing.get("say"))
    return LastWord(roller, "", announcement, closed=True) if announcement else None


def announcement_of(text: str | None) -> Announcement | None:
    """Return the announcement that a text of the notation tells; None for none."""
    announcement = parse_announcement(text or "")
    return None if isinstance(announcement, Illegal) else announcement
