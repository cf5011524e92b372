"""A recorded game of Bluff moment by moment: what each seat saw, and which cups the record
knows."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.round import Round
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import FACE
from engine.illegal import Illegal
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import NO_MOVES, RoundRecord
from engine.record.bluff.settle import RoundResult, settle
from engine.record.record import Record, begin

Perspective: TypeAlias = int | Literal["all"] | None
"""A point of view: a seat, all cups at once, or (None) a spectator, who sees what lies on the
table."""


class Moment(NamedTuple):
    """The table just before a move, or after the last one; all tuples in seat order.

    `seat`: the one to act. `bid`: the bid on the table, NO_BID before the first, None if not
    recorded; made by `bidder`. `move`: what the seat then did, None at the end. `hidden`: how many
    dice are under each cup. `shown`: dice laid out. `cups`: the dice under each cup, None if not
    recorded. `spoken`: faces (6: star) that each seat bid on since its hidden dice were rolled.
    `lifted`: the cups are up.
    """

    seat: int
    bid: int | None
    bidder: int
    move: Move | None
    hidden: tuple[int, ...]
    shown: tuple[str, ...]
    cups: tuple[str | None, ...]
    spoken: tuple[tuple[int, ...], ...]
    lifted: bool


class ReplayedRound(NamedTuple):
    """A recorded round, the dice that each seat owned before it, its moments, and its result.

    There is one moment more than there are moves, but none at a level without moves.
    """

    record: RoundRecord
    owned: tuple[int, ...]
    moments: tuple[Moment, ...]
    result: RoundResult

    @property
    def void_by_changed_dice(self) -> bool:
        """Return True if the round is void because dice were changed, not because seats left; then
        its moves aren't judged (Ruling B18)."""
        return self.record.void and not self.record.forfeit


def replayed_rounds(record: Record) -> Iterator[ReplayedRound]:
    """Yield the replayed rounds of a game of Bluff. Raise ValueError at a round with errors."""
    game, rounds = begin(record, BLUFF)
    for i, recorded in enumerate(rounds):
        owned = tuple(game.owned)
        opener = game.opener if recorded.opener is None else recorded.opener
        path = f"rounds[{i}]"
        result = settle(game, recorded, path)
        if isinstance(result, Illegal):
            raise ValueError(f"{path}: {result.message}")
        yield ReplayedRound(recorded, owned, _moments(game.rules, recorded, owned, opener), result)


def _moments(
    rules: Ruleset, recorded: RoundRecord, owned: tuple[int, ...], opener: int | None
) -> tuple[Moment, ...]:
    """Return the moments of a round; none if it records no moves, or not who moved first.

    `owned`: before the round."""
    if recorded.level in NO_MOVES:
        return ()
    first = opener if recorded.bidder is None else recorded.bidder
    if first is None:
        return ()
    played = Round(rules, owned, first, recorded.hands, rerolls=recorded.level == "dealt")
    spoken: list[tuple[int, ...]] = [()] * len(owned)
    moments: list[Moment] = []
    for move in recorded.moves:
        # A round that names its bidder records only the last bid, not the bids before it.
        is_unrecorded = recorded.bidder is not None and not moments
        moments.append(_moment(played, move, spoken, bid_unrecorded=is_unrecorded))
        seat = played.turn
        played.apply(move)
        if isinstance(move, LayOut):
            spoken[seat] = ()
        elif move != CHALLENGE:
            spoken[seat] += (FACE[move],)
    moments.append(_moment(played, None, spoken, bid_unrecorded=False))
    if recorded.level == "dealt":
        return tuple(moments)
    return tuple(_without_earlier_hands(moments))


def _moment(
    played: Round, move: Move | None, spoken: list[tuple[int, ...]], *, bid_unrecorded: bool
) -> Moment:
    cups: Sequence[str | None] | None = played.cups
    if cups is None:
        cups = [None if dice else "" for dice in played.hidden]
    return Moment(
        seat=played.turn,
        bid=None if bid_unrecorded else played.bid,
        bidder=played.bidder,
        move=move,
        hidden=tuple(played.hidden),
        shown=tuple(played.shown),
        cups=tuple(cups),
        spoken=tuple(spoken),
        lifted=played.challenger >= 0,
    )


def _without_earlier_hands(moments: list[Moment]) -> list[Moment]:
    """Remove the cups of seats that roll again later: only the dice that lay there in the end are
    recorded, and they don't reveal the hand before a reroll (Ruling B14)."""
    rolled_later: set[int] = set()
    reversed_moments: list[Moment] = []
    for moment in reversed(moments):
        if isinstance(moment.move, LayOut):
            rolled_later.add(moment.seat)
        cups = [None if seat in rolled_later else cup for seat, cup in enumerate(moment.cups)]
        reversed_moments.append(moment._replace(cups=tuple(cups)))
    return reversed_moments[::-1]


def cups_seen(moment: Moment, perspective: Perspective) -> tuple[str | None, ...]:
    """Return the dice under each cup as seen from a perspective, in seat order; None if unseen.

    A seat looks under its own cup, a spectator under none, `all` under every one; once the cups are
    up all of them are seen. A cup that isn't recorded stays unseen for everybody."""
    if perspective == "all" or moment.lifted:
        return moment.cups
    cups: list[str | None] = []
    for seat, cup in enumerate(moment.cups):
        is_visible = seat == perspective or not moment.hidden[seat]
        cups.append(cup if is_visible else None)
    return tuple(cups)


def moment_at(record: Record, round_number: int, move: int) -> tuple[ReplayedRound, Moment]:
    """Return a round, and its moment just before `move`, both from 0; the number of moves gives the
    end.

    Raise IndexError if the record has no such moment, or no moves of that round.
    """
    for i, played in enumerate(replayed_rounds(record)):
        if i == round_number:
            # Indexing the range first refuses negative numbers.
            index = range(len(played.moments))[move]
            return played, played.moments[index]
    raise IndexError(f"the game has no round {round_number}")
