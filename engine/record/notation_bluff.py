"""One line of the text notation for one round of Bluff: `1. 3x3 4x5 5x5 ! | 24555 2345* 1145*`.

A line may hold, in this order: who opens; the hands dealt, between bars; the moves, and among them the bidder
and the challenger; how many dice matched; the hands revealed; the losses; who forfeits.
"""

import re
from collections.abc import Sequence
from typing import Final

from engine.bluff.move import CHALLENGE, Move, move_text
from engine.bluff.track import BID
from engine.illegal import Illegal
from engine.record.bluff_round import RoundRecord, read_round
from engine.record.notation_lexer import BLANK, DASHES, END, KEYWORD, MINUS, NAME, WHOLE, Cursor, players, write_name
from engine.record.shape import Json

STAR: Final = r"(?:[*★☆⭐]\ufe0f?)"
"""The star as a keyboard has it; phones add a sign that asks for a coloured picture."""
STARS: Final = str.maketrans(dict.fromkeys("★☆⭐", "*") | {"\ufe0f": ""})

COUNT: Final = re.compile(r"[0-9]{1,3}")
TIMES: Final = re.compile(rf"{BLANK}*[xX×]{BLANK}*")
TIMES_STAR: Final = re.compile(r"\*(?=[1-5*★☆⭐])")
FACE: Final = re.compile(rf"[1-5]|{STAR}")
DICE: Final = re.compile(rf"(?:[1-5]|{STAR})*")
HAND: Final = re.compile(rf"(?:[1-5]|{STAR})+|[{MINUS}](?![0-9])")
LOSS: Final = re.compile(rf"[+{MINUS}][0-9]{{1,16}}|0")
CALL: Final = re.compile("!")
BAR: Final = re.compile(r"\|")
EQUALS: Final = re.compile("=")
OPEN: Final = re.compile(r"\(")
CLOSE: Final = re.compile(rf"{BLANK}*\)")
SLASH: Final = re.compile("/")
ARROW: Final = re.compile(">")
OPENER: Final = re.compile(rf"(?:{NAME.pattern}){BLANK}*:", re.IGNORECASE)
COLON: Final = re.compile(rf"{BLANK}*:")
VOID: Final = re.compile(KEYWORD.replace("void|forfeit", "void"), re.IGNORECASE)
FORFEIT: Final = re.compile(KEYWORD.replace("void|forfeit", "forfeit"), re.IGNORECASE)

A_FACE: Final = "a face 1 2 3 4 5 *"
A_BID: Final = "a bid such as 5x2 or 3x*"
FINISHED: Final = "a bid, !, = count, | hands, losses, void, forfeit or the end of the line"
EXPECTED: Final = {
    "dealt": "one hand of at most 20 dice for each seat, nothing else telling dice",
    "revealed": "one hand of at most 20 dice for each seat, nothing else telling dice",
    "count": "= and the count, unless hands tell it",
    "bidder": "bidder and challenger, unless all bids are told",
    "challenger": "the challenger before !, as the bidder is named",
    "losses": "one loss for each seat",
    "forfeit": "each player once",
    "void": "void before forfeit, if the round had begun",
}
"""By the key of the record that is at fault: what the line should have."""


def read(cursor: Cursor, handles: Sequence[str]) -> dict[str, Json]:
    """The round in the rest of the line, dice in face order; raises `NotationFault`."""
    told: dict[str, Json] = {}
    cursor.mark("")
    _read_opener(cursor, handles, told)
    dealt = _read_hands(cursor)
    if dealt is not None and cursor.take(BAR):
        told["dealt"], dealt = dealt, None
    moves = [] if dealt is not None else _read_moves(cursor, handles, told)
    cursor.mark("moves")
    _read_count(cursor, told)
    revealed = dealt if dealt is not None else _read_hands(cursor, "revealed")
    if revealed is not None:
        told["revealed"] = revealed
    only_losses = not moves and told.keys() <= {"opener"}
    bracket = _read_losses(cursor, told)
    only_forfeit = _read_forfeit(cursor, handles, told) and not moves
    if not ((only_losses and "losses" in told and not bracket) or only_forfeit):
        told["moves"] = moves
    cursor.end(FINISHED)
    illegal = read_round(told, len(handles), "")
    if isinstance(illegal, Illegal):
        key = (illegal.path or "").split("[")[0]
        raise cursor.refuse(illegal, EXPECTED[key])
    return told


def _read_opener(cursor: Cursor, handles: Sequence[str], told: dict[str, Json]) -> None:
    cursor.mark("opener")
    if OPENER.match(cursor.text, cursor.at):
        told["opener"] = cursor.seat(handles)
        cursor.need(COLON, ":")


def _read_hands(cursor: Cursor, key: str = "dealt") -> list[Json] | None:
    """The hands behind a bar, if one stands here."""
    cursor.mark(key)
    if not cursor.take(BAR):
        del cursor.columns[key]
        return None
    hands: list[Json] = []
    cursor.mark(f"{key}[0]")
    while hand := cursor.take(HAND):
        cursor.need(END, A_FACE)
        hands.append("" if hand[0] in MINUS else _dice(hand[0]))
        cursor.mark(f"{key}[{len(hands)}]")
    return hands


