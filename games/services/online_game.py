"""Games that the service deals: opened with a secret, then one act after the other.

Each act is one transaction that locks only the sheet. Dice are never stored: they follow from the
secret and from the acts, some of which are hidden.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from engine.dice.chain import SIZE
from engine.dice.dealer import Dealer
from engine.dice.frame import OPENING_SCHEME
from engine.dice.opening import opener_of
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.canonical import canonical_json
from engine.record.record import Record
from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import HiddenActs, OnlineAct
from engine.sheet.entry import SheetEntry as Entry
from engine.sheet.online_kind import ONLINE_KINDS, resume
from engine.sheet.versions import ONLINE
from games.domain.branch import WrittenEntry
from games.models import DealerSecret, HiddenAct, OpenGame, OpenSheet
from games.queries.online_game import dealer_of, hidden_acts, waiting_since
from games.queries.open_game import HeldSheet, has_changed_since, sheet_hold, sheet_written
from games.services.open_game import NOBODY, Added, Overtaken, Writer, entry_append, game_open

DEALER: Final = Writer(automatic="dealer")
"""The writer that reveals the dice, ends the turn of a seat whose time is up, and makes forced
rolls."""
NOTHING_MORE: Final[Mapping[str, Any]] = MappingProxyType({})
"""The value of an act that consists only of its seat."""


class Acted(NamedTuple):
    """An online table after an act: its stored sheet, and the engine's.

    `created`: False if the same act was there already. `waited`: the seconds for which the table
    waited for the act; `asked_all`: whether it waited for several seats at once.
    """

    row: OpenSheet
    sheet: DealtSheet
    created: bool
    waited: float = 0.0
    asked_all: bool = False


Choose: TypeAlias = Callable[[DealtSheet, Dealer, HiddenActs], tuple[Writer, Entry] | None]
"""A function that chooses for an automatic player: the writer and the act, or None if a person
acts.

