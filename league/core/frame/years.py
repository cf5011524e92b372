"""Plausible years."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

YEARS: Final = (1900, 2100)


def years_check(days: Mapping[str, date | None]) -> None:
    """Raise `ValidationError` with messages by field if one of these days or times (by field name)
    is in an implausible year: other times that move with it would leave the calendar."""
    first_year, last_year = YEARS
    for name, day in days.items():
        if day is not None and not first_year <= day.year <= last_year:
            raise ValidationError({name: gettext("Choose a year between 1900 and 2100.")})
