"""The sheet of a game that the service deals: each seat acts for itself, and the dealer reveals the dice.

A round is closed by the same function as one that is written down at a real table, so the game that is sealed in the
end is the one that an import of its record would give. Nothing is taken back here. It is played by the rules of Bluff.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from engine.bluff.move import CHALLENGE, LayOut, Move, parse_move
from engine.bluff.round import Round
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.bluff.round import RoundRecord, read_round, round_json
from engine.record.record import Record
from engine.record.shape import join, members, whole
from engine.sheet import sheet as written
from engine.sheet.entry import SheetEntry

VALUE: Final = written.VALUE
NOT_ONLINE: Final = Illegal("bad_record", say("this act isn't one of an online table"), path="act")


@dataclass(slots=True)
class OnlineSheet:
    """A mutable sheet of an online table.

    `sheet`: the rounds that are over, and the bids of the one that is played. `challenged`: the cups go up. `leaver`:
    the seat that left or whose time was up in this round. After either the dealer reveals the dice, and nobody acts.
    """

    sheet: written.OpenSheet
    challenged: bool = False
    leaver: int | None = None

    @property
    def record(self) -> Record:
        """The header of the game, with the seat that opens."""
        return self.sheet.record

    @property
    def game(self) -> Any:
        """The table between two rounds."""
        return self.sheet.game

    @property
    def over(self) -> bool:
        """True if the game has come to its end."""
        return self.sheet.over

    @property
    def waits_for_dealer(self) -> bool:
        """True if the dice are to be revealed now."""
        return self.challenged or self.leaver is not None

    @property
    def round(self) -> Round:
        """The round that is being played, as everybody at the table sees it: the dice under the cups aren't known."""
        played: Round = self.game.roll()
        for note in self.sheet.notes:
            played.apply(_move(note["bid"]))
        return played

    def state(self) -> dict[str, Any]:
        """All that `resume` needs, as a JSON object."""
        return self.sheet.state() | {"challenged": self.challenged, "leaver": self.leaver}

    def apply(self, entry: SheetEntry) -> Illegal | None:
        """Let one more entry stand; one that can't is returned as its fault, and changes nothing.

        Codes: those of a move (`engine.bluff.round.Round.apply`) and of a record's round; `game_over`, `cups_up`
        (nobody acts until the dice are revealed), `not_your_turn`, `wrong_seat`, `reveal_mismatch`.
        """
        acts = {"bid": self._bid, "challenge": self._challenge, "reveal": self._reveal}
        acts |= {"leave": self._leave, "timeout": self._leave}
        if entry.act not in acts:
            return NOT_ONLINE
        if self.over:
            return self.record.kind.game_over
        try:
            return acts[entry.act](entry.value)
        except Refused as refused:
            return refused.illegal

    def whole(self) -> Record:
        """Return the record of the game by all rounds. ValueError for a sheet that was resumed."""
        return self.sheet.whole()

    def _bid(self, value: dict[str, Any]) -> Illegal | None:
        """Bid, and perhaps lay dice out. Rulings B4 to B6, B14 (R, S)."""
        parts = members(value, VALUE, ("seat", "bid"), ())
        self._check_turn(parts["seat"])
        move = parse_move(parts["bid"] if isinstance(parts["bid"], str) else "")
        if isinstance(move, Illegal):
            return move
        if move == CHALLENGE:
            return Illegal("bad_record", say("must be a bid"), path=join(VALUE, "bid"))
        wrong = self.round.apply(move)
        if wrong is not None:
            return wrong
        return self.sheet.apply(SheetEntry("note", {"seat": parts["seat"], "bid": parts["bid"]}))

    def _challenge(self, value: dict[str, Any]) -> Illegal | None:
        """Lift the cups. Rulings B5, B6 (R, S)."""
        parts = members(value, VALUE, ("seat",), ())
        self._check_turn(parts["seat"])
        wrong = self.round.apply(CHALLENGE)
        if wrong is None:
            self.challenged = True
        return wrong

    def _leave(self, value: dict[str, Any]) -> Illegal | None:
        """Take no further part. Ruling B17."""
        parts = members(value, VALUE, ("seat",), ())
        seat = self._seat(parts["seat"])
        self._check_open()
        if not self.game.owned[seat]:
            return Illegal("wrong_seat", say("seat {seat} is out already and can't forfeit", seat=seat))
        self.leaver = seat
        return None

    def _reveal(self, value: dict[str, Any]) -> Illegal | None:
        """Close the round by the dice that lay under the cups, and the link that proves them."""
        parts = members(value, VALUE, ("round", "link"), ())
        path = join(VALUE, "round")
        played, fault = read_round(parts["round"], len(self.record.seats), path)
        if played is None or fault is not None:
            return fault
        if not self.waits_for_dealer or not self._is_of_this_round(played):
            return Illegal("reveal_mismatch", say("this isn't the round that was played"), path=path)
        wrong = self.sheet.apply(SheetEntry("close", round_json(played)))
        if wrong is None:
            self.challenged = False
            self.leaver = None
        return wrong

    def _is_of_this_round(self, played: RoundRecord) -> bool:
        bids = [_without_roll(_move(note["bid"])) for note in self.sheet.notes]
        expected = [*bids, CHALLENGE] if self.challenged else bids
        leavers = () if self.leaver is None else (self.leaver,)
        moves = [_without_roll(move) for move in played.moves]
        return (played.level, moves, played.forfeit) == ("dealt", expected, leavers)

    def _check_turn(self, seat: Any) -> None:
        self._check_open()
        if self._seat(seat) != self.round.turn:
            raise Refused(Illegal("not_your_turn", say("it is the turn of seat {seat}", seat=self.round.turn)))

    def _check_open(self) -> None:
        if self.waits_for_dealer:
            raise Refused(Illegal("cups_up", say("the cups go up: the dice are revealed first")))

    def _seat(self, seat: Any) -> int:
        return whole(seat, join(VALUE, "seat"), range(len(self.record.seats)))


def _move(text: str) -> Move:
    """Return the move of a note that stands."""
    move = parse_move(text)
    assert not isinstance(move, Illegal)
    return move


def _without_roll(move: Move) -> Move:
    return move._replace(rolled=None) if isinstance(move, LayOut) else move


def begin(record: Record) -> OnlineSheet:
    """Return a sheet without entries, of a record that has its header alone."""
    return OnlineSheet(written.begin(record))


def resume(record: Record, state: dict[str, Any]) -> OnlineSheet:
    """Return the sheet of which `OnlineSheet.state` told; its cost doesn't depend on how long the game is."""
    return OnlineSheet(written.resume(record, state), state["challenged"], state["leaver"])


def fold(record: Record, entries: Iterable[SheetEntry]) -> OnlineSheet:
    """Return the sheet after entries that were all taken. ValueError for one that can't stand."""
    sheet = begin(record)
    for number, entry in enumerate(entries):
        wrong = sheet.apply(entry)
        if wrong is not None:
            raise ValueError(f"entry {number}: {wrong.message}")
    return sheet
