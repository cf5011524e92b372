"""Answers to requests beyond a limit: a problem for programs, a page for people. Then the
connection is closed."""

from __future__ import annotations

import json
from functools import lru_cache
from http import HTTPStatus
from typing import Final

from asgiref.typing import ASGISendCallable, HTTPScope
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation.trans_real import parse_accept_lang_header

from league.core.frame.api.problems import MEDIA_TYPE, problem_json
from league.core.hooks import Hook

RETRY_SECONDS: Final = 5
CODES: Final[dict[int, tuple[str, str]]] = {
    HTTPStatus.REQUEST_TIMEOUT: ("too_slow", "The body arrived too slowly."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (
        "too_large",
        "The body is larger than this address takes.",
    ),
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: (
        "head_too_large",
        "Address and headers have more than 32 kB together.",
    ),
    HTTPStatus.TOO_MANY_REQUESTS: (
        "too_many_requests",
        "Too many requests from your address are open at once.",
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: ("overloaded", "Too many requests are open at once."),
}
WORDS: Final[dict[int, tuple[Promise, Promise]]] = {
    HTTPStatus.REQUEST_TIMEOUT: (
        _("That took too long"),
        _(
            "Your request arrived too slowly, so we stopped waiting. Nothing was changed. Send it "
            "again."
        ),
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (
        _("That’s too large"),
        _("You sent more than this page accepts. Nothing was changed."),
    ),
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: (
        _("That’s too large"),
        _(
            "Your browser sends more with its requests than we accept. Delete this site’s "
            "cookies, then try again."
        ),
    ),
    HTTPStatus.TOO_MANY_REQUESTS: (
        _("Too much at once"),
        _("Too many requests from your network are open. Wait a few seconds and reload the page."),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        _("It’s crowded here"),
        _("We’re very busy right now. Wait a few seconds and reload the page."),
    ),
}


request_refused: Hook[[HTTPStatus], None] = Hook()
"""Called for each request beyond a limit, with the status of its answer."""


class Excess(Exception):
    """A request beyond a limit, with the status of its answer."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


async def excess_answer(excess: Excess, scope: HTTPScope, send: ASGISendCallable) -> None:
    """Answer a request beyond a limit, and have the server close the connection: the rest of the
    request isn't read."""
    request_refused(excess.status)
    accept_language = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    is_api = scope["path"].startswith("/api/")
    body = problem(excess.status) if is_api else page(excess.status, language(accept_language))
    headers = [
        (b"content-type", MEDIA_TYPE.encode() if is_api else b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'"),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    if excess.status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        headers.append((b"retry-after", str(RETRY_SECONDS).encode()))
    await send(
        {
            "type": "http.response.start",
            "status": excess.status,
            "headers": headers,
            "trailers": False,
        }
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})


def problem(status: HTTPStatus) -> bytes:
    """Return the body of the answer to a program."""
    code, detail = CODES[status]
    return json.dumps(problem_json(status, code, detail=detail)).encode()


@lru_cache
def page(status: HTTPStatus, language: str) -> bytes:
    """Return the body of the answer to a person."""
    title, text = WORDS[status]
    with translation.override(language):
        return render_to_string("excess.html", {"title": title, "text": text}).encode()


def language(accept_language: str) -> str:
    """Return the first of our languages in an Accept-Language header, or the default."""
    ours = dict(settings.LANGUAGES)
    for code, _quality in parse_accept_lang_header(accept_language[:200].lower()):
        base = code.partition("-")[0]
        if base in ours:
            return base
    return settings.LANGUAGE_CODE
