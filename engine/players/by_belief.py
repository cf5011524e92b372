"""The player that weighs the others' hands by their bids, foresees which seats would challenge,
and bluffs."""

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
"""How much a bid reveals about the dice (see `engine.analysis.belief`): its face becomes five times
as likely.

Found by play with factors of 2 to 8: higher ones win a little with two seats and lose much with
six. `FITTED`, the weight that best predicts challenges, is different: players are to win against
bluffs, not to be right on average.
"""
STARS: Final = log(1.3) / WEIGHT
"""The share of it that a number bid reveals about stars, which become 1.3 times as likely. Found
by play."""
BLUFF: Final = 0.2
"""How often it bluffs if a bluff costs little. Found by play: with two seats slightly better
than never."""
LITTLE: Final = 0.02
"""The share of all dice that a bluff may cost."""
DOUBT: Final = 0.45
"""A bid with this chance, as the next seat sees it, is challenged every other time."""
SHARP: Final = 12.0
"""How quickly that changes with the chance: with 0.2 more, the bid stands eleven of twelve
times."""
DARE: Final = 3
"""How many fields above the count expected of all dice a bid is still considered."""
HIGHEST: Final = FIELDS[-1][0]


class Candidate(NamedTuple):
    """A possible move, the dice to lay out with it, and the share of all dice to expect of it."""

    worth: float
    move: int
    show: str = ""


class ByBelief:
    """A player that makes the move of the greatest worth, or sometimes a bluff that is worth
    almost as much."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: SeatView) -> Move:
        """Return a challenge, or the best raise by the share of all dice to expect of it."""
        deliberation = Deliberation(view)
        raises = list(deliberation.raises())
        best = max(raises, default=Candidate(0.0, CHALLENGE))
        # The opener can't challenge, so its challenge is worth less than any bid.
        challenge_worth = deliberation.challenge() if view.said else -1.0
        if challenge_worth >= best.worth:
            return CHALLENGE
        if self.rng.random() < BLUFF:
            least = max(best.worth - LITTLE, challenge_worth)
            best = max(bluffs(view, raises, least), default=best)
        if best.show:
            return LayOut(best.move, best.show)
        return best.move


def bluffs(view: SeatView, raises: list[Candidate], least: float) -> list[Candidate]:
    """Return the raises worth at least `least` on faces that the player's own cup doesn't have."""
    return [
        raised
        for raised in raises
        if raised.worth >= least and not matching(view.cup, FACE[raised.move])
    ]


def cups_of(view: SeatView) -> list[UnseenCup]:
    """Return each seat's cup, with the faces that the seat has bid on since it last rolled.

    Each face is there once: a second bid on it reveals nothing new. Rerolled dice are independent
    of the bids before, by Ruling B14: a seat that lays out dice rerolls all others.
    """
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
    """The worth of the moves of one turn, given the beliefs about the others' dice."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.cups = cups_of(view)
        self.shown = "".join(view.shown)
        self.next_cup = self.cups[view.after]
        self.unseen_by_next = sum(view.hidden) - self.next_cup.dice
        self.shares_after = shares(
            view.rules, view.owned, bidder=view.seat, challenger=view.after, seat=view.seat
        )
        self.share_now = view.owned[view.seat] / sum(view.owned)

    def challenge(self) -> float:
        """Return the share to expect of a challenge."""
        view = self.view
        return worth_of_challenge(view, self.under_cups(FACE[view.bid], but=view.seat))

    def raises(self) -> Iterator[Candidate]:
        """Yield the raises to consider, with and without dice laid out, at least one on each
        face."""
        view = self.view
        top = BID[f"{min(sum(view.owned) // 3 + DARE, HIGHEST)}x5"]
        last = max(top, view.bid + EVERY_FACE)
        for bid in range(view.bid + 1, min(last + 1, BIDS)):
            yield Candidate(self.worth(bid, ""), bid)
            show = worth_showing(view, FACE[bid])
            if show:
                yield Candidate(self.worth(bid, show), bid, show)

    def worth(self, bid: int, show: str) -> float:
        """Return the share of all dice to expect of a bid with the dice `show` laid out.

        Each number of matching dice under the next seat's cup counts by how likely it is, by how
        likely that seat then challenges, and by the outcome. An unchallenged bid changes
        nothing."""
        view = self.view
        face = FACE[bid]
        count = COUNT[bid]
        open_matches = matching(self.shown + show, face)
        if show:
            matches = open_matches
            rerolled = len(view.cup) - len(show)
        else:
            matches = open_matches + matching(view.cup, face)
            rerolled = 0
        cups_of_rivals = self.under_cups(face, but=view.after, rerolled=rerolled)
        lowest = view.owned[view.seat] + matches - count
        seen_by_next = binomial(self.unseen_by_next - len(show), match_chance(face))
        worth = 0.0
        for match, likely in enumerate(self.under_next_cup(face)):
            doubted = doubt(at_least(seen_by_next, count - open_matches - match))
            if_doubted = expected(self.shares_after, lowest + match, cups_of_rivals)
            worth += likely * (doubted * if_doubted + (1 - doubted) * self.share_now)
        return worth

    def under_next_cup(self, face: int) -> Counts:
        """Return the distribution of matching dice under the cup of the next seat."""
        chance = tilted_chance(face, self.next_cup.spoken, WEIGHT, STARS)
        return binomial(self.next_cup.dice, chance)

    def under_cups(self, face: int, *, but: int, rerolled: int = 0) -> Counts:
        """Return the distribution of matching dice under the others' cups and of `rerolled` dice.

        The cup of seat `but` is left out."""
        cups_of_rivals = [
            cup for seat, cup in enumerate(self.cups) if seat not in (self.view.seat, but)
        ]
        return counts(unseen([*cups_of_rivals, UnseenCup(rerolled)], face, WEIGHT, STARS))


@lru_cache(maxsize=1 << 12)
def doubt(likely: float) -> float:
    """Return how often a seat challenges a bid that holds, as far as it knows, with this chance."""
    return 1 / (1 + exp(SHARP * (likely - DOUBT)))
