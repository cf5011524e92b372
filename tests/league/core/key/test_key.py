"""Everybody in a club makes keys of their own: the secret is shown once."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.core.key.services.key import key_create
from league.models import ApiKey, Club, Role
from tests.factories.league import ClubFactory, MembershipFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="stern")


@pytest.fixture
def scorer(client: Client, club: Club) -> Client:
    client.force_login(MembershipFactory.create(club=club, role=Role.SCORER).user)
    return client


PAGE = "/clubs/stern/desk/keys/"


def test_a_key_is_made_shown_once_used_and_revoked(scorer: Client, club: Club) -> None:
    answer = scorer.post(PAGE, {"label": "Table tablet"})
    found = re.search(r"cups_[\w-]+", answer.content.decode())
    assert found
    secret = found[0]
    assert "no-store" in answer["Cache-Control"]
    html = scorer.get(PAGE).content.decode()
    assert secret not in html
    assert "never" in html
    asked = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/v1/clubs/stern/", headers=asked).status_code == 200
    key = ApiKey.objects.get()
    assert "never" not in scorer.get(PAGE).content.decode()
    revoke = reverse("desk-key", args=["stern", key.public_id])
    assert revoke in scorer.get(PAGE).content.decode()
    assert "Key revoked." in scorer.post(revoke, {"reason": ""}, follow=True).content.decode()
    assert Client().get("/api/v1/clubs/stern/", headers=asked).status_code == 401
    assert revoke not in scorer.get(PAGE).content.decode()


def test_one_sees_ones_own_keys_and_an_organiser_all(scorer: Client, club: Club) -> None:
    organiser = MembershipFactory.create(club=club).user
    key_create(club=club, user=organiser, label="Scoreboard")
    scorer.post(PAGE, {"label": "Table tablet"})
    html = scorer.get(PAGE).content.decode()
    assert "Table tablet" in html
    assert "Scoreboard" not in html
    scorer.force_login(organiser)
    html = scorer.get(PAGE).content.decode()
    assert "Table tablet" in html
    assert "Scoreboard" in html


def test_a_key_needs_a_name(scorer: Client) -> None:
    assert "This field is required." in scorer.post(PAGE, {"label": " "}).content.decode()
    assert not ApiKey.objects.exists()
