"""One turn of Lügen-Kniffel as a line of the text notation: `1. 24445 44>466 4>15 fours=12 ? bea`.

A line may have, in this order: the rolls; the announcement; the players who doubt it; the dice
shown; `void`; the players who forfeit. A turn that isn't void has an announcement. `ended clock` is
a line of its own.
"""

import re
from collections.abc import Sequence
from typing import Final

from engine.clock import CLOCK
from engine.kniffel.notation import announcement_text, dice_text, roll_text
from engine.messages import say
from engine.notation.lexer import BAR, BLANK, END, ENDED, STOP, Cursor, read_leavers, write_name
from engine.record.kniffel.turn import TurnRecord, read_turn
from engine.record.shape import Json, Object

ROLL: Final = re.compile("[1-6]+(?:>[1-6]*)?|>[1-6]*")
COMBINATION: Final = re.compile("[A-Za-z]+")
POINTS: Final = re.compile(rf"{BLANK}*[=:]?{BLANK}*([0-9]{{1,2}})")
DOUBT: Final = re.compile(r"\?")
BROKEN: Final = re.compile(rf"(?:void|forfeit)(?![^{STOP}])", re.IGNORECASE)
DICE: Final = re.compile("[1-6]*")

A_FACE: Final = say("a face 1 2 3 4 5 6")
A_SAY: Final = say("an announcement such as fours=12")
EXPECTED: Final = {
    "rolls": say(
        "one to three rolls of five dice in all, each keeping dice of the one before, "
        "as in 24445 44>466 4>15"
    ),
    "dice": say("five dice, those that were rolled"),
    "void": say("void, and no doubt and no dice shown in a void turn"),
    "doubts": say("no doubt in a void turn"),
    "say": say("void, or no announcement"),
    "forfeit": say("each player once"),
}
"""What the line should have, by the key of the record that is at fault."""


def read(cursor: Cursor, handles: Sequence[str]) -> TurnRecord:
    """Return the turn in the rest of the line. Raise `NotationFault`."""
    keys: Object = {}
    cursor.mark("")
    if cursor.take(ENDED):
        return TurnRecord(None, ended=CLOCK)
    _read_rolls(cursor, keys)
    cursor.skip()
    if not BROKEN.match(cursor.text, cursor.at):
        _read_say(cursor, keys)
    cursor.mark("doubts")
    if cursor.take(DOUBT):
        keys["doubts"] = cursor.seats(handles)
    cursor.mark("dice")
    if cursor.take(BAR):
        cursor.mark("dice")
        keys["dice"] = cursor.need(DICE, A_FACE)[0]
        cursor.need(END, A_FACE)
    read_leavers(cursor, handles, keys)
    cursor.end(say("? and who doubts, | and the dice shown, void, forfeit, or the end of the line"))
    turn, fault = read_turn(keys, len(handles), "")
    if fault is not None:
        raise cursor.refuse(fault, EXPECTED[(fault.path or "").split("[")[0]])
    assert turn is not None
    return turn


def _read_rolls(cursor: Cursor, keys: Object) -> None:
    rolls: list[Json] = []
    cursor.mark("rolls")
    cursor.mark("rolls[0]")
    while roll := cursor.take(ROLL):
        cursor.need(END, A_FACE)
        rolls.append(roll[0])
        cursor.mark(f"rolls[{len(rolls)}]")
    if rolls:
        keys["rolls"] = rolls


def _read_say(cursor: Cursor, keys: Object) -> None:
    """Add the announcement to `keys`: a combination and its points (Ruling K2)."""
    cursor.mark("say")
    combination = cursor.need(COMBINATION, A_SAY)
    points = cursor.need(POINTS, say("= and points, as in fours=12"))
    cursor.need(END, say("points of at most two digits"))
    keys["say"] = f"{combination[0].lower()}={int(points[1])}"


def write(turn: TurnRecord, handles: Sequence[str]) -> str:
    """Return the turn as a line, without its number. Raise ValueError if a doubter has no seat."""
    if not set(turn.doubters).issubset(range(len(handles))):
        raise ValueError("doubts names a seat that isn't at the table")
    parts = [roll_text(roll) for roll in turn.rolls]
    if turn.announcement is not None:
        parts.append(announcement_text(turn.announcement))
    if turn.doubters:
        parts.append("?")
        parts += [write_name(handles[seat]) for seat in turn.doubters]
    if turn.dice is not None and not turn.rolls:
        parts += ["|", dice_text(turn.dice)]
    if turn.void:
        parts.append("void")
    if turn.ended is not None:
        parts.append("ended clock")
    if turn.forfeit:
        parts.append("forfeit")
        parts += [write_name(handles[seat]) for seat in turn.forfeit]
    return " ".join(parts)
