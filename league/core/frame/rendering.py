"""Pages as everybody sees them: rendered once for each state of what they show, each language and part, and kept.

A page is kept by the process that has rendered it, as it is sent. Before each answer one small query tells whether it
still is what the page would be now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar, cast

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import caches
from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from league.core.frame.compression import CompressionMiddleware, compress_further
from league.core.frame.unchanged import EVERYBODYS, PART, SUBJECT, VARY

V = TypeVar("V", bound=Callable[..., HttpResponseBase])

RENDERINGS: Final = "renderings"
MOST_BYTES: Final = 64 * 1024
"""Of a page that is kept, compressed: this and the number of pages bound the memory for all of them."""
DAY: Final = 24 * 3600
"""Seconds after which a page is rendered anew in any case: so long the address of its stream is good."""
ETAG_OF_READER: Final = "HTTP_IF_NONE_MATCH"
FORM_SHOWN: Final = "CSRF_COOKIE_NEEDS_UPDATE"
"""What Django notes of a request whose answer has a form with a secret."""

compression = CompressionMiddleware(lambda request: HttpResponse())


class Rendering(NamedTuple):
    """A page as it is sent, what it shows, and what that had come to; `state`: None while nobody has looked."""

    subject: object
    state: Sequence[object] | None
    body: bytes
    headers: dict[str, str]


def public_page(state: Callable[[Any], Sequence[object]]) -> Callable[[V], V]:
    """Decorate a view whose page is the same for everybody without an account: it is rendered once for all of them.

    The view names the `subject` of its page to `unless_unchanged`; `state` reads, by one small query, what everything
    that the page shows of that has come to. It has to change with whatever the page shows and with who may see it: as
    long as it stays the same, the page is served. Else the view is asked, and where its ETag is still the same, so is
    the page.
    """

    def decorator(view: V) -> V:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not is_strangers(request):
                return view(request, *args, **kwargs)
            key = _key(request)
            former: Rendering | None = caches[RENDERINGS].get(key)
            current = _state(state, former)
            if former and current and former.state == current:
                return _answer(request, former)
            response = _ask(request, former, lambda: view(request, *args, **kwargs))
            if not isinstance(response, HttpResponse) or _is_own(request, response):
                return response
            unchanged = former is not None and response.status_code == HTTPStatus.NOT_MODIFIED
            rendering = former if former and unchanged else _rendering(request, response)
            subject = getattr(request, SUBJECT)
            # The page can be newer than the state that was read before it, but never older.
            state_read = current if former and former.subject == subject else None
            if len(rendering.body) <= MOST_BYTES:
                caches[RENDERINGS].set(key, rendering._replace(subject=subject, state=state_read), DAY)
            return _answer(request, rendering)

        setattr(page, EVERYBODYS, True)
        return cast("V", page)

    return decorator


def is_strangers(request: HttpRequest) -> bool:
    """True if nothing that a page shows can come from who asks for it: no session, no message, no link's key."""
    cookies = {settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name} & request.COOKIES.keys()
    return request.method == "GET" and not cookies and "key" not in request.GET


def _key(request: HttpRequest) -> str:
    """The key of all that an answer depends on beside the state of its subject. Streams' addresses last a day."""
    headers = request.headers
    unpacks = "gzip" in headers.get("Accept-Encoding", "")
    asked = (request.build_absolute_uri(), headers.get("HX-Request"), headers.get(PART), unpacks, get_language())
    return sha256(repr((*asked, datetime.now(UTC).date())).encode()).hexdigest()


def _ask(request: HttpRequest, rendering: Rendering | None, view: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The view's answer: 304 if it would be the rendering once more, whatever the reader has."""
    etag_of_reader = request.META.get(ETAG_OF_READER, "")
    request.META[ETAG_OF_READER] = rendering.headers["ETag"] if rendering else ""
    setattr(request, EVERYBODYS, True)
    response = view()
    request.META[ETAG_OF_READER] = etag_of_reader
    return response


def _state(state: Callable[[Any], Sequence[object]], former: Rendering | None) -> Sequence[object] | None:
    """Read what the subject of a rendering has come to; None for one that isn't there any more."""
    try:
        return state(former.subject) if former else None
    except ObjectDoesNotExist:
        return None


def _is_own(request: HttpRequest, response: HttpResponse) -> bool:
    """True for an answer that isn't kept: no page, or one that holds something of its reader, and then no ETag."""
    personal = bool(response.cookies) or FORM_SHOWN in request.META or request.session.modified
    if personal and response.has_header("ETag"):
        del response["ETag"]
    return (
        personal
        or response.status_code not in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
        or not hasattr(request, SUBJECT)
    )


def _rendering(request: HttpRequest, response: HttpResponse) -> Rendering:
    """A page as it is sent from now on."""
    response["Cache-Control"] = "public, no-cache"
    patch_vary_headers(response, VARY)
    compression.process_response(request, response)
    compress_further(response)
    return Rendering(None, None, response.content, dict(response.headers))


def _answer(request: HttpRequest, rendering: Rendering) -> HttpResponseBase:
    """The page, or 304 if the reader has it."""
    page = HttpResponse(rendering.body, headers=rendering.headers)
    return get_conditional_response(request, etag=page["ETag"], response=page) or page
