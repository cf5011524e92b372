"""An event: one date on which a club plays."""

from __future__ import annotations

from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, URLValidator
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.club.models import Club
from league.core.frame.names import all_seen
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.events.series.models import Series
from league.standings.season.models import Season

FEES: Final = (1, 1_000_000)
"""The smallest and the largest fee of an event, in cents."""
MOST_OBJECTION_HOURS: Final = 14 * 24
"""Two weeks: by then the next evening has been played."""
WEB_ADDRESS: Final = URLValidator(schemes=["https"])
MOST_CONFIRMATION_MINUTES: Final = 7 * 24 * 60
"""One week: the longest time that a game can wait for a confirmation before it counts without one.
"""
MOVE_SECONDS: Final = (10, 600)
"""The shortest and the longest time for a move at a live online table."""
USUAL_MOVE_SECONDS: Final = 60
MOST_BANK_SECONDS: Final = 3600
"""The most extra seconds of a seat at a live online table, for the whole game."""
USUAL_BANK_SECONDS: Final = 120


class Event(PublicModel):
    """One date of a club: who takes part, and what is played there.

    It belongs to a season, whose rules it is played by; an event that stands alone has a season of
    its own (`alone`). `fee`: the price of an entry, in cents of the club's currency, None if it is
    free. `confirmation_minutes`: after how long a finished game that was written down counts
    without confirmation, 0: never. `objection_hours`: how long after it was sealed a game's seats
    can object to its result, 0: not at all. `online`: its tables are played online, each with
    `move_seconds` for a move and `bank_seconds` more for the whole game, as set when the table
    opens; `call_url`: where players at online tables can talk. `opened`: its entries were open
    once. `changes` counts the changes that calendars show (their SEQUENCE), and `changed_at` is the
    time of the last one.
    """

    class Status(models.TextChoices):
        """The states of an event; `finished` and `cancelled` are final."""

        DRAFT = "draft", _("draft")
        OPEN = "open", _("open for entries")
        RUNNING = "running", _("under way")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Confirmer(models.TextChoices):
        """Who confirms a game that was written down at a table, so that it is sealed and counts."""

        ALONE = "alone", _("whoever writes it down, alone")
        SEAT = "seat", _("somebody else at the table, on another phone or signed in")
        DOUBLE = "double", _("two people who write it down independently, if they agree")
        ARBITER = "arbiter", _("an arbiter or organiser")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="events", db_index=False)
    season: models.ForeignKey[Season, Season] = column(
        models.ForeignKey(Season, on_delete=models.PROTECT, related_name="events")
    )
    series: models.ForeignKey[Series | None, Series | None] = column(
        models.ForeignKey(
            Series,
            on_delete=models.PROTECT,
            null=True,
            blank=True,
            related_name="events",
            editable=False,
        )
    )
    alone = column(models.BooleanField(default=False, editable=False))
    slug = column(
        models.SlugField(_("address"), max_length=64, db_index=False),
        setting=True,
        text=True,
        in_calendar=True,
    )
    name = column(
        models.CharField(_("name"), max_length=120, validators=[all_seen]),
        setting=True,
        text=True,
        in_calendar=True,
    )
    status = column(
        models.CharField(_("status"), max_length=16, choices=Status.choices, default=Status.DRAFT),
        in_calendar=True,
    )
    starts_at = column(
        models.DateTimeField(_("begins")), setting=True, moves=True, in_calendar=True
    )
    ends_at = column(
        models.DateTimeField(_("ends"), null=True, blank=True),
        setting=True,
        moves=True,
        in_calendar=True,
    )
    venue = column(
        models.CharField(_("venue"), max_length=200, blank=True, default="", validators=[all_seen]),
        setting=True,
        text=True,
        in_calendar=True,
    )
    capacity = column(
        models.PositiveSmallIntegerField(
            _("places"), null=True, blank=True, validators=[MinValueValidator(2)]
        ),
        setting=True,
    )
    fee = column(
        models.PositiveIntegerField(
            _("fee"),
            null=True,
            blank=True,
            validators=[MinValueValidator(FEES[0]), MaxValueValidator(FEES[1])],
        ),
        setting=True,
    )
    price_note = column(
        models.CharField(_("price"), max_length=120, blank=True, default="", validators=[all_seen]),
        setting=True,
        text=True,
        in_calendar=True,
    )
    description = column(
        models.TextField(_("description"), blank=True, default="", max_length=4000),
        setting=True,
        text=True,
        in_calendar=True,
    )
    entries_until = column(
        models.DateTimeField(_("entries until"), null=True, blank=True), setting=True, moves=True
    )
    check_in_until = column(
        models.DateTimeField(_("check-in until"), null=True, blank=True), setting=True, moves=True
    )
    self_entry = column(
        models.BooleanField(_("players may enter themselves"), default=True), setting=True
    )
    confirmation = column(
        models.CharField(
            _("who confirms games that are written down"),
            max_length=8,
            choices=Confirmer.choices,
            default=Confirmer.ALONE,
        ),
        setting=True,
    )
    confirmation_minutes = column(
        models.PositiveSmallIntegerField(
            _("minutes until an unconfirmed game counts"),
            default=0,
            validators=[MaxValueValidator(MOST_CONFIRMATION_MINUTES)],
        ),
        setting=True,
    )
    players_enter = column(
        models.BooleanField(_("players may enter the result of their table alone"), default=True),
        setting=True,
    )
    objection_hours = column(
        models.PositiveSmallIntegerField(
            _("hours for objections"),
            default=24,
            validators=[MaxValueValidator(MOST_OBJECTION_HOURS)],
        ),
        setting=True,
        earlier=0,
    )
    online = column(
        models.BooleanField(_("games are played at online tables"), default=False), setting=True
    )
    move_seconds = column(
        models.PositiveSmallIntegerField(
            _("seconds per move"),
            default=USUAL_MOVE_SECONDS,
            validators=[MinValueValidator(MOVE_SECONDS[0]), MaxValueValidator(MOVE_SECONDS[1])],
        ),
        setting=True,
    )
    bank_seconds = column(
        models.PositiveSmallIntegerField(
            _("extra seconds for the whole game"),
            default=USUAL_BANK_SECONDS,
            validators=[MaxValueValidator(MOST_BANK_SECONDS)],
        ),
        setting=True,
    )
    call_url = column(
        models.CharField(
            _("link for a call"), blank=True, default="", max_length=200, validators=[WEB_ADDRESS]
        ),
        setting=True,
        text=True,
    )
    opened = models.BooleanField(default=False, editable=False)
    changes = models.PositiveIntegerField(default=0, editable=False)
    changed_at = models.DateTimeField(db_default=Now(), editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["starts_at", "name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="event_slug_once_per_club"),
            models.CheckConstraint(
                condition=models.Q(ends_at__isnull=True)
                | models.Q(ends_at__gte=models.F("starts_at")),
                name="event_ends_after_it_begins",
            ),
        ]
        indexes = [
            models.Index(fields=["club", "starts_at"], name="events_of_club"),
            models.Index(
                fields=["club", "starts_at"],
                name="events_unfinished",
                condition=~models.Q(status="finished"),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse a slug that is the address of another page next to those of events; the database
        checks the rest.
        """
        if self.slug in EVENT_RESERVED:
            raise ValidationError({"slug": _("Another page of the club uses this address.")})

    @property
    def running(self) -> bool:
        """Return True while the event is being played."""
        return self.status == self.Status.RUNNING

    @property
    def over(self) -> bool:
        """Return True if the event is finished or cancelled."""
        return self.status in (self.Status.FINISHED, self.Status.CANCELLED)

    @property
    def entries_open(self) -> bool:
        """Whether players may enter themselves now."""
        if not self.self_entry or self.status != self.Status.OPEN:
            return False
        return self.entries_until is None or self.entries_until >= timezone.now()

    @property
    def players_alone(self) -> bool:
        """Return True if a player of a table may enter its result without a confirmation."""
        return self.players_enter and not self.confirmed_by_others

    @property
    def confirmed_by_others(self) -> bool:
        """Return True if the person who writes a game down may not seal it."""
        return self.confirmation != self.Confirmer.ALONE

    @property
    def announced(self) -> bool:
        """Return True if others than organisers may see the event. A cancelled draft stays
        hidden.
        """
        if self.status == self.Status.DRAFT:
            return False
        return self.opened or self.status != self.Status.CANCELLED


EVENT: Final = Noun("event", Event)
ANNOUNCED: Final = ~models.Q(status=Event.Status.DRAFT) & ~models.Q(
    status=Event.Status.CANCELLED, opened=False
)
"""The events that are `announced`."""
EVENT_RESERVED: Final = ("new",)
"""Slugs that no event can have, because other pages of the organisers have these addresses."""
