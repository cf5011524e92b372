"""A club with a season of games, and a program that may enter them."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.db import OperationalError, connections
from pytest_django import DjangoDbBlocker
from rest_framework.request import Request
from rest_framework.response import Response

from engine.pairing.pods import cooling, pods
from league.core import jobs
from league.core.frame.api.view import ApiView
from league.core.frame.cache import Cache
from league.core.frame.rendering import RENDERINGS
from league.core.key.services.key import key_create
from league.models import Club, Role, Season, User
from tests.browser.service import make_demo
from tests.database import clone, connected_to
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory
from tests.league.core.frame.api.answers import answer_check


@pytest.fixture(autouse=True)
def _redis_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits until Redis is asked again, because in another one it was away."""
    monkeypatch.setattr(Cache, "away_until", 0.0)
    monkeypatch.setattr(jobs, "_away_until", 0.0)


@pytest.fixture(autouse=True)
def _nothing_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds what another one has put into the cache, which all of a run share."""
    test = uuid4()
    monkeypatch.setattr(Cache, "make_key", lambda self, key, version=None: f"{test}:{key}")
    caches[RENDERINGS].clear()
    caches["drawn"].clear()


@pytest.fixture(autouse=True)
def _answers_are_as_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test gets an answer of the API that isn't as the API describes it."""
    finalize = ApiView.finalize_response

    def checked(
        view: ApiView, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        final = finalize(view, request, response, *args, **kwargs)
        plain = request._request

        def check(rendered: Any) -> None:
            answer_check(plain.resolver_match, plain.method or "GET", rendered)

        if hasattr(final, "add_post_render_callback"):
            final.add_post_render_callback(check)
        else:
            check(final)
        return final

    monkeypatch.setattr(ApiView, "finalize_response", checked)


@pytest.fixture(autouse=True)
def _no_draw_is_searched_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test of the league waits for the best tables there are: how good they are, the tests of
    the engine hold."""
    monkeypatch.setattr(pods, "MOST_STEPS", 256)
    monkeypatch.setattr(cooling, "STEPS", 256)


@pytest.fixture
def mail_server(settings: Any) -> None:
    """A service whose letters leave the machine."""
    settings.MAIL_LEAVES = True


@pytest.fixture
def club(db: None) -> Club:
    return ClubFactory.create(slug="stern")


@pytest.fixture
def season(club: Club) -> Season:
    return SeasonFactory.create(club=club, slug="autumn")


@pytest.fixture
def scorer(club: Club) -> User:
    return MembershipFactory.create(
        club=club, user=UserFactory.create(username="scorer"), role=Role.SCORER
    ).user


@pytest.fixture
def secret(club: Club, scorer: User) -> str:
    """The secret of a key that may enter the club's games."""
    return key_create(club=club, user=scorer, label="table tablet")[1]


@pytest.fixture
def database_away(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever is asked of the database fails, as when its server has gone."""

    def refuse(name: str | None = None) -> None:
        raise OperationalError("the connection is lost")

    with monkeypatch.context() as patch:
        patch.setattr(connections["default"], "_cursor", refuse)
        yield


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The demo's club with its season of games, all its rankings counted and styles read: a copy of
    that which browsers see, once for a module, each of whose tests leaves it as it was."""
    with django_db_blocker.unblock(), clone(make_demo(), "_demo") as name, connected_to(name):
        yield
