"""Whole stored games re-verified straight from their bytes, for millions of rounds: play, results and digests.

A `Position` is what a round of Bluff starts from. Positions are made once, and so is what each bet makes of them:
no round needs an object of its own. That serves rounds whose dice and bids are all told and which have no lay-out;
a game with any other round, or with a fault, goes the longer way of the checker.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import sub
from typing import Final

from engine.bluff.finish import Exit, cntdice, finishing_order
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import clockwise, losses
from engine.bluff.track import COUNT, FACE, FACES, NO_BID, TEXT
from engine.illegal import Illegal
from engine.record.bluff.compact import hands_of
from engine.record.bluff.replay import MATCHES, ONE_BYTE, PLAIN
from engine.record.canonical import canonical_header, digests, first_digest, next_digest
from engine.record.check import check
from engine.record.record import Record
from engine.record.stored import pack_record, unpack_record
from engine.record.verdict import Verdict
from engine.record.verify import wrong_digest

DEALT: Final = PLAIN[0]
MATCHES_BY_FACE: Final = tuple(
    [tuple([bytes([row[face] for row in table]) for table in MATCHES]) for face in range(len(FACES))]
)
"""By face less one, dice, and place of the hand: how many dice match. Ruling B7 (R, S)."""


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """Where a game of Bluff stands before a round; each is the same object as long as it is remembered.

    `live`: the seats that own dice, clockwise from the opener. `matches`: for each face less one, the
    tables of MATCHES_BY_FACE for these seats in seat order. `dealt`, `dice`: a round of that level in canonical form,
    with gaps for the hands and the bids.
    """

    rules: Ruleset
    owned: tuple[int, ...]
    live: tuple[int, ...]
    matches: tuple[tuple[bytes, ...], ...]
    dealt: str
    dice: str

    @property
    def over(self) -> bool:
        """Whether one seat is left. Ruling B11 (R, S)."""
        return len(self.live) == 1


@lru_cache(maxsize=1 << 15)
def position(rules: Ruleset, owned: tuple[int, ...], opener: int) -> Position:
    """The position in which these dice are owned and that seat opens; nobody owns more than five."""
    after = clockwise(owned)
    live = [opener]
    while after[live[-1]] != opener:
        live.append(after[live[-1]])
    matches = tuple([tuple([tables[dice] for dice in owned if dice]) for tables in MATCHES_BY_FACE])
    hands = ",".join(['"%s"' if dice else '""' for dice in owned])
    dealt = f'{{"dealt":[{hands}],"moves":["%s","!"]}}'
    return Position(rules, owned, tuple(live), matches, dealt, f'{{"moves":["%s","!"],"revealed":[{hands}]}}')


@lru_cache(maxsize=1 << 16)
def settled(before: Position, bidder: int, bid: int, count: int) -> Position:
    """The position after a bet of `bid` dice of which `count` are there. Rulings B8 to B10 (R, S, B)."""
    challenger = before.live[(before.live.index(bidder) + 1) % len(before.live)]
    lost = losses(before.rules, before.owned, bidder, challenger, bid, count)
    opener = bidder if count >= bid else challenger
    return position(before.rules, tuple(map(sub, before.owned, lost)), opener)


def walk(start: Position, bodies: Sequence[bytes]) -> list[Position] | None:
    """The positions before each of these rounds and after the last; None if one isn't plain or has a fault.

    Rulings B4, B6, B7, B11 (R, S).
    """
    path = [start]
    here = start
    for data in bodies:
        at = len(here.live) + 1
        if len(data) <= at or data[0] not in PLAIN or here.over:
            return None
        last = NO_BID
        for bid in data[at:]:
            if bid <= last:
                return None
            last = bid
        count = 0
        try:
            for place, table in zip(data[1:at], here.matches[FACE[last] - 1], strict=True):
                count += table[place]
        except IndexError:
            return None
        bidder = here.live[(len(data) - at - 1) % len(here.live)]
        here = settled(here, bidder, COUNT[last], count)
        path.append(here)
    return path


def verify_stored(header: str, bodies: Sequence[bytes], told: Sequence[bytes]) -> Verdict:
    """The verdict on a stored game, without its single rounds: what came of it, or the first thing that is false.

    `header` is canonical, `bodies` are the rounds (turns) as `pack_record` gives them, and `told` is the chain of
    digests that was sealed. Codes: `bad_record` for what can't have been stored, and `digest_mismatch`.
    """
    record = _unpacked(header, ())
    if isinstance(record, Illegal):
        return Verdict(None, error=record)
    if canonical_header(record).decode() != header:
        return Verdict(record.id, record.game, Illegal("digest_mismatch", "the header isn't in canonical form"))
    rules, path = record.rules, None
    if isinstance(rules, Ruleset) and rules.dice <= ONE_BYTE:
        path = walk(position(rules, (rules.dice,) * len(record.seats), record.opener), bodies)
    if path is None:
        return _verify_unpacked(header, bodies, told)
    chain = [first_digest(header.encode())]
    for before, data in zip(path, bodies, strict=False):
        chain.append(next_digest(chain[-1], _canonical(before, data)))
    error = wrong_digest(record.game, chain, told)
    return Verdict(record.id, error=error) if error else _ending(record.id, path)


def _verify_unpacked(header: str, bodies: Sequence[bytes], told: Sequence[bytes]) -> Verdict:
    """The longer way, which any game can go."""
    record = _unpacked(header, bodies)
    if isinstance(record, Illegal):
        return Verdict(None, error=record)
    verdict = check(record)
    error = verdict.error or wrong_digest(record.game, digests(record), told)
    return Verdict(
        record.id,
        record.game,
        error,
        over=verdict.over,
        rank=verdict.rank,
        points=verdict.points,
        cntdice=verdict.cntdice,
    )


def _unpacked(header: str, bodies: Sequence[bytes]) -> Record | Illegal:
    """The record, if these bytes are exactly those that it is stored as."""
    try:
        record = unpack_record(header, bodies)
        exact = pack_record(record) == list(bodies)
    except ValueError as error:
        return Illegal("bad_record", str(error))
    return record if exact else Illegal("bad_record", "a round has bytes that tell nothing")


def _canonical(before: Position, data: bytes) -> bytes:
    """A plain round in canonical form; see `engine.record.canonical`."""
    at = len(before.live) + 1
    dice = [owned for owned in before.owned if owned]
    hands = [hands_of(owned).texts[place] for owned, place in zip(dice, data[1:at], strict=True)]
    moves = '","'.join([TEXT[bid] for bid in data[at:]])
    told = before.dealt % (*hands, moves) if data[0] == DEALT else before.dice % (moves, *hands)
    return told.encode()


def _ending(name: str, path: Sequence[Position]) -> Verdict:
    """What came of the game. Rulings B11 to B13 (R, S, B)."""
    end = path[-1]
    if not end.over:
        return Verdict(name)
    rules, seats = end.rules, len(end.owned)
    exits = [
        Exit(tuple(set(before.live) - set(after.live)), rules.dice * seats - sum(after.owned))
        for before, after in pairwise(path)
        if len(after.live) < len(before.live)
    ]
    rank, score = finishing_order(seats, exits), cntdice(seats, rules.dice, exits)
    points = score if rules.scoring == "cntdice" else rank
    return Verdict(name, over=True, rank=rank, points=points, cntdice=score)
