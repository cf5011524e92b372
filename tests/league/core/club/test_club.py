"""A new club of an operator."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Club
from tests.factories.league import OperatorFactory

pytestmark = pytest.mark.django_db


def test_an_operator_founds_a_club(client: Client) -> None:
    client.force_login(OperatorFactory.create())
    found = {"name": "Würfelrunde", "slug": "", "timezone": "Europe/Amsterdam", "language": "nl"}
    for _ in range(2):
        assert client.post(reverse("club-found"), found, follow=True).status_code == 200
    assert list(Club.objects.order_by("pk").values_list("slug", flat=True)) == [
        "wurfelrunde",
        "wurfelrunde-2",
    ]
    html = client.get("/").content.decode()
    assert 'href="/admin/"' in html
