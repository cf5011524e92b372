"""Choosing quiet hours and taking holidays. The clocks at turn-by-turn tables adapt at once."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from league.core.account.models import User
from league.play.online_table.services.table import table_changed
from league.play.playing_time.domain import (
    AHEAD,
    DAY,
    HOLIDAYS_A_YEAR,
    MOST_QUIET,
    days_by_year,
    quiet_span,
)
from league.play.playing_time.models import Holiday, PlayingTime
from league.play.playing_time.queries import days_taken, playing_time_of
from league.play.turn.services import turns_reschedule


@transaction.atomic
def playing_time_set(
    *, user: User, zone: str, quiet_from: time | None, quiet_to: time | None
) -> None:
    """Store a time zone and quiet hours in it; both None for no quiet hours. Holidays stay as they
    are.

    Raise `ValidationError` with messages by field.
    """
    _refuse_bad_quiet_hours(quiet_from, quiet_to)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    chosen = PlayingTime(user=user, timezone=zone, quiet_from=quiet_from, quiet_to=quiet_to)
    chosen.full_clean(validate_unique=False)
    fields = {"timezone": zone, "quiet_from": quiet_from, "quiet_to": quiet_to}
    PlayingTime.objects.update_or_create(user=user, defaults=fields)
    _update_clocks_of_turns(user)


@transaction.atomic
def holiday_take(*, user: User, first_day: date, last_day: date) -> Holiday:
    """Stop an account's clocks from one day to another, both included, in its time zone.

    A holiday that begins today begins now. Raise `ValidationError` with messages by field: for days
    that are past or further away than `AHEAD`, for days that overlap another holiday, and beyond
    `HOLIDAYS_A_YEAR` days of a calendar year.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    zone = ZoneInfo(playing_time_of(user).timezone)
    now = timezone.now()
    today = now.astimezone(zone).date()
    if first_day < today:
        raise ValidationError({"first_day": gettext("That day has passed.")})
    if last_day > today + AHEAD:
        raise ValidationError({"last_day": gettext("Holidays can be taken up to a year ahead.")})
    if last_day < first_day:
        raise ValidationError({"last_day": gettext("A holiday can’t end before its first day.")})
    if Holiday.objects.filter(user=user, first_day__lte=last_day, last_day__gte=first_day).exists():
        raise ValidationError({"first_day": gettext("You already have a holiday on these days.")})
    _refuse_too_many(user, first_day, last_day)

    holiday = Holiday.objects.create(
        user=user,
        first_day=first_day,
        last_day=last_day,
        begins_at=max(_midnight(first_day, zone), now),
        ends_at=_midnight(last_day + DAY, zone),
    )
    _update_clocks_of_turns(user)
    return holiday


@transaction.atomic
def holiday_end(*, user: User, holiday: Holiday) -> bool:
    """End a holiday now, with today as its last day; delete it if it hasn't begun. Idempotent.

    Return True if it was deleted."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    now = timezone.now()
    today = now.astimezone(ZoneInfo(playing_time_of(user).timezone)).date()
    not_over = Holiday.objects.filter(pk=holiday.pk, ends_at__gt=now)
    deleted, _ = not_over.filter(begins_at__gt=now).delete()
    if not deleted:
        last_day = max(holiday.first_day, min(holiday.last_day, today))
        not_over.update(last_day=last_day, ends_at=now)
    _update_clocks_of_turns(user)
    return bool(deleted)


def _refuse_bad_quiet_hours(quiet_from: time | None, quiet_to: time | None) -> None:
    if quiet_from is None and quiet_to is None:
        return
    if quiet_from is None or quiet_to is None:
        message = gettext("Say both when they begin and when they end, or neither.")
        raise ValidationError({"quiet_to": message})
    if quiet_span(quiet_from, quiet_to) > MOST_QUIET:
        message = gettext("Quiet hours can be at most twelve hours a day.")
        raise ValidationError({"quiet_to": message})


def _refuse_too_many(user: User, first_day: date, last_day: date) -> None:
    taken = days_taken(user)
    for year, days in days_by_year(first_day, last_day).items():
        left = HOLIDAYS_A_YEAR - taken.get(year, 0)
        if days > left:
            words = ngettext(
                "You have %(left)d day of holiday left in %(year)d.",
                "You have %(left)d days of holiday left in %(year)d.",
                left,
            )
            raise ValidationError({"last_day": words % {"year": year, "left": left}})


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone)


def _update_clocks_of_turns(user: User) -> None:
    for table in turns_reschedule(user=user):
        table_changed(table)
