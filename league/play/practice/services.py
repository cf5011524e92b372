"""Practice: a game against automatic players that is kept in the cache for an hour and never
stored.
"""

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
"""How long a game is kept after its last act."""
SEATS: Final = 3
ME: Final = 0
"""The seat of the person who practises."""
KEY: Final = "practice:"


@dataclass(slots=True)
class Practice:
    """A practice game as the cache keeps it: its secret, the strength of its automatic players, and
    its sheet.
    """

    token: str
    secret: bytes
    strength: str
    opener: int
    state: dict[str, Any] = field(default_factory=dict)
    acts: int = 0
    last: dict[str, Any] | None = None

    @property
    def dealer(self) -> Dealer:
        """Return the dealer, who knows all dice."""
        return Dealer(self.secret, self.token, (b"",) * SEATS, OPENING_SCHEME)

    @property
    def record(self) -> Record:
        """Return the header of the game."""
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
        """Return the sheet of the game, resumed from its state."""
        if self.state:
            return online.resume(self.record, self.state)
        return online.begin(self.record)

    @property
    def cup(self) -> str:
        """Return the dice under the person's cup."""
        return cup(self.dealer, self.sheet, ME)

    def keep(self) -> None:
        """Keep the game for another hour."""
        cache.set(KEY + self.token, self, SECONDS)


def practice_start(*, strength: str) -> Practice:
    """Begin a game against two automatic players of a strength, and let them act until it is the
    person's turn.
    """
    token = secrets.token_urlsafe(16)
    practice = Practice(token, secrets.token_bytes(SIZE), strength, opener=0)
    # The dealer's first dice decide who opens.
    practice.opener = opener_of(practice.dealer.opening(BLUFF.opening_dice))
    sheet = practice.sheet
    _automatic_players_act(practice, sheet)
    practice.state = sheet.state()
    practice.keep()
    return practice


def practice_of(token: str) -> Practice | None:
    """Return the game with this token, or None once an hour has passed since its last act."""
    practice: Practice | None = cache.get(KEY + token)
    return practice


def practice_act(*, practice: Practice, act: OnlineAct, bid: str, acts: int) -> Practice:
    """Let the person act, then the automatic players. Repeating an act changes nothing.

    `acts`: how many acts the person had made before. Raise `Refused` as
    `engine.sheet.online.OnlineSheet.apply` does, and with `show_not_owned`.
    """
    if acts != practice.acts:
        return practice
    sheet = practice.sheet
    fault = dice_not_owned(practice.dealer, sheet, bid)
    if fault is not None:
        raise Refused(fault)
    value: dict[str, Any] = {"seat": ME}
    if act == "bid":
        value["bid"] = bid
    _apply(practice, sheet, SheetEntry(act, value))
    _automatic_players_act(practice, sheet)
    practice = replace(practice, state=sheet.state(), acts=practice.acts + 1)
    practice.keep()
    return practice


def _automatic_players_act(practice: Practice, sheet: OnlineSheet) -> None:
    while not sheet.over and sheet.round.turn != ME:
        _apply(practice, sheet, automatic_entry(practice.strength, sheet, practice.dealer))


def _apply(practice: Practice, sheet: OnlineSheet, entry: SheetEntry) -> None:
    fault = sheet.apply(entry)
    if fault is not None:
        raise Refused(fault)
    if sheet.waits_for_dealer:
        revealed = reveal(practice.dealer, sheet)
        sheet.apply(SheetEntry("reveal", revealed))
        practice.last = revealed["round"]
