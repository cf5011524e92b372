"""The OpenAPI description, and the page to try the API on."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from league.clubs.models import ApiKey
from league.frame.api.view import ApiView

MEDIA_TYPE = "application/vnd.oai.openapi+json"


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """API keys, as the schema describes them."""

    target_class = "league.clubs.api.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """The header of a key, as the schema names it."""
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": f"{ApiKey.PREFIX}…",
            "description": "An API key of one club, which acts as the account that it was made for.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The schema's description of people who are signed in with a browser."""

    target_class = "rest_framework.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """The cookie of a session, as the schema names it."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "The session of somebody who is signed in with a browser.",
        }


def described_as_it_is(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """The description with what no view says by itself: a POST has a body, and with a session a token in a header."""
    for operations in result["paths"].values():
        for operation in operations.values():
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
                operation["security"] = [{"key": []}, {"session": [], "csrf": []}]
    result["components"]["securitySchemes"]["csrf"] = {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRFToken",
        "description": f"With a session, the value of the cookie {settings.CSRF_COOKIE_NAME}. A key needs none.",
    }
    return result


@cache
def description() -> bytes:
    """The OpenAPI description as JSON; it is the same for everybody, as long as the process lives."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    return json.dumps(generator.get_schema(request=None, public=True), default=str).encode()  # type: ignore[no-untyped-call]


class Schema(ApiView):
    """The description of the API by OpenAPI, for programs."""

    permission_classes = [AllowAny]

    @extend_schema(exclude=True)
    def get_schema(self, request: Request) -> HttpResponse:
        """The description of the API by OpenAPI, for programs."""
        return HttpResponse(description(), content_type=MEDIA_TYPE)


@require_safe
def try_page(request: HttpRequest) -> HttpResponse:
    """A page to read about every operation, and to try it."""
    return render(request, "league/site/api/try.html")
