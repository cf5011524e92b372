"""Cached public pages: rendered once for each state of their content, each language and part.

The process that rendered a page keeps it compressed. Before each answer one small query checks that
it is still current."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import caches
from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language_from_request

from league.core.frame.route import ROUTE, route_of
from league.core.frame.unchanged import PART, SAME_FOR_ALL, SUBJECT, VARY

V = TypeVar("V", bound=Callable[..., HttpResponseBase])
ReadState: TypeAlias = Callable[[Any], Sequence[object]]

RENDERINGS: Final = "renderings"
MOST_BYTES: Final = 64 * 1024
"""The largest page that is cached, compressed: with the number of pages this bounds the memory."""
DAY: Final = 24 * 3600
"""Seconds after which a page is rendered again in any case: the address of its stream lasts as
long."""
IF_NONE_MATCH: Final = "HTTP_IF_NONE_MATCH"
SEAT_COOKIE: Final = "seat-"
"""The prefix of cookies with the key of a guest's seat at an online table: the page shows their
dice."""
CACHED_RENDERING: Final = "cached_rendering"
"""The request attribute with the cached rendering of its page, or None if there is none."""
STATE_READER: Final = "state_reader"
"""The request attribute with the function that reads the state of the page's subject, if the answer
may be cached."""
OF_FRAMES: Final = ("Content-Security-Policy", "X-Frame-Options")
"""The headers that say which websites may embed a page: they can change while the page stays the
same."""


class Rendering(NamedTuple):
    """A page, compressed, its route, its subject, the function that reads the subject's state, and
    the state when the page was rendered; None if unknown."""

    route: str
    subject: object
    read_state: ReadState
    state: Sequence[object] | None
    body: bytes
    headers: dict[str, str]


def public_page(read_state: ReadState) -> Callable[[V], V]:
    """Decorate a view whose page is the same for everybody without an account, so that it is
    rendered once for all of them.

    The view passes the page's `subject` to `unless_unchanged`; `read_state` reads the state of a
    subject by one small query. The state has to change with everything that the page shows, and
    with who may see it: as long as it stays the same, `RenderingMiddleware` serves the cached page.
    Otherwise the view is called; if its ETag is the same, the cached page still holds."""

    def decorator(view: V) -> V:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if is_impersonal(request):
                cached: Rendering | None = getattr(request, CACHED_RENDERING, None)
                # Instead of the reader's ETag, so that the view answers 304 if the cached page holds.
                request.META[IF_NONE_MATCH] = cached.headers["ETag"] if cached else ""
                setattr(request, STATE_READER, read_state)
                setattr(request, SAME_FOR_ALL, True)
            return view(request, *args, **kwargs)

        setattr(page, SAME_FOR_ALL, True)
        return cast("V", page)

    return decorator


class RenderingMiddleware:
    """Answers with cached pages before anything else, and caches public pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the cached page if it is current, otherwise the view's answer, and cache that."""
        if not is_impersonal(request):
            return self.get_response(request)

        key = _cache_key(request)
        cached: Rendering | None = caches[RENDERINGS].get(key)
        current_state = _current_state(cached)
        if cached and current_state and cached.state == current_state:
            setattr(request, ROUTE, cached.route)
            return _page_or_not_modified(request, cached)

        readers_etag = request.META.get(IF_NONE_MATCH, "")
        setattr(request, CACHED_RENDERING, cached)
        response = self.get_response(request)
        if not isinstance(response, HttpResponse) or not hasattr(request, STATE_READER):
            return response
        if _is_uncacheable(request, response):
            return response

        request.META[IF_NONE_MATCH] = readers_etag
        rendering = _rendering_to_cache(request, response, cached, current_state)
        if len(rendering.body) <= MOST_BYTES:
            caches[RENDERINGS].set(key, rendering, DAY)
        return _page_or_not_modified(request, rendering)


def is_impersonal(request: HttpRequest) -> bool:
    """Return True if nothing on the page can depend on who asks: no session, no message, no key of
    a link or of a seat."""
    session_cookies = {
        settings.SESSION_COOKIE_NAME,
        CookieStorage.cookie_name,
    } & request.COOKIES.keys()
    seat_cookies = [name for name in request.COOKIES if name.startswith(SEAT_COOKIE)]
    return (
        request.method == "GET"
        and not session_cookies
        and not seat_cookies
        and "key" not in request.GET
    )


def _cache_key(request: HttpRequest) -> str:
    """Digest everything that an answer depends on besides the state of its subject. The date is
    part of it, because addresses of streams last a day."""
    headers = request.headers
    language = get_language_from_request(request)
    asked_for = (
        request.build_absolute_uri(),
        headers.get("HX-Request"),
        headers.get(PART),
        language,
    )
    return sha256(repr((*asked_for, datetime.now(UTC).date())).encode()).hexdigest()


def _current_state(cached: Rendering | None) -> Sequence[object] | None:
    try:
        return cached.read_state(cached.subject) if cached else None
    except ObjectDoesNotExist:
        return None


def _is_uncacheable(request: HttpRequest, response: HttpResponse) -> bool:
    """Return True if the answer has no subject, or cookies of its reader. In the latter case remove
    its ETag."""
    is_personal = bool(response.cookies)
    if is_personal and response.has_header("ETag"):
        del response["ETag"]
    is_page = response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
    return is_personal or not is_page or not hasattr(request, SUBJECT)


def _rendering_to_cache(
    request: HttpRequest,
    response: HttpResponse,
    cached: Rendering | None,
    current_state: Sequence[object] | None,
) -> Rendering:
    subject = getattr(request, SUBJECT)
    # The page can be newer than the state that was read before it, but never older.
    state = current_state if cached and cached.subject == subject else None
    if cached and response.status_code == HTTPStatus.NOT_MODIFIED:
        headers = {name: value for name, value in cached.headers.items() if name not in OF_FRAMES}
        headers.update((name, response[name]) for name in OF_FRAMES if response.has_header(name))
        return cached._replace(subject=subject, state=state, headers=headers)

    response["Cache-Control"] = "public, no-cache"
    patch_vary_headers(response, VARY)
    body, headers = response.content, dict(response.headers)
    if not response.has_header("Content-Encoding"):
        body = gzip.compress(body)
        headers |= {"Content-Encoding": "gzip", "Content-Length": str(len(body))}
    read_state = getattr(request, STATE_READER)
    return Rendering(route_of(request), subject, read_state, state, body, headers)


def _page_or_not_modified(request: HttpRequest, rendering: Rendering) -> HttpResponseBase:
    page = HttpResponse(rendering.body, headers=rendering.headers)
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        page.content = gzip.decompress(rendering.body)
        page["Content-Length"] = str(len(page.content))
        del page["Content-Encoding"]
    return get_conditional_response(request, etag=page["ETag"], response=page) or page