It gets all that the dealer knows, and must only use what its seat may know.
"""


def secret_make() -> str:
    """Draw and store the secret of a dealer; return the commitment to it, in hexadecimal."""
    secret = secrets.token_bytes(SIZE)
    # The commitment depends neither on the game nor on the seats' seeds.
    dealer = Dealer(secret, game="", seeds=(), scheme=OPENING_SCHEME)
    commitment = dealer.proof([]).commitment.hex()
    DealerSecret.objects.create(commitment=commitment, secret=secret)
    return commitment


def online_game_open(
    *, record: Record, source: str, commitment: str, seeds: Sequence[bytes]
) -> OpenGame:
    """Open a game whose dice come from the secret of this commitment and from a seed of each seat,
    in the caller's transaction.

    `record`: its header, to which the rolled opener and the proof are added.
    """
    secret = DealerSecret.objects.values_list("secret", flat=True).get(commitment=commitment)
    dealer = Dealer(bytes(secret), record.record_id, tuple(seeds), OPENING_SCHEME)
    opener = opener_of(dealer.opening(record.kind.opening_dice))
    record = replace(record, opener=opener, proof=dealer.proof([]))
    return game_open(record=record, source=source, opener=NOBODY, version=ONLINE)


def finished_record(row: OpenSheet) -> Record:
    """Return the record of a finished game, with the proof of its dice.

    Raise `Refused` (`not_over`)."""
    if not row.over:
        raise Refused(Illegal("not_over", say("the game isn't over")))
    record = sheet_written(row.open_game.public_id).sheet.whole()
    kind = ONLINE_KINDS[record.kind]
    is_shown = [kind.is_shown(played) for played in record.rounds]
    return replace(record, proof=dealer_of(record).proof(is_shown))


@transaction.atomic
def online_act(
    *,
    open_game: str,
    length: int | None,
    act: OnlineAct,
    seat: int,
    value: Mapping[str, Any] = NOTHING_MORE,
    writer: Writer,
    key: UUID,
) -> Acted:
    """Make a seat's act at an online table, and close the round if that ends it.

    `length`: how many entries the seat has seen, not counting later calls and rulings; None if that
    doesn't matter. `value`: the act without its seat. The same `key` again changes nothing. Raise
    `OpenSheet.DoesNotExist`, `Overtaken`, or `Refused`: with an error of
    `engine.sheet.dealt.DealtSheet.apply`, with `sealed` once the game is over and sealed, and with
    an error of `engine.sheet.online_kind.OnlineKind.hidden_fault`, such as `show_not_owned` for
    dice that aren't under the cup.
    """
    held = sheet_hold(open_game, key)
    row = held.row
    sheet = resume(held.record, row.state)
    if held.earlier_number is not None:
        return Acted(row, sheet, created=False)
    if length is not None and has_changed_since(row, length):
        raise Overtaken(row.length, ())
    if held.sealed:
        raise Refused(Illegal("sealed", say("this game is over")))
    waited = timezone.now() - waiting_since(row, sheet)
    asked_all = sheet.asks_all
    entry = Entry(act, {"seat": seat, **value})
    _make_act(held, sheet, entry, hidden_acts(row, sheet), writer, key)
    return Acted(row, sheet, created=True, waited=waited.total_seconds(), asked_all=asked_all)


@transaction.atomic
def automatic_act(*, open_game: str, choose: Choose) -> Acted | None:
    """Make an act for a seat without its player.

    `choose` returns the writer and the act; if it returns None, nothing happens.
    """
    held = sheet_hold(open_game, uuid4())
    sheet = resume(held.record, held.row.state)
    if held.sealed or sheet.over:
        return None
    hidden = hidden_acts(held.row, sheet)
    choice = choose(sheet, dealer_of(sheet.record), hidden)
    if choice is None:
        return None
    writer, act = choice
    _make_act(held, sheet, act, hidden, writer, uuid4())
    return Acted(held.row, sheet, created=True)


def _make_act(
    held: HeldSheet, sheet: DealtSheet, act: Entry, hidden: HiddenActs, writer: Writer, key: UUID
) -> None:
    """Store an act, its hidden part apart from the entry, and close the round if that ends it.

    `hidden`: the hidden acts of the round before this act."""
    kind = ONLINE_KINDS[sheet.record.kind]
    public = kind.public_part(act)
    if kind.depends_on_dice(act):
        wrong = kind.hidden_fault(dealer_of(sheet.record), sheet, hidden, act)
        if wrong is not None:
            raise Refused(wrong)
    added = _add_entry(held.row, sheet, public, writer, key)
    if public != act:
        _keep_hidden(added, sheet.closed, act)
        hidden = (*hidden, act)
    if sheet.waits_for_dealer:
        _reveal_until_seat_to_act(held, sheet, hidden)


def _reveal_until_seat_to_act(held: HeldSheet, sheet: DealtSheet, hidden: HiddenActs) -> None:
    """Let the dealer close the round, and go on until a seat is to act or the game is over.

    That may take several entries: in Lügen-Kniffel, each seat that left during a turn gets an entry
    of its own.
    """
    kind = ONLINE_KINDS[sheet.record.kind]
    dealer = dealer_of(sheet.record)
    while sheet.waits_for_dealer:
        revealed = kind.reveal(dealer, sheet, hidden)
        _add_entry(held.row, sheet, Entry("reveal", revealed), DEALER, key=uuid4())


def _keep_hidden(added: Added, round_number: int, act: Entry) -> None:
    HiddenAct.objects.create(
        sheet=added.sheet,
        number=added.number,
        round_number=round_number,
        act=act.act,
        value=canonical_json(act.value).decode(),
    )


def _add_entry(row: OpenSheet, sheet: DealtSheet, entry: Entry, writer: Writer, key: UUID) -> Added:
    wrong = sheet.apply(entry)
    if wrong is not None:
        raise Refused(wrong)
    return entry_append(row, sheet, WrittenEntry(key, entry, at=None), writer)
