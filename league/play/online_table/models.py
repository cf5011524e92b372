"""Online tables: the lobby where people sit down, and the game that is dealt there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from engine.messages import Message
from engine.record.kinds import KINDS, SEATS
from games.models import Game, Kind, OpenGame
from games.models.public_id import ALPHABET, LENGTH, PublicModel
from league.core.club.models import Club
from league.core.player.models import Player, guest_pseudonym
from league.events.event.models import (
    MOST_BANK_SECONDS,
    MOVE_SECONDS,
    USUAL_BANK_SECONDS,
    USUAL_MOVE_SECONDS,
)
from league.stages.table.models import Table
from league.standings.season.models import Season

NAME_LENGTH: Final = 64
DIGEST: Final = 64
ERASED_GUEST: Final = re.compile(rf"guest-[{ALPHABET}]{{{LENGTH}}}-\d+")
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
SEED: Final = 32
"""The most bytes of the seed that a seat contributes to the dice."""
SETTINGS: Final[Sequence[str]] = (
    "most_seats",
    "move_days",
    "move_seconds",
    "bank_seconds",
    "listed",
    "players_only",
    "programs_welcome",
)
"""The fields of `OnlineTable` that the host chooses besides the rules. A rematch keeps them."""


class Phrase(models.TextChoices):
    """The phrases that a seat can say with one tap. Each reader sees them in their own language."""

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


class Pace(models.IntegerChoices):
    """The pace of a table: live, or turn by turn with a number of days for each move."""

    LIVE = 0, _("live: everybody is online, seconds for a move")
    ONE_DAY = 1, _("turn by turn: one day for a move")
    TWO_DAYS = 2, _("turn by turn: two days for a move")
    THREE_DAYS = 3, _("turn by turn: three days for a move")


class OnlineTable(PublicModel):
    """A table at which the service deals. Anybody with its link may watch.

    `season`: the season in which the game counts, None for a friendly game. `stage_table`,
    `game_number`: the event's table and the number of the game that is played here. `uncounted`:
    why the game couldn't be counted although it was meant to. While `paused_at` is set nobody can
    act; `paused_seconds`: how long the current turn was paused before that.

    `kind`: the game. `rules`: its rules, as in a record. `move_seconds`: the time for each move;
    `bank_seconds`: the extra time of each seat for the whole game; both apply to live tables only.
    `move_days`: the days for each move, 0 at a live table. `listed`: the club's page shows the
    table while it waits for players or is in play. `players_only`: only players of the club may sit
    down. `programs_welcome`: accounts marked as programs may sit down, too. `commitment`: the
    public commitment to the dealer's secret, made before anybody sat down. `version`: raised by
    every change in the lobby. `time_given`: the number of entries on the sheet when a seat last
    gave another one more time.
    """

    class Status(models.TextChoices):
        """The states of a table."""

        LOBBY = "lobby", _("waiting for players")
        PLAYING = "playing", _("in play")
        OVER = "over", _("over")
        ABANDONED = "abandoned", _("abandoned")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="online_tables")
    kind = models.CharField(_("game"), max_length=16, choices=Kind.choices, default=Kind.BLUFF)
    rules = models.JSONField()
    most_seats = models.PositiveSmallIntegerField(
        _("seats"),
        default=6,
        validators=[MinValueValidator(SEATS[0]), MaxValueValidator(SEATS[-1])],
    )
    move_seconds = models.PositiveSmallIntegerField(
        _("seconds per move"),
        default=USUAL_MOVE_SECONDS,
        validators=[MinValueValidator(MOVE_SECONDS[0]), MaxValueValidator(MOVE_SECONDS[1])],
    )
    bank_seconds = models.PositiveSmallIntegerField(
        _("extra seconds for the whole game"),
        default=USUAL_BANK_SECONDS,
        validators=[MaxValueValidator(MOST_BANK_SECONDS)],
    )
    move_days = models.PositiveSmallIntegerField(_("pace"), choices=Pace.choices, default=Pace.LIVE)
    listed = models.BooleanField(_("shown on the club’s page"), default=False)
    players_only = models.BooleanField(_("for club players only"), default=False)
    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, null=True, blank=True, related_name="online_tables"
    )
    stage_table = models.ForeignKey(
        Table, on_delete=models.PROTECT, null=True, editable=False, related_name="online_tables"
    )
    game_number = models.PositiveSmallIntegerField(default=1, editable=False)
    uncounted = models.JSONField(null=True, editable=False)
    paused_at = models.DateTimeField(null=True, editable=False)
    paused_seconds = models.PositiveIntegerField(default=0, editable=False)
    programs_welcome = models.BooleanField(_("programs welcome"), default=False, db_default=False)
    commitment = models.CharField(max_length=DIGEST, editable=False)
    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.LOBBY, editable=False
    )
    version = models.PositiveIntegerField(default=0, editable=False)
    open_game = models.OneToOneField(
        OpenGame, on_delete=models.PROTECT, null=True, blank=True, related_name="online_table"
    )
    time_given = models.PositiveIntegerField(null=True, editable=False)
    game = models.OneToOneField(
        Game, on_delete=models.PROTECT, null=True, blank=True, related_name="online_table"
    )
    rematch_of = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="rematch"
    )
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("online table")
        verbose_name_plural = _("online tables")
        indexes = [
            models.Index(
                "status",
                "made_at",
                name="online_table_at_work",
                condition=models.Q(status="playing"),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["stage_table", "game_number"],
                name="online_table_of_game",
                condition=models.Q(stage_table__isnull=False, status__in=["lobby", "playing"]),
            )
        ]

    def __str__(self) -> str:
        return self.public_id

    def clean(self) -> None:
        """Refuse more seats than the game has."""
        most = KINDS[self.kind].seats[-1]
        if self.most_seats > most:
            words = _("This game has at most %(most)d seats.")
            raise ValidationError({"most_seats": ValidationError(words, params={"most": most})})

    @property
    def is_counted(self) -> bool:
        """Return True if the game counts in a season."""
        return self.season_id is not None

    @property
    def is_for_players(self) -> bool:
        """Return True if only players of the club with an account may sit here."""
        return self.players_only or self.is_counted

    @property
    def uncounted_reason(self) -> Message | None:
        """Return the reason why the game couldn't be counted, or None."""
        return Message.from_json(self.uncounted) if self.uncounted else None

    @property
    def is_turn_by_turn(self) -> bool:
        """Return True if players have days for a move and needn't be present."""
        return self.move_days != Pace.LIVE


