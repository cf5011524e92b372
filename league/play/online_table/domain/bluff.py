"""An online table as one viewer sees it: what lies open, the own cup, and what can be done now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.bluff.hand import matching, sort_hand
from engine.bluff.round import NOBODY, Round
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import losses
from engine.bluff.track import COUNT, FACE, FACES, FIELD, FIELDS, NO_BID, TEXT
from engine.record.bluff.round import read_round
from engine.sheet.online import OnlineSheet

NEAR: Final = 14
"""Fields of the track that are offered at once; those behind them are folded away."""


class FaceCount(NamedTuple):
    """How many of one's own dice count for a face, stars included. Ruling B7 (R, S)."""

    face: str
    count: int  # type: ignore[assignment]  # hides tuple.count


class BidField(NamedTuple):
    """A field of the track on which one can bid: `value` names it in the form, `faces` fit it.
    `is_beyond`: so many dice aren't in play, which a bid may say all the same (ruling B2)."""

    value: str
    count: int  # type: ignore[assignment]  # hides tuple.count
    is_star: bool
    faces: str
    is_beyond: bool


class SpokenBid(NamedTuple):
    """A bid of this round: the seat, the bid, and the dice laid out with it."""

    seat: int
    bid: str
    shown: str


class LiftedCup(NamedTuple):
    """A cup that was lifted: the dice in face order, and those of them that lay open before."""

    seat: int
    dice: str
    shown: str


@dataclass(frozen=True, slots=True)
class Showdown:
    """A round that is over. Without a `challenger` it was void, because the seats of `left` took no
    further part.

    `losses`: dice lost by each seat, −1 for one received.
    """

    cups: Sequence[LiftedCup]
    bid: str
    face: str
    bidder: int
    challenger: int
    count: int
    losses: Sequence[int]
    left: Sequence[int]

    @property
    def is_void(self) -> bool:
        """True if nobody challenged."""
        return self.challenger == NOBODY


@dataclass(frozen=True, slots=True)
class OnlineSeatNow:
    """A seat as everybody sees it."""

    number: int
    name: str
    automatic: bool
    dice: int
    shown: str
    is_turn: bool
    is_me: bool
    rank: int | None
    phrase: str
    is_program: bool = False

    @property
    def hidden(self) -> int:
        """How many dice lie under its cup."""
        return self.dice - len(self.shown)


@dataclass(frozen=True, slots=True)
class OnlineTableNow:
    """A table in play for one viewer. `me`: the own seat, None for a spectator, who sees no cup.

    `fields`: those on which one can bid, `far` those behind them. Both are empty unless it is one's
    turn."""

    seats: Sequence[OnlineSeatNow]
    round_number: int
    said: Sequence[SpokenBid]
    turn: int
    over: bool
    me: int | None
    cup: str
    shown: str
    counts: Sequence[FaceCount]
    fields: Sequence[BidField]
    far: Sequence[BidField]
    may_challenge: bool
    may_lay_out: bool
    dice_in_play: int

    @property
    def bid(self) -> str:
        """The last bid; empty before the first."""
        return self.said[-1].bid if self.said else ""

    @property
    def bids(self) -> list[str]:
        """The bids of this round, for the track."""
        return [each.bid for each in self.said]

    @property
    def bidders(self) -> list[int]:
        """The seat of each bid of this round, for the track."""
        return [each.seat for each in self.said]

    @property
    def bidder(self) -> int:
        """The seat that made the last bid; there is one."""
        return self.said[-1].seat

    @property
    def best_face(self) -> str:
        """The face of which most own dice count; the one that a form suggests."""
        return max(self.counts[:-1], key=lambda each: each.count).face

    @property
    def ranking(self) -> list[OnlineSeatNow]:
        """The seats of a game that is over, best first."""
        return sorted(self.seats, key=lambda each: (each.rank or 0, each.number))

    @property
    def my_turn(self) -> bool:
        """True if the viewer acts now."""
        return not self.over and self.me == self.turn

    @property
    def may_order(self) -> bool:
        """True if the viewer may give a standing order now."""
        return bool(self.cup) and not self.my_turn and not self.over


