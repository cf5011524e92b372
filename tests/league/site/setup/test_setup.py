"""The first start: who reads the console makes the first account, and nobody makes a second one
there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.core.account.queries.setup import setup_address, setup_token
from league.core.account.services import account_create
from league.core.club.actions import ClubAction
from league.core.member.actions import MemberAction
from league.models import Club, LogEntry, Membership, User
from league.site.setup.services import SetUpAlready, first_account_create
from tests.factories.league import UserFactory

PASSWORD = "three stars and a lie"


def fields(**changed: str) -> dict[str, str]:
    return {
        "token": setup_token(),
        "username": "wirtin",
        "email": "wirtin@example.org",
        "password": PASSWORD,
        "password_again": PASSWORD,
        "club-name": "Würfelrunde",
        "club-slug": "",
        "club-timezone": "Europe/Amsterdam",
        "club-language": "nl",
        **changed,
    }


@pytest.mark.django_db
def test_an_empty_service_leads_to_its_first_start(client: Client) -> None:
    assert 'href="/setup/"' in client.get("/").content.decode()
    html = client.get("/setup/", {"token": setup_token()}).content.decode()
    assert f'value="{setup_token()}"' in html
    assert setup_token() not in client.get("/setup/").content.decode()


@pytest.mark.django_db
def test_the_first_account_runs_the_service_and_organises_its_club(client: Client) -> None:
    html = client.post("/setup/", fields(), follow=True).content.decode()
    assert "your club has been created" in html
    user, club = User.objects.get(), Club.objects.get()
    assert (user.username, user.is_staff, user.is_superuser) == ("wirtin", True, True)
    assert user.check_password(PASSWORD)
    assert (club.slug, club.timezone, club.language) == ("wurfelrunde", "Europe/Amsterdam", "nl")
    assert Membership.objects.get().role == "organiser"
    entries = LogEntry.objects.filter(club=club).order_by("position")
    assert [(entry.action, entry.actor) for entry in entries] == [
        (ClubAction.CREATED, user),
        (MemberAction.ADDED, user),
    ]
    for page in ("/admin/", "/service/"):
        assert client.get(page)["Location"] == reverse("mfa_index"), "first a second factor"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"token": "0" * 32}, "token", "This isn’t the token the service printed."),
        ({"token": ""}, "token", "Please fill this in."),
        ({"username": "wirtin@example.org"}, "username", "A name can’t contain @."),
        ({"username": ""}, "username", "Please fill this in."),
        ({"email": "wirtin"}, "email", "This isn’t an email address."),
        ({"password": "wirtin", "password_again": "wirtin"}, "password", "too short"),
        ({"club-name": ""}, "club-name", "Please fill this in."),
        ({"club-timezone": "Mars/Olympus"}, "club-timezone", "Select a valid choice."),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_made(
    client: Client, changed: dict[str, str], field: str, said: str
) -> None:
    html = client.post("/setup/", fields(**changed)).content.decode()
    wrong = html[html.index('class="field wrong"') :]
    assert f'id="id_{field}"' in wrong
    assert said in wrong
    assert not User.objects.exists()
    assert not Club.objects.exists()


@pytest.mark.django_db
def test_a_name_is_what_people_are_called(client: Client) -> None:
    client.post("/setup/", fields(username=" Renate Becker "))
    assert User.objects.get().username == "Renate Becker"


@pytest.mark.django_db
def test_what_was_typed_stays_when_something_is_refused(client: Client) -> None:
    html = client.post("/setup/", fields(username="Renate Becker", email="renate")).content.decode()
    for typed in ("Renate Becker", "renate", PASSWORD, "Würfelrunde"):
        assert f'value="{typed}"' in html
    assert html.count(f'value="{PASSWORD}"') == 2
    assert '<option value="Europe/Amsterdam" selected>' in html
    assert '<option value="nl" selected>' in html


@pytest.mark.django_db
def test_once_there_is_an_account_there_is_no_such_page_and_no_way_to_it(client: Client) -> None:
    UserFactory.create()
    assert client.get("/setup/", {"token": setup_token()}).status_code == 404
    assert client.post("/setup/", fields()).status_code == 404
    assert "/setup/" not in client.get("/").content.decode()
    assert User.objects.count() == 1


def test_a_container_says_the_address_that_the_settings_tell(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.HTTPS = ["cups.example"], True
    assert setup_address() == f"https://cups.example/setup/?token={setup_token()}"
    assert (
        setup_address("http://127.0.0.1:8000")
        == f"http://127.0.0.1:8000/setup/?token={setup_token()}"
    )


@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_moment_one_wins() -> None:
    together = Barrier(2)

    def begin(name: str) -> str:
        try:
            together.wait()
            club: dict[str, Any] = {"slug": name, "name": name}
            first_account_create(
                name=name, email=f"{name}@example.org", password=PASSWORD, club=club
            )
        except SetUpAlready:
            return "too late"
        finally:
            connection.close()
        return name

    with ThreadPoolExecutor() as pool:
        ended = sorted(pool.map(begin, ["anna", "ben"]))
    assert "too late" in ended
    assert User.objects.get().username in ended
    assert Club.objects.count() == 1


def test_the_token_follows_from_the_secret(settings: Any) -> None:
    settings.SECRET_KEY = "one"
    first = setup_token()
    assert setup_token() == first
    settings.SECRET_KEY = "another"
    assert setup_token() != first


@pytest.mark.django_db
def test_an_account_that_is_no_operator_has_no_such_rights() -> None:
    user = account_create(name="anna", email="anna@example.org", password=PASSWORD)
    assert (user.is_staff, user.is_superuser) == (False, False)
