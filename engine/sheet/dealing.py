"""The dice of Bluff at an online table.

All dice follow from the dealer's secret and the sheet, so none is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.bluff.hand import sort_hand, without
from engine.bluff.move import CHALLENGE, LayOut, Move, parse_move
from engine.bluff.round import Round
from engine.bluff.track import FACES
from engine.dice.chain import make_chain
from engine.dice.dealer import Dealer
from engine.dice.frame import SCHEMES
from engine.dice.roll import RollPlace
from engine.illegal import Illegal
from engine.messages import say
from engine.record.bluff.round import RoundRecord, round_json
from engine.record.proof import link_json
from engine.sheet.entry import HiddenActs, SheetEntry
from engine.sheet.online import OnlineSheet

LAYS_OUT: Final = "/"
"""The sign in a bid before the dice laid out with it."""


@dataclass(frozen=True, slots=True)
class DealtRound:
    """The current round with its dice.

    `hands` are the dice as dealt, `moves` include the dice rolled again, and `played` is the round
    with the dice that are under the cups now.
    """

    hands: tuple[str, ...]
    moves: tuple[Move, ...]
    played: Round


def deal(dealer: Dealer, sheet: OnlineSheet) -> DealtRound:
    """Return the current round with its dice, rolled again for seats that laid dice out."""
    round_number = sheet.closed
    hands = tuple([_hand(faces) for faces in dealer.deal(round_number, sheet.game.owned)])
    played = sheet.game.roll(hands)
    draws = [0] * len(hands)
    moves: list[Move] = []
    for note in sheet.sheet.notes:
        move = parse_move(note["bid"])
        assert not isinstance(move, Illegal)
        if isinstance(move, LayOut):
            seat = played.turn
            draws[seat] += 1
            place = RollPlace(round_number, seat, draws[seat])
            dice = played.hidden[seat] - len(move.show)
            move = move._replace(rolled=_hand(dealer.roll(place, dice)))
        played.apply(move)
        moves.append(move)
    return DealtRound(hands, tuple(moves), played)


def cup(dealer: Dealer, sheet: OnlineSheet, seat: int) -> str:
    """Return the dice under a seat's cup in face order.

    It is empty once the game is over or the seat is out.
    """
    if sheet.over or not sheet.game.owned[seat]:
        return ""
    cups = deal(dealer, sheet).played.cups
    assert cups is not None
    return sort_hand(cups[seat])


def dice_not_owned(dealer: Dealer, sheet: OnlineSheet, bid: str) -> Illegal | None:
    """Return `show_not_owned` if a bid lays out dice that the seat to act doesn't have in its
    cup."""
    move = parse_move(bid)
    if not isinstance(move, LayOut):
        return None
    dice = cup(dealer, sheet, sheet.round.turn)
    if without(dice, move.show) is not None:
        return None
    return Illegal("show_not_owned", say("these dice don’t all lie under your cup"))


def lays_dice_out(act: SheetEntry) -> bool:
    """Return True for a bid that lays dice out."""
    return act.act == "bid" and LAYS_OUT in str(act.value["bid"])


def hidden_fault(
    dealer: Dealer, sheet: OnlineSheet, hidden: HiddenActs, act: SheetEntry
) -> Illegal | None:
    """Return the fault of an act that the dice in the acting seat's cup don't allow.

    `hidden` isn't used: Bluff has no hidden acts."""
    if act.act != "bid" or act.value["seat"] not in sheet.to_act:
        return None
    return dice_not_owned(dealer, sheet, act.value["bid"])


def reveal(dealer: Dealer, sheet: OnlineSheet, hidden: HiddenActs = ()) -> dict[str, Any]:
    """Return the value of the dealer's entry after a challenge or a leave.

    It has the round in the format of a record, and the link that proves its dice. `hidden` isn't
    used: Bluff has no hidden acts.
    """
    dealt = deal(dealer, sheet)
    moves = dealt.moves
    if sheet.challenged:
        moves = (*moves, CHALLENGE)
    leavers = () if sheet.leaver is None else (sheet.leaver,)
    played = RoundRecord(
        "dealt",
        opener=sheet.game.opener,
        hands=dealt.hands,
        moves=moves,
        forfeit=leavers,
        void=not sheet.challenged,
    )
    number_of_link = sheet.closed + SCHEMES[dealer.scheme]
    link = make_chain(dealer.secret, dealer.scheme)[number_of_link]
    return {"round": round_json(played), "link": link_json(link)}


def public_part(act: SheetEntry) -> SheetEntry:
    """Return the act itself: everybody sees all of it."""
    return act


def own_dice(dealer: Dealer, sheet: OnlineSheet, hidden: HiddenActs, seat: int) -> str:
    """Return the dice under a seat's cup. `hidden` isn't used: Bluff has no hidden acts."""
    return cup(dealer, sheet, seat)


def is_shown(played: RoundRecord) -> bool:
    """Return True, whatever the round: every closed round of Bluff shows its dice."""
    return True


def _hand(faces: Sequence[int]) -> str:
    return sort_hand("".join([FACES[face - 1] for face in faces]))
