"""Games that the service deals: opened with a secret, then one act after the other, each in a transaction that locks
the sheet and nothing else. A die is never stored: it follows from the secret."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from engine.dice.chain import SIZE
from engine.dice.dealer import Dealer
from engine.dice.frame import OPENING_SCHEME
from engine.dice.opening import opener_of
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.record import Record
from engine.sheet import online
from engine.sheet.dealing import dice_not_owned, reveal
from engine.sheet.entry import OnlineAct
from engine.sheet.entry import SheetEntry as Entry
from engine.sheet.online import OnlineSheet
from engine.sheet.versions import ONLINE
from games.domain.branch import WrittenEntry
from games.models import DealerSecret, OpenGame, OpenSheet
from games.queries.online_game import dealer_of
from games.queries.open_game import HeldSheet, sheet_hold, sheet_written
from games.services.open_game import NOBODY, Added, Overtaken, Writer, entry_append, game_open

LAYS_OUT: Final = "/"
"""Stands in a bid before the dice that are laid out with it."""
DEALER: Final = Writer(automatic="dealer")
"""Whoever reveals the dice, and ends the turn of a seat whose time is up."""


class Acted(NamedTuple):
    """An online table after an act: its sheet as it is stored, and as the engine has it. `created`: False if the same
    act stood already. `waited`: the seconds since the act before."""

    row: OpenSheet
    sheet: OnlineSheet
    created: bool
    waited: float = 0.0


def secret_make() -> str:
    """Draw and keep the secret of a dealer; return the commitment to it, in hexadecimal."""
    secret = secrets.token_bytes(SIZE)
    commitment = Dealer(secret, "", (), OPENING_SCHEME).proof([]).commitment.hex()
    DealerSecret.objects.create(commitment=commitment, secret=secret)
    return commitment


def online_game_open(*, record: Record, source: str, commitment: str, seeds: Sequence[bytes]) -> OpenGame:
    """Open a game whose dice come from the secret of this commitment and from a seed of each seat.

    `record`: its header; who opens is rolled here, and the proof is put in. In the caller's transaction.
    """
    secret = DealerSecret.objects.values_list("secret", flat=True).get(commitment=commitment)
    dealer = Dealer(bytes(secret), record.record_id, tuple(seeds), OPENING_SCHEME)
    opener = opener_of(dealer.opening(record.kind.opening_dice))
    record = replace(record, opener=opener, proof=dealer.proof([]))
    return game_open(record=record, source=source, opener=NOBODY, version=ONLINE)


def proven_record(row: OpenSheet) -> Record:
    """Return the record of a game that is over, with the proof of its dice. Raises `Refused` (`not_over`)."""
    if not row.over:
        raise Refused(Illegal("not_over", say("the game isn't over")))
    record = sheet_written(row.open_game.public_id).sheet.whole()
    return replace(record, proof=dealer_of(record).proof([True] * len(record.rounds)))


@transaction.atomic
def online_act(
    *, open_game: str, length: int | None, act: OnlineAct, seat: int, bid: str = "", writer: Writer, key: UUID
) -> Acted:
    """Let a seat act at an online table, and reveal the dice if the cups go up by it.

    `length`: how many entries the seat has seen; None: it doesn't matter. The same `key` again changes nothing. Raises
    `OpenSheet.DoesNotExist`, `Overtaken`, or `Refused`: with a fault of `engine.sheet.online.OnlineSheet.apply`, with
    `sealed` once the game is over and sealed, and with `show_not_owned` for dice that don't lie under the cup.
    """
    held = sheet_hold(open_game, key)
    row = held.row
    sheet = online.resume(held.record, row.state)
    if held.earlier_number is not None:
        return Acted(row, sheet, created=False)
    if length is not None and length != row.length:
        raise Overtaken(row.length, ())
    if held.sealed:
        raise Refused(Illegal("sealed", say("this game is over")))
    entry = Entry(act, {"seat": seat, "bid": bid} if act == "bid" else {"seat": seat})
    waited = timezone.now() - (row.heard_at or row.open_game.opened_at)
    _append(held, sheet, entry, writer, key)
    return Acted(row, sheet, created=True, waited=waited.total_seconds())


@transaction.atomic
def automatic_act(*, open_game: str, choose: Callable[[OnlineSheet, Dealer], tuple[str, Entry] | None]) -> Acted | None:
    """Let an automatic player act if it is its turn: `choose` gives its name and the entry, or None."""
    held = sheet_hold(open_game, uuid4())
    sheet = online.resume(held.record, held.row.state)
    if held.sealed or sheet.over:
        return None
    choice = choose(sheet, dealer_of(sheet.record))
    if choice is None:
        return None
    name, entry = choice
    _append(held, sheet, entry, Writer(automatic=name), uuid4())
    return Acted(held.row, sheet, created=True)


def _append(held: HeldSheet, sheet: OnlineSheet, entry: Entry, writer: Writer, key: UUID) -> Added:
    """Append an act to a sheet that is held, and what the dealer reveals after it."""
    if entry.act == "bid" and LAYS_OUT in entry.value["bid"] and entry.value["seat"] == sheet.round.turn:
        wrong = dice_not_owned(dealer_of(sheet.record), sheet, entry.value["bid"])
        if wrong is not None:
            raise Refused(wrong)
    added = _stand(held.row, sheet, entry, writer, key)
    if sheet.waits_for_dealer:
        shown = reveal(dealer_of(sheet.record), sheet)
        added = _stand(held.row, sheet, Entry("reveal", shown), DEALER, uuid4())
    return added


def _stand(row: OpenSheet, sheet: OnlineSheet, entry: Entry, writer: Writer, key: UUID) -> Added:
    wrong = sheet.apply(entry)
    if wrong is not None:
        raise Refused(wrong)
    return entry_append(row, sheet, WrittenEntry(key, entry, None), writer)
