"""A club whose organiser and scorer have a key each, and a way to ask by them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.models import Club, Role, Season
from tests.factories.league import SeasonFactory
from tests.league.core.frame.api.programs import bearer, member_key

Ask = Callable[..., Any]


def asker(secret: str) -> Ask:
    """Ask for a path below /api/v1 by a key: GET, or with a body POST (`method`)."""

    def ask(
        path: str,
        body: Any = None,
        *,
        method: str = "POST",
        kind: str = "application/json",
        **headers: str,
    ) -> Any:
        headers = (bearer(secret) if secret else {}) | headers
        if body is None:
            return Client().get(f"/api/v1{path}", headers=headers)
        return Client().generic(
            method, f"/api/v1{path}", _bytes(body), content_type=kind, headers=headers
        )

    return ask


def _bytes(body: Any) -> Any:
    return body if isinstance(body, bytes) else json.dumps(body)


@pytest.fixture
def season(club: Club) -> Season:
    """A season that counts places."""
    return SeasonFactory.create(club=club, slug="autumn", scoring="placement")


@pytest.fixture
def run(club: Club) -> Ask:
    """Ask as an organiser."""
    return asker(member_key(club, Role.ORGANISER)[0])


@pytest.fixture
def score(secret: str) -> Ask:
    """Ask as a scorer."""
    return asker(secret)


@pytest.fixture
def look() -> Ask:
    """Ask as nobody."""
    return asker("")
