"""A recorded game of Bluff moment by moment: what everybody saw, and which cups the record
knows."""

from collections.abc import Iterator
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
"""Who looks: a seat, all cups at once, or (None) a spectator, who sees what lies on the table."""


class Moment(NamedTuple):
    """The table just before a move, or after the last one; all tuples in seat order.

    `seat`: the one to act. `bid`: the bid on the table, NO_BID before the first, None where the
    record doesn't tell it; made by `bidder`. `move`: what the seat then did, None at the end.
    `hidden`: dice under each cup. `shown`: dice laid out. `cups`: dice under each cup, None where
    the record doesn't tell them. `spoken`: faces (6: star) that each seat bid on since its hidden
    dice were rolled. `lifted`: the cups are up."""

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
    """A recorded round, the dice that each seat owned before it, its moments, and what came of it.

    There are no moments where the level tells no moves, else one more than there are moves.
    """

    record: RoundRecord
    owned: tuple[int, ...]
    moments: tuple[Moment, ...]
    result: RoundResult

    @property
    def undone(self) -> bool:
        """True if the round is void, as dice were changed: nothing that was done in it is judged.
        Ruling B18."""
        return self.record.void and not self.record.forfeit


def play(record: Record) -> Iterator[ReplayedRound]:
    """The rounds of a game of Bluff, played again. ValueError at a round that isn't ok."""
    game, rounds = begin(record, BLUFF)
    for i, recorded in enumerate(rounds):
        owned, opener = (
            tuple(game.owned),
            game.opener if recorded.opener is None else recorded.opener,
        )
        path = f"rounds[{i}]"
        result = settle(game, recorded, path)
        if isinstance(result, Illegal):
            raise ValueError(f"{path}: {result.message}")
        yield ReplayedRound(recorded, owned, _moments(game.rules, recorded, owned, opener), result)


def _moments(
    rules: Ruleset, recorded: RoundRecord, owned: tuple[int, ...], opener: int | None
) -> tuple[Moment, ...]:
    if recorded.level in NO_MOVES:
        return ()
    first = opener if recorded.bidder is None else recorded.bidder
    if first is None:
        return ()
    played = Round(rules, owned, first, recorded.hands, rerolls=recorded.level == "dealt")
    spoken: list[tuple[int, ...]] = [()] * len(owned)
    moments: list[Moment] = []
    for move in recorded.moves:
        moments.append(
            _moment(played, move, spoken, untold=recorded.bidder is not None and not moments)
        )
        seat = played.turn
        played.apply(move)
        if isinstance(move, LayOut):
            spoken[seat] = ()
        elif move != CHALLENGE:
            spoken[seat] += (FACE[move],)
    moments.append(_moment(played, None, spoken, untold=False))
    return tuple(moments if recorded.level == "dealt" else _forget(moments))


def _moment(
    played: Round, move: Move | None, spoken: list[tuple[int, ...]], *, untold: bool
) -> Moment:
    cups = [None if dice else "" for dice in played.hidden] if played.cups is None else played.cups
    return Moment(
        seat=played.turn,
        bid=None if untold else played.bid,
        bidder=played.bidder,
        move=move,
        hidden=tuple(played.hidden),
        shown=tuple(played.shown),
        cups=tuple(cups),
        spoken=tuple(spoken),
        lifted=played.challenger >= 0,
    )


def _forget(moments: list[Moment]) -> list[Moment]:
    """Without the cups that aren't recorded: what a seat held before a reroll isn't known by its
    last dice.

    Ruling B14 (R, S).
    """
    rolled_later: set[int] = set()
    known: list[Moment] = []
    for moment in reversed(moments):
        if isinstance(moment.move, LayOut):
            rolled_later.add(moment.seat)
        cups = [None if seat in rolled_later else cup for seat, cup in enumerate(moment.cups)]
        known.append(moment._replace(cups=tuple(cups)) if rolled_later else moment)
    return known[::-1]


def cups_seen(moment: Moment, perspective: Perspective) -> tuple[str | None, ...]:
    """The dice under the cups that a perspective may look at, in seat order; None for a cup that
    stays down.

    A seat looks under its own cup, a spectator under none, `all` under every one; once the cups are
    up all see all. A cup that the record doesn't tell stays down for everybody."""
    bare = perspective == "all" or moment.lifted
    return tuple(
        [
            cup if bare or seat == perspective or not moment.hidden[seat] else None
            for seat, cup in enumerate(moment.cups)
        ]
    )


def at(record: Record, round_number: int, move: int) -> tuple[ReplayedRound, Moment]:
    """A round and its moment just before `move`, both from 0; `move` = number of moves: at the end.

    IndexError if the record tells no such moment, or no moves of that round.
    """
    for i, played in enumerate(play(record)):
        if i == round_number:
            return played, played.moments[range(len(played.moments))[move]]
    raise IndexError(f"the game has no round {round_number}")
