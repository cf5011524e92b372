"""Entries: the players who take part in an event."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Greatest, Least, Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.frame.names import all_seen
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.core.player.models import Player
from league.events.event.models import Event

CONFIRMED_WITHIN: Final = timedelta(days=2)
"""How long somebody may take to follow the link of a letter."""
LABEL_LENGTH: Final = 40
KEPT_AFTER: Final = timedelta(days=30)
"""How long after an event the addresses of those who entered by mail are kept."""


class FeeStatus(models.TextChoices):
    """All that the fee of an entry can be."""

    OPEN = "open", _("not paid")
    PAID = "paid", _("paid")
    FREE = "free", _("free of charge")


class Entry(PublicModel):
    """A player's place in an event. Who is `entered` has one of the places; who is `waiting` gets
    the next free one, in the order of `number`.

    `guest`: plays, and counts for nothing in the season. `substitutes` is the player for whom the
    results count, None: the player's own. `checked_in_at`: was seen there. `payment`: what came in
    for a fee that is paid, in cents. `label`: the club or town for which the player is there, where
    several play; empty for none."""

    class Status(models.TextChoices):
        """All that became of an entry. Who is `withdrawn` or a `no_show` can come back, and keeps
        what they have played."""

        ENTERED = "entered", _("entered")
        WAITING = "waiting", _("on the waiting list")
        WITHDRAWN = "withdrawn", _("withdrawn")
        NO_SHOW = "no_show", _("did not come")

    event: models.ForeignKey[Event, Event] = column(
        models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entries", db_index=False)
    )
    player: models.ForeignKey[Player, Player] = column(
        models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    )
    number = column(models.PositiveIntegerField())
    status = column(models.CharField(max_length=16, choices=Status.choices))
    guest = column(models.BooleanField(default=False))
    substitutes: models.ForeignKey[Player | None, Player | None] = column(
        models.ForeignKey(
            Player,
            on_delete=models.PROTECT,
            null=True,
            blank=True,
            related_name="+",
            db_index=False,
        )
    )
    fee = column(models.CharField(max_length=8, choices=FeeStatus.choices, default=FeeStatus.OPEN))
    payment = column(models.PositiveIntegerField(null=True, blank=True))
    checked_in_at = column(models.DateTimeField(null=True, blank=True))
    label = column(
        models.CharField(
            _("Club or town"),
            max_length=LABEL_LENGTH,
            blank=True,
            default="",
            validators=[all_seen],
        ),
        text=True,
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="entry_once"),
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once"),
            models.CheckConstraint(
                condition=models.Q(fee=FeeStatus.PAID, payment__isnull=False)
                | ~models.Q(fee=FeeStatus.PAID) & models.Q(payment=None),
                name="entry_paid_an_amount",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} at {self.event_id}"

    @property
    def plays(self) -> bool:
        """True if a draw seats this entry: entered and seen there."""
        return self.status == self.Status.ENTERED and self.checked_in_at is not None


ENTRY: Final = Noun("entry", Entry, club="event__club")


class Apart(models.Model):
    """Two entries that should not sit at one table: a wish, or (`must`) a rule, as for one
    household."""

    event: models.ForeignKey[Event, Event] = column(
        models.ForeignKey(Event, on_delete=models.CASCADE, related_name="apart", db_index=False)
    )
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+", db_index=False)
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+", db_index=False)
    must = column(models.BooleanField(default=False))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "first", "second"], name="apart_once"),
            models.CheckConstraint(
                condition=models.Q(first__lt=models.F("second")), name="apart_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}"

    @property
    def entries(self) -> tuple[Entry, Entry]:
        """Both entries, in their order."""
        return self.first, self.second


PAIR: Final = ("first__public_id", "second__public_id")
PAIR_APART: Final = Noun(
    "pair apart", Apart, club="event__club", named=(Least(*PAIR), Greatest(*PAIR))
)


class EntryByMail(models.Model):
    """Somebody without an account enters for an event by name and address; the link of a letter
    confirms it, and leads back to the entry later. Only digests of its tokens are stored, of the
    latest letters.

    `mailbox` is the address as it is compared: one mailbox has one entry. `entry` is None until it
    is confirmed. The row goes `CONFIRMED_WITHIN` after the letter, or, confirmed, `KEPT_AFTER` the
    event. `silent`: wants no more letters of the event."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="by_mail", db_index=False
    )
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, null=True, related_name="by_mail")
    name = models.CharField(max_length=64)
    email = models.EmailField()
    mailbox = models.EmailField(editable=False)
    digests = ArrayField(models.CharField(max_length=64), editable=False)
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    silent = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "mailbox"], name="entry_by_mail_once")
        ]
        indexes = [GinIndex(fields=["digests"], name="entry_by_mail_of_link", fastupdate=False)]

    def __str__(self) -> str:
        return f"{self.pk} at {self.event_id}"
