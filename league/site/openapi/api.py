"""The API's entry point, its OpenAPI description, the page to try it, and the answer for unknown
addresses."""

from __future__ import annotations

import json
from functools import cache
from threading import Lock
from typing import Any, Final, NoReturn

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from league.core.frame.api.links import ROOT
from league.core.frame.api.operation import reads
from league.core.frame.api.parameters import Parameters
from league.core.frame.api.serializers import Serializer
from league.core.frame.api.view import ApiView
from league.core.key.models import ApiKey

ADDRESSES = {"clubs": f"{ROOT}/clubs/", "schema": "/api/schema/", "docs": "/api/docs/"}


class IndexSerializer(Serializer):
    """The addresses to start from. Everywhere in the API, addresses are paths on this host."""

    clubs = serializers.CharField()
    schema = serializers.CharField()
    docs = serializers.CharField()


class Index(ApiView):
    """The way into the API."""

    permission_classes = [AllowAny]

    @extend_schema(tags=["start"])
    @reads(
        "Where everything is",
        IndexSerializer,
        parameters=Parameters,
        problems={},
        example=ADDRESSES,
    )
    def index(self, _: None) -> dict[str, str]:
        """The addresses to start from."""
        return ADDRESSES


class Nothing(APIView):
    """Every other address below /api/: a 404 in the form of all other errors."""

    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: object, **kwargs: object) -> NoReturn:
        """Raise `Http404` for any method."""
        raise Http404


MEDIA_TYPE = "application/vnd.oai.openapi+json"


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """API keys, in the schema."""

    target_class = "league.core.key.api.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the definition of an API key."""
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": f"{ApiKey.PREFIX}…",
            "description": ("An API key for one club, which acts as the account it was made for."),
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Sessions of people who are signed in with a browser, in the schema."""

    target_class = "rest_framework.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the definition of the session's cookie."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "The session of somebody signed in with a browser.",
        }


ONE_AT_A_TIME: Final = Lock()


def described_as_it_is(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """Complete the generated description: requests that change something need an account, and a
    body if they have one; a session also needs a token in a header."""
    for operations in result["paths"].values():
        for method in operations.keys() & {"post", "patch"}:
            operation = operations[method]
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
            operation["security"] = _with_csrf_token(operation["security"])

    acts = result["components"]["schemas"]["OnlineActBodyRequest"]
    # Not exclusive: to leave is the same act in all games.
    acts["anyOf"] = acts.pop("oneOf")
    result["components"]["securitySchemes"]["csrf"] = {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRFToken",
        "description": (
            f"With a session, the value of the cookie {settings.CSRF_COOKIE_NAME}. A key needs "
            "none."
        ),
    }
    return result


def _with_csrf_token(security_options: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add the token that a session needs, and drop the empty option, which is that of visitors."""
    completed = []
    for option in security_options:
        if "session" in option:
            completed.append({**option, "csrf": []})
        elif option:
            completed.append(option)
    return completed


def description() -> bytes:
    """Return the OpenAPI description as JSON, which is made once and is the same for everybody.

    The generator can't run in two threads at once.
    """
    with ONE_AT_A_TIME:
        return _description()


@cache
def _description() -> bytes:
    return json.dumps(SchemaGenerator().get_schema(request=None, public=True), default=str).encode()  # type: ignore[no-untyped-call]


class Schema(ApiView):
    """The OpenAPI description of the API, for programs."""

    permission_classes = [AllowAny]

    @extend_schema(exclude=True)
    def get_schema(self, request: Request) -> HttpResponse:
        """The OpenAPI description of the API, for programs."""
        return HttpResponse(description(), content_type=MEDIA_TYPE)


@require_safe
def try_page(request: HttpRequest) -> HttpResponse:
    """Show the page with all operations, to read about and to try them."""
    return render(request, "league/site/openapi/try.html")
