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
"""How long the link in an email is valid until it is confirmed."""
LABEL_LENGTH: Final = 40
KEPT_AFTER: Final = timedelta(days=30)
"""How long after an event the addresses of those who entered by mail are kept."""


class FeeStatus(models.TextChoices):
    """The states of an entry's fee."""

    OPEN = "open", _("not paid")
    PAID = "paid", _("paid")
    FREE = "free", _("free of charge")


class Entry(PublicModel):
    """A player's place in an event. An entry that is `entered` has one of the places; the next free
    place goes to the `waiting` entry with the lowest `number`.

    `guest`: plays, but counts for nothing in the season. `substitutes`: the player for whom the
    results count, None for the entry's own player. `checked_in_at`: when the player was seen at the
    event. `payment`: the amount paid, in cents, if the fee is paid. `label`: the club or town for
    which the player plays, where several meet; empty for none.
    """

    class Status(models.TextChoices):
        """The states of an entry. A player who has `withdrawn` or is a `no_show` can come back, and
        keeps the games already played.
        """

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
        """Return True if draws seat this entry: it has a place and is checked in."""
        return self.status == self.Status.ENTERED and self.checked_in_at is not None


ENTRY: Final = Noun("entry", Entry, club="event__club")


class Apart(models.Model):
    """Two entries that shouldn't sit at the same table: a wish, or with `must` a rule, for example
    for one household.
    """

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
        """Return both entries, in their order."""
        return self.first, self.second


PAIR: Final = ("first__public_id", "second__public_id")
PAIR_APART: Final = Noun(
    "pair apart", Apart, club="event__club", named=(Least(*PAIR), Greatest(*PAIR))
)


class EntryByMail(models.Model):
    """A request to enter an event by name and address, without an account. The link in an email
    confirms it, and later leads back to the entry. Only digests of the latest emails' tokens are
    stored.

    `mailbox`: the normalised address; each mailbox has one entry. `entry`: None until it is
    confirmed. The row is deleted `CONFIRMED_WITHIN` after the email, or once confirmed `KEPT_AFTER`
    the event. `silent`: no more emails about the event are wanted.
    """

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
