"""The player that goes by the odds of unseen dice alone and ignores what bids reveal."""

from typing import Final

from engine.analysis.odds import binomial, match_chance
from engine.bluff.hand import matching
from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.track import BIDS, COUNT, FACE
from engine.players.player import SeatView
from engine.players.stakes import expected, shares, worth_of_challenge, worth_showing

EVERY_FACE: Final = 11
"""From one star field to the next there are eleven bids, which include every face (Ruling B1)."""


class ByOdds:
    """A player that makes the bid that best withstands a challenge, and challenges if even that
    is worth less."""

    def choose(self, view: SeatView) -> Move:
        """Return the move of the greatest worth if every raise were challenged at once."""
        options = [(worth_of_bid(view, bid), bid) for bid in least_raises(view.bid)]
        if view.said:
            unseen = binomial(sum(view.hidden) - len(view.cup), match_chance(FACE[view.bid]))
            options.append((worth_of_challenge(view, unseen), CHALLENGE))
        _, move = max(options)
        if move == CHALLENGE:
            return move
        show = worth_showing(view, FACE[move])
        return LayOut(move, show) if show else move


def least_raises(bid: int) -> list[int]:
    """Return the lowest bid on each face that raises this bid, as far as the track goes.

    Lower bids on a face are likelier to hold. Ruling B4: a raise comes later on the track."""
    lowest_by_face: dict[int, int] = {}
    for raised in range(bid + 1, min(bid + 1 + EVERY_FACE, BIDS)):
        lowest_by_face.setdefault(FACE[raised], raised)
    return list(lowest_by_face.values())


def worth_of_bid(view: SeatView, bid: int) -> float:
    """Return the seat's share of all dice to expect if the bid, with the dice worth showing laid
    out, is challenged at once."""
    face = FACE[bid]
    matches = matching("".join((view.cup, *view.shown)), face)
    show = worth_showing(view, face)
    rerolled = len(view.cup) - len(show) if show else 0
    unseen = sum(view.hidden) - len(view.cup) + rerolled
    shares_after = shares(
        view.rules, view.owned, bidder=view.seat, challenger=view.after, seat=view.seat
    )
    lowest = view.owned[view.seat] + matches - COUNT[bid]
    return expected(shares_after, lowest, binomial(unseen, match_chance(face)))
