"""The file with all that is stored of an account."""

from __future__ import annotations

import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from league.core.key.services.key import key_create
from league.models import Role, Season, User
from league.site.own_data.queries import own_data
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db

PASSWORD = "seven-cups-and-a-star"


@pytest.fixture
def user(season: Season) -> User:
    made: User = UserFactory.create(username="Karla", email="karla@example.org")
    made.set_password(PASSWORD)
    made.save()
    MembershipFactory.create(club=season.club, user=made, role=Role.ARBITER)
    PlayerFactory.create(club=season.club, handle="karlchen", name="Karla", user=made)
    return made


def test_who_proves_to_be_the_owner_gets_it_as_a_file(client: Client, user: User) -> None:
    client.force_login(user)
    asked = client.get(reverse("account-data"))
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    answer = client.post(asked["Location"], {"password": PASSWORD}, follow=True)
    assert "attachment" in answer["Content-Disposition"]
    data: dict[str, Any] = answer.json()
    assert data["account"]["email"] == "karla@example.org"
    assert data["of_the_account"]["league.membership.user"][0]["role"] == "arbiter"
    player = data["players"][0]
    assert player["player"]["name"] == "Karla"
    assert player["of_the_player"]["league.handle.player"][0]["handle"] == "karlchen"


def test_nothing_in_it_lets_others_in(user: User, season: Season) -> None:
    _, secret = key_create(club=season.club, user=user, label="Board")
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DP"}
    )
    text = json.dumps(own_data(user), default=str)
    assert "Board" in text
    assert "totp" in text
    for hidden in (secret, "JBSWY3DP", user.password, user.api_keys.get().digest):
        assert hidden not in text


def test_nobody_elses_rows_are_in_it(user: User, season: Season) -> None:
    other = UserFactory.create(username="Otto", email="otto@example.org")
    MembershipFactory.create(club=season.club, user=other)
    PlayerFactory.create(club=season.club, handle="otto", user=other)
    assert "otto" not in json.dumps(own_data(user), default=str).lower()
