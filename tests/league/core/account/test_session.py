"""Where an account is signed in, as its owner sees and ends it."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from league.core.account.domain.browser import browser_name
from league.models import User
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db

PASSWORD = "seven-cups-and-a-star"
PAGE = "/accounts/sessions/"
WINDOWS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 "
    "Edg/140.0.0.0"
)
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 "
    "Safari/604.1"
)


@pytest.fixture
def user() -> User:
    made: User = UserFactory.create(username="Karla", email="karla@example.org")
    made.set_password(PASSWORD)
    made.save()
    return made


def signed_in(agent: str = "") -> Client:
    browser = Client(headers={"user-agent": agent})
    browser.post(reverse("account_login"), {"login": "karla@example.org", "password": PASSWORD})
    return browser


def open_for(browser: Client) -> bool:
    return browser.get(PAGE).status_code == 200


def test_each_browser_is_listed_by_what_its_owner_calls_it(user: User) -> None:
    desk, _ = signed_in(WINDOWS), signed_in(IPHONE)
    html = " ".join(desk.get(PAGE).content.decode().split())
    assert "Edge, Windows" in html
    assert "Safari, iPhone" in html
    assert html.count("Sign out: ") == 1, "here one signs out by the menu"


def test_one_session_or_all_others_are_ended(user: User) -> None:
    here, lost, third = signed_in(), signed_in(IPHONE), signed_in()
    row = UserSession.objects.get(session_key=lost.session.session_key)
    here.post(PAGE, {"session": row.pk})
    assert [open_for(browser) for browser in (here, lost, third)] == [True, False, True]
    here.post(PAGE)
    assert [open_for(browser) for browser in (here, lost, third)] == [True, False, False]


@pytest.mark.parametrize("word", ["0", "9" * 30, "x", "-1"])
def test_nobody_ends_a_session_of_others(user: User, word: str) -> None:
    here = signed_in()
    other = Client()
    other.force_login(UserFactory.create())
    other.post(PAGE, {"session": UserSession.objects.get().pk})
    other.post(PAGE, {"session": word})
    assert open_for(here)


def test_a_new_password_ends_all_others(user: User) -> None:
    here, other = signed_in(), signed_in()
    fields = {
        "oldpassword": PASSWORD,
        "password1": "another-good-one",
        "password2": "another-good-one",
    }
    here.post(reverse("account_change_password"), fields)
    assert [open_for(browser) for browser in (here, other)] == [True, False]
    assert UserSession.objects.count() == 1


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (WINDOWS, "Edge, Windows"),
        (IPHONE, "Safari, iPhone"),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox, Linux",
        ),
        (
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 SamsungBrowser/28.0 "
                "Chrome/130.0 Mobile Safari/537.36"
            ),
            "Samsung Internet, Android",
        ),
        ("curl/8.5.0", "unknown browser"),
        ("", "unknown browser"),
    ],
)
def test_a_browser_is_named_by_its_header(header: str, name: str) -> None:
    assert browser_name(header) == name
