"""Online tables: the lobby in which people sit down, and the game that is dealt there."""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from engine.bluff.ruleset import SEATS
from games.models import Game, OpenGame
from games.models.public_id import ALPHABET, LENGTH, PublicModel
from league.core.club.models import Club
from league.core.player.models import Player, guest_pseudonym

NAME_LENGTH: Final = 64
DIGEST: Final = 64
ERASED_GUEST: Final = re.compile(rf"guest-[{ALPHABET}]{{{LENGTH}}}-\d+")
SEED: Final = 32
"""Most bytes of the seed that a seat gives for the dice."""


class Phrase(models.TextChoices):
    """All that can be said at a table by one tap, in everybody's own language."""

    HELLO = "hello", _("Hello!")
    LUCK = "luck", _("Good luck!")
    SURE = "sure", _("I’m quite sure.")
    NEVER = "never", _("Never!")
    DARE = "dare", _("Do you dare?")
    THINKING = "thinking", _("Let me think.")
    WAIT = "wait", _("One moment, please.")
    WELL = "well", _("Well played!")
    CLOSE = "close", _("That was close.")
    OUCH = "ouch", _("Ouch!")
    AGAIN = "again", _("Once more?")
    THANKS = "thanks", _("Thanks for the game!")


class OnlineTable(PublicModel):
    """A table at which the service deals, open to whoever has its link. Its games count in no ranking.

    `rules`: as a record has them. `move_seconds`: the time for each move; `bank_seconds`: what each seat has beside it
    for the whole game. `listed`: the club's page shows it while it waits for players or is played. `commitment`: the
    public one to the dealer's secret, made before anybody sat down. `version` is raised by every change in the lobby.
    `time_given`: how many entries the sheet had when a seat last gave another one more time.
    """

    class Status(models.TextChoices):
        """All that becomes of a table."""

        LOBBY = "lobby", _("waits for players")
        PLAYING = "playing", _("is played")
        OVER = "over", _("is over")
        ABANDONED = "abandoned", _("was abandoned")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="online_tables")
    rules = models.JSONField()
    most_seats = models.PositiveSmallIntegerField(
        _("seats"), default=SEATS[-1], validators=[MinValueValidator(SEATS[0]), MaxValueValidator(SEATS[-1])]
    )
    move_seconds = models.PositiveSmallIntegerField(
        _("seconds for a move"), default=60, validators=[MinValueValidator(10), MaxValueValidator(600)]
    )
    bank_seconds = models.PositiveSmallIntegerField(
        _("seconds more for the whole game"), default=120, validators=[MaxValueValidator(3600)]
    )
    listed = models.BooleanField(_("on the club’s page"), default=False)
    commitment = models.CharField(max_length=DIGEST, editable=False)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.LOBBY, editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)
    open_game = models.OneToOneField(
        OpenGame, on_delete=models.PROTECT, null=True, blank=True, related_name="online_table"
    )
    time_given = models.PositiveIntegerField(null=True, editable=False)
    game = models.OneToOneField(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="online_table")
    rematch_of = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="rematch")
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("online table")
        verbose_name_plural = _("online tables")
        indexes = [
            models.Index("status", "made_at", name="online_table_at_work", condition=models.Q(status="playing")),
        ]

    def __str__(self) -> str:
        return self.public_id


def is_pseudonym(name: str) -> bool:
    """True for a name that stands for the erased one of a guest."""
    return ERASED_GUEST.fullmatch(name) is not None


class OnlineSeat(models.Model):
    """Somebody who sits at an online table: an account, a guest whose browser has the key of `key_digest`, or an
    automatic player. The first seat is the host's.

    `number`: in the order of play, from 0. `name` is what others read. `seed`: the seat's own part of the dice.
    `bank`: the seconds that are left of the table's `bank_seconds`. `phrase`: what it said last.
    """

    table = models.ForeignKey(OnlineTable, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="online_seats")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="online_seats"
    )
    key_digest = models.CharField(max_length=DIGEST, blank=True, default="", editable=False)
    automatic = models.CharField(max_length=16, blank=True, default="")
    seed = models.BinaryField(max_length=SEED)
    bank = models.PositiveSmallIntegerField(default=0)
    phrase = models.CharField(max_length=16, choices=Phrase.choices, blank=True, default="")
    phrase_at = models.DateTimeField(null=True, editable=False)
    sat_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="online_seat_once"),
            models.UniqueConstraint(
                fields=["table", "user"], name="account_sits_once", condition=models.Q(user__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} at {self.table_id}"

    @property
    def pseudonym(self) -> str:
        """Return what stands for the name of a guest once it is erased."""
        return guest_pseudonym(self.table.public_id, self.number)