def _read_moves(cursor: Cursor, handles: Sequence[str], told: dict[str, Json]) -> list[Json]:
    moves: list[Json] = []
    named = ["challenger", "bidder"]
    while True:
        cursor.mark(f"moves[{len(moves)}]")
        here = cursor.columns[f"moves[{len(moves)}]"]
        if named and (seat := cursor.seat(handles)) is not None:
            key = named.pop()
            told[key], cursor.columns[key] = seat, here
        elif cursor.take(CALL):
            moves.append("!")
        elif count := cursor.then(COUNT) if _bid_ahead(cursor) else None:
            moves.append(_read_bid(cursor, count[0]))
        else:
            return moves


def _bid_ahead(cursor: Cursor) -> bool:
    """A 0 that stands alone is a loss, any other number begins a bid."""
    loss = LOSS.match(cursor.text, cursor.at)
    return loss is None or END.match(cursor.text, loss.end()) is None


def _read_bid(cursor: Cursor, count: str) -> str:
    """The rest of a bid, with what is laid out and rerolled. Rulings B1 to B3, B14 (R, S)."""
    start = cursor.at - len(count)
    if cursor.then(TIMES) or cursor.then(TIMES_STAR):
        face = cursor.need(FACE, A_FACE)
    else:
        face = cursor.need(re.compile(STAR), "x and a face, as in 5x2")
    bid = f"{int(count)}x{_dice(face[0])}"
    if bid not in BID:
        cursor.at = start
        raise cursor.fault("a field of the track: 1x1 to 40x5, 1x* to 20x*")
    if cursor.then(SLASH):
        bid += "/" + _read_dice(cursor)
        if cursor.then(ARROW):
            bid += ">" + _read_dice(cursor)
    cursor.need(END, "a blank after the move" if "/" not in bid else A_FACE)
    return bid


def _read_dice(cursor: Cursor) -> str:
    return _dice(cursor.need(DICE, A_FACE)[0])


def _dice(text: str) -> str:
    return text.translate(STARS)


def _read_count(cursor: Cursor, told: dict[str, Json]) -> None:
    if cursor.take(EQUALS):
        cursor.mark("count")
        told["count"] = _whole(cursor.need(WHOLE, "the number of dice that matched")[0])
        cursor.need(END, "a number")


def _read_losses(cursor: Cursor, told: dict[str, Json]) -> bool:
    """Losses, if they stand here; true if in brackets, where something before tells them already."""
    cursor.mark("losses")
    bracket = cursor.take(OPEN) is not None
    losses: list[Json] = []
    cursor.mark("losses[0]")
    while loss := cursor.take(LOSS):
        cursor.need(END, "a loss such as -2, 0 or +1")
        losses.append(-_whole(loss[0]))
        cursor.mark(f"losses[{len(losses)}]")
    if losses or bracket:
        told["losses"] = losses
    if bracket:
        cursor.need(CLOSE, "a loss such as -2, 0 or +1, or )")
    return bracket


def _read_forfeit(cursor: Cursor, handles: Sequence[str], told: dict[str, Json]) -> bool:
    """Who leaves, if anybody does; true if between two rounds. Ruling B17."""
    cursor.mark("void")
    if cursor.take(VOID):
        told["void"] = True
    cursor.mark("forfeit")
    if not cursor.take(FORFEIT):
        if "void" in told:
            raise cursor.fault("forfeit and who leaves")
        return False
    seats: list[Json] = []
    cursor.mark("forfeit[0]")
    while (seat := cursor.seat(handles)) is not None:
        seats.append(seat)
        cursor.mark(f"forfeit[{len(seats)}]")
    if not seats:
        raise cursor.fault(players(handles))
    told["forfeit"] = seats
    return "void" not in told


def _whole(text: str) -> int:
    return int(text.translate(DASHES))


def write(value: Json, handles: Sequence[str]) -> str:
    """A round of the record format as a line, without its number; ValueError if it can't be read."""
    told = read_round(value, len(handles), "")
    fault = told if isinstance(told, Illegal) else told.fault
    if isinstance(told, Illegal) or fault is not None:
        raise ValueError(f"{fault.path} {fault.message}" if fault else "")
    parts = [] if told.opener is None else [write_name(handles[told.opener]) + ":"]
    hands = [hand or "-" for hand in told.hands or ()]
    if told.level == "dealt":
        parts += ["|", *hands, "|"]
    parts += _write_moves(told, handles)
    if told.count is not None:
        parts.append(f"= {told.count}")
    if told.level == "dice":
        parts += ["|", *hands]
    if told.losses is not None:
        losses = " ".join([f"{-lost:+}" if lost else "0" for lost in told.losses])
        parts.append(losses if told.level == "result" else f"({losses})")
    if told.forfeit:
        left = [write_name(handles[seat]) for seat in told.forfeit]
        parts += ["void forfeit" if told.void else "forfeit", *left]
    return " ".join(parts)


def _write_moves(told: RoundRecord, handles: Sequence[str]) -> list[str]:
    """The moves; where bidder and challenger are told, each before its move, if there are just those two."""
    moves = [_write_move(move) for move in told.moves]
    if told.bidder is None or told.challenger is None:
        return moves
    bidder, challenger = write_name(handles[told.bidder]), write_name(handles[told.challenger])
    if len(moves) == 2 and told.moves[1] == CHALLENGE:
        return [bidder, moves[0], challenger, moves[1]]
    return [bidder, challenger, *moves]


def _write_move(move: Move) -> str:
    return move_text(move)
