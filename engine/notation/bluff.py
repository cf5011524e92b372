"""One round of Bluff as a line of the text notation: `1. 3x3 4x5 5x5 ! | 24555 2345* 1145*`.

A line may have, in this order: the opener; the hands dealt, between bars; the moves, with the
bidder and the challenger among them; the number of matching dice; the hands revealed; the losses;
`void`; the players who forfeit. `ended clock` is a line of its own.
"""

import re
from collections.abc import Sequence
from typing import Final

from engine.bluff.move import CHALLENGE, move_text
from engine.bluff.track import BID
from engine.clock import CLOCK
from engine.messages import say
from engine.notation.lexer import (
    BAR,
    BLANK,
    DASHES,
    END,
    ENDED,
    MINUS,
    NAME,
    WHOLE,
    Cursor,
    read_leavers,
    write_name,
)
from engine.record.bluff.round import RoundRecord, read_round
from engine.record.length import too_many_moves
from engine.record.shape import Json, Object

SIGN: Final = r"(?:[*★☆⭐]\ufe0f?)"
"""The star of a keyboard; phones append a character that asks for a coloured picture."""
STARS: Final = str.maketrans(dict.fromkeys("★☆⭐", "*") | {"\ufe0f": ""})

COUNT: Final = re.compile(rf"(?!0{END.pattern})[0-9]{{1,3}}")
"""A 0 that is a word of its own is a loss."""
TIMES: Final = re.compile(rf"{BLANK}*[xX×]{BLANK}*|\*(?=[1-5*★☆⭐])")
STAR: Final = re.compile(SIGN)
FACE: Final = re.compile(rf"[1-5]|{SIGN}")
DICE: Final = re.compile(rf"(?:[1-5]|{SIGN})*")
HAND: Final = re.compile(rf"(?:[1-5]|{SIGN})+|[{MINUS}](?![0-9])")
LOSS: Final = re.compile(rf"[{MINUS}+][0-9]{{1,16}}|0")
CALL: Final = re.compile("!")
DEALT: Final = re.compile(r"\|(?=[^|]*\|)")
EQUALS: Final = re.compile("=")
OPEN: Final = re.compile(r"\(")
CLOSE: Final = re.compile(r"\)")
SLASH: Final = re.compile("/")
ARROW: Final = re.compile(">")
OPENER: Final = re.compile(rf"(?:{NAME.pattern}){BLANK}*:", re.IGNORECASE)
COLON: Final = re.compile(rf"{BLANK}*:")

A_FACE: Final = say("a face 1 2 3 4 5 *")
A_LOSS: Final = say("a loss such as -2, 0 or +1")
MORE: Final = say("a bid, !, = count, | hands, losses, void, forfeit or the end of the line")
EXPECTED: Final = {
    "dealt": say("one hand of at most 20 dice for each seat"),
    "revealed": say("one hand of at most 20 dice for each seat, if none were dealt"),
    "count": say("= count after the moves, if no hands show it"),
    "bidder": say("bidder and challenger, if not all moves and dice are given"),
    "challenger": say("the challenger before !, as the bidder is named"),
    "losses": say("one loss for each seat, in a round that nobody leaves"),
    "forfeit": say("each player once"),
    "void": say("void before forfeit, if the round had begun"),
}
"""What the line should have, by the key of the record that is at fault."""


def read(cursor: Cursor, handles: Sequence[str]) -> RoundRecord:
    """Return the round in the rest of the line. Raise `NotationFault`."""
    keys: Object = {}
    cursor.mark("")
    if cursor.take(ENDED):
        return RoundRecord("clock")
    _read_opener(cursor, handles, keys)
    if cursor.take(DEALT):
        _read_hands(cursor, keys, "dealt")
        cursor.need(BAR, A_FACE)
    moves = _read_moves(cursor, handles, keys)
    _read_count(cursor, keys)
    if cursor.take(BAR):
        _read_hands(cursor, keys, "revealed")
    losses_in_brackets = _read_losses(cursor, keys)
    read_leavers(cursor, handles, keys)
    cursor.end(MORE)
    has_only_losses = keys.keys() - {"opener"} == {"losses"} and not losses_in_brackets
    may_lack_moves = "void" not in keys and ("forfeit" in keys or has_only_losses)
    if moves or not may_lack_moves:
        keys["moves"] = moves

    record_round, fault = read_round(keys, len(handles), "")
    if fault is not None:
        key = (fault.path or "").split("[")[0]
        raise cursor.refuse(fault, EXPECTED.get(key, MORE))
    assert record_round is not None
    return record_round


def _read_opener(cursor: Cursor, handles: Sequence[str], keys: Object) -> None:
    cursor.mark("opener")
    if OPENER.match(cursor.text, cursor.at):
        keys["opener"] = cursor.seat(handles)
        cursor.need(COLON, say(":"))


