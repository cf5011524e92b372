"""Choosing quiet hours, and taking holidays, on a page of the account's own."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time
from unittest.mock import patch

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league.models import Club, Holiday, PlayingTime, User
from league.play.playing_time.domain import HOLIDAYS_A_YEAR
from league.play.playing_time.queries import days_taken, playing_time_of
from league.play.playing_time.services import holiday_end, holiday_take, playing_time_set
from league.site.own_data.queries import own_data
from league.site.own_data.services import account_forget
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def user() -> User:
    made: User = UserFactory.create()
    playing_time_set(user=made, zone="Europe/Berlin", quiet_from=None, quiet_to=None)
    return made


def taken(user: User, first: str, last: str) -> Holiday:
    with patch("django.utils.timezone.now", return_value=NOW):
        return holiday_take(
            user=user, first_day=date.fromisoformat(first), last_day=date.fromisoformat(last)
        )


def test_a_holiday_goes_from_midnight_to_midnight_in_the_accounts_zone(user: User) -> None:
    holiday = taken(user, "2026-12-05", "2026-12-06")
    assert holiday.begins_at == datetime(2026, 12, 4, 23, tzinfo=UTC)
    assert holiday.ends_at == datetime(2026, 12, 6, 23, tzinfo=UTC)


def test_a_holiday_that_begins_today_begins_now(user: User) -> None:
    assert taken(user, "2026-12-01", "2026-12-02").begins_at == NOW


@pytest.mark.parametrize(
    ("first", "last", "field"),
    [
        ("2026-11-30", "2026-12-02", "first_day"),
        ("2026-12-05", "2026-12-04", "last_day"),
        ("2026-12-02", "2026-12-24", "last_day"),
        ("2028-01-01", "2028-01-02", "last_day"),
        ("9999-12-30", "9999-12-31", "last_day"),
    ],
)
def test_days_that_cant_be_taken_are_refused_at_their_field(
    user: User, first: str, last: str, field: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        taken(user, first, last)
    assert list(refused.value.message_dict) == [field]
    assert not Holiday.objects.exists()


def test_a_year_has_so_many_days_and_the_next_year_as_many_again(user: User) -> None:
    taken(user, "2026-12-02", "2026-12-21")
    taken(user, "2026-12-31", "2027-01-21")
    assert days_taken(user) == {2026: HOLIDAYS_A_YEAR, 2027: HOLIDAYS_A_YEAR}
    for day in ("2026-12-25", "2027-05-01"):
        with pytest.raises(ValidationError):
            taken(user, day, day)


def test_no_day_is_taken_twice(user: User) -> None:
    taken(user, "2026-12-05", "2026-12-06")
    with pytest.raises(ValidationError):
        taken(user, "2026-12-06", "2026-12-08")


def test_a_holiday_that_is_ended_counts_with_today_and_one_to_come_is_dropped(user: User) -> None:
    going_on, to_come = (
        taken(user, "2026-12-01", "2026-12-05"),
        taken(user, "2026-12-10", "2026-12-12"),
    )
    with patch("django.utils.timezone.now", return_value=NOW):
        deleted = [
            holiday_end(user=user, holiday=holiday) for holiday in (going_on, to_come, going_on)
        ]
    assert deleted == [False, True, False], "the page says which"
    assert list(Holiday.objects.values_list("last_day", "ends_at")) == [(date(2026, 12, 1), NOW)]
    assert days_taken(user) == {2026: 1}


@pytest.mark.parametrize(
    ("first", "last"), [(time(22), None), (None, time(8)), (time(8), time(21)), (time(8), time(8))]
)
def test_quiet_hours_have_both_ends_and_twelve_hours_at_most(
    user: User, first: time | None, last: time | None
) -> None:
    with pytest.raises(ValidationError):
        playing_time_set(user=user, zone="Europe/Berlin", quiet_from=first, quiet_to=last)
    assert PlayingTime.objects.get().quiet_from is None


def test_until_one_chooses_the_zone_is_that_of_ones_club(club: Club) -> None:
    Club.objects.update(timezone="America/New_York")
    nobody, member, player = (UserFactory.create() for _ in range(3))
    MembershipFactory.create(club=club, user=member)
    PlayerFactory.create(club=club, user=player)
    zones = [playing_time_of(user).timezone for user in (nobody, member, player)]
    assert zones == ["UTC", "America/New_York", "America/New_York"]
    assert not PlayingTime.objects.exists()


def test_the_page_takes_both_and_says_what_is_wrong(user: User) -> None:
    client = Client()
    client.force_login(user)
    address = reverse("playing-time")
    quiet = {"do": "quiet", "timezone": "Europe/Berlin", "quiet_from": "22:00", "quiet_to": "08:00"}
    assert client.post(address, quiet).status_code == 302
    assert PlayingTime.objects.get().quiet_to == time(8)
    wrong = client.post(address, quiet | {"quiet_to": ""})
    assert "Say both" in wrong.content.decode()
    assert (
        "Select a valid choice"
        in client.post(address, quiet | {"timezone": "Mars/Olympus"}).content.decode()
    )
    past = {"do": "holiday", "first_day": "2001-01-01", "last_day": "2001-01-02"}
    assert "That day has passed" in client.post(address, past).content.decode()
    assert Client().get(address).status_code == 302


def test_nobody_ends_the_holiday_of_somebody_else(user: User) -> None:
    holiday = taken(user, "2026-12-05", "2026-12-06")
    other = Client()
    other.force_login(UserFactory.create())
    assert other.post(reverse("holiday-end", args=[holiday.public_id])).status_code == 404
    assert Holiday.objects.exists()


def test_an_account_takes_its_playing_times_along_and_leaves_none_behind(user: User) -> None:
    taken(user, "2026-12-05", "2026-12-06")
    text = json.dumps(own_data(user), default=str)
    assert "2026-12-05" in text
    assert "league.playingtime.user" in text
    account_forget(user=user)
    assert not Holiday.objects.exists()
    assert not PlayingTime.objects.exists()
