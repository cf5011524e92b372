"""When an account plays turn by turn: its quiet hours, and the holidays that stop its clocks."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.club.models import is_timezone


class PlayingTime(models.Model):
    """The time zone of an account, and its quiet hours in that zone. Both are None without quiet
    hours; quiet hours that end before they begin go over midnight.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="playing_time",
    )
    timezone = models.CharField(_("time zone"), max_length=64, validators=[is_timezone])
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_to = models.TimeField(_("quiet until"), null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.quiet_from} to {self.quiet_to}, {self.timezone}"


class Holiday(PublicModel):
    """Days on which an account's clocks at turn-by-turn tables are stopped.

    `first_day` and `last_day` are the days that the account chose, in its time zone; they count
    against the days of a year. Clocks use `begins_at` and `ends_at`, so a holiday that is ended
    early stops at that moment.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="holidays"
    )
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    begins_at = models.DateTimeField(editable=False)
    ends_at = models.DateTimeField(editable=False)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["first_day", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(last_day__gte=models.F("first_day")), name="holiday_has_days"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.first_day} to {self.last_day}"
