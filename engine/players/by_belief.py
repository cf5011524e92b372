"""The player that weighs the others' hands by what they bid, foresees who would challenge, and bluffs."""

from collections.abc import Iterator
from functools import lru_cache
from math import exp
from random import Random
from typing import Final, NamedTuple

from engine.bluff.hand import matching
from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.track import BID, BIDS, COUNT, FACE, FIELDS
from engine.players.belief import chance, spoken, under_cups
from engine.players.by_odds import EVERY_FACE
from engine.players.chance import MATCH, at_least, binomial
from engine.players.player import View
from engine.players.stakes import expected, shares, worth_of_challenge, worth_showing

BLUFF: Final = 0.2
"""How often it bluffs where a bluff costs little. Found by play: at two seats a bit better than never."""
LITTLE: Final = 0.02
"""The share of all dice that a bluff may cost."""
DOUBT: Final = 0.45
"""A bid with this chance, as the next seat sees it, is challenged every other time."""
SHARP: Final = 12.0
"""How quickly that changes with the chance: 0.2 more, and eleven of twelve times nobody challenges."""
DARE: Final = 3
"""How many fields above the count to expect of all dice it still considers a bid."""
HIGHEST: Final = FIELDS[-1][0]


class Option(NamedTuple):
    """A move, the dice to lay out with it, and the share of all dice to expect of it."""

    worth: float
    move: int
    show: str = ""


class ByBelief:
    """Makes the move of the greatest worth, or now and then a bluff that is worth almost as much."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: View) -> Move:
        """A challenge, or the best raise by the share of all dice to expect of it."""
        judgement = Judgement(view)
        raises = list(judgement.raises())
        best = max(raises, default=Option(0.0, CHALLENGE))
        challenge = judgement.challenge() if view.said else -1.0
        if challenge >= best.worth:
            return CHALLENGE
        if self.rng.random() < BLUFF:
            best = max(bluffs(view, raises, max(best.worth - LITTLE, challenge)), default=best)
        return LayOut(best.move, best.show) if best.show else best.move


def bluffs(view: View, raises: list[Option], least: float) -> list[Option]:
    """The raises on faces of which the own cup holds none, if they are worth at least so much."""
    return [raised for raised in raises if raised.worth >= least and not matching(view.cup, FACE[raised.move])]


class Judgement:
    """What the moves of one turn are worth, by the beliefs about the others' dice."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.told = spoken(view)
        self.shown = "".join(view.shown)
        self.next_hidden = view.hidden[view.after]
        self.unseen_by_next = sum(view.hidden) - self.next_hidden
        self.after = shares(view.rules, view.owned, view.seat, view.after, view.seat)
        self.now = view.owned[view.seat] / sum(view.owned)

    def challenge(self) -> float:
        """The share to expect of a challenge."""
        return worth_of_challenge(self.view, under_cups(self.view, self.told, FACE[self.view.bid], but=self.view.seat))

    def raises(self) -> Iterator[Option]:
        """The raises that may make sense, with and without dice laid out, and at least one on each face."""
        view = self.view
        top = BID[f"{min(sum(view.owned) // 3 + DARE, HIGHEST)}x5"]
        for bid in range(view.bid + 1, min(max(top, view.bid + EVERY_FACE) + 1, BIDS)):
            yield Option(self.worth(bid, ""), bid)
            show = worth_showing(view, FACE[bid])
            if show:
                yield Option(self.worth(bid, show), bid, show)

    def worth(self, bid: int, show: str) -> float:
        """The share to expect of a bid with the dice `show` laid out.

        For each number of matching dice under the next cup: how likely that is, whether its seat challenges
        then, and what comes of that. Unchallenged, the bid changes nothing.
        """
        view, face, count = self.view, FACE[bid], COUNT[bid]
        shown = matching(self.shown + show, face)
        rerolled = (len(view.cup) - len(show), MATCH[face]) if show else (0, 0.0)
        counts = under_cups(view, self.told, face, but=view.after, rerolled=rerolled)
        known = shown if show else shown + matching(view.cup, face)
        first = view.owned[view.seat] + known - count
        worth = 0.0
        for match, likely in enumerate(binomial(self.next_hidden, chance(self.told[view.after], face))):
            doubted = doubt(at_least(count - shown - match, self.unseen_by_next - len(show), face))
            worth += likely * (doubted * expected(self.after, first + match, counts) + (1 - doubted) * self.now)
        return worth


@lru_cache(maxsize=1 << 12)
def doubt(likely: float) -> float:
    """How often a seat challenges a bid that it takes to be so likely."""
    return 1 / (1 + exp(SHARP * (likely - DOUBT)))