def table_now(
    sheet: OnlineSheet,
    names: Sequence[tuple[str, bool]],
    me: int | None,
    cup: str,
    phrases: Sequence[str] = (),
    programs: Collection[int] = (),
) -> OnlineTableNow:
    """Return what a viewer sees. `names`: of each seat, with whether it is an automatic player;
    `cup`: the dice under the cup of the seat `me`; `phrases`: what each seat says; `programs`: the
    seats of programs."""
    played = sheet.round
    ranks = sheet.sheet.ending.rank
    my_turn = not sheet.over and me == played.turn
    bids = played.legal_bids() if my_turn else range(0)
    fields = _fields(bids, sum(sheet.game.owned))
    seats = [
        OnlineSeatNow(
            number=number,
            name=name,
            automatic=automatic,
            dice=sheet.game.owned[number],
            shown=played.shown[number],
            is_turn=not sheet.over and number == played.turn,
            is_me=number == me,
            rank=None if ranks is None else ranks[number],
            phrase=phrases[number] if phrases else "",
            is_program=number in programs,
        )
        for number, (name, automatic) in enumerate(names)
    ]
    shown = "" if me is None else played.shown[me]
    return OnlineTableNow(
        seats=seats,
        round_number=sheet.sheet.closed + 1,
        said=[_said(note) for note in sheet.sheet.notes],
        turn=played.turn,
        over=sheet.over,
        me=me,
        cup=cup,
        shown=shown,
        counts=[
            FaceCount(face, matching(cup + shown, number))
            for number, face in enumerate(FACES, start=1)
        ],
        fields=fields[:NEAR],
        far=fields[NEAR:],
        may_challenge=my_turn and played.may_challenge(),
        may_lay_out=my_turn and played.may_show() > 0,
        dice_in_play=sum(sheet.game.owned),
    )


def _fields(bids: range, dice: int) -> list[BidField]:
    """Return the fields of legal bids, in their order, each with the faces that fit. Rulings B2 to
    B4 (R, S)."""
    faces: dict[int, str] = {}
    for bid in bids:
        faces[FIELD[bid]] = faces.get(FIELD[bid], "") + FACES[FACE[bid] - 1]
    fields = []
    for number, of_field in faces.items():
        count, is_star = FIELDS[number]
        fields.append(
            BidField(f"{count}*" if is_star else str(count), count, is_star, of_field, count > dice)
        )
    return fields


def _said(note: Mapping[str, Any]) -> SpokenBid:
    bid, _, shown = note["bid"].partition("/")
    return SpokenBid(note["seat"], bid, shown)


def bid_of_form(field: str, face: str, cup: str, rolled: Sequence[int]) -> str:
    """Return the bid that a form tells, as an entry has it: the field of the track, the face, and
    which dice of the own cup, by their places, are rolled again; all others of them are laid out.
    Ruling B14 (R, S)."""
    bid = f"{field[:-1]}x*" if field.endswith("*") else f"{field}x{face}"
    if not rolled:
        return bid
    shown = "".join(die for place, die in enumerate(cup) if place not in rolled)
    return f"{bid}/{sort_hand(shown)}"


def showdown(rules: Ruleset, value: dict[str, Any]) -> Showdown:
    """Return what came of a round that the dealer revealed, given as the record has it."""
    played, _ = read_round(value, len(value["dealt"]), "")
    assert played is not None
    assert played.hands is not None
    owned = [len(hand) for hand in played.hands]
    table = Round(rules, owned, value["opener"], list(played.hands))
    for move in played.moves:
        table.apply(move)
    assert table.cups is not None
    lost: Sequence[int] = [
        owned[seat] if seat in played.forfeit else 0 for seat in range(len(owned))
    ]
    count = 0
    if table.challenger != NOBODY:
        count = table.count()
        lost = losses(rules, owned, table.bidder, table.challenger, COUNT[table.bid], count)
    return Showdown(
        cups=[
            LiftedCup(seat, sort_hand(hidden + shown), shown)
            for seat, (hidden, shown) in enumerate(zip(table.cups, table.shown, strict=True))
            if owned[seat]
        ],
        bid="" if table.bid == NO_BID else TEXT[table.bid],
        face="" if table.bid == NO_BID else FACES[FACE[table.bid] - 1],
        bidder=table.bidder,
        challenger=table.challenger,
        count=count,
        losses=lost,
        left=played.forfeit,
    )
