"""Answers that needn't be sent again: the one place that knows what an answer depends on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Final, TypeVar

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

R = TypeVar("R", bound=HttpResponseBase)

SHIPPED: Final = ("engine", "games", "league", "templates")
"""The folders of a release_digest: code, pages, translations, styles."""
PART: Final = "HX-Target"
LIVE: Final = "live"
"""The id of the part of a page that follows events: an open page asks for it alone."""
SAME_FOR_ALL: Final = "same_for_all"
"""The request attribute that says that the answer doesn't depend on who asks
(league/core/frame/rendering.py)."""
SUBJECT: Final = "subject"
"""The request attribute with the thing that the answer is about, such as a season."""
VARY: Final = ("Cookie", "Accept-Language", "HX-Request", PART)


@cache
def release_digest() -> str:
    """Return a digest of everything that is shipped: it changes with any file."""
    digest = sha256()
    for folder in SHIPPED:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(
                    f"{path.relative_to(settings.BASE_DIR)}\n".encode() + path.read_bytes()
                )
    return digest.hexdigest()


def part_of(request: HttpRequest) -> str:
    """Return the id of the element that the answer will replace, or an empty string for the whole
    page.

    htmx puts the tag's name in front of the id: `section#stage`."""
    return request.headers.get(PART, "").rpartition("#")[2]


def unless_unchanged(
    request: HttpRequest,
    versions: Sequence[object],
    make_answer: Callable[[], R],
    subject: object = None,
) -> R | HttpResponse:
    """Return a 304, without reading any rows, if the client has this answer already; otherwise the
    answer, with its weak ETag.

    `versions` are those of the data behind the answer; for a ranking's pages, `Board.versions`.
    Everything else that an answer depends on is found here. A page with a message to the reader is
    always sent, and isn't cached. `subject` is the thing whose state a `public_page`
    (league/core/frame/rendering.py) reads.
    """
    if subject is not None:
        setattr(request, SUBJECT, subject)
    if len(get_messages(request)):
        return make_answer()
    response = get_conditional_response(request, etag=etag(request, versions)) or make_answer()
    # Anew, since the first form on a page makes the CSRF token, which is part of the ETag.
    response["ETag"] = etag(request, versions)
    response["Cache-Control"] = f"{'public' if is_for_anybody(request) else 'private'}, no-cache"
    patch_vary_headers(response, VARY)
    return response


def etag(request: HttpRequest, versions: Sequence[object]) -> str:
    """Return the weak ETag of an answer: a digest of the versions of its data, the release_digest, the
    address, the language, the viewer, the CSRF token, and the date, because addresses of live
    streams last a day."""
    asked_for = (
        request.get_full_path(),
        request.headers.get("HX-Request"),
        part_of(request),
        get_language(),
    )
    parts = (
        tuple(versions),
        release_digest(),
        *asked_for,
        *_reader(request),
        datetime.now(UTC).date(),
    )
    return f'W/"{sha256(repr(parts).encode()).hexdigest()[:32]}"'


def _reader(request: HttpRequest) -> tuple[object, ...]:
    """Return everything about the viewer that an answer can depend on."""
    if getattr(request, SAME_FOR_ALL, False):
        return ()
    user = request.user
    account: tuple[object, ...] = ()
    if user.is_authenticated:
        account = (
            user.pk,
            user.get_username(),
            user.get_short_name(),
            user.is_superuser,
            user.unseen,
            user.turns,
        )
    return (account, request.session.session_key, request.META.get("CSRF_COOKIE"))


def is_for_anybody(request: HttpRequest) -> bool:
    """Return True if an answer doesn't depend on who asked: no account, no session, no CSRF token,
    no key of a link."""
    is_personal = (
        request.user.is_authenticated or request.META.get("CSRF_COOKIE") or "key" in request.GET
    )
    return not is_personal and request.session.is_empty()
