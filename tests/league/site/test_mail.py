"""A service without a mail server: no page says that a letter is under way, and links go to who may
hand them on."""

from __future__ import annotations

import re
from typing import Final

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from league.core.account.queries.setup import setup_token
from league.events.entry.services.self_entry import entry_by_mail_ask
from league.models import Entry, EntryByMail, Event, Season, User
from tests.factories import events
from tests.factories.league import MembershipFactory, OperatorFactory, UserFactory

pytestmark = pytest.mark.django_db
NO_MAIL: Final = "This service doesn’t send emails."
UNDER_WAY: Final = re.compile(
    "on its way|sent there|We send|We’ll send|Email me a link|Check your email"
)
SENT: Final = [
    *[
        "account_reset_password",
        "account_reset_password_done",
        "account_email",
        "notices",
        "desk-members",
    ],
    *["event-enter", "desk-event-notices", "service"],
]
"""Pages that send letters, or say that some were sent."""
FOR_ANYBODY: Final = ("account_reset_password", "account_reset_password_done", "event-enter")


@pytest.fixture
def night(season: Season) -> Event:
    return events.event(season, "night-1")


@pytest.fixture
def operator(season: Season) -> User:
    user: User = OperatorFactory.create(email="wirtin@example.org")
    return MembershipFactory.create(club=season.club, user=user).user


def words(client: Client, name: str, night: Event) -> str:
    event = [night.club.slug, night.slug]
    places = {"desk-members": [night.club.slug], "event-enter": event, "desk-event-notices": event}
    answer = client.get(reverse(name, args=places.get(name, [])))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("name", SENT)
def test_every_page_that_would_send_says_that_nothing_is_sent(
    client: Client, operator: User, night: Event, name: str
) -> None:
    if name not in FOR_ANYBODY:
        client.force_login(operator)
    html = words(client, name, night)
    assert NO_MAIL in html
    assert not UNDER_WAY.search(html)


@pytest.mark.parametrize("name", SENT)
@pytest.mark.usefixtures("mail_server")
def test_no_page_says_so_where_mail_leaves(
    client: Client, operator: User, night: Event, name: str
) -> None:
    if name not in FOR_ANYBODY:
        client.force_login(operator)
    html = words(client, name, night)
    assert NO_MAIL not in html
    assert UNDER_WAY.search(html) or name not in FOR_ANYBODY


@pytest.mark.django_db
def test_the_first_start_warns_and_leads_to_the_manual(client: Client, settings: object) -> None:
    html = client.get(reverse("setup"), {"token": setup_token()}).content.decode()
    assert NO_MAIL in html
    assert 'href="/docs/mail"' in html


def test_the_service_says_what_becomes_of_letters(client: Client, operator: User) -> None:
    client.force_login(operator)
    html = client.get(reverse("service")).content.decode()
    assert "all emails have been sent" not in html
    assert "nobody received it" in html


def test_a_stranger_never_gets_the_link_of_a_password(client: Client, operator: User) -> None:
    page = client.post(reverse("account_reset_password"), {"email": operator.email}, follow=True)
    assert NO_MAIL in page.content.decode()
    assert "/password/reset/key/" not in page.content.decode()
    assert len(mail.outbox) == 1


def test_an_operator_makes_the_link_of_a_password_and_hands_it_on(
    client: Client, operator: User
) -> None:
    user: User = UserFactory.create(username="karla", email="karla@example.org")
    client.force_login(operator)
    html = client.post(reverse("password-link"), {"who": "Karla@example.org"}).content.decode()
    link = re.search(r"http://localhost:8000(/accounts/password/reset/key/[^<\s]+)", html)
    assert link
    reader = Client()
    path = reader.get(link[1], follow=True).redirect_chain[-1][0]
    reader.post(path, {"password1": "another-good-one", "password2": "another-good-one"})
    user.refresh_from_db()
    assert user.check_password("another-good-one")
    assert "no longer works" in Client().get(link[1], follow=True).content.decode()


@pytest.mark.parametrize("who", ["nobody", "gone"])
def test_there_is_no_link_for_who_has_no_account(client: Client, operator: User, who: str) -> None:
    UserFactory.create(username="gone", is_active=False)
    client.force_login(operator)
    html = client.post(reverse("password-link"), {"who": who}).content.decode()
    assert "There’s no such account." in html
    assert "/reset/key/" not in html


def test_the_link_of_a_password_is_for_operators_alone(client: Client, season: Season) -> None:
    UserFactory.create(username="karla")
    client.force_login(MembershipFactory.create(club=season.club).user)
    assert client.post(reverse("password-link"), {"who": "karla"}).status_code == 404


def test_who_asks_without_an_account_is_told_to_ask_the_organisers(
    client: Client, night: Event
) -> None:
    address = reverse("event-enter", args=[night.club.slug, night.slug])
    answer = client.post(address, {"do": "enter", "name": "Nora", "email": "nora@example.org"})
    html = " ".join(answer.content.decode().split())
    assert NO_MAIL in html
    assert not UNDER_WAY.search(html)
    assert "/entries/by-mail/" not in html


def test_an_organiser_hands_the_link_of_an_entry_on(
    client: Client, operator: User, night: Event
) -> None:
    first, _ = entry_by_mail_ask(event=night, name="Nora", email="nora@example.org")
    client.force_login(operator)
    address = reverse("desk-entries-asked", args=[night.club.slug, night.slug])
    assert (
        f'href="{address}"'
        in client.get(reverse("desk-entries", args=[night.club.slug, night.slug])).content.decode()
    )
    listed = client.get(address).content.decode()
    assert "Nora" in listed
    assert "nora@example.org" not in listed
    html = client.post(address, {"asked": EntryByMail.objects.get().pk}).content.decode()
    link = re.search(r"http://localhost:8000(/entries/by-mail/[^<\s]+)", html)
    assert link
    reader = Client()
    assert reader.get(f"/entries/by-mail/{first}/").status_code == 200, (
        "the link of the letter opens the same"
    )
    reader.post(link[1], {"do": "enter", "name": "Nora"})
    assert Entry.objects.get().player.name == "Nora"
    assert "Nobody is waiting for a link" in client.get(address).content.decode()


@pytest.mark.parametrize("asked", ["", "0", "x", "²"])
def test_a_link_is_made_for_nobody_who_did_not_ask(
    client: Client, operator: User, night: Event, asked: str
) -> None:
    client.force_login(operator)
    address = reverse("desk-entries-asked", args=[night.club.slug, night.slug])
    assert client.post(address, {"asked": asked}).status_code == 404