def is_pseudonym(name: str) -> bool:
    """Return True if a name is the pseudonym of an erased guest."""
    return ERASED_GUEST.fullmatch(name) is not None


class OnlineSeat(models.Model):
    """A seat at an online table, taken by an account, by a guest whose browser keeps the key of
    `key_digest`, or by an automatic player. The first seat is the host's.

    `number`: the place in the order of play, from 0. `name`: the name that others read. `seed`: the
    seat's contribution to the dice. `is_program`: the account is a program's. `bank`: the seconds
    left of the table's `bank_seconds`. `phrase`: the last phrase said. `present_at`: when a player
    at an event's table said "I'm here".
    """

    table = models.ForeignKey(
        OnlineTable, on_delete=models.CASCADE, related_name="seats", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, related_name="online_seats"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="online_seats"
    )
    key_digest = models.CharField(max_length=DIGEST, blank=True, default="", editable=False)
    automatic = models.CharField(max_length=16, blank=True, default="")
    is_program = models.BooleanField(default=False, db_default=False)
    seed = models.BinaryField(max_length=SEED)
    bank = models.PositiveSmallIntegerField(default=0)
    phrase = models.CharField(max_length=16, choices=Phrase.choices, blank=True, default="")
    phrase_at = models.DateTimeField(null=True, editable=False)
    present_at = models.DateTimeField(null=True, editable=False)
    sat_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="online_seat_once"),
            models.UniqueConstraint(
                fields=["table", "user"],
                name="account_sits_once",
                condition=models.Q(user__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} at {self.table_id}"

    @property
    def lasting_name(self) -> str:
        """Return a name that identifies the seat in every copy of the database.

        The seat's number can't do that, because it changes in the lobby.
        """
        microseconds = (self.sat_at - EPOCH) // timedelta(microseconds=1)
        return f"guest-{self.table.public_id}-{self.pk}-{microseconds}"

    @property
    def pseudonym(self) -> str:
        """Return the pseudonym that replaces a guest's name once it is erased."""
        return guest_pseudonym(self.table.public_id, self.number)
