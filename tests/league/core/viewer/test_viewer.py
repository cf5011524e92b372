"""Who looks, and which links of seasons are remembered."""

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from league.core.viewer.queries.access import Viewer
from league.core.viewer.web.viewer import KEYS_REMEMBERED, page_of, viewer_of
from league.models import Club, Season, Visibility
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory, SeasonFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_a_key_that_opens_nothing_leaves_no_trace(client: Client) -> None:
    season = counted_season(1)
    for key in ("nothing", "%00", "x" * 5000, season.link_token):
        response = client.get(f"{reverse('home')}?key={key}")
        assert response.status_code == 200
        assert settings.SESSION_COOKIE_NAME not in response.cookies


def test_the_latest_keys_are_remembered() -> None:
    session = SessionStore()
    seasons: list[Season] = SeasonFactory.create_batch(
        KEYS_REMEMBERED + 1, visibility=Visibility.LINK
    )
    for season in seasons:
        request = RequestFactory().get("/", {"key": season.link_token})
        request.session, request.user = session, UserFactory.build()
        viewer = viewer_of(request)
    assert viewer.keys == {season.link_token for season in seasons[1:]}


def test_a_view_gets_what_its_address_names_and_the_words_behind_that() -> None:
    def club_for(
        viewer: Viewer, slug: str, name: str, *conditions: object, by: str = "slug"
    ) -> Club:
        return Club.objects.get(name=name, **{by: slug})

    @page_of(club_for)
    def step_page(request: HttpRequest, club: Club, step: str) -> HttpResponse:
        return HttpResponse(f"{club.name}: {step}")

    request = RequestFactory().get("/")
    request.session, request.user = SessionStore(), UserFactory.build()
    club: Club = ClubFactory.create()
    page = step_page(request, club_slug=club.slug, club_name=club.name, step="close")
    assert page.content.decode() == f"{club.name}: close"
    with pytest.raises(Http404):
        step_page(request, club_slug="nowhere", club_name=club.name, step="close")
