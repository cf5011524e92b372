"""The API is closed but where a view says that it is open."""

from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from league.core.frame.api.access import Closed
from league.core.frame.api.view import ApiView
from league.site.openapi.api import Index, Nothing, Schema
from league.standings.ranking.api.view import SeenView
from league.urls import api
from tests.league.core.frame.api.programs import code_of


class Forgetful(ApiView):
    """A view that says nothing of who may ask."""

    throttle_classes = []

    def get(self, request: object) -> Response:
        raise AssertionError("nobody gets here")


def test_a_view_that_says_nothing_is_closed() -> None:
    request = RequestFactory().get("/api/v1/forgotten/")
    request.user = AnonymousUser()
    response = Forgetful.as_view({"get": "get"})(request).render()
    response.json = lambda: response.data  # as the client's answers have it
    assert code_of(response) in [(401, "not_authenticated"), (403, "permission_denied")]
    assert ApiView.permission_classes == [Closed]


def test_every_address_is_open_by_one_of_four_bases() -> None:
    views = [view for pattern in api if (view := getattr(pattern.callback, "cls", None))]
    assert len(views) >= 80
    for view in views:
        assert view.permission_classes == [AllowAny]
        assert issubclass(view, SeenView | Index | Nothing | Schema), view
