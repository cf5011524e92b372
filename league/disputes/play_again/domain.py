"""The rounds that go when a game is played again from one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from engine.record.bluff.kind import BLUFF
from engine.record.record import Record
from games.domain.round import PlayedRound, rounds_of
from games.domain.turn import PlayedTurn, turns_of

AnyRound: TypeAlias = PlayedRound | PlayedTurn
"""A round of Bluff, or a turn of Lügen-Kniffel."""
NO_BET: Final = ("void", "forfeit", "clock")
"""The levels of rounds that weren't played out."""
MESSAGES: Final[dict[str, Message]] = {
    "no_table": say(
        "only a game at an event's table can be played again: correct this one, or void it"
    ),
    "round_closed": say(
        "the round of the event is closed: let the result stand, correct it, or void the game"
    ),
    "only_end": say(
        "only the end of this game is known, so none of its rounds can be played again"
    ),
    "dealt": say(
        "the service dealt the dice of this game, and never deals a round twice: correct the "
        "game, or void it"
    ),
    "not_played_out": say(
        "that wasn't played out: it is already void, somebody left, or time was up"
    ),
}


def refusal(code: str) -> Refused:
    """Return the exception for a game that can't be played again, by its code."""
    return Refused(Illegal(code, MESSAGES[code]))


def rounds_from(record: Record, number: int, *, voids_round: bool) -> Sequence[AnyRound]:
    """Return the rounds of a record from this number on, counted from 1. With `voids_round`, the
    first of them is to be void, so it must have been played out.

    Raise `Refused` with `only_end`, `dealt`, `no_such_round` or `not_played_out`."""
    if record.outcome is not None or not record.rounds:
        raise refusal("only_end")
    if record.proof is not None:
        raise refusal("dealt")
    count = len(record.rounds)
    if number not in range(1, count + 1):
        message = say(
            "there is no sealed round {number}: the last one is {last}", number=number, last=count
        )
        raise Refused(Illegal("no_such_round", message))
    rounds: Sequence[AnyRound] = rounds_of(record) if record.kind is BLUFF else turns_of(record)
    undone_rounds = rounds[number - 1 :]
    if voids_round and _is_broken_off(undone_rounds[0]):
        raise refusal("not_played_out")
    return undone_rounds


def _is_broken_off(played: AnyRound) -> bool:
    if isinstance(played, PlayedRound) and played.void:
        return True
    return played.level in NO_BET
