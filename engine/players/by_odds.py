"""The player that goes by the odds of unseen dice alone and takes every bid as if it meant
nothing."""

from typing import Final

from engine.analysis.odds import binomial, match_chance
from engine.bluff.hand import matching
from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.track import BIDS, COUNT, FACE
from engine.players.player import SeatView
from engine.players.stakes import expected, shares, worth_of_challenge, worth_showing

EVERY_FACE: Final = 11
"""From one star field to the next it is eleven bids, which hold every face. Ruling B1."""


class ByOdds:
    """Raises to the bid that stands a challenge best, and challenges where even that is worth
    less."""

    def choose(self, view: SeatView) -> Move:
        """The move of the greatest worth if every raise were challenged at once."""
        options = [(worth_of_bid(view, bid), bid) for bid in least_raises(view.bid)]
        if view.said:
            unseen = sum(view.hidden) - len(view.cup)
            options.append(
                (
                    worth_of_challenge(view, binomial(unseen, match_chance(FACE[view.bid]))),
                    CHALLENGE,
                )
            )
        move = max(options)[1]
        show = "" if move == CHALLENGE else worth_showing(view, FACE[move])
        return LayOut(move, show) if show else move


def least_raises(bid: int) -> list[int]:
    """The least raise on each face, as far as the track goes: the likeliest ones. Ruling B4 (R,
    S)."""
    first: dict[int, int] = {}
    for raised in range(bid + 1, min(bid + 1 + EVERY_FACE, BIDS)):
        first.setdefault(FACE[raised], raised)
    return list(first.values())


def worth_of_bid(view: SeatView, bid: int) -> float:
    """The own share to expect if the bid, with the dice worth showing, is challenged at once."""
    face = FACE[bid]
    matches = matching("".join((view.cup, *view.shown)), face)
    show = worth_showing(view, face)
    rerolled = len(view.cup) - len(show) if show else 0
    unseen = sum(view.hidden) - len(view.cup) + rerolled
    after = shares(view.rules, view.owned, view.seat, view.after, view.seat)
    return expected(
        after, view.owned[view.seat] + matches - COUNT[bid], binomial(unseen, match_chance(face))
    )
