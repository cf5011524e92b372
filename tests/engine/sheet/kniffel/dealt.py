"""Games of Lügen-Kniffel at an online table, played by the engine alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from engine.dice.dealer import Dealer
from engine.dice.frame import OPENING_SCHEME
from engine.dice.opening import opener_of
from engine.illegal import Illegal, Refused
from engine.kniffel.combinations import Announcement, Ruleset
from engine.kniffel.notation import announcement_text
from engine.players.kniffel.at_random import TurnsAtRandom
from engine.players.kniffel.view import TurnView
from engine.record.kniffel.kind import KNIFFEL
from engine.record.proof import link_json, proof_json, read_proof
from engine.record.record import Record, with_names
from engine.sheet.entry import OnlineAct, SheetEntry
from engine.sheet.kniffel.dealing import DealtTurn, deal, hidden_fault, public_part, reveal
from engine.sheet.kniffel.online import KniffelSheet, begin, resume
from engine.sheet.online_kind import fold
from tests.engine.record.build import SALTS

NAMES = ("anna", "björn", "cem", "dora", "emil", "fritz", "gustav", "hilde")


def dealer_of(secret: int, seats: int) -> Dealer:
    rng = Random(secret)
    seeds = tuple([rng.randbytes(4) for _ in range(seats)])
    return Dealer(rng.randbytes(32), "g", seeds, OPENING_SCHEME)


def header(dealer: Dealer, rules: Ruleset) -> Record:
    """The record of a game that begins: it tells who rolls first by the roll. Ruling K14 (K)."""
    seats = len(dealer.seeds)
    record = Record(
        record_id=dealer.game,
        kind=KNIFFEL,
        rules=rules,
        seats=NAMES[:seats],
        opener=opener_of(dealer.opening(KNIFFEL.opening_dice)),
        season=None,
        event=None,
        table=None,
        played_at=None,
        rounds=(),
        result=None,
        proof=dealer.proof([]),
    )
    return with_names(record, SALTS[:seats])


@dataclass(slots=True)
class OnlineTable:
    """An online table as the service keeps one: its dealer, its sheet, the entries that everybody
    may read, and the hidden acts of the turn that is played."""

    dealer: Dealer
    sheet: KniffelSheet
    entries: list[SheetEntry] = field(default_factory=list)
    hidden: list[SheetEntry] = field(default_factory=list)

    def act(self, act: OnlineAct, seat: int, **value: Any) -> str | None:
        """Let a seat act, then the dealer; the code of the fault if the act can't stand."""
        whole = SheetEntry(act, {"seat": seat, **value})
        try:
            public = public_part(whole)
        except Refused as refused:
            return refused.illegal.code
        wrong = hidden_fault(self.dealer, self.sheet, self.hidden, whole) or self._stand(public)
        if wrong is not None:
            return wrong.code
        if public != whole:
            self.hidden.append(whole)
        while self.sheet.waits_for_dealer:
            assert (
                self._stand(SheetEntry("reveal", reveal(self.dealer, self.sheet, self.hidden)))
                is None
            )
            if not self.sheet.rolls:
                self.hidden = []
        return None

    def _stand(self, entry: SheetEntry) -> Illegal | None:
        wrong = self.sheet.apply(entry)
        if wrong is None:
            self.entries.append(entry)
            self.sheet = resume(self.sheet.record, json.loads(json.dumps(self.sheet.state())))
        return wrong

    @property
    def dealt(self) -> DealtTurn:
        return deal(self.dealer, self.sheet, self.hidden)

    @property
    def reveals(self) -> list[dict[str, Any]]:
        """The turns that were closed, as the dealer told them."""
        return [entry.value["round"] for entry in self.entries if entry.act == "reveal"]

    def record(self) -> Record:
        """The record of the game, with the links that the dealer revealed."""
        links = [entry.value["link"] for entry in self.entries if entry.act == "reveal"]
        opening = self.dealer.proof([]).links
        assert opening is not None
        value = proof_json(self.dealer.proof([])) | {"links": [link_json(opening[0]), *links]}
        whole = fold(self.sheet.record, self.entries).whole()
        return replace(whole, proof=read_proof(value, len(self.dealer.seeds), "proof"))


def table_of(secret: int, seats: int, rules: Ruleset | None = None) -> OnlineTable:
    dealer = dealer_of(secret, seats)
    return OnlineTable(dealer, begin(header(dealer, rules or Ruleset())))


def announce(table: OnlineTable, say: str = "") -> int:
    """Roll once and announce, the first thing that can be if nothing is named; the roller's
    seat."""
    roller = table.sheet.roller
    assert roller is not None
    view = TurnView(table.sheet.game.rules, roller, table.sheet.staying, table.sheet.game.sheets)
    assert table.act("roll", roller, keep=[]) is None
    assert (
        table.act("announce", roller, say=say or announcement_text(view.announcements[0])) is None
    )
    return roller


def answer(table: OnlineTable, seat: int, doubt: bool) -> str | None:
    return table.act("answer", seat, turn=table.sheet.closed, doubt=doubt)


def play(
    table: OnlineTable,
    rng: Random,
    leaving: float = 0.0,
    before: Callable[[OnlineTable], None] | None = None,
) -> OnlineTable:
    """Play a game to its end at random. `leaving`: how often somebody leaves, or runs out of time,
    instead of acting. `before`: is called before each act."""
    player = TurnsAtRandom(rng)
    while not table.sheet.over:
        if before is not None:
            before(table)
        sheet = table.sheet
        seat = rng.choice(sheet.to_act)
        if rng.random() < leaving:
            act: OnlineAct = rng.choice(["leave", "timeout"])
            assert table.act(act, rng.choice(sheet.staying) if act == "leave" else seat) is None
            continue
        view = TurnView(sheet.game.rules, seat, sheet.staying, sheet.game.sheets, sheet.rolls)
        if sheet.asks_all:
            doubt = player.choose(view._replace(announcement=sheet.announcement))
            assert answer(table, seat, doubt is True) is None
        elif not sheet.rolls:
            assert table.act("roll", seat, keep=[]) is None
        else:
            _go_on(table, player, view, rng)
    return table


def _go_on(table: OnlineTable, player: TurnsAtRandom, view: TurnView, rng: Random) -> None:
    dealt = table.dealt
    move = player.choose(view._replace(locked=dealt.locked, rolled=dealt.rolled))
    if isinstance(move, Announcement):
        assert table.act("announce", view.seat, say=announcement_text(move)) is None
        return
    assert isinstance(move, tuple)
    keep = rng.sample(range(len(dealt.rolled)), len(move))
    assert table.act("roll", view.seat, keep=keep) is None