def _read_hands(cursor: Cursor, keys: Object, key: str) -> None:
    hands: list[Json] = []
    cursor.mark(key)
    cursor.mark(f"{key}[0]")
    while hand := cursor.take(HAND):
        cursor.need(END, A_FACE)
        hands.append("" if hand[0] in MINUS else _with_plain_stars(hand[0]))
        cursor.mark(f"{key}[{len(hands)}]")
    keys[key] = hands


def _read_moves(cursor: Cursor, handles: Sequence[str], keys: Object) -> list[Json]:
    """Return the moves, and add the first name to `keys` as the bidder, the second as the
    challenger."""
    moves: list[Json] = []
    keys_to_name = ["challenger", "bidder"]
    while True:
        too_many = too_many_moves(len(moves), "moves")
        if too_many is not None:
            raise cursor.refuse(too_many, say("the end of the game"))
        path = f"moves[{len(moves)}]"
        cursor.mark(path)
        if keys_to_name and (seat := cursor.seat(handles)) is not None:
            key = keys_to_name.pop()
            keys[key] = seat
            cursor.columns[key] = cursor.columns[path]
        elif cursor.then(CALL):
            moves.append("!")
        elif count := cursor.then(COUNT):
            moves.append(_read_bid(cursor, count[0]))
        else:
            cursor.mark("moves")
            return moves


def _read_bid(cursor: Cursor, count: str) -> str:
    """Return the bid whose count has just been read (Rulings B1 to B3), with the dice laid out and
    rolled again (Ruling B14)."""
    start = cursor.at - len(count)
    has_times = cursor.then(TIMES) is not None
    expected = A_FACE if has_times else say("x and a face, as in 5x2")
    face = cursor.need(FACE if has_times else STAR, expected)
    bid = f"{int(count)}x{_with_plain_stars(face[0])}"
    if bid not in BID:
        cursor.at = start
        raise cursor.fault(say("a field of the track, 1x1 to 40x5 or 1x* to 20x*"))
    if not cursor.then(SLASH):
        cursor.need(END, say("a space after the bid, or / and dice laid out"))
        return bid
    bid += "/" + _with_plain_stars(cursor.need(DICE, A_FACE)[0])
    if cursor.then(ARROW):
        bid += ">" + _with_plain_stars(cursor.need(DICE, A_FACE)[0])
    cursor.need(END, A_FACE)
    return bid


def _with_plain_stars(text: str) -> str:
    return text.translate(STARS)


def _read_count(cursor: Cursor, keys: Object) -> None:
    if cursor.take(EQUALS):
        cursor.mark("count")
        keys["count"] = _whole(cursor.need(WHOLE, say("how many dice matched"))[0])
        cursor.need(END, say("a number of at most 16 digits"))


def _read_losses(cursor: Cursor, keys: Object) -> bool:
    """Read the losses, and return True if they are in brackets.

    Brackets mean that the losses follow from the rest of the round.
    """
    cursor.mark("losses")
    has_brackets = cursor.take(OPEN) is not None
    losses: list[Json] = []
    cursor.mark("losses[0]")
    while loss := cursor.take(LOSS):
        cursor.need(END, A_LOSS)
        losses.append(-_whole(loss[0]))
        cursor.mark(f"losses[{len(losses)}]")
    if has_brackets:
        cursor.need(CLOSE, say("{loss}, or )", loss=A_LOSS))
    if has_brackets or losses:
        keys["losses"] = losses
    return has_brackets


def _whole(text: str) -> int:
    return int(text.translate(DASHES))


def write(record_round: RoundRecord, handles: Sequence[str]) -> str:
    """Return the round as a line, without its number."""
    parts: list[str] = []
    if record_round.opener is not None:
        parts.append(write_name(handles[record_round.opener]) + ":")
    hands = [hand or "-" for hand in record_round.hands or ()]
    if record_round.level == "dealt":
        parts += ["|", *hands, "|"]
    parts += _write_moves(record_round, handles)
    if record_round.count is not None:
        parts.append(f"= {record_round.count}")
    if record_round.level == "dice":
        parts += ["|", *hands]
    if record_round.losses is not None:
        losses = " ".join([f"{-lost:+}" if lost else "0" for lost in record_round.losses])
        parts.append(losses if record_round.level == "result" else f"({losses})")
    if record_round.void:
        parts.append("void")
    if record_round.level == CLOCK:
        parts.append("ended clock")
    if record_round.forfeit:
        parts.append("forfeit")
        parts += [write_name(handles[seat]) for seat in record_round.forfeit]
    return " ".join(parts)


def _write_moves(record_round: RoundRecord, handles: Sequence[str]) -> list[str]:
    moves = [move_text(move) for move in record_round.moves]
    if record_round.bidder is None or record_round.challenger is None:
        return moves
    bidder = write_name(handles[record_round.bidder])
    challenger = write_name(handles[record_round.challenger])
    if len(moves) == 2 and record_round.moves[1] == CHALLENGE:
        return [bidder, moves[0], challenger, moves[1]]
    return [bidder, challenger, *moves]
