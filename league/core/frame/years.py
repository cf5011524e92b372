"""Years that can be meant."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

YEARS: Final = (1900, 2100)


def years_check(days: Mapping[str, date | None]) -> None:
    """Refuse days and times, by name, of years that can't be meant: what moves with them would
    leave the calendar.

    Raises `ValidationError` by field.
    """
    first, last = YEARS
    for name, day in days.items():
        if day is not None and not first <= day.year <= last:
            raise ValidationError({name: gettext("Choose a year between 1900 and 2100.")})
