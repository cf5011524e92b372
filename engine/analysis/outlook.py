"""All that a seat can expect at one moment: the odds and the value in dice of everything it could
do."""

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
from engine.bluff.track import BIDS, COUNT, FACE, NO_BID, STAR, raises
from engine.record.shape import Json

Known: TypeAlias = Literal["own", "public"]
"""What a figure rests on: all that the seat saw, or, where its hand isn't recorded, only what
everybody saw."""

ON_FACE: Final = tuple(
    tuple([bid for bid in range(BIDS) if FACE[bid] == face]) for face in range(1, STAR + 1)
)
"""For each face, 1 to 5 and the star, its bids in order; entry n − 1 says n dice."""
PLACES: Final = 6
"""Decimals of a figure in JSON: a millionth of a die, or of certainty."""


class Option(NamedTuple):
    """One move that a seat can make.

    `chance`: that the bid of the bet holds, 0 to 1 (for a challenge: the bid on the table).
    `value`: expected lead in dice (see `bet`) if the cups go up: for a raise, if the next seat
    challenges it at once."""

    move: Move
    chance: float
    value: float

    @property
    def worth(self) -> float:
        """Return what the move can be relied on for, in dice.

        A challenge is settled, so it is worth its value. A raise may also be left standing, which
        counts 0: it is worth its value, but 0 at most, for the next seat won't challenge to its own
        harm. Without that limit the lowest raise would always look best, as though everybody
        challenged everything."""
        return self.value if self.move == CHALLENGE else min(self.value, 0.0)

    def as_json(self) -> dict[str, Json]:
        """The option as a JSON object."""
        return {
            "move": move_text(self.move),
            "chance": round(self.chance, PLACES),
            "value": round(self.value, PLACES),
            "worth": round(self.worth, PLACES),
        }


class Outlook:
    """All that `seat` can expect at `moment`, in a round before which the seats `owned` so many
    dice.

    It counts all dice laid out and its own; where the record doesn't tell its own, `known` is
    `public`, and its cup is one more unseen one. `weight`: of the bids (see `belief`), 0 for the
    plain light."""

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
        """The dice that are seen and the seat's own unseen ones, when it lays out `show` and
        rerolls the rest."""
        hidden = self.moment.hidden[self.seat]
        if show:
            return self._shown + show, UnseenCup(hidden - len(show))
        if self._own is None:
            return self._shown, UnseenCup(hidden, self.moment.spoken[self.seat])
        return self._shown + self._own, UnseenCup(0)

    def _counts(self, face: int, mine: UnseenCup) -> Counts:
        return counts(unseen((*self.others, mine), face, self._weight))

    def _bet(self, move: Move, bid: int, bidder: int, challenger: int, show: str = "") -> Option:
        dice_seen, mine = self._sight(show)
        distribution = self._counts(FACE[bid], mine)
        needed = COUNT[bid] - matching(dice_seen, FACE[bid])
        pays = payoffs(self._rules, self.owned, bidder, challenger, self.seat)
        return Option(move, at_least(distribution, needed), bet_value(pays, distribution, needed))

    def supports(self, face: int) -> bool:
        """True if one of the dice of the seat, laid out or under its open cup, matches `face`."""
        return matching(self.moment.shown[self.seat] + (self._own or ""), face) > 0

    def challenge(self) -> Option | None:
        """The bet on the table if it is challenged by the seat to act; None while there is no bid.

        Seen by `seat`, which need not be in the bet: it may lose a die at an exact hit. Rulings B6
        to B9."""
        moment = self.moment
        if moment.bid is None or moment.bid == NO_BID:
            return None
        return self._bet(CHALLENGE, moment.bid, moment.bidder, moment.seat)

    def raise_by(self, move: Move) -> Option:
        """A raise by the seat to act, which is `seat`, if the next seat challenges it at once.

        With a lay-out the rerolled dice are as open as those of the others. Rulings B6 to B9, B14.
        """
        bid, show = (move, "") if isinstance(move, int) else (move.bid, move.show)
        return self._bet(move, bid, self.seat, clockwise(self.owned)[self.seat], show)

    def raises(self) -> Iterator[Option]:
        """Every raise without a lay-out, in raising order; none where the bid on the table isn't
        recorded."""
        if self.moment.bid is not None:
            yield from map(self.raise_by, raises(self.moment.bid))

    def lay_outs(self, face: int) -> tuple[str, ...]:
        """Nothing laid out, and the lay-out worth trying on `face`, if there may be one. Ruling B14
        (R, S)."""
        hand = self._own or ""
        if not self._rules.reroll or len(hand) < 2:
            return ("",)
        match = "".join([die for die in hand if matching(die, face)])
        return "", match[len(match) == len(hand) :] or hand[0]

    def best_raise(self) -> Option | None:
        """The raise of the greatest value; None past the end of the track or where the bid isn't
        recorded.

        In a game with rerolls each face is also tried with the lay-out that keeps all dice that
        match (one at least, and not all that are hidden), as any other leaves fewer matching dice
        to expect."""
        if self.moment.bid is None:
            return None
        best_raise = max(
            self._best_on_faces(self.moment.bid), key=lambda best: best[0], default=None
        )
        return None if best_raise is None else self.raise_by(best_raise[1])

    def _best_on_faces(self, table: int) -> Iterator[tuple[float, Move]]:
        """For each face, and each way to lay out dice for it, the best raise and its value."""
        pays = payoffs(
            self._rules, self.owned, self.seat, clockwise(self.owned)[self.seat], self.seat
        )
        for face, on_face in enumerate(ON_FACE, start=1):
            lower = bisect_right(on_face, table)
            if lower == len(on_face):
                continue
            for show in self.lay_outs(face):
                dice_seen, mine = self._sight(show)
                have = matching(dice_seen, face)
                best = best_bet(
                    pays, self._counts(face, mine), lower + 1 - have, len(on_face) - have
                )
                bid = on_face[best.needed + have - 1]
                yield best.value, LayOut(bid, show) if show else bid
