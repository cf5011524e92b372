"""How often one may ask: who asks too often is told when to come again, and nobody else is held
up."""

from random import randrange
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings as service
from django.core.cache.backends.redis import RedisCacheClient
from django.test import Client
from django.urls import get_resolver, reverse
from redis.exceptions import RedisError

from league.core.frame import limits
from league.core.frame.limits import limit_use
from league.models import Role, Season, User
from league.records.replay.web import pack
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.records import bluff_record, line

GAME = f"/replay/{pack(line(bluff_record(3)).decode())}/"
LIMITED = (
    "read card enter export replay upload sign_in enter_event subscribe codes claims ask_claim "
    "open_table play practice unsent"
)
LIMITS = dict.fromkeys(LIMITED.split(), (2, 600))


@pytest.fixture(autouse=True)
def start(settings: Any, monkeypatch: pytest.MonkeyPatch) -> int:
    """Two requests in a window that doesn't end meanwhile: one of its own, as all tests share one
    cache."""
    settings.RATE_LIMITS = LIMITS
    start = 600 * randrange(10**9)
    monkeypatch.setattr(limits, "time", lambda: start)
    return start


def test_a_limit_counts_each_one_apart() -> None:
    used = [limit_use("replay", who) for who in ("anna", "anna", "ben", "anna")]
    assert [(usage.used, usage.exceeded) for usage in used if usage] == [
        (1, False),
        (2, False),
        (1, False),
        (3, True),
    ]
    assert limit_use("no such limit", "anna") is None


def test_what_is_left_is_told() -> None:
    usage = limit_use("read", "anna")
    assert usage
    assert usage.headers() == {
        "RateLimit-Policy": '"read";q=2;w=600',
        "RateLimit": '"read";r=1;t=600',
    }
    limit_use("read", "anna")
    refused = limit_use("read", "anna")
    assert refused
    assert refused.headers()["RateLimit"] == '"read";r=0;t=600'
    assert refused.headers()["Retry-After"] == "600"


def test_a_window_ends(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        limit_use("replay", "anna")
    monkeypatch.setattr(limits, "time", lambda: start + 600)
    usage = limit_use("replay", "anna")
    assert usage
    assert usage.used == 1


def test_who_replays_too_often_waits(client: Client) -> None:
    assert [client.get(GAME).status_code for _ in range(3)] == [200, 200, 429]
    refused = client.get(GAME)
    assert refused["Retry-After"] == "600"
    assert "Try again in 600 seconds" in " ".join(refused.content.decode().split())
    assert client.get(GAME, REMOTE_ADDR="203.0.113.9").status_code == 200
    assert client.get(reverse("replay")).status_code == 200, "the form itself has no limit"


def test_no_made_up_address_makes_one_somebody_else(client: Client) -> None:
    answers = [
        client.get(
            GAME, REMOTE_ADDR="203.0.113.9", HTTP_X_FORWARDED_FOR=f"1.1.1.{number}"
        ).status_code
        for number in range(3)
    ]
    assert answers == [200, 200, 429]


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["account_login", "account_reset_password", "mfa_authenticate"])
def test_many_accounts_are_tried_from_one_address_for_nothing(client: Client, page: str) -> None:
    answers = [
        client.post(
            reverse(page),
            {"login": f"{n}", "username": f"{n}", "email": f"{n}@example.org", "password": "x"},
        )
        for n in range(3)
    ]
    assert answers[-1].status_code == 429
    assert answers[1].status_code in (200, 302)


@pytest.mark.django_db
def test_uploads_are_counted_by_account(season: Season) -> None:
    address = reverse("import", args=[season.club.slug, season.slug])
    clients = []
    for _ in range(2):
        client = Client()
        client.force_login(
            MembershipFactory.create(
                club=season.club, role=Role.ORGANISER, user=UserFactory.create()
            ).user
        )
        clients.append(client)
    assert [clients[0].post(address).status_code for _ in range(3)] == [200, 200, 429]
    assert clients[1].post(address).status_code == 200
    assert clients[0].get(address).status_code == 200


@pytest.mark.django_db
def test_a_program_is_told_what_is_left_and_when_to_come_again(
    client: Client, season: Season, secret: str
) -> None:
    key = {"HTTP_AUTHORIZATION": f"Bearer {secret}"}
    address = "/api/v1/clubs/"
    first, _, refused = (client.get(address, **key) for _ in range(3))  # type: ignore[arg-type]
    assert (first["RateLimit-Policy"], first["RateLimit"]) == (
        '"read";q=2;w=600',
        '"read";r=1;t=600',
    )
    assert refused.status_code == 429
    assert refused["Content-Type"] == "application/problem+json"
    assert (refused["Retry-After"], refused["RateLimit"]) == ("600", '"read";r=0;t=600')
    answer = refused.json()
    assert (answer["code"], answer["retry_after"], answer["type"]) == (
        "throttled",
        600,
        "/docs/errors#throttled",
    )
    assert client.get(address).status_code == 200, "who has no key is counted by address"


@pytest.mark.django_db
def test_entering_and_exporting_have_limits_of_their_own(client: Client, season: Season) -> None:
    address = f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/games.ndjson"
    assert [client.get(address).status_code for _ in range(3)] == [200, 200, 429]
    games = f"/api/v1/clubs/{season.club.slug}/games/"
    assert client.get(games).status_code == 200
    assert [client.post(games).status_code for _ in range(3)] == [401, 401, 429]


def test_while_the_cache_is_away_nobody_is_held_up(client: Client) -> None:
    with patch.object(RedisCacheClient, "get_client", side_effect=RedisError("down")):
        assert {client.get(GAME).status_code for _ in range(5)} == {200}


@pytest.mark.django_db
def test_nor_is_who_signs_in(client: Client) -> None:
    user: User = UserFactory.create(email="karla@example.org")
    user.set_password("seven-cups-and-a-star")
    user.save()
    with patch.object(RedisCacheClient, "get_client", side_effect=RedisError("down")):
        answer = {"login": "karla@example.org", "password": "seven-cups-and-a-star"}
        assert client.post(reverse("account_login"), answer).status_code == 302


def test_every_limited_page_is_there_and_has_a_limit() -> None:
    pages = set(get_resolver().reverse_dict)
    assert {name.split()[1] for name in service.LIMITED_PAGES} - pages == set()
    assert set(service.LIMITED_PAGES.values()) - set(LIMITS) == set()
