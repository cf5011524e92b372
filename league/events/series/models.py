"""Series: events that are repeated by a rule."""

from __future__ import annotations

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.club.models import Club
from league.core.frame.names import all_seen
from league.core.log.columns import column
from league.core.log.nouns import Noun


class Series(PublicModel):
    """Events that are repeated by a rule, each of which can be changed on its own.

    `rule` is an RRULE (RFC 5545) in the club's local time, `starts_at` the first date in it without
    a zone; `without` are the days that are left out.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="series")
    name = column(models.CharField(_("name"), max_length=120, validators=[all_seen]), text=True)
    rule = column(models.CharField(max_length=200))
    starts_at = column(models.CharField("first date", max_length=19))
    without = column(ArrayField(models.DateField(), default=list))

    def __str__(self) -> str:
        return self.name


SERIES: Final = Noun("series", Series)
