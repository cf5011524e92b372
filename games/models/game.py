"""A recorded game, and its seats."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.record.reason import LENGTH
from games.models.fact import Fact, Guard, removal
from games.models.public_id import PublicModel


class Kind(models.TextChoices):
    """The games that the engine can judge; the values are those of the record's key `game`."""

    BLUFF = "bluff", _("Bluff")
    LUEGEN_KNIFFEL = "luegen-kniffel", _("Lügen-Kniffel")


class Game(PublicModel, Fact):
    """A recorded game: a fact, including its header. A correction is a new row that names the one
    it replaces.

    `header` is the canonical header without its seats, which are rows of their own; `digest` is the
    header's link, the first of the chain. The result of the game isn't stored here: it follows from
    the rounds. The header of a correction seals a commitment to its `reason`, made with
    `reason_salt`; both can be removed if the reason names somebody. Older corrections have a reason
    that no header seals, and no salt.
    """

    source = models.CharField(_("source of the record"), max_length=80, db_collation="C")
    external_id = models.CharField(_("id of the record"), max_length=64, db_collation="C")
    revision = models.PositiveSmallIntegerField(_("revision"), default=1)
    replaces = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        verbose_name=_("corrects"),
        related_name="corrections",
        db_index=False,
    )
    reason = models.CharField(_("reason"), max_length=LENGTH, blank=True, default="")
    reason_salt = models.BinaryField(max_length=16, default=b"", editable=False)
    kind = models.CharField(_("game"), max_length=16, choices=Kind.choices)
    header = models.TextField(_("header of the record"))
    digest = models.BinaryField(max_length=32)
    proof = models.JSONField(null=True, blank=True, editable=False)
    played_at = models.DateTimeField(_("played at"), null=True, blank=True)
    event = models.CharField(_("event"), max_length=64, blank=True, default="")
    table = models.CharField(_("name of the table"), max_length=64, blank=True, default="")
    entered_at = models.DateTimeField(_("entered at"), editable=False)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        verbose_name=_("entered by"),
        related_name="+",
        db_index=False,
    )

    unsealed = ("reason", "reason_salt")

    class Meta:
        verbose_name = _("sealed game")
        verbose_name_plural = _("sealed games")
        triggers = [removal(["reason", "reason_salt"])]
        constraints = [
            models.UniqueConstraint(
                fields=["source", "external_id", "revision"], name="game_once_per_source"
            ),
            models.UniqueConstraint(
                fields=["replaces"],
                condition=models.Q(replaces__isnull=False),
                name="game_is_replaced_once",
            ),
        ]

    @property
    def why(self) -> str:
        """Return the reason of a correction in words, even if it was removed.

        Empty for a game that corrects none."""
        if self.reason:
            return self.reason
        return gettext("removed because it named somebody") if self.replaces_id else ""

    def __str__(self) -> str:
        if self.revision == 1:
            return self.external_id
        return f"{self.external_id} (revision {self.revision})"


ERASURE: Final = Guard(
    name="erasure",
    operation=pgtrigger.Update,
    func="""
        IF NEW.seal <> (CASE length(OLD.seal) WHEN 32 THEN OLD.seal ELSE sha256(
            convert_to('cups-up/name/1', 'UTF8') || '\\x0a' || OLD.seal || convert_to(OLD.handle, 'UTF8')
        ) END) THEN
            RAISE EXCEPTION 'a handle can only give way to a pseudonym, under the same commitment';
        END IF;
        RETURN NEW;
    """,
)
"""A seat's handle and seal can change only once: to a pseudonym, and to the commitment in the
header."""


SEAT_ORDER: Final = Guard(
    name="seat_order",
    operation=pgtrigger.Insert,
    func="""
        IF NEW.number <> (SELECT count(*) FROM games_seat WHERE game_id = NEW.game_id)
            OR EXISTS (SELECT 1 FROM games_round WHERE game_id = NEW.game_id) THEN
            RAISE EXCEPTION 'seat % of game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        RETURN NEW;
    """,
)
"""Seats are added in order, and all of them before the first round."""


class Seat(Fact):
    """A seat of a game, counted clockwise from 0, and the handle of its player.

    The header seals a commitment to the handle; `seal` is the 16 bytes of its salt, or, once the
    player is erased and `handle` a pseudonym, the 32 bytes of the commitment itself.
    """

    SALT = 16
    COMMITMENT = 32

    pk = models.CompositePrimaryKey("game", "number")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    handle = models.CharField(max_length=64)
    seal = models.BinaryField(max_length=COMMITMENT)

    unsealed = ("handle", "seal")

    class Meta:
        ordering = ["game", "number"]
        triggers = [ERASURE, SEAT_ORDER]

    def __str__(self) -> str:
        return f"{self.handle} ({self.game_id}/{self.number})"
