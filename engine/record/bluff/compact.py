"""The stored form of a round of Bluff: flat bytes, one for a hand and one for a move.

| bytes | what |
|---|---|
| 1 | level (bits 0–2), void (3), opener recorded (4), challenged (5), count recorded (6) |
| 0–1 | opener |
| 0–1 | seats that leave, one bit each; always present in a void round |
| 0–6 × 1 | hand of each seat with dice: its place among all such hands (2 bytes from six dice on) |
| 0–1 | bidder, and 16 × challenger |
| 0–1 | count |
| 0–6 × 1 | losses of each seat, plus one |
| rest | moves: 0–219 a bid; 220 a bid with a lay-out, see below; no final challenge |

A lay-out is followed by its bid, the number of dice laid out and the place of these dice; in a
dealt round then by the number and place of the dice rolled again.
"""

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
    """All hands of one number of dice in order, the place of each, and the bytes of a place."""

    texts: tuple[str, ...]
    place: dict[str, int]
    width: int


@lru_cache(maxsize=32)
def hands_of(dice: int) -> Hands:
    """Return all hands of this number of dice: 252 for five."""
    texts = tuple(["".join(hand) for hand in combinations_with_replacement(FACES, dice)])
    places = {text: i for i, text in enumerate(texts)}
    width = 1 if len(texts) <= 256 else 2
    return Hands(texts, places, width)


def pack(game: Game, rounds: Iterable[RoundRecord]) -> Iterator[bytes]:
    """Yield the stored form of each round; `game` is played along, as it says who owns how many
    dice."""
    for record_round in rounds:
        yield pack_round(record_round, game.owned)
        settle(game, record_round, "")


def unpack(game: Game, bodies: Iterable[bytes]) -> Iterator[RoundRecord]:
    """Yield the rounds stored by `pack`; `game` is played along.

    Raise ValueError for other bytes and for a round with a fault.
    """
    for body in bodies:
        record_round = unpack_round(body, game.owned)
        yield record_round
        result = settle(game, record_round, "")
        if isinstance(result, Illegal):
            raise ValueError(result.message)


def pack_round(record_round: RoundRecord, owned: Sequence[int]) -> bytes:
    """Return the stored form of a canonical round without a fault; `owned` are the dice of each
    seat before it."""
    ends_with_challenge = record_round.moves[-1:] == (CHALLENGE,)
    data = bytearray([_first_byte(record_round, ended=ends_with_challenge)])
    if record_round.opener is not None:
        data.append(record_round.opener)
    if record_round.forfeit or record_round.void:
        data.append(sum(1 << seat for seat in record_round.forfeit))
    for hand, dice in zip(record_round.hands or (), owned, strict=False):
        if dice:
            data += _pack_hand(hand)
    if record_round.bidder is not None and record_round.challenger is not None:
        data.append(record_round.bidder | record_round.challenger << 4)
    if record_round.count is not None:
        data.append(record_round.count)
    if record_round.losses is not None:
        data += bytes([dice + 1 for dice in record_round.losses])

    bids = record_round.moves[:-1] if ends_with_challenge else record_round.moves
    for move in bids:
        if isinstance(move, int):
            data.append(move)
            continue
        data += bytes([LAY_OUT, move.bid])
        data += _pack_number_and_hand(move.show)
        if move.rolled is not None:
            data += _pack_number_and_hand(move.rolled)
    return bytes(data)


def _first_byte(record_round: RoundRecord, *, ended: bool) -> int:
    first = LEVELS.index(record_round.level)
    if record_round.void:
        first |= VOID
    if record_round.opener is not None:
        first |= OPENER
    if ended:
        first |= ENDED
    if record_round.count is not None:
        first |= COUNT
    return first


def _pack_hand(hand: str) -> bytes:
    """Return a hand as its place in the list of all hands with the same number of dice."""
    hands = hands_of(len(hand))
    return hands.place[hand].to_bytes(hands.width, "big")


def _pack_number_and_hand(dice: str) -> bytes:
    number = bytes([len(dice)])
    return number + _pack_hand(dice) if dice else number


def unpack_round(data: bytes, owned: Sequence[int]) -> RoundRecord:
    """Return the round stored by `pack_round`. Raise ValueError for other bytes."""
    try:
        return _unpack(iter(data), owned)
    except (IndexError, StopIteration):
        raise ValueError("these bytes are no round of Bluff") from None


def _unpack(data: Iterator[int], owned: Sequence[int]) -> RoundRecord:
    first = next(data)
    level = LEVELS[first & LEVEL]
    void = bool(first & VOID)
    seats = range(len(owned))

    opener = None
    if first & OPENER:
        opener = seats[next(data)]
    forfeit: tuple[int, ...] = ()
    if void or level == "forfeit":
        # Indexing a range, here and below, refuses numbers that are too large.
        bits = range(1 << len(owned))[next(data)]
        forfeit = tuple([seat for seat in seats if bits >> seat & 1])
    hands = None
    if level in ("dealt", "dice"):
        hands = tuple([_unpack_hand(data, dice) for dice in owned])
    bidder = None
    challenger = None
    if level == "challenge":
        high, low = divmod(next(data), 16)
        bidder = seats[low]
        challenger = seats[high]
    count = None
    if first & COUNT:
        count = next(data)
    losses = None
    if level == "result":
        losses = tuple([next(data) - 1 for _ in owned])

    # All bytes that are left are moves.
    moves = _unpack_moves(bytes(data), rolled=level == "dealt")
    if first & ENDED:
        moves += (CHALLENGE,)
    if moves and level in NO_MOVES:
        raise ValueError("bytes are left after a round of Bluff that tells no moves")
    return RoundRecord(
        level=level,
        opener=opener,
        hands=hands,
        moves=moves,
        bidder=bidder,
        challenger=challenger,
        count=count,
        losses=losses,
        forfeit=forfeit,
        void=void,
    )


def _unpack_hand(data: Iterator[int], dice: int) -> str:
    if not dice:
        return ""
    texts, _, width = hands_of(DICE[dice - 1])
    place = next(data)
    if width == 2:
        place = place << 8 | next(data)
    return texts[place]


def _unpack_moves(data: bytes, *, rolled: bool) -> tuple[Move, ...]:
    if max(data, default=0) < LAY_OUT:
        return tuple(data)
    moves: list[Move] = []
    rest = iter(data)
    for byte in rest:
        if byte != LAY_OUT:
            moves.append(range(BIDS)[byte])
            continue
        bid = range(BIDS)[next(rest)]
        show = _unpack_hand(rest, next(rest))
        rolled_again = _unpack_hand(rest, next(rest)) if rolled else None
        moves.append(LayOut(bid, show, rolled_again))
    return tuple(moves)
