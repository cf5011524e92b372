"""Who looks, and which links of seasons are remembered."""

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client, RequestFactory
from django.urls import reverse

from league.clubs.web.viewer import KEYS_REMEMBERED, viewer_of
from league.models import Season, Visibility
from tests.factories.counted import counted_season
from tests.factories.league import SeasonFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_a_key_that_opens_nothing_leaves_no_trace(client: Client) -> None:
    season = counted_season(1)
    for key in ("nothing", "%00", "x" * 5000, season.link_token):
        response = client.get(f"{reverse('home')}?key={key}")
        assert response.status_code == 200
        assert settings.SESSION_COOKIE_NAME not in response.cookies


def test_the_latest_keys_are_remembered() -> None:
    session = SessionStore()
    seasons: list[Season] = SeasonFactory.create_batch(KEYS_REMEMBERED + 1, visibility=Visibility.LINK)
    for season in seasons:
        request = RequestFactory().get("/", {"key": season.link_token})
        request.session, request.user = session, UserFactory.build()
        viewer = viewer_of(request)
    assert viewer.keys == {season.link_token for season in seasons[1:]}
