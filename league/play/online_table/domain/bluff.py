"""A Bluff table as one viewer sees it: the open dice, their own cup, and what they can do now."""

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
"""How many fields of the track are offered at once; those behind them are folded away."""


class FaceCount(NamedTuple):
    """How many of the viewer's own dice count for a face, stars included. Ruling B7 (R, S)."""

    face: str
    count: int  # type: ignore[assignment]  # hides tuple.count


class BidField(NamedTuple):
    """A field of the track that can be bid on.

    `value`: its name in the form. `faces`: the faces that fit it. `is_beyond`: it names more dice
    than are in play, as a bid may (ruling B2).
    """

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
    """A lifted cup: all its dice in face order, and those of them that already lay open."""

    seat: int
    dice: str
    shown: str


@dataclass(frozen=True, slots=True)
class Showdown:
    """The showdown of a round. Without a `challenger` the round was void, because the seats of
    `left` dropped out.

    `losses`: the dice lost by each seat, −1 for a die received.
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
        """Return True if nobody challenged."""
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
        """Return how many dice lie under its cup."""
        return self.dice - len(self.shown)


@dataclass(frozen=True, slots=True)
class OnlineTableNow:
    """A table in play for one viewer. `me`: the viewer's seat, None for a spectator, who sees no
    cup.

    `fields`: the first fields that the viewer can bid on; `far`: those behind them. Both are empty
    unless it is the viewer's turn.
    """

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
        """Return the last bid; empty before the first."""
        return self.said[-1].bid if self.said else ""

    @property
    def bids(self) -> list[str]:
        """Return the bids of this round, for the track."""
        return [spoken.bid for spoken in self.said]

    @property
    def bidders(self) -> list[int]:
        """Return the seat of each bid of this round, for the track."""
        return [spoken.seat for spoken in self.said]

    @property
    def bidder(self) -> int:
        """Return the seat that made the last bid. There must be one."""
        return self.said[-1].seat

    @property
    def best_face(self) -> str:
        """Return the face that most of the viewer's dice count for, which the form suggests."""
        return max(self.counts[:-1], key=lambda face_count: face_count.count).face

    @property
    def ranking(self) -> list[OnlineSeatNow]:
        """Return the seats of a finished game, best first."""
        return sorted(self.seats, key=lambda seat: (seat.rank or 0, seat.number))

    @property
    def my_turn(self) -> bool:
        """Return True if the viewer is to act."""
        return not self.over and self.me == self.turn

    @property
    def may_order(self) -> bool:
        """Return True if the viewer may give a standing order now."""
        return bool(self.cup) and not self.my_turn and not self.over


def table_now(
    sheet: OnlineSheet,
    names: Sequence[tuple[str, bool]],
    me: int | None,
    cup: str,
    phrases: Sequence[str] = (),
    programs: Collection[int] = (),
) -> OnlineTableNow:
    """Return the table as a viewer sees it.

    `names`: for each seat its name, and whether it is an automatic player. `cup`: the dice under
    the cup of the seat `me`. `phrases`: the phrase of each seat. `programs`: the seats of programs.
    """
    played = sheet.round
    my_turn = not sheet.over and me == played.turn
    shown = "" if me is None else played.shown[me]
    dice_in_play = sum(sheet.game.owned)
    bids = played.legal_bids() if my_turn else range(0)
    fields = _bid_fields(bids, dice_in_play)
    counts = [
        FaceCount(face, matching(cup + shown, number)) for number, face in enumerate(FACES, start=1)
    ]
    return OnlineTableNow(
        seats=_seats_now(sheet, names, me, phrases, programs),
        round_number=sheet.sheet.closed + 1,
        said=[_spoken_bid(note) for note in sheet.sheet.notes],
        turn=played.turn,
        over=sheet.over,
        me=me,
        cup=cup,
        shown=shown,
        counts=counts,
        fields=fields[:NEAR],
        far=fields[NEAR:],
        may_challenge=my_turn and played.may_challenge(),
        may_lay_out=my_turn and played.may_show() > 0,
        dice_in_play=dice_in_play,
    )


def _seats_now(
    sheet: OnlineSheet,
    names: Sequence[tuple[str, bool]],
    me: int | None,
    phrases: Sequence[str],
    programs: Collection[int],
) -> list[OnlineSeatNow]:
    ranks = sheet.sheet.ending.rank
    seats = []
    for number, (name, automatic) in enumerate(names):
        seat = OnlineSeatNow(
            number=number,
            name=name,
            automatic=automatic,
            dice=sheet.game.owned[number],
            shown=sheet.round.shown[number],
            is_turn=not sheet.over and number == sheet.round.turn,
            is_me=number == me,
            rank=ranks[number] if ranks else None,
            phrase=phrases[number] if phrases else "",
            is_program=number in programs,
        )
        seats.append(seat)
    return seats


def _bid_fields(bids: range, dice: int) -> list[BidField]:
    """Return the fields of the track with the legal bids, each with the faces that fit it (Rulings
    B2 to B4; R, S). `dice`: in play."""
    faces_by_field: dict[int, str] = {}
    for bid in bids:
        face = FACES[FACE[bid] - 1]
        faces_by_field[FIELD[bid]] = faces_by_field.get(FIELD[bid], "") + face
    fields = []
    for number, faces in faces_by_field.items():
        count, is_star = FIELDS[number]
        value = f"{count}*" if is_star else str(count)
        fields.append(BidField(value, count, is_star, faces, is_beyond=count > dice))
    return fields


def _spoken_bid(note: Mapping[str, Any]) -> SpokenBid:
    bid, _, shown = note["bid"].partition("/")
    return SpokenBid(note["seat"], bid, shown)


def bid_of_form(field: str, face: str, cup: str, rolled: Sequence[int]) -> str:
    """Return the bid that a form contains, as an entry writes it.

    `field`: the field of the track. `rolled`: the places in `cup` of the dice to roll again; if
    there are any, all other dice of the cup are laid out. Ruling B14 (R, S): laying out and
    rerolling.
    """
    bid = f"{field[:-1]}x*" if field.endswith("*") else f"{field}x{face}"
    if not rolled:
        return bid
    shown = "".join(die for place, die in enumerate(cup) if place not in rolled)
    return f"{bid}/{sort_hand(shown)}"


def showdown(rules: Ruleset, value: dict[str, Any]) -> Showdown:
    """Return the showdown of a round that the dealer revealed, given in the form of a record."""
    played, _ = read_round(value, len(value["dealt"]), "")
    assert played is not None
    assert played.hands is not None
    owned = [len(hand) for hand in played.hands]
    table = Round(rules, owned, value["opener"], list(played.hands))
    for move in played.moves:
        table.apply(move)
    assert table.cups is not None

    count = 0
    lost: Sequence[int]
    if table.challenger == NOBODY:
        lost = [owned[seat] if seat in played.forfeit else 0 for seat in range(len(owned))]
    else:
        count = table.count()
        lost = losses(rules, owned, table.bidder, table.challenger, COUNT[table.bid], count)

    cups = []
    for seat, (hidden, shown) in enumerate(zip(table.cups, table.shown, strict=True)):
        if owned[seat]:
            cups.append(LiftedCup(seat, sort_hand(hidden + shown), shown))
    bid = ""
    face = ""
    if table.bid != NO_BID:
        bid = TEXT[table.bid]
        face = FACES[FACE[table.bid] - 1]
    return Showdown(
        cups=cups,
        bid=bid,
        face=face,
        bidder=table.bidder,
        challenger=table.challenger,
        count=count,
        losses=lost,
        left=played.forfeit,
    )
