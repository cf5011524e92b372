"""Guesses at a password are slowed, and keep nobody out of the own account."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.account.services import phone_create
from league.core.account.web import sign_in as sign_in_module
from league.core.frame import limits
from league.models import Season, User
from tests.factories import events
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db

PASSWORD = "seven-cups-and-a-star"
ADDRESS = "karla@example.org"


@pytest.fixture(autouse=True)
def _limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few wrong passwords in a window that doesn't end meanwhile."""
    settings.RATE_LIMITS = {
        "account": (4, 3600),
        "first_tries": (2, 3600),
        "known_browser": (3, 900),
        "sign_in": (30, 60),
        "letters": (6, 86400),
    }
    settings.AXES_FAILURE_LIMIT = 6
    monkeypatch.setattr(limits, "time", lambda: 3600 * 500_000)


@pytest.fixture(autouse=True)
def karla() -> User:
    made: User = UserFactory.create(username="karla", email=ADDRESS)
    made.set_password(PASSWORD)
    made.save()
    return made


def tries(number: int, password: str = "wrong", *, client: Client | None = None) -> int:
    """The status of a try from the address of that number."""
    fields = {"login": ADDRESS, "password": password}
    return (
        (client or Client())
        .post(reverse("account_login"), fields, REMOTE_ADDR=f"203.0.113.{number}")
        .status_code
    )


def guessed() -> None:
    """Somebody has guessed from many addresses."""
    for number in range(4):
        tries(number)


def test_who_guesses_from_many_addresses_has_few_tries_at_each() -> None:
    guessed()
    assert [tries(100) for _ in range(3)] == [200, 200, 429]
    assert [tries(101) for _ in range(3)] == [200, 200, 429]


def test_the_owner_gets_in_from_an_address_that_has_tried_nothing() -> None:
    guessed()
    assert tries(9, PASSWORD) == 302


def test_a_browser_that_was_signed_in_before_gets_in_where_others_have_guessed() -> None:
    known = Client()
    assert tries(1, PASSWORD, client=known) == 302
    known.post(reverse("account_logout"))
    for _ in range(20):
        tries(1)
    assert tries(1, PASSWORD) == 429
    assert tries(1, client=known) == 200
    assert tries(1, PASSWORD, client=known) == 302


def test_a_known_browser_is_no_way_to_guess() -> None:
    known = Client()
    tries(1, PASSWORD, client=known)
    known.post(reverse("account_logout"))
    guessed()
    statuses = [tries(1, client=known) for _ in range(8)]
    assert statuses[:3] == [200, 200, 200]
    assert statuses[-1] == 429


def test_a_browser_is_known_for_its_own_accounts_alone() -> None:
    ben = UserFactory.create(username="ben", email="ben@example.org")
    ben.set_password(PASSWORD)
    ben.save()
    client = Client()
    client.post(reverse("account_login"), {"login": "ben@example.org", "password": PASSWORD})
    client.post(reverse("account_logout"))
    guessed()
    assert [tries(50, client=client) for _ in range(3)] == [200, 200, 429]


@pytest.mark.parametrize("cookie", ["", "x", "WyJhIl0:1:x"])
def test_a_cookie_that_nobody_signed_says_nothing(cookie: str) -> None:
    client = Client()
    client.cookies[sign_in_module.COOKIE] = cookie
    guessed()
    assert [tries(50, client=client) for _ in range(3)] == [200, 200, 429]


def test_what_is_refused_does_not_count_on(settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 3
    for _ in range(30):
        tries(1)
    assert tries(2) == 200, "of thirty tries three were checked"


def ask_for_letter(number: int, *, client: Client | None = None) -> str:
    """The page that answers who forgot a password and asks from the address of that number."""
    address = f"203.0.113.{number}"
    page = (client or Client()).post(
        reverse("account_reset_password"), {"email": ADDRESS}, REMOTE_ADDR=address, follow=True
    )
    return page.content.decode()


def test_asking_for_letters_keeps_nobody_out() -> None:
    for _ in range(20):
        ask_for_letter(1)
    assert len(mail.outbox) == 6
    assert tries(99, PASSWORD) == 302
    ask_for_letter(99)
    assert len(mail.outbox) == 8, "the owner’s letters are counted apart; one tells of the sign-in"


@pytest.mark.usefixtures("mail_server")
def test_who_asks_for_too_many_letters_is_told_so() -> None:
    assert "Too many emails" not in [ask_for_letter(1) for _ in range(6)][-1]
    assert "Too many emails were sent to this address today" in ask_for_letter(1)


def test_the_owners_browser_gets_a_letter_where_others_have_asked_from_the_same_address() -> None:
    known = Client()
    tries(1, PASSWORD, client=known)
    known.post(reverse("account_logout"))
    for _ in range(20):
        ask_for_letter(1)
    ask_for_letter(1, client=known)
    assert len(mail.outbox) == 8, "one of them tells of the sign-in"
    for _ in range(20):
        ask_for_letter(1, client=known)
    assert len(mail.outbox) == 13, "it has a limit of its own"


def test_letters_of_other_kinds_use_up_none_of_the_owners(season: Season) -> None:
    page = reverse("event-enter", args=[season.club.slug, events.event(season).slug])
    for number in range(20):
        wish = {"do": "enter", "name": "Karla", "email": ADDRESS}
        Client().post(page, wish, REMOTE_ADDR=f"203.0.113.{number}")
    before = len(mail.outbox)
    ask_for_letter(99)
    assert len(mail.outbox) == before + 1


def test_a_browser_where_nobody_was_signed_in_before_is_told_of_by_letter(karla: User) -> None:
    android = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
    fields = {"login": ADDRESS, "password": PASSWORD}
    browser = Client(headers={"user-agent": android})
    browser.post(reverse("account_login"), fields)
    (letter,) = mail.outbox
    assert letter.to == [ADDRESS]
    assert "Firefox, Android" in str(letter.body)
    assert f"http://localhost:8000{reverse('account-sessions')}" in str(letter.body)
    browser.post(reverse("account_logout"))
    browser.post(reverse("account_login"), fields)
    assert len(mail.outbox) == 1, "this browser is known now"
    Client().post(reverse("account_login"), fields)
    assert len(mail.outbox) == 2


def test_a_phone_that_is_used_stays_signed_in() -> None:
    phone = Client()
    phone.force_login(phone_create())
    session = phone.session
    session[sign_in_module.SEEN] = "2026-11-01"
    session.save()
    Session.objects.update(expire_date=timezone.now() + timedelta(days=1))
    phone.get(reverse("my-tables"))
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=1)
    assert phone.session[sign_in_module.SEEN] == timezone.now().date().isoformat()
