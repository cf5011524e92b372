"""The rounds of a recorded game of Bluff: what was recorded of each, and the engine's verdict on
it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.bluff.hand import matching, sort_hand
from engine.bluff.move import CHALLENGE
from engine.bluff.round import NOBODY
from engine.bluff.round import Round as Play
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import COUNT, FACE, TEXT
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import NO_MOVES, Level, RoundRecord
from engine.record.bluff.settle import RoundResult
from engine.record.check import replay
from engine.record.record import Record, begin


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """The move of a seat: a bid, perhaps with dice laid out and rerolled (B14), or the challenge
    (no bid)."""

    seat: int
    bid: str | None
    show: str = ""
    rolled: str = ""


@dataclass(frozen=True, slots=True)
class Cup:
    """The dice of a seat in one round; None for what nobody wrote down.

    `rolled`: the first roll. `dice`: all that lay there in the end, the dice laid out (`open_dice`)
    among them. `hits`: how many of these count for the last bid (B7). `hidden`: dice under the cup
    that stayed unknown."""

    seat: int
    rolled: str | None
    dice: str | None
    open_dice: str
    hits: int | None
    hidden: int


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One entry of a game's record, with `number` counted from 1 as on the page.

    `cups` are those of the seats that owned dice. `change` and `dice_left` are each seat's dice, as
    the engine settled them; `gap` is how many dice the count lay above the bid. `ruling` names what
    decided: `B8`, `B9` with the ruleset's `variant`, `B17`, `B18` where the round is void, or `B20`
    where it is none, as time was up; empty where that isn't known. `winner` opens next (B10)."""

    number: int
    level: Level
    void: bool
    opener: int | None
    moves: tuple[PlayedMove, ...]
    cups: tuple[Cup, ...]
    bid: str | None
    bidder: int | None
    challenger: int | None
    count: int | None
    gap: int | None
    winner: int | None
    ruling: str
    variant: str
    change: tuple[int, ...]
    dice_left: tuple[int, ...]
    out: tuple[int, ...]
    forfeit: tuple[int, ...]

    @property
    def bids(self) -> tuple[str, ...]:
        """The bids in playing order, as the track draws them."""
        return tuple([move.bid for move in self.moves if move.bid])

    @property
    def face(self) -> str:
        """The face of the last bid, empty where there is none."""
        return self.bid[-1] if self.bid else ""

    @property
    def losses(self) -> tuple[tuple[int, int], ...]:
        """Each seat whose dice changed, and how many it lost; −1 for a die received (B9
        giveaway)."""
        return tuple([(seat, -change) for seat, change in enumerate(self.change) if change])

    @property
    def lifted(self) -> bool:
        """True if the dice under the cups are on record."""
        return any(cup.dice is not None for cup in self.cups)

    @property
    def dice_in_play(self) -> int:
        """Dice on the table before the round was settled."""
        return sum(self.dice_left) - sum(self.change)


def rounds_of(record: Record) -> list[PlayedRound]:
    """The rounds of a record of Bluff that is ok, in order."""
    game, recorded = begin(record, BLUFF)
    owned = game.owned
    rounds = []
    for number, (round_, result) in enumerate(
        zip(recorded, replay(record).rounds, strict=True), start=1
    ):
        assert isinstance(result, RoundResult)
        rounds.append(played_round(number, round_, result, game.rules, owned))
        owned = list(rounds[-1].dice_left)
    return rounds


def played_round(
    number: int, round_: RoundRecord, result: RoundResult, rules: Ruleset, owned: Sequence[int]
) -> PlayedRound:
    """Describe a settled round. `owned`: the dice of each seat before it."""
    played, moves = _play(round_, result, rules, owned)
    gap = None if result.bid is None or result.count is None else result.count - COUNT[result.bid]
    decided = "" if gap is None else "B8" if gap else "B9"
    dice_left = tuple([dice + change for dice, change in zip(owned, result.delta, strict=True)])
    over = dice_left.count(0) == len(dice_left) - 1
    return PlayedRound(
        number=number,
        level=round_.level,
        void=round_.void,
        opener=result.opener,
        moves=moves,
        cups=_cups(round_, played, result.bid, owned) if played else (),
        bid=None if result.bid is None else TEXT[result.bid],
        bidder=result.bidder,
        challenger=result.challenger,
        count=result.count,
        gap=gap,
        winner=None if gap is None or over else result.bidder if gap >= 0 else result.challenger,
        ruling=_ruling(round_, decided),
        variant=rules.exact if decided == "B9" else "",
        change=result.delta,
        dice_left=dice_left,
        out=result.out,
        forfeit=result.forfeit,
    )


def _ruling(round_: RoundRecord, decided: str) -> str:
    """The ruling that decided what came of a round; `decided`: that on the bet, if there was
    one."""
    if round_.level == "clock":
        return "B20"
    if round_.forfeit:
        return "B17"
    return "B18" if round_.void else decided


def _play(
    round_: RoundRecord, result: RoundResult, rules: Ruleset, owned: Sequence[int]
) -> tuple[Play | None, tuple[PlayedMove, ...]]:
    """The round as it stood after its last move, and the moves with their seats; None where no move
    is recorded."""
    first = result.opener if round_.bidder is None else round_.bidder
    if round_.level in NO_MOVES or first is None:
        return None, ()
    played = Play(rules, owned, first, round_.hands, rerolls=round_.level == "dealt")
    moves = []
    for move in round_.moves:
        seat = played.turn
        played.apply(move)
        if isinstance(move, int):
            moves.append(PlayedMove(seat, None if move == CHALLENGE else TEXT[move]))
        else:
            moves.append(PlayedMove(seat, TEXT[move.bid], move.show, move.rolled or ""))
    return played, tuple(moves)


def _cups(
    round_: RoundRecord, played: Play, bid: int | None, owned: Sequence[int]
) -> tuple[Cup, ...]:
    """The cups of the seats that play; dice are known only where the record tells them."""
    cups = []
    for seat, dice in enumerate(owned):
        if not dice:
            continue
        hand = None if played.cups is None else sort_hand(played.cups[seat] + played.shown[seat])
        hits = (
            None
            if hand is None or bid is None or played.challenger == NOBODY
            else matching(hand, FACE[bid])
        )
        rolled = round_.hands[seat] if round_.hands and round_.level == "dealt" else None
        cups.append(
            Cup(seat, rolled, hand, played.shown[seat], hits, 0 if hand else played.hidden[seat])
        )
    return tuple(cups)
