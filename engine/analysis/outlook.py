"""What a seat can expect at a moment: the odds and the value in dice of each of its possible
moves."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.analysis.belief import UnseenCup, unseen
from engine.analysis.bet import best_bet, bet_value, payoffs
from engine.analysis.moment import Moment
from engine.analysis.odds import Counts, at_least, counts
from engine.bluff.hand import matching
from engine.bluff.move import CHALLENGE, LayOut, Move, move_text
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import clockwise
from engine.bluff.track import BIDS, COUNT, FACE, NO_BID, STAR
from engine.bluff.track import raises as bids_above
from engine.record.shape import Json

Known: TypeAlias = Literal["own", "public"]
"""What a figure rests on: all that the seat saw, or, if its hand isn't recorded, only public
information."""


def _bids_on(face: int) -> tuple[int, ...]:
    return tuple([bid for bid in range(BIDS) if FACE[bid] == face])


BIDS_BY_FACE: Final = tuple([_bids_on(face) for face in range(1, STAR + 1)])
"""For each face, 1 to 5 and the star, its bids in order; entry n − 1 says n dice."""
PLACES: Final = 6
"""Decimals of a figure in JSON: a millionth of a die, or of certainty."""


class Option(NamedTuple):
    """A move that a seat can make.

    `chance`: that the bid of the bet holds, 0 to 1 (for a challenge: the bid on the table).
    `value`: the expected lead in dice (see `bet`) if the cups go up; for a raise, if the next seat
    challenges it at once.
    """

    move: Move
    chance: float
    value: float

    @property
    def worth(self) -> float:
        """Return the value that the seat can rely on, in dice.

        A challenge is settled, so it is worth its value. A raise may also stand, which counts 0: it
        is worth its value, but 0 at most, as the next seat won't challenge to its own harm. Without
        that limit the lowest raise would always look best, as if everything were challenged."""
        if self.move == CHALLENGE:
            return self.value
        return min(self.value, 0.0)

    def as_json(self) -> dict[str, Json]:
        """Return the option as a JSON object."""
        return {
            "move": move_text(self.move),
            "chance": round(self.chance, PLACES),
            "value": round(self.value, PLACES),
            "worth": round(self.worth, PLACES),
        }


class Outlook:
    """What `seat` can expect at `moment`, in a round before which the seats `owned` these dice.

    The seat sees all dice laid out and its own. If its own aren't recorded, `known` is `public`,
    and its cup counts as one more unseen cup. `weight`: how much the bids reveal about the dice
    (see `belief`), 0 for nothing.
    """

    __slots__ = (
        "_own",
        "_rules",
        "_shown",
        "_weight",
        "known",
        "moment",
        "others",
        "owned",
        "seat",
    )

    def __init__(
        self, rules: Ruleset, owned: tuple[int, ...], moment: Moment, seat: int, weight: float
    ) -> None:
        self._rules = rules
        self._weight = weight
        self._own = moment.cups[seat]
        self._shown = "".join(moment.shown)
        self.owned = owned
        self.moment = moment
        self.seat = seat
        self.known: Known = "public" if self._own is None else "own"
        self.others = tuple(
            [
                UnseenCup(dice, moment.spoken[rival])
                for rival, dice in enumerate(moment.hidden)
                if rival != seat
            ]
        )

    def _sight(self, show: str) -> tuple[str, UnseenCup]:
        """Return the dice that the seat sees, and its own dice that it can't know: those that it
        is about to reroll, or its whole cup if that isn't known here.

        `show`: the dice that it lays out now, after which it rerolls the rest; empty for none."""
        hidden = self.moment.hidden[self.seat]
        if show:
            return self._shown + show, UnseenCup(hidden - len(show))
        if self._own is None:
            return self._shown, UnseenCup(hidden, self.moment.spoken[self.seat])
        return self._shown + self._own, UnseenCup(0)

    def _counts(self, face: int, own_cup: UnseenCup) -> Counts:
        """Return the chance of each number of matching dice among all that the seat doesn't see."""
        return counts(unseen((*self.others, own_cup), face, self._weight))

    def _bet(self, move: Move, bid: int, bidder: int, challenger: int, show: str = "") -> Option:
        """Return a move with the odds and the value of its bet.

        `show`: the dice laid out with it."""
        dice_seen, own_cup = self._sight(show)
        distribution = self._counts(FACE[bid], own_cup)
        needed = COUNT[bid] - matching(dice_seen, FACE[bid])
        pays = payoffs(
            self._rules, self.owned, bidder=bidder, challenger=challenger, seat=self.seat
        )
        return Option(move, at_least(distribution, needed), bet_value(pays, distribution, needed))

    def supports(self, face: int) -> bool:
        """Return True if a die of the seat, laid out or under its open cup, matches `face`."""
        return matching(self.moment.shown[self.seat] + (self._own or ""), face) > 0

    def challenge(self) -> Option | None:
        """Return the challenge of the bid on the table by the seat to act; None while there is no
        bid.

        It is valued for `seat`, which need not be in the bet: it may lose a die at an exact hit
        (Rulings B6 to B9).
        """
        moment = self.moment
        if moment.bid is None or moment.bid == NO_BID:
            return None
        return self._bet(CHALLENGE, moment.bid, bidder=moment.bidder, challenger=moment.seat)

    def raise_by(self, move: Move) -> Option:
        """Return a raise by `seat`, the seat to act, if the next seat challenges it at once.

        With a lay-out the rerolled dice are as unknown as those of the others
        (Rulings B6 to B9, B14)."""
        next_seat = clockwise(self.owned)[self.seat]
        if isinstance(move, int):
            return self._bet(move, bid=move, bidder=self.seat, challenger=next_seat)
        return self._bet(move, move.bid, bidder=self.seat, challenger=next_seat, show=move.show)

    def raises(self) -> Iterator[Option]:
        """Yield every raise that lays out no dice, in raising order; none if the bid on the table
        isn't recorded."""
        if self.moment.bid is not None:
            yield from map(self.raise_by, bids_above(self.moment.bid))

    def lay_outs(self, face: int) -> tuple[str, ...]:
        """Return the dice to lay out that are worth trying with a bid on `face`: none (an empty
        string), and one set if rerolls are allowed (Ruling B14).

        The set has all dice that match, but at least one die, and not all of the hand."""
        hand = self._own or ""
        if not self._rules.reroll or len(hand) < 2:
            return ("",)
        match = "".join([die for die in hand if matching(die, face)])
        if not match:
            return "", hand[0]
        if len(match) == len(hand):
            return "", match[1:]
        return "", match

    def best_raise(self) -> Option | None:
        """Return the raise of the greatest value.

        None at the end of the track, or if the bid isn't recorded. In a game with rerolls each face
        is also tried with the lay-out that keeps all dice that match (at least one, and not all
        that are hidden), as any other keeps fewer."""
        if self.moment.bid is None:
            return None
        best_on_faces = list(self._best_raise_on_each_face(self.moment.bid))
        if not best_on_faces:
            return None
        _, move = max(best_on_faces, key=lambda best: best[0])
        return self.raise_by(move)

    def _best_raise_on_each_face(self, current_bid: int) -> Iterator[tuple[float, Move]]:
        """Yield the best raise on each face, with its value, for each lay-out worth trying.

        Leave out faces without a higher bid."""
        next_seat = clockwise(self.owned)[self.seat]
        pays = payoffs(
            self._rules, self.owned, bidder=self.seat, challenger=next_seat, seat=self.seat
        )
        for face, bids in enumerate(BIDS_BY_FACE, start=1):
            # The bids on a face say 1, 2, 3 … dice, so the lowest raise is for one more than the
            # number of bids that aren't higher.
            fewest_dice = bisect_right(bids, current_bid) + 1
            most_dice = len(bids)
            if fewest_dice > most_dice:
                continue
            for show in self.lay_outs(face):
                dice_seen, own_cup = self._sight(show)
                seen = matching(dice_seen, face)
                distribution = self._counts(face, own_cup)
                best = best_bet(
                    pays, distribution, lowest=fewest_dice - seen, highest=most_dice - seen
                )
                dice_bid = best.needed + seen
                bid = bids[dice_bid - 1]
                yield best.value, LayOut(bid, show) if show else bid
