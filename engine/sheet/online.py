"""The sheet of a game of Bluff that the service deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.bluff.move import CHALLENGE, LayOut, Move, parse_move
from engine.bluff.round import Round
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.bluff.round import RoundRecord
from engine.record.record import Record
from engine.record.shape import join, members
from engine.sheet import sheet as written
from engine.sheet.dealt import VALUE, ActOf, DealtSheet
from engine.sheet.entry import SheetEntry


@dataclass(slots=True)
class OnlineSheet(DealtSheet):
    """A mutable sheet of Bluff at an online table.

    `challenged` is True once the cups go up. `leaver` is the seat that left or timed out in this
    round. After either, the dealer reveals the dice, and nobody acts.
    """

    challenged: bool = False
    leaver: int | None = None

    @property
    def waits_for_dealer(self) -> bool:
        """Return True if the dealer has to reveal the dice."""
        return self.challenged or self.leaver is not None

    @property
    def to_act(self) -> tuple[int, ...]:
        """Return the seat whose turn it is (Ruling B6)."""
        if self.over or self.waits_for_dealer:
            return ()
        return (self.round.turn,)

    @property
    def staying(self) -> tuple[int, ...]:
        """Return the seats that have dice."""
        return tuple([seat for seat, dice in enumerate(self.game.owned) if dice])

    @property
    def asks_all(self) -> bool:
        """Return False: seats act one after the other (Ruling B6)."""
        return False

    @property
    def round(self) -> Round:
        """Return the current round as everybody sees it, without the dice under the cups."""
        played: Round = self.game.roll()
        for note in self.sheet.notes:
            played.apply(_noted_move(note["bid"]))
        return played

    def state(self) -> dict[str, Any]:
        """Return everything `resume` needs, as a JSON object."""
        return self.sheet.state() | {"challenged": self.challenged, "leaver": self.leaver}

    @property
    def _acts(self) -> Mapping[str, ActOf]:
        return {
            "bid": self._bid,
            "challenge": self._challenge,
            "leave": self._leave,
            "timeout": self._leave,
        }

    def _bid(self, value: dict[str, Any]) -> Illegal | None:
        parts = members(value, VALUE, ("seat", "bid"), ())
        self._check_turn(parts["seat"])
        bid = parts["bid"]
        move = parse_move(bid if isinstance(bid, str) else "")
        if isinstance(move, Illegal):
            return move
        if move == CHALLENGE:
            return Illegal("bad_record", say("must be a bid"), path=join(VALUE, "bid"))
        wrong = self.round.apply(move)
        if wrong is not None:
            return wrong
        return self.sheet.apply(SheetEntry("note", {"seat": parts["seat"], "bid": bid}))

    def _challenge(self, value: dict[str, Any]) -> Illegal | None:
        parts = members(value, VALUE, ("seat",), ())
        self._check_turn(parts["seat"])
        wrong = self.round.apply(CHALLENGE)
        if wrong is None:
            self.challenged = True
        return wrong

    def _leave(self, value: dict[str, Any]) -> Illegal | None:
        """Let a seat leave, or time out; the round is then void (Ruling B17)."""
        parts = members(value, VALUE, ("seat",), ())
        seat = self._seat(parts["seat"])
        self._check_open()
        if not self.game.owned[seat]:
            return Illegal(
                "wrong_seat", say("seat {seat} is already out and can't forfeit", seat=seat)
            )
        self.leaver = seat
        return None

    def _is_of_this_round(self, played: RoundRecord) -> bool:
        expected = [_without_roll(_noted_move(note["bid"])) for note in self.sheet.notes]
        if self.challenged:
            expected.append(CHALLENGE)
        leavers = () if self.leaver is None else (self.leaver,)
        moves = [_without_roll(move) for move in played.moves]
        return played.level == "dealt" and moves == expected and played.forfeit == leavers

    def _begin_next(self, played: RoundRecord) -> None:
        self.challenged = False
        self.leaver = None

    def _check_turn(self, seat: Any) -> None:
        self._check_open()
        seat_to_act = self.round.turn
        if self._seat(seat) != seat_to_act:
            raise Refused(
                Illegal("not_your_turn", say("it is seat {seat}'s turn", seat=seat_to_act))
            )


def _noted_move(text: str) -> Move:
    move = parse_move(text)
    assert not isinstance(move, Illegal)
    return move


def _without_roll(move: Move) -> Move:
    if isinstance(move, LayOut):
        return move._replace(rolled=None)
    return move


def begin(record: Record) -> OnlineSheet:
    """Return an empty sheet for a record that has only its header."""
    return OnlineSheet(written.begin(record))


def resume(record: Record, state: dict[str, Any]) -> OnlineSheet:
    """Return the sheet that `OnlineSheet.state` described, in a time that doesn't grow with the
    game."""
    return OnlineSheet(
        written.resume(record, state), challenged=state["challenged"], leaver=state["leaver"]
    )
