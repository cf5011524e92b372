"""The stored form of a round of Bluff: flat bytes, one for a hand and one for a move.

| bytes | what | |---|---| | 1 | level (bits 0–2), void (3), opener recorded (4), ended by a
challenge (5), count recorded (6) | | 0–1 | opener | | 0–1 | seats that leave, one bit each; always
there in a void round | | 0–6 × 1 | hand of each seat that owns dice: its place among all such hands
(2 bytes from six dice on) | | 0–1 | bidder, and 16 × challenger | | 0–1 | count | | 0–6 × 1 |
losses of each seat, plus one | | rest | moves: 0–219 a bid; 220 a bid with a lay-out, see below.
The challenge at the end isn't written |

A lay-out goes on with its bid, the number of dice laid out and the place of these dice; in a dealt
round then the number and place of the dice rerolled."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from engine.bluff.game import Game
from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.ruleset import DICE
from engine.bluff.track import BIDS, FACES
from engine.illegal import Illegal
from engine.record.bluff.round import NO_MOVES, Level, RoundRecord
from engine.record.bluff.settle import settle

LEVELS: Final[tuple[Level, ...]] = (
    "result",
    "challenge",
    "bids",
    "dice",
    "dealt",
    "forfeit",
    "clock",
)
LEVEL: Final = 0b111
VOID: Final = 1 << 3
OPENER: Final = 1 << 4
ENDED: Final = 1 << 5
COUNT: Final = 1 << 6
LAY_OUT: Final = BIDS


class Hands(NamedTuple):
    """All hands of so many dice in order, the place of each, and the bytes that a place takes."""

    texts: tuple[str, ...]
    place: dict[str, int]
    width: int


@lru_cache(maxsize=32)
def hands_of(dice: int) -> Hands:
    """All hands of `dice` dice: 252 for five."""
    texts = tuple(["".join(hand) for hand in combinations_with_replacement(FACES, dice)])
    return Hands(texts, {text: i for i, text in enumerate(texts)}, 1 if len(texts) <= 256 else 2)


def pack(game: Game, rounds: Iterable[RoundRecord]) -> Iterator[bytes]:
    """The stored form of each round, by the dice that each seat owns before it: so `game` is played
    along."""
    for record_round in rounds:
        yield pack_round(record_round, game.owned)
        settle(game, record_round, "")


def unpack(game: Game, bodies: Iterable[bytes]) -> Iterator[RoundRecord]:
    """The rounds that `pack` stored, `game` being played along; ValueError for other bytes and for
    a round at fault."""
    for body in bodies:
        record_round = unpack_round(body, game.owned)
        yield record_round
        result = settle(game, record_round, "")
        if isinstance(result, Illegal):
            raise ValueError(result.message)


def pack_round(record_round: RoundRecord, owned: Sequence[int]) -> bytes:
    """The stored form of a round that is ok and canonical; `owned`: dice of each seat before it."""
    challenge_byte = record_round.moves[-1:] == (CHALLENGE,)
    first = LEVELS.index(record_round.level) | VOID * record_round.void | ENDED * challenge_byte
    first |= OPENER * (record_round.opener is not None) | COUNT * (record_round.count is not None)
    data = bytearray([first])
    if record_round.opener is not None:
        data.append(record_round.opener)
    if record_round.forfeit or record_round.void:
        data.append(sum(1 << seat for seat in record_round.forfeit))
    for hand, dice in zip(record_round.hands or (), owned, strict=False):
        if dice:
            data += _place(hand)
    if record_round.bidder is not None and record_round.challenger is not None:
        data.append(record_round.bidder | record_round.challenger << 4)
    if record_round.count is not None:
        data.append(record_round.count)
    if record_round.losses is not None:
        data += bytes([dice + 1 for dice in record_round.losses])
    for move in record_round.moves[:-1] if challenge_byte else record_round.moves:
        if isinstance(move, int):
            data.append(move)
        else:
            data += bytes([LAY_OUT, move.bid]) + _dice(move.show)
            data += b"" if move.rolled is None else _dice(move.rolled)
    return bytes(data)


def _place(hand: str) -> bytes:
    hands = hands_of(len(hand))
    return hands.place[hand].to_bytes(hands.width, "big")


def _dice(dice: str) -> bytes:
    return bytes([len(dice)]) + (_place(dice) if dice else b"")


def unpack_round(data: bytes, owned: Sequence[int]) -> RoundRecord:
    """The round that `pack_round` stored; `owned`: each seat's dice before it. ValueError for other
    bytes."""
    try:
        return _unpack(iter(data), owned)
    except (IndexError, StopIteration):
        raise ValueError("these bytes are no round of Bluff") from None


def _unpack(data: Iterator[int], owned: Sequence[int]) -> RoundRecord:
    first = next(data)
    level = LEVELS[first & LEVEL]
    seats = range(len(owned))
    opener = bidder = challenger = count = hands = losses = None
    forfeit: tuple[int, ...] = ()
    if first & OPENER:
        opener = seats[next(data)]
    if first & VOID or level == "forfeit":
        out_seats = range(1 << len(owned))[next(data)]
        forfeit = tuple([seat for seat in seats if out_seats >> seat & 1])
    if level in ("dealt", "dice"):
        hands = tuple([_unpack_hand(data, dice) for dice in owned])
    if level == "challenge":
        challenger, bidder = divmod(next(data), 16)
        bidder, challenger = seats[bidder], seats[challenger]
    if first & COUNT:
        count = next(data)
    if level == "result":
        losses = tuple([next(data) - 1 for _ in owned])
    moves = _unpack_moves(bytes(data), rolled=level == "dealt")
    if first & ENDED:
        moves += (CHALLENGE,)
    if moves and level in NO_MOVES:
        raise ValueError("bytes are left after a round of Bluff that tells no moves")
    return RoundRecord(
        level, opener, hands, moves, bidder, challenger, count, losses, forfeit, bool(first & VOID)
    )


def _unpack_hand(data: Iterator[int], dice: int) -> str:
    """The hand of so many dice whose place comes next; a seat without dice has none."""
    if not dice:
        return ""
    texts, _, width = hands_of(DICE[dice - 1])
    place = next(data)
    return texts[place if width == 1 else place << 8 | next(data)]


def _unpack_moves(data: bytes, *, rolled: bool) -> tuple[Move, ...]:
    if max(data, default=0) < LAY_OUT:
        return tuple(data)
    moves: list[Move] = []
    rest = iter(data)
    for bid in rest:
        if bid == LAY_OUT:
            bid = range(BIDS)[next(rest)]
            show = _unpack_hand(rest, next(rest))
            moves.append(LayOut(bid, show, _unpack_hand(rest, next(rest)) if rolled else None))
        else:
            moves.append(range(BIDS)[bid])
    return tuple(moves)
