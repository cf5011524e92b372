"""Choosing quiet hours, and taking a holiday: the clocks at turn-by-turn tables follow at once."""

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
from league.play.turn.services import turns_set_anew


@transaction.atomic
def playing_time_set(
    *, user: User, zone: str, quiet_from: time | None, quiet_to: time | None
) -> None:
    """Choose a time zone and quiet hours in it; both None: no quiet hours. Holidays stay as they
    were taken.

    Raises `ValidationError` by field.
    """
    if (quiet_from is None) != (quiet_to is None):
        raise ValidationError(
            {"quiet_to": gettext("Say both from when and until when, or neither.")}
        )
    if (
        quiet_from is not None
        and quiet_to is not None
        and quiet_span(quiet_from, quiet_to) > MOST_QUIET
    ):
        raise ValidationError({"quiet_to": gettext("Quiet hours are twelve hours a day at most.")})
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    chosen = PlayingTime(user=user, timezone=zone, quiet_from=quiet_from, quiet_to=quiet_to)
    chosen.full_clean(validate_unique=False)
    fields = {"timezone": zone, "quiet_from": quiet_from, "quiet_to": quiet_to}
    PlayingTime.objects.update_or_create(user=user, defaults=fields)
    _clocks_follow(user)


@transaction.atomic
def holiday_take(*, user: User, first_day: date, last_day: date) -> Holiday:
    """Let an account's clocks stand still from one day to another, both included, in its time zone.

    A holiday that begins today begins now. Raises `ValidationError` by field: for days that are
    over or further away than `AHEAD`, for days that another holiday has, and beyond
    `HOLIDAYS_A_YEAR` days of a calendar year."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    zone = ZoneInfo(playing_time_of(user).timezone)
    now = timezone.now()
    today = now.astimezone(zone).date()
    if first_day < today:
        raise ValidationError({"first_day": gettext("That day is over.")})
    if last_day > today + AHEAD:
        raise ValidationError({"last_day": gettext("Holidays can be taken for the coming year.")})
    if last_day < first_day:
        raise ValidationError({"last_day": gettext("A holiday ends on its first day or later.")})
    if Holiday.objects.filter(user=user, first_day__lte=last_day, last_day__gte=first_day).exists():
        raise ValidationError({"first_day": gettext("You have a holiday in these days already.")})
    _refuse_too_many(user, first_day, last_day)
    holiday = Holiday.objects.create(
        user=user,
        first_day=first_day,
        last_day=last_day,
        begins_at=max(_midnight(first_day, zone), now),
        ends_at=_midnight(last_day + DAY, zone),
    )
    _clocks_follow(user)
    return holiday


@transaction.atomic
def holiday_end(*, user: User, holiday: Holiday) -> None:
    """End a holiday now, with today as its last day; one that hasn't begun is dropped. Twice is
    once."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    now = timezone.now()
    today = now.astimezone(ZoneInfo(playing_time_of(user).timezone)).date()
    going_on = Holiday.objects.filter(pk=holiday.pk, ends_at__gt=now)
    if not going_on.filter(begins_at__gt=now).delete()[0]:
        going_on.update(last_day=max(holiday.first_day, min(holiday.last_day, today)), ends_at=now)
    _clocks_follow(user)


def _refuse_too_many(user: User, first_day: date, last_day: date) -> None:
    taken = days_taken(user)
    for year, days in days_by_year(first_day, last_day).items():
        left = HOLIDAYS_A_YEAR - taken.get(year, 0)
        if days > left:
            words = ngettext(
                "Of %(year)d you have %(left)d day of holiday left.",
                "Of %(year)d you have %(left)d days of holiday left.",
                left,
            )
            raise ValidationError({"last_day": words % {"year": year, "left": left}})


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone)


def _clocks_follow(user: User) -> None:
    """Set the account's clocks anew, and let open pages show it."""
    for table in turns_set_anew(user=user):
        table_changed(table)
