"""Signing in and out, passwords, and what happens after too many wrong ones."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from league.models import User
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db

PASSWORD = "seven-cups-and-a-star"
PAGES = [
    "account_login",
    "account_reset_password",
    "account_reset_password_done",
    "account_signup",
    "account_inactive",
]


@pytest.fixture
def user() -> User:
    made: User = UserFactory.create(username="karla", email="karla@example.org")
    made.set_password(PASSWORD)
    made.save()
    return made


def sign_in(client: Client, password: str = PASSWORD, **more: str) -> Any:
    return client.post(
        reverse("account_login"), {"login": "karla@example.org", "password": password, **more}
    )


@pytest.mark.parametrize("name", PAGES)
def test_pages_for_everybody_are_in_our_design(client: Client, name: str) -> None:
    html = client.get(reverse(name)).content.decode()
    assert "league/app.css" in html
    assert 'class="narrow"' in html


@pytest.mark.parametrize("name", ["account_email", "account_change_password", "account_logout"])
def test_pages_for_accounts_are_in_our_design(client: Client, user: User, name: str) -> None:
    client.force_login(user)
    html = client.get(reverse(name)).content.decode()
    assert "league/app.css" in html
    assert 'class="narrow"' in html


def test_signing_in_leads_where_one_wanted_to_go(client: Client, user: User) -> None:
    html = client.get(reverse("account_login") + "?next=/docs/").content.decode()
    assert '<input type="hidden" name="next" value="/docs/"' in html
    assert sign_in(client, next="/docs/")["Location"] == "/docs/"


def test_signing_in_leads_to_no_other_host(client: Client, user: User) -> None:
    assert sign_in(client, next="https://evil.example/")["Location"] == reverse("home")


def test_a_wrong_password_is_told_without_telling_which_half_was_wrong(
    client: Client, user: User
) -> None:
    wrong = sign_in(client, "wrong").content.decode()
    assert "note-error" in wrong
    unknown = client.post(
        reverse("account_login"), {"login": "nobody@example.org", "password": "wrong"}
    )
    message = re.compile(r"note-error.*?<div>(.*?)</div>", re.DOTALL)
    assert message.findall(wrong) == message.findall(unknown.content.decode())


def test_too_many_wrong_passwords_lock_and_say_for_how_long(
    client: Client, user: User, settings: Any
) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        response = sign_in(client, "wrong")
    assert response.status_code == 429
    html = response.content.decode()
    assert "Too many attempts" in html
    assert f"{settings.AXES_FAILURE_LIMIT} times" in html
    assert "in 15 minutes" in html
    assert sign_in(client).status_code == 429


def test_others_at_the_same_address_are_not_locked_out(
    client: Client, user: User, settings: Any
) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        client.post(
            reverse("account_login"), {"login": "Somebody@example.org", "password": "wrong"}
        )
    again = client.post(
        reverse("account_login"), {"login": "somebody@Example.org", "password": "wrong"}
    )
    assert again.status_code == 429
    assert sign_in(client)["Location"] == reverse("home")


def test_the_administration_has_no_sign_in_of_its_own(client: Client, user: User) -> None:
    User.objects.update(is_staff=True)
    page = client.post(reverse("admin:login"), {"username": "karla", "password": PASSWORD})
    assert page["Location"].startswith(reverse("account_login"))
    assert "_auth_user_id" not in client.session


def test_signing_out_asks_first_and_is_a_post(client: Client, user: User) -> None:
    client.force_login(user)
    assert "Sign out?" in client.get(reverse("account_logout")).content.decode()
    assert "_auth_user_id" in client.session
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session


def test_nobody_signs_up(client: Client) -> None:
    html = client.get(reverse("account_signup")).content.decode()
    assert "Accounts come with an invitation" in html
    client.post(
        reverse("account_signup"),
        {"email": "x@example.org", "password1": PASSWORD, "password2": PASSWORD},
    )
    assert not User.objects.exists()


def test_a_forgotten_password_is_set_anew_by_a_link_in_a_mail(client: Client, user: User) -> None:
    response = client.post(reverse("account_reset_password"), {"email": user.email})
    assert response["Location"] == reverse("account_reset_password_done")
    (message,) = mail.outbox
    assert "Set a new password" in message.subject
    assert "do nothing" in message.body
    link = re.search(r"http://localhost:8000(/\S+)", str(message.body))
    assert link
    page = client.get(link[1], follow=True)
    html = page.content.decode()
    assert "New password" in html
    path = page.redirect_chain[-1][0]
    done = client.post(
        path, {"password1": "another-good-one", "password2": "another-good-one"}, follow=True
    )
    assert "Your new password is set" in done.content.decode()
    assert "no longer works" in Client().get(link[1], follow=True).content.decode()
    assert sign_in(client, "another-good-one").status_code == 302


def test_an_unknown_address_learns_it_by_mail_and_not_on_the_page(
    client: Client, user: User
) -> None:
    response = client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert response["Location"] == reverse("account_reset_password_done")
    (message,) = mail.outbox
    assert "There’s no such account here" in message.body
    assert "sign up" not in message.body


def test_the_password_can_be_changed(client: Client, user: User) -> None:
    client.force_login(user)
    client.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": "another-good-one", "password2": "another-good-one"},
    )
    user.refresh_from_db()
    assert user.check_password("another-good-one")


def confirm_link() -> str:
    """The link in the newest mail that asks for a new address to be confirmed."""
    found = re.search(r"http://localhost:8000(/\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


@pytest.mark.usefixtures("mail_server")
def test_an_address_changes_once_its_owner_opens_the_link(client: Client, user: User) -> None:
    client.force_login(user)
    page = client.post(
        reverse("account_email"), {"action_add": "", "email": "new@example.org"}, follow=True
    )
    assert "new@example.org isn’t confirmed yet" in page.content.decode()
    assert mail.outbox[-1].to == ["new@example.org"]
    assert "karla" in str(mail.outbox[-1].body)
    user.refresh_from_db()
    assert user.email == "karla@example.org"

    link = confirm_link()
    assert "Is this your new address?" in client.get(link).content.decode()
    client.post(link)
    user.refresh_from_db()
    assert user.email == "new@example.org"
    assert "no longer works" in client.get(link).content.decode()


def test_nobody_takes_the_address_of_another_account(client: Client, user: User) -> None:
    UserFactory.create(username="otto", email="otto@example.org")
    client.force_login(user)
    client.post(reverse("account_email"), {"action_add": "", "email": "otto@example.org"})
    client.post(reverse("account_email"), {"action_primary": "", "email": "otto@example.org"})
    user.refresh_from_db()
    assert user.email == "karla@example.org"
    page = client.post(confirm_link(), follow=True)
    assert page.status_code == 200
    assert "Another account uses this address" in page.content.decode()
    user.refresh_from_db()
    assert user.email == "karla@example.org"


def test_a_change_of_address_can_be_taken_back(client: Client, user: User) -> None:
    client.force_login(user)
    client.post(reverse("account_email"), {"action_add": "", "email": "new@example.org"})
    page = client.post(
        reverse("account_email"), {"action_remove": "", "email": "new@example.org"}, follow=True
    )
    assert "isn’t confirmed yet" not in page.content.decode()
    user.refresh_from_db()
    assert user.email == "karla@example.org"
