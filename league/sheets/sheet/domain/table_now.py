"""The state of a table while its game is being written down: what the seats hold, whose turn it is,
and the last bid or announcement."""

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
    """A seat of a table. `number`: from 0. `holding`: its number of dice, or in Lügen-Kniffel the
    points on its sheet. `turn`: whether it is this seat's turn. `rank`: None until the game is
    over."""

    number: int
    handle: str
    name: str
    holding: int
    out: bool
    turn: bool
    rank: int | None


class LastWord(NamedTuple):
    """The last bid or announcement, and its seat. `count`: how many dice counted for the bid, once
    its round is `closed`."""

    seat: int | None
    bid: str = ""
    announcement: Announcement | None = None
    count: int | None = None  # type: ignore[assignment]  # hides tuple.count
    closed: bool = False


class TableNow(NamedTuple):
    """The present state of a table. `kind`: the name of the kind of game. `round_number`: of the
    current round or turn, from 1. `last`: the last bid or announcement. `heard_at`: when the last
    entry came in."""

    kind: str
    round_number: int
    seats: tuple[SeatNow, ...]
    last: LastWord | None
    over: bool
    heard_at: datetime | None

    @property
    def with_dice(self) -> bool:
        """Return True if the seats hold dice, which they can lose."""
        return self.kind == "bluff"

    @property
    def dice_left(self) -> int:
        """How many dice are on the table."""
        return sum(seat.holding for seat in self.seats)

    @property
    def winners(self) -> list[SeatNow]:
        """The seats that have won; none before the game is over."""
        return [seat for seat in self.seats if seat.rank == 1]

    @property
    def speaker(self) -> SeatNow | None:
        """The seat that made the last bid or announcement, or None."""
        return None if self.last is None or self.last.seat is None else self.seats[self.last.seat]


def table_now(
    sheet: OpenSheet,
    people: Sequence[tuple[str, str]],
    last_round: dict[str, Any] | None,
    heard_at: datetime | None,
) -> TableNow:
    """Return the present state of a sheet's table. `people`: handles and names, in seat order;
    `last_round`: the last closed round, as a record's JSON, because a sheet that was resumed from
    its state doesn't hold its rounds."""
    game = sheet.game
    if isinstance(game, BluffGame):
        holding = list(game.owned)
        playing = [dice > 0 for dice in game.owned]
        seat_in_turn = game.opener
        if sheet.notes:
            next_seats = clockwise(game.owned)
            seat_in_turn = next_seats[sheet.notes[-1]["seat"]]
    else:
        holding = [points.total for points in game.sheets]
        playing = [seat in game.playing for seat in range(len(people))]
        seat_in_turn = game.roller
    ranks = sheet.ending.rank or (None,) * len(people)
    seats = tuple(
        SeatNow(
            number=seat,
            handle=handle,
            name=name,
            holding=holding[seat],
            out=not playing[seat],
            turn=not sheet.over and seat == seat_in_turn,
            rank=ranks[seat],
        )
        for seat, (handle, name) in enumerate(people)
    )
    return TableNow(
        kind=sheet.record.kind.name,
        round_number=sheet.closed + 1,
        seats=seats,
        last=_last_word(sheet, last_round),
        over=sheet.over,
        heard_at=heard_at,
    )


def _last_word(sheet: OpenSheet, last_round: dict[str, Any] | None) -> LastWord | None:
    """Return the last bid or announcement of the current round, or else of the last round if that
    was closed by the last entry; None if there is neither."""
    if sheet.notes:
        note = sheet.notes[-1]
        return LastWord(note["seat"], note.get("bid", ""), announcement_of(note.get("say")))
    # `sheet.last_round` is what an undo of the last round restores, so None after other entries.
    if last_round is None or sheet.last_round is None:
        return None
    kind = sheet.record.kind
    game = kind.game_of_state(sheet.record.rules, sheet.last_round.game)
    unit, _ = kind.read_round(last_round, len(sheet.record.seats), "")
    roller = getattr(game, "roller", None)  # Read first: settling the round changes the game.
    result = kind.settle(game, unit, "", False)
    if isinstance(result, RoundResult):
        if result.bid is None:
            return None
        return LastWord(result.bidder, TEXT[result.bid], count=result.count, closed=True)
    announcement = announcement_of(last_round.get("say"))
    if announcement is None:
        return None
    return LastWord(roller, announcement=announcement, closed=True)


def announcement_of(text: str | None) -> Announcement | None:
    """Return the announcement that is written in a text of the notation; None without a text, or if
    it isn't one."""
    announcement = parse_announcement(text or "")
    return None if isinstance(announcement, Illegal) else announcement
