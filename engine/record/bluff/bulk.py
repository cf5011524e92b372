"""Whole stored games of Bluff walked straight from their bytes, for millions of rounds.

No round needs an object of its own: what a round starts from is made once, and so is what each bet makes of it. That
serves rounds whose dice and bids are all told and which have no lay-out; a game with any other round, or with a fault,
goes the longer way of unpacking.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from engine.bluff.finish import Exit
from engine.bluff.game import Game
from engine.bluff.hand import matching
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import clockwise
from engine.bluff.track import COUNT, FACE, FACES, NO_BID, TEXT
from engine.record.bluff.compact import ENDED, LEVELS, hands_of
from engine.record.bluff.settle import ending
from engine.record.kind import Bulk

ONE_BYTE: Final = 5
"""Dice of the largest hand whose place takes one byte."""
DEALT: Final = LEVELS.index("dealt") | ENDED
PLAIN: Final = (DEALT, LEVELS.index("dice") | ENDED)
"""First bytes of the rounds that can be walked."""
MATCHES: Final = tuple(
    [
        tuple([bytes([matching(hand, face + 1) for hand in hands_of(dice).texts]) for dice in range(ONE_BYTE + 1)])
        for face in range(len(FACES))
    ]
)
"""By face less one, dice, and place of the hand: how many dice match. Ruling B7 (R, S)."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundStart:
    """What a round starts from; each is the same object as long as it is remembered.

    `live`: the seats that own dice, clockwise from the opener. `matches`: for each face less one, the tables of MATCHES
    for these seats in seat order. `dealt`, `dice`: a round of that level in canonical form, with gaps for the hands and
    the bids.
    """

    rules: Ruleset
    owned: tuple[int, ...]
    live: tuple[int, ...]
    matches: tuple[tuple[bytes, ...], ...]
    dealt: str
    dice: str

    def game(self) -> Game:
        """A game that stands here; who went out before isn't in it."""
        game = Game(self.rules, len(self.owned), self.live[0])
        game.owned = list(self.owned)
        return game


class Walk(NamedTuple):
    """The starts of the rounds and, last, of the one that would follow; and who went out."""

    starts: list[RoundStart]
    exits: list[Exit]


@lru_cache(maxsize=1 << 15)
def round_start(rules: Ruleset, owned: tuple[int, ...], opener: int) -> RoundStart:
    """A round in which these dice are owned and that seat opens; nobody owns more than five."""
    after = clockwise(owned)
    live = [opener]
    while after[live[-1]] != opener:
        live.append(after[live[-1]])
    matches = tuple([tuple([tables[dice] for dice in owned if dice]) for tables in MATCHES])
    hands = ",".join(['"%s"' if dice else '""' for dice in owned])
    dealt = f'{{"dealt":[{hands}],"moves":["%s","!"]}}'
    return RoundStart(rules, owned, tuple(live), matches, dealt, f'{{"moves":["%s","!"],"revealed":[{hands}]}}')


@lru_cache(maxsize=1 << 16)
def settled(start: RoundStart, bidder: int, bid: int, count: int) -> tuple[RoundStart, Exit | None]:
    """What follows a bet of `bid` dice of which `count` are there, and who goes out by it.

    Rulings B8 to B11 (R, S, B).
    """
    game = start.game()
    challenger = start.live[(start.live.index(bidder) + 1) % len(start.live)]
    game.settle(bidder, challenger, bid, count)
    assert game.opener is not None
    following = round_start(start.rules, tuple(game.owned), game.opener)
    return following, game.exits[0] if game.exits else None


def walk(start: RoundStart, bodies: Sequence[bytes]) -> Walk | None:
    """The way through these rounds; None if one can't be walked or has a fault. Rulings B4, B6, B7, B11 (R, S)."""
    starts, exits = [start], []
    here = start
    for data in bodies:
        at = len(here.live) + 1
        if len(data) <= at or data[0] not in PLAIN or len(here.live) == 1:
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
        here, gone = settled(here, bidder, COUNT[last], count)
        starts.append(here)
        if gone is not None:
            exits.append(gone)
    return Walk(starts, exits)


def bulk(game: Game, bodies: Sequence[bytes]) -> Bulk | None:
    """The canonical form of stored rounds, and what the game has come to; None for a game that can't be walked.

    `game` hasn't begun.
    """
    if game.rules.dice > ONE_BYTE:
        return None
    (opener,) = game.openers
    way = walk(round_start(game.rules, tuple(game.owned), opener), bodies)
    if way is None:
        return None
    end = way.starts[-1].game()
    end.exits = way.exits
    return Bulk(list(_canonical(way.starts, bodies)), ending(end))


def _canonical(starts: Sequence[RoundStart], bodies: Sequence[bytes]) -> Iterator[bytes]:
    """The rounds in canonical form; see `engine.record.canonical`."""
    for start, data in zip(starts, bodies, strict=False):
        at = len(start.live) + 1
        dice = [owned for owned in start.owned if owned]
        hands = [hands_of(owned).texts[place] for owned, place in zip(dice, data[1:at], strict=True)]
        moves = '","'.join([TEXT[bid] for bid in data[at:]])
        filled = start.dealt % (*hands, moves) if data[0] == DEALT else start.dice % (moves, *hands)
        yield filled.encode()
