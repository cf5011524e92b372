"""Practice: a game against automatic players that nobody stores. It lies in the cache for an
hour."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.core.cache import cache

from engine.bluff.ruleset import Ruleset
from engine.dice.chain import SIZE
from engine.dice.dealer import Dealer
from engine.dice.frame import OPENING_SCHEME
from engine.dice.opening import opener_of
from engine.illegal import Refused
from engine.record.bluff.kind import BLUFF
from engine.record.record import Record
from engine.sheet import online
from engine.sheet.dealing import cup, dice_not_owned, reveal
from engine.sheet.entry import OnlineAct, SheetEntry
from engine.sheet.online import OnlineSheet
from league.play.online_table.services.automatic import AUTOMATIC_NAMES, automatic_entry

SECONDS: Final = 3600
"""So long a game is kept after its last act."""
SEATS: Final = 3
ME: Final = 0
"""The seat of whoever practises."""
KEY: Final = "practice:"


@dataclass(slots=True)
class Practice:
    """A game of practice as the cache keeps it: its secret, the strength of its automatic players,
    and its sheet."""

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
        return cup(self.dealer, self.sheet, ME)

    def keep(self) -> None:
        """Keep the game for an hour more."""
        cache.set(KEY + self.token, self, SECONDS)


def practice_start(*, strength: str) -> Practice:
    """Deal a game against two automatic players of a strength, and let them act until it is the
    person's turn."""
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
    """Let the person act, then the automatic players. An act that was sent before changes nothing.

    Raises `Refused` as `engine.sheet.online.OnlineSheet.apply` does, and with `show_not_owned`.
    """
    if acts != practice.acts:
        return practice
    sheet = practice.sheet
    wrong = dice_not_owned(practice.dealer, sheet, bid)
    if wrong is not None:
        raise Refused(wrong)
    _apply(
        practice, sheet, SheetEntry(act, {"seat": ME, "bid": bid} if act == "bid" else {"seat": ME})
    )
    _automatics_play(practice, sheet)
    practice = replace(practice, state=sheet.state(), acts=practice.acts + 1)
    practice.keep()
    return practice


def _automatics_play(practice: Practice, sheet: OnlineSheet) -> None:
    """Let automatic players act until it is the person's turn, or to the end once the person is
    out."""
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
