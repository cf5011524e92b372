"""The player that weighs the others' hands by what they bid, foresees who would challenge, and
bluffs."""

from collections.abc import Iterator
from functools import lru_cache
from math import exp, log
from random import Random
from typing import Final, NamedTuple

from engine.analysis.belief import UnseenCup, tilted_chance, unseen
from engine.analysis.odds import Counts, at_least, binomial, counts, match_chance
from engine.bluff.hand import matching
from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.track import BID, BIDS, COUNT, FACE, FIELDS
from engine.players.by_odds import EVERY_FACE
from engine.players.player import SeatView
from engine.players.stakes import expected, shares, worth_of_challenge, worth_showing

WEIGHT: Final = log(5.0)
"""How much a bid tells of the dice (see `engine.analysis.belief`): its face becomes five times as
likely.

Found by play between factors of 2 to 8: more wins a little at two seats and loses much at six. What
foretells challenges best, `FITTED`, is another weight: players are to win against bluffs, not to be
right on average. """
STARS: Final = log(1.3) / WEIGHT
"""The share of it that a number bid tells of stars, which become 1.3 times as likely. Found by
play."""
BLUFF: Final = 0.2
"""How often it bluffs where a bluff costs little. Found by play: at two seats a bit better than
never."""
LITTLE: Final = 0.02
"""The share of all dice that a bluff may cost."""
DOUBT: Final = 0.45
"""A bid with this chance, as the next seat sees it, is challenged every other time."""
SHARP: Final = 12.0
"""How quickly that changes with the chance: 0.2 more, and eleven of twelve times nobody
challenges."""
DARE: Final = 3
"""How many fields above the count to expect of all dice it still considers a bid."""
HIGHEST: Final = FIELDS[-1][0]


class Candidate(NamedTuple):
    """A move it may choose, the dice to lay out with it, and the share of all dice to expect of
    it."""

    worth: float
    move: int
    show: str = ""


class ByBelief:
    """Makes the move of the greatest worth, or now and then a bluff that is worth almost as
    much."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: SeatView) -> Move:
        """A challenge, or the best raise by the share of all dice to expect of it."""
        deliberation = Deliberation(view)
        raises = list(deliberation.raises())
        best = max(raises, default=Candidate(0.0, CHALLENGE))
        challenge = deliberation.challenge() if view.said else -1.0
        if challenge >= best.worth:
            return CHALLENGE
        if self.rng.random() < BLUFF:
            best = max(bluffs(view, raises, max(best.worth - LITTLE, challenge)), default=best)
        return LayOut(best.move, best.show) if best.show else best.move


def bluffs(view: SeatView, raises: list[Candidate], least: float) -> list[Candidate]:
    """The raises on faces of which the own cup holds none, if they are worth at least so much."""
    return [
        raised
        for raised in raises
        if raised.worth >= least and not matching(view.cup, FACE[raised.move])
    ]


def cups_of(view: SeatView) -> list[UnseenCup]:
    """Each seat's cup, with the faces that it bid on since it rolled its hidden dice, each once.

    A second bid on a face tells nothing new, and rerolled dice know nothing of the bids before.
    Ruling B14 (R, S)."""
    faces: list[set[int]] = [set() for _ in view.owned]
    for bid_said in view.said:
        if bid_said.show:
            faces[bid_said.seat] = set()
        else:
            faces[bid_said.seat].add(FACE[bid_said.bid])
    return [
        UnseenCup(dice, tuple(sorted(spoken)))
        for dice, spoken in zip(view.hidden, faces, strict=True)
    ]


class Deliberation:
    """All that the moves of one turn are worth, by the beliefs about the others' dice."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.cups = cups_of(view)
        self.shown = "".join(view.shown)
        self.next_cup = self.cups[view.after]
        self.unseen_by_next = sum(view.hidden) - self.next_cup.dice
        self.after = shares(view.rules, view.owned, view.seat, view.after, view.seat)
        self.now = view.owned[view.seat] / sum(view.owned)

    def challenge(self) -> float:
        """The share to expect of a challenge."""
        return worth_of_challenge(
            self.view, self.under_cups(FACE[self.view.bid], but=self.view.seat)
        )

    def raises(self) -> Iterator[Candidate]:
        """The raises that may make sense, with and without dice laid out, and at least one on each
        face."""
        view = self.view
        top = BID[f"{min(sum(view.owned) // 3 + DARE, HIGHEST)}x5"]
        for bid in range(view.bid + 1, min(max(top, view.bid + EVERY_FACE) + 1, BIDS)):
            yield Candidate(self.worth(bid, ""), bid)
            show = worth_showing(view, FACE[bid])
            if show:
                yield Candidate(self.worth(bid, show), bid, show)

    def worth(self, bid: int, show: str) -> float:
        """The share to expect of a bid with the dice `show` laid out.

        For each number of matching dice under the next cup: how likely that is, whether its seat
        challenges then, and what comes of that. Unchallenged, the bid changes nothing."""
        view, face, count = self.view, FACE[bid], COUNT[bid]
        open_matches = matching(self.shown + show, face)
        rerolled = len(view.cup) - len(show) if show else 0
        cups_of_rivals = self.under_cups(face, but=view.after, rerolled=rerolled)
        matches = open_matches if show else open_matches + matching(view.cup, face)
        first = view.owned[view.seat] + matches - count
        seen_by_next = binomial(self.unseen_by_next - len(show), match_chance(face))
        worth = 0.0
        for match, likely in enumerate(self.under_next_cup(face)):
            doubted = doubt(at_least(seen_by_next, count - open_matches - match))
            worth += likely * (
                doubted * expected(self.after, first + match, cups_of_rivals)
                + (1 - doubted) * self.now
            )
        return worth

    def under_next_cup(self, face: int) -> Counts:
        """Tell how many dice match under the cup of the next seat."""
        return binomial(
            self.next_cup.dice, tilted_chance(face, self.next_cup.spoken, WEIGHT, STARS)
        )

    def under_cups(self, face: int, *, but: int, rerolled: int = 0) -> Counts:
        """Tell how many dice match under the others' cups, the one of seat `but` excepted, and of
        those `rerolled`."""
        cups_of_rivals = [
            cup for seat, cup in enumerate(self.cups) if seat not in (self.view.seat, but)
        ]
        return counts(unseen([*cups_of_rivals, UnseenCup(rerolled)], face, WEIGHT, STARS))


@lru_cache(maxsize=1 << 12)
def doubt(likely: float) -> float:
    """Tell how often a seat challenges a bid that it takes to be so likely."""
    return 1 / (1 + exp(SHARP * (likely - DOUBT)))
