"""Queries of accounts' playing times."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone

from engine.grouping import lists_by_key
from league.core.account.models import User
from league.core.club.models import Club
from league.core.member.queries import home_zone
from league.core.player.models import Player
from league.play.playing_time.domain import Pause, PlayerClock, days_by_year
from league.play.playing_time.models import Holiday, PlayingTime


def playing_time_of(user: User) -> PlayingTime:
    """Return the playing time that an account has chosen, or an unsaved default."""
    stored = PlayingTime.objects.filter(user=user).first()
    if stored is not None:
        return stored
    zone = home_zone(user) or _zone_of_first_player(user) or settings.TIME_ZONE
    return PlayingTime(user=user, timezone=zone)


def zone_of(user: User, club: Club) -> str:
    """Return the name of an account's time zone; until it chooses one, that of the club. One
    query.
    """
    chosen = PlayingTime.objects.filter(user=user).values_list("timezone", flat=True).first()
    return chosen or club.timezone


def _zone_of_first_player(user: User) -> str | None:
    players = Player.objects.filter(user=user, merged_into=None).order_by("pk")
    return players.values_list("club__timezone", flat=True).first()


def clocks_of(users: Collection[int]) -> dict[int, PlayerClock]:
    """Return the clocks of accounts, by account. Two queries."""
    playing_times = {row.user_id: row for row in PlayingTime.objects.filter(user__in=users)}
    rows = Holiday.objects.filter(user__in=users)
    holidays = lists_by_key((row.user_id, Pause(row.begins_at, row.ends_at)) for row in rows)
    clocks = {}
    for user in users:
        playing_time = playing_times.get(user)
        if playing_time is None:
            playing_time = PlayingTime(user_id=user, timezone=settings.TIME_ZONE)
        clocks[user] = PlayerClock(
            ZoneInfo(playing_time.timezone),
            playing_time.quiet_from,
            playing_time.quiet_to,
            holidays.get(user, []),
        )
    return clocks


def clock_of(user: int | None) -> PlayerClock:
    """Return the clock of an account. The clock of a guest (None) always runs."""
    if user is None:
        return PlayerClock(ZoneInfo(settings.TIME_ZONE))
    return clocks_of([user])[user]


def away_until(users: Collection[int], at: datetime) -> dict[int, datetime]:
    """Return which of these accounts are on holiday, and until when. One query."""
    rows = Holiday.objects.filter(user__in=users, begins_at__lte=at, ends_at__gt=at)
    return dict(rows.order_by("ends_at").values_list("user", "ends_at"))


def holidays_of(user: User) -> list[Holiday]:
    """Return the current and coming holidays of an account, the next first."""
    return list(Holiday.objects.filter(user=user, ends_at__gt=timezone.now()))


def holiday_of(user: User, public_id: str) -> Holiday:
    """Return a holiday of an account. Raise `Holiday.DoesNotExist`."""
    return Holiday.objects.get(user=user, public_id=public_id)


def days_taken(user: User) -> dict[int, int]:
    """Return by year how many days of holiday an account has taken. One query."""
    taken: dict[int, int] = {}
    for first, last in Holiday.objects.filter(user=user).values_list("first_day", "last_day"):
        for year, days in days_by_year(first, last).items():
            taken[year] = taken.get(year, 0) + days
    return taken
