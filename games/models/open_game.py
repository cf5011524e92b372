"""A game that is being written down at its table: its frozen header, its seats, and its sheet of
entries."""

from __future__ import annotations

from datetime import datetime
from types import MappingProxyType
from typing import Final

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from engine.dice.chain import SIZE
from engine.sheet.versions import WRITTEN
from games.models.device import Device
from games.models.fact import Fact, Guard
from games.models.game import ERASURE, Game, Kind, Seat
from games.models.public_id import PublicModel


class OpenGame(PublicModel, Fact):
    """An open game. Its record's header, canonical and without its seats, is frozen when it opens.

    `digest` is the header's link in the chain of the later sealed game, unless the opening roll
    changes the opener, or a revision's header also seals why the game was played again. An account
    or a `device` opened it, if known. `edition`: 1, and one more each time the game is played again
    from a round.
    """

    source = models.CharField(_("source of the record"), max_length=80, db_collation="C")
    external_id = models.CharField(_("id of the record"), max_length=64, db_collation="C")
    kind = models.CharField(_("game"), max_length=16, choices=Kind.choices)
    header = models.TextField(_("header of the record"))
    digest = models.BinaryField(max_length=32)
    edition = models.PositiveSmallIntegerField(default=1)
    opened_at = models.DateTimeField(editable=False)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    device = models.ForeignKey(
        Device, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )

    unproven = MappingProxyType(
        {
            "opened_at": (
                "the chain of a sheet begins with its header; no entry tells of the opening"
            ),
            "opened_by": (
                "the chain of a sheet begins with its header; no entry tells of the opening"
            ),
            "device": "the chain of a sheet begins with its header; no entry tells of the opening",
        }
    )

    class Meta:
        verbose_name = _("open game")
        verbose_name_plural = _("open games")
        constraints = [
            models.UniqueConstraint(
                fields=["source", "external_id", "edition"], name="open_game_once"
            )
        ]

    def __str__(self) -> str:
        return self.external_id


OPEN_SEAT_ORDER: Final = Guard(
    name="open_seat_order",
    operation=pgtrigger.Insert,
    func="""
        IF NEW.number <> (SELECT count(*) FROM games_openseat WHERE open_game_id = NEW.open_game_id)
            OR EXISTS (SELECT 1 FROM games_opensheet WHERE open_game_id = NEW.open_game_id) THEN
            RAISE EXCEPTION 'seat % of open game % comes out of turn', NEW.number, NEW.open_game_id;
        END IF;
        RETURN NEW;
    """,
)
"""The seats of an open game are added in order, and all of them before it has a sheet."""


class OpenSeat(Fact):
    """A seat of an open game, like `Seat` of a sealed game, which gets the same salt."""

    pk = models.CompositePrimaryKey("open_game", "number")
    open_game = models.ForeignKey(
        OpenGame, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    handle = models.CharField(max_length=64)
    seal = models.BinaryField(max_length=Seat.COMMITMENT)

    unsealed = ("handle", "seal")

    class Meta:
        ordering = ["open_game", "number"]
        triggers = [ERASURE, OPEN_SEAT_ORDER]

    def __str__(self) -> str:
        return f"{self.handle} ({self.open_game_id}/{self.number})"


SHEET_FOLLOWS: Final = Guard(
    name="sheet_follows",
    operation=pgtrigger.Update,
    func="""
        IF NEW.length <> (SELECT max(number) + 1 FROM games_sheetentry WHERE sheet_id = NEW.id) OR NOT EXISTS (
            SELECT FROM games_sheetentry WHERE sheet_id = NEW.id AND number = NEW.length - 1 AND link = NEW.link
        ) THEN
            RAISE EXCEPTION 'sheet % says something else of its entries than they are', NEW.id;
        END IF;
        RETURN NEW;
    """,
)
"""A sheet's length and link are those of its entries."""


class OpenSheet(Fact):
    """The list of entries that an open game is made of.

    `version`: whether it is written down at a table, or dealt by the service; see
    `engine.sheet.versions`. `length` (how many entries), `link` (the last one's digest), `state`
    (of the table, by the engine), `over` and `heard_at` follow from the entries. `heard_at` is the
    time of the last entry apart from calls for the arbiter and rulings, so that these don't affect
    a clock.
    """

    open_game = models.OneToOneField(OpenGame, on_delete=models.PROTECT, related_name="sheet")
    version = models.PositiveSmallIntegerField(default=WRITTEN)
    length = models.PositiveIntegerField(default=0)
    link = models.BinaryField(max_length=32)
    state = models.JSONField()
    over = models.BooleanField(default=False)
    heard_at = models.DateTimeField(null=True)

    unsealed = ("length", "link", "state", "over", "heard_at")

    class Meta:
        triggers = [SHEET_FOLLOWS]
        indexes = [
            models.Index(
                "open_game", name="sheet_with_call", condition=models.Q(state__has_key="call")
            )
        ]

    def __str__(self) -> str:
        return f"sheet of {self.open_game_id}"


NEXT_SHEET_ENTRY: Final = Guard(
    name="next_entry",
    operation=pgtrigger.Insert,
    func="""
        IF NEW.number <> COALESCE((SELECT max(number) + 1 FROM games_sheetentry WHERE sheet_id = NEW.sheet_id), 0) THEN
            RAISE EXCEPTION 'entry % of sheet % comes out of turn', NEW.number, NEW.sheet_id;
        END IF;
        IF EXISTS (SELECT 1 FROM games_sealedsheet WHERE sheet_id = NEW.sheet_id) THEN
            RAISE EXCEPTION 'sheet % is sealed', NEW.sheet_id;
        END IF;
        RETURN NEW;
    """,
)
"""An entry extends its sheet: it has the next number, and the sheet isn't sealed."""


class SheetEntry(Fact):
    """An entry of a sheet, numbered from 0: the act (`engine.sheet.entry`), its writer, and the
    time.

    Exactly one of account, device, seat of an online table and automatic player made it. `value` is
    canonical JSON. `key` is chosen by the writer: the same key again is the same entry.
    `device_at`: the time by the writer's clock, which may be wrong. `link`: the digest of the sheet
    including this entry.
    """

    pk = models.CompositePrimaryKey("sheet", "number")
    sheet = models.ForeignKey(
        OpenSheet, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    number = models.PositiveIntegerField()
    act = models.CharField(max_length=16)
    value = models.TextField()
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )
    device = models.ForeignKey(
        Device, on_delete=models.PROTECT, null=True, related_name="entries", db_index=False
    )
    seat = models.PositiveSmallIntegerField(null=True)
    automatic = models.CharField(max_length=16, blank=True, default="")
    key = models.UUIDField()
    device_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField()
    link = models.BinaryField(max_length=32)

    class Meta:
        ordering = ["sheet", "number"]
        triggers = [NEXT_SHEET_ENTRY]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "key"], name="sheet_entry_once"),
            models.CheckConstraint(
                condition=models.Q(
                    account__isnull=False, device__isnull=True, seat__isnull=True, automatic=""
                )
                | models.Q(
                    account__isnull=True, device__isnull=False, seat__isnull=True, automatic=""
                )
                | models.Q(
                    account__isnull=True, device__isnull=True, seat__isnull=False, automatic=""
                )
                | (
                    models.Q(account__isnull=True, device__isnull=True, seat__isnull=True)
                    & ~models.Q(automatic="")
                ),
                name="entry_has_one_writer",
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.sheet_id}"


