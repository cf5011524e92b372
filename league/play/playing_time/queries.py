"""The playing times of accounts."""

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
    """Read what an account has chosen, or what holds until it does; not stored then."""
    stored = PlayingTime.objects.filter(user=user).first()
    return stored or PlayingTime(
        user=user, timezone=home_zone(user) or _player_zone(user) or settings.TIME_ZONE
    )


def zone_of(user: User, club: Club) -> str:
    """Read the name of an account's time zone; until it chooses one, that of the club in which it
    plays. One query."""
    chosen = PlayingTime.objects.filter(user=user).values_list("timezone", flat=True).first()
    return chosen or club.timezone


def _player_zone(user: User) -> str | None:
    """The time zone of the club in which an account was a player first."""
    players = Player.objects.filter(user=user, merged_into=None).order_by("pk")
    return players.values_list("club__timezone", flat=True).first()


def clocks_of(users: Collection[int]) -> dict[int, PlayerClock]:
    """Read the clocks of accounts, by account. Two queries."""
    rows = {row.user_id: row for row in PlayingTime.objects.filter(user__in=users)}
    coming = Holiday.objects.filter(user__in=users)
    holidays = lists_by_key((row.user_id, Pause(row.begins_at, row.ends_at)) for row in coming)
    clocks = {}
    for user in users:
        row = rows.get(user) or PlayingTime(user_id=user, timezone=settings.TIME_ZONE)
        clocks[user] = PlayerClock(
            ZoneInfo(row.timezone), row.quiet_from, row.quiet_to, holidays.get(user, [])
        )
    return clocks


def clock_of(user: int | None) -> PlayerClock:
    """Read the clock of an account; that of a guest always runs."""
    if user is None:
        return PlayerClock(ZoneInfo(settings.TIME_ZONE))
    return clocks_of([user])[user]


def away_until(users: Collection[int], at: datetime) -> dict[int, datetime]:
    """Read which of these accounts are on holiday, and until when. One query."""
    rows = Holiday.objects.filter(user__in=users, begins_at__lte=at, ends_at__gt=at)
    return dict(rows.order_by("ends_at").values_list("user", "ends_at"))


def holidays_of(user: User) -> list[Holiday]:
    """Read the holidays of an account that aren't over, the next first."""
    return list(Holiday.objects.filter(user=user, ends_at__gt=timezone.now()))


def holiday_of(user: User, public_id: str) -> Holiday:
    """Read a holiday of an account. Raises `Holiday.DoesNotExist`."""
    return Holiday.objects.get(user=user, public_id=public_id)


def days_taken(user: User) -> dict[int, int]:
    """Read how many days of holiday an account has taken, by year. One query."""
    taken: dict[int, int] = {}
    for first, last in Holiday.objects.filter(user=user).values_list("first_day", "last_day"):
        for year, days in days_by_year(first, last).items():
            taken[year] = taken.get(year, 0) + days
    return taken
