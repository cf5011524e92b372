"""The rounds of a recorded game of Bluff, with the engine's verdict."""

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
    """A seat's move: a bid, perhaps with dice laid out and rerolled (B14), or the challenge (no
    bid)."""

    seat: int
    bid: str | None
    show: str = ""
    rolled: str = ""


@dataclass(frozen=True, slots=True)
class Cup:
    """The dice of a seat in one round; None if not recorded.

    `rolled`: the first roll. `dice`: the dice at the end, including those laid out (`open_dice`).
    `hits`: how many of these count for the last bid (B7). `hidden`: how many dice under the cup
    stayed unknown.
    """

    seat: int
    rolled: str | None
    dice: str | None
    open_dice: str
    hits: int | None
    hidden: int


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """An entry of a game's record, with `number` counted from 1 as on the page.

    `cups` are those of the seats that owned dice. `change` and `dice_left` are each seat's dice, as
    the engine settled them; `gap` is how far the count exceeded the bid. `ruling` is the ruling
    that decided: `B8` if count and bid differed, `B9` if they were equal (with the ruleset's
    `variant` of it), `B17` if seats left, `B18` for a void round, or `B20` if time was up; empty if
    unknown. `winner` is the seat that won the bet and so opens the next round (B10); None if no bet
    is recorded, or if there is no next round.
    """

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
        """Return the bids in playing order, as the track draws them."""
        return tuple([move.bid for move in self.moves if move.bid])

    @property
    def face(self) -> str:
        """Return the face of the last bid, empty if there is none."""
        if self.bid is None:
            return ""
        return self.bid[-1]

    @property
    def losses(self) -> tuple[tuple[int, int], ...]:
        """Return each seat whose dice changed, and how many it lost; −1 for a die received (B9
        giveaway)."""
        return tuple([(seat, -change) for seat, change in enumerate(self.change) if change])

    @property
    def lifted(self) -> bool:
        """Return True if the dice under the cups are recorded."""
        return any(cup.dice is not None for cup in self.cups)

    @property
    def dice_in_play(self) -> int:
        """Return how many dice were on the table before the round was settled."""
        return sum(self.dice_left) - sum(self.change)


def rounds_of(record: Record) -> list[PlayedRound]:
    """Return the rounds of a valid record of Bluff, in order."""
    game, recorded = begin(record, BLUFF)
    owned = game.owned
    results = replay(record).rounds
    rounds = []
    for number, (round_, result) in enumerate(zip(recorded, results, strict=True), start=1):
        assert isinstance(result, RoundResult)
        played = played_round(number, round_, result, game.rules, owned)
        rounds.append(played)
        owned = list(played.dice_left)
    return rounds


def played_round(
    number: int, round_: RoundRecord, result: RoundResult, rules: Ruleset, owned: Sequence[int]
) -> PlayedRound:
    """Return a settled round for display. `owned`: the dice of each seat before the round."""
    played, moves = _replayed(round_, result, rules, owned)
    dice_left = tuple([dice + change for dice, change in zip(owned, result.delta, strict=True)])
    is_over = dice_left.count(0) == len(dice_left) - 1
    gap = None
    ruling_of_bet = ""
    winner = None
    if result.bid is not None and result.count is not None:
        gap = result.count - COUNT[result.bid]
        ruling_of_bet = "B8" if gap else "B9"
        # After the last round nobody opens, so it shows no winner.
        if not is_over:
            winner = result.bidder if gap >= 0 else result.challenger
    ruling = _ruling(round_, ruling_of_bet)
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
        winner=winner,
        ruling=ruling,
        variant=rules.exact if ruling == "B9" else "",
        change=result.delta,
        dice_left=dice_left,
        out=result.out,
        forfeit=result.forfeit,
    )


def _ruling(round_: RoundRecord, ruling_of_bet: str) -> str:
    if round_.level == "clock":
        return "B20"
    if round_.forfeit:
        return "B17"
    if round_.void:
        return "B18"
    return ruling_of_bet


def _replayed(
    round_: RoundRecord, result: RoundResult, rules: Ruleset, owned: Sequence[int]
) -> tuple[Play | None, tuple[PlayedMove, ...]]:
    """Return the round after its last move, and its moves; None and none if they aren't
    recorded."""
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
    """Return the cup of each seat with dice at the end of a round.

    `played`: the round after its last move. `owned`: how many dice each seat had before it."""
    is_challenged = played.challenger != NOBODY
    cups = []
    for seat, dice in enumerate(owned):
        if not dice:
            continue
        hand = None
        hits = None
        if played.cups is not None:
            hand = sort_hand(played.cups[seat] + played.shown[seat])
            if bid is not None and is_challenged:
                hits = matching(hand, FACE[bid])
        rolled = None
        if round_.hands and round_.level == "dealt":
            rolled = round_.hands[seat]
        cups.append(
            Cup(
                seat=seat,
                rolled=rolled,
                dice=hand,
                open_dice=played.shown[seat],
                hits=hits,
                hidden=0 if hand else played.hidden[seat],
            )
        )
    return tuple(cups)
