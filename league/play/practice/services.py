"""Practice: a game against automatic players that nobody stores. It lies in the cache for an hour."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.core.cache import cache

from engine.bluff.hand import sort_hand, without
from engine.bluff.move import LayOut, parse_move
from engine.bluff.ruleset import Ruleset
from engine.dice.chain import SIZE
from engine.dice.dealer import Dealer
from engine.dice.frame import OPENING_SCHEME
from engine.dice.opening import opener_of
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.bluff.kind import BLUFF
from engine.record.record import Record
from engine.sheet import online
from engine.sheet.dealing import deal, reveal
from engine.sheet.entry import OnlineAct, SheetEntry
from engine.sheet.online import OnlineSheet
from league.play.online_table.services import AUTOMATIC_NAMES, automatic_entry

SECONDS: Final = 3600
"""So long a game is kept after its last act."""
SEATS: Final = 3
ME: Final = 0
"""The seat of whoever practises."""
KEY: Final = "practice:"


@dataclass(slots=True)
class Practice:
    """A game of practice as the cache keeps it: its secret, the strength of its automatic players, and its sheet."""

    token: str
    secret: bytes
    strength: str
    opener: int
    state: dict[str, Any] = field(default_factory=dict)
    acts: int = 0
    last: dict[str, Any] | None = None

    @property
    def dealer(self) -> Dealer:
        """The dealer, who knows every die."""
        return Dealer(self.secret, self.token, (b"",) * SEATS, OPENING_SCHEME)

    @property
    def record(self) -> Record:
        """The header of the game."""
        return Record(
            record_id=self.token,
            kind=BLUFF,
            rules=Ruleset(reroll=True),
            seats=("me", *AUTOMATIC_NAMES[: SEATS - 1]),
            opener=self.opener,
            season=None,
            event=None,
            table=None,
            played_at=None,
            rounds=(),
            result=None,
        )

    @property
    def sheet(self) -> OnlineSheet:
        """The game as the engine has it."""
        return online.resume(self.record, self.state) if self.state else online.begin(self.record)

    @property
    def cup(self) -> str:
        """The dice under the cup of whoever practises."""
        sheet = self.sheet
        if sheet.over or not sheet.game.owned[ME]:
            return ""
        cups = deal(self.dealer, sheet).played.cups
        return "" if cups is None else sort_hand(cups[ME])

    def keep(self) -> None:
        """Keep the game for an hour more."""
        cache.set(KEY + self.token, self, SECONDS)


def practice_start(*, strength: str) -> Practice:
    """Deal a game against two automatic players of a strength; they act until it is one's own turn."""
    token = secrets.token_urlsafe(16)
    practice = Practice(token, secrets.token_bytes(SIZE), strength, 0)
    practice.opener = opener_of(practice.dealer.opening(BLUFF.opening_dice))
    sheet = practice.sheet
    _automatics_play(practice, sheet)
    practice.state = sheet.state()
    practice.keep()
    return practice


def practice_of(token: str) -> Practice | None:
    """The game of this token; None once an hour has passed since its last act."""
    practice: Practice | None = cache.get(KEY + token)
    return practice


def practice_act(*, practice: Practice, act: OnlineAct, bid: str, acts: int) -> Practice:
    """Act at one's own seat; then the automatic players do. An act that was sent before changes nothing.

    Raises `Refused` as `engine.sheet.online.OnlineSheet.apply` does, and with `show_not_owned`.
    """
    if acts != practice.acts:
        return practice
    sheet = practice.sheet
    _refuse_dice_not_owned(practice, act, bid)
    _apply(practice, sheet, SheetEntry(act, {"seat": ME, "bid": bid} if act == "bid" else {"seat": ME}))
    _automatics_play(practice, sheet)
    practice = replace(practice, state=sheet.state(), acts=practice.acts + 1)
    practice.keep()
    return practice


def _refuse_dice_not_owned(practice: Practice, act: OnlineAct, bid: str) -> None:
    move = parse_move(bid)
    if act == "bid" and isinstance(move, LayOut) and without(practice.cup, move.show) is None:
        raise Refused(Illegal("show_not_owned", say("these dice don’t all lie under your cup")))


def _automatics_play(practice: Practice, sheet: OnlineSheet) -> None:
    """Let automatic players act until it is one's own turn. Once one is out oneself, they play to the end."""
    while not sheet.over and sheet.round.turn != ME:
        _apply(practice, sheet, automatic_entry(practice.strength, sheet, practice.dealer))


def _apply(practice: Practice, sheet: OnlineSheet, entry: SheetEntry) -> None:
    wrong = sheet.apply(entry)
    if wrong is not None:
        raise Refused(wrong)
    if sheet.waits_for_dealer:
        shown = reveal(practice.dealer, sheet)
        sheet.apply(SheetEntry("reveal", shown))
        practice.last = shown["round"]