class DealerSecret(Fact):
    """The secret from which all dice of an online game follow.

    `commitment`: to the secret, in hexadecimal, public before the seats give their seeds. Only the
    dealer reads the secret: no export, no log, no stream and no error shows it. Entries that reveal
    a round disclose its links.
    """

    commitment = models.CharField(max_length=2 * SIZE, primary_key=True)
    secret = models.BinaryField(max_length=SIZE)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"the secret of {self.commitment}"


class SheetBranch(PublicModel, Fact):
    """Entries that were written for a sheet and aren't part of it.

    Either others wrote meanwhile, or the writer's key had ended when the entries arrived: then they
    can still be let onto the sheet, until `waits_until`. `entries` is canonical JSON, a list of
    objects with `key`, `act`, `value` and `at`, the time by the writer's clock or None; they follow
    the first `after` entries of the sheet. `key` is chosen by the writer: the same key again is the
    same branch.
    """

    sheet = models.ForeignKey(
        OpenSheet, on_delete=models.PROTECT, related_name="branches", db_index=False
    )
    after = models.PositiveIntegerField()
    entries = models.TextField()
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )
    device = models.ForeignKey(
        Device, on_delete=models.PROTECT, null=True, related_name="branches", db_index=False
    )
    key = models.UUIDField()
    made_at = models.DateTimeField()
    waits_until = models.DateTimeField(null=True)

    unproven = MappingProxyType(
        {"key": "the writer's own name for what it sent: nothing follows from it"}
    )

    class Meta:
        verbose_name = _("branch of a sheet")
        verbose_name_plural = _("branches of sheets")
        ordering = ["sheet", "made_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "key"], name="sheet_branch_once"),
            models.CheckConstraint(
                condition=models.Q(account__isnull=False, device__isnull=True)
                | models.Q(account__isnull=True, device__isnull=False),
                name="branch_has_one_writer",
            ),
        ]

    def __str__(self) -> str:
        return f"branch of {self.sheet_id} after {self.after}"

    def is_waiting(self, at: datetime) -> bool:
        """Return True if the branch came with an ended key, and can still be let onto the sheet
        at this time."""
        return self.waits_until is not None and at < self.waits_until


class SealedSheet(Fact):
    """The sealing of an open game as a game, by its sheet with this length and last link."""

    game = models.OneToOneField(
        Game, on_delete=models.PROTECT, primary_key=True, related_name="sealed_sheet"
    )
    sheet = models.OneToOneField(OpenSheet, on_delete=models.PROTECT, related_name="sealed")
    length = models.PositiveIntegerField()
    link = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"{self.game_id} by {self.sheet_id}"
