"""Each decision of a recorded round: its value, its cost, and the dice that were really there."""

from dataclasses import dataclass

from engine.analysis.moment import Moment, ReplayedRound
from engine.analysis.outlook import PLACES, Known, Option, Outlook
from engine.bluff.hand import matching
from engine.bluff.move import CHALLENGE, Move
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import COUNT, FACE, TEXT
from engine.record.shape import Json


@dataclass(frozen=True, slots=True)
class Decision:
    """A move of a recorded round, judged by what its seat could know.

    `move`: its place in the round, from 0. `known`: what the figures rest on. `made`: the move
    itself, its dice still to be rerolled. `challenge`: the possible challenge, with the odds of the
    bid on the table; None for an opening bid, or if the bid on the table isn't recorded. `best`:
    the move of the greatest worth, among equals that of the greatest value. `cost`: the worth of
    the best less the worth of the made one, in dice, never negative; None if the seat's hand isn't
    recorded, as it would be blamed for what it knew. `bid`: the bid of the bet. `count`: how many
    dice matched it when the move was made, None if not recorded. `supported`: whether a die of the
    seat matched the bid, None if its hand isn't recorded.
    """

    move: int
    seat: int
    known: Known
    made: Option
    challenge: Option | None
    best: Option | None
    cost: float | None
    bid: int
    count: int | None
    supported: bool | None

    @property
    def challenged(self) -> bool:
        """Return True if the move is the challenge."""
        return self.made.move == CHALLENGE

    @property
    def held(self) -> bool | None:
        """Return True if the bid of the bet was true when the move was made, None if not
        recorded."""
        if self.count is None:
            return None
        return self.count >= COUNT[self.bid]

    def as_json(self) -> dict[str, Json]:
        """Return the decision as a JSON object."""
        return {
            "move": self.move,
            "seat": self.seat,
            "known": self.known,
            "made": self.made.as_json(),
            "challenge": None if self.challenge is None else self.challenge.as_json(),
            "best": None if self.best is None else self.best.as_json(),
            "cost": None if self.cost is None else round(self.cost, PLACES),
            "bid": TEXT[self.bid],
            "count": self.count,
            "held": self.held,
        }


def decisions(rules: Ruleset, played: ReplayedRound, weight: float) -> tuple[Decision, ...]:
    """Return the decisions of a round in order; none at a level without moves.

    `weight`: how much the bids reveal about the dice (see `belief`)."""
    moves = range(len(played.moments) - 1)
    return tuple([_decision(rules, played, index, weight) for index in moves])


def _decision(rules: Ruleset, played: ReplayedRound, index: int, weight: float) -> Decision:
    moment = played.moments[index]
    move = moment.move
    assert move is not None
    outlook = Outlook(rules, played.owned, moment, moment.seat, weight)
    challenge = outlook.challenge()
    made = challenge
    if move != CHALLENGE or made is None:
        made = outlook.raise_by(move)
    bid = _bid_of_bet(moment, move)

    best = None
    if moment.bid is not None:
        # The made option comes first, as it is the best unless another is better.
        best = _best_option(made, challenge, outlook.best_raise())
    knows_hand = outlook.known == "own"
    cost = None
    if knows_hand and best is not None:
        cost = best.worth - made.worth
    return Decision(
        move=index,
        seat=moment.seat,
        known=outlook.known,
        made=made,
        challenge=challenge,
        best=best,
        cost=cost,
        bid=bid,
        count=_matching_dice_after(played, index, bid),
        supported=outlook.supports(FACE[bid]) if knows_hand else None,
    )


def _best_option(first_option: Option, *further_options: Option | None) -> Option:
    options = [first_option, *[option for option in further_options if option is not None]]
    return max(options, key=lambda option: (option.worth, option.value))


def _bid_of_bet(moment: Moment, move: Move) -> int:
    if not isinstance(move, int):
        return move.bid
    if move == CHALLENGE:
        assert moment.bid is not None
        return moment.bid
    return move


def _matching_dice_after(played: ReplayedRound, index: int, bid: int) -> int | None:
    # The dice of the bid that was challenged were counted, even if they aren't recorded.
    if bid == played.result.bid and played.result.count is not None:
        return played.result.count
    moment_after = played.moments[index + 1]
    dice = list(moment_after.shown)
    for cup in moment_after.cups:
        if cup is None:
            return None
        dice.append(cup)
    return matching("".join(dice), FACE[bid])
