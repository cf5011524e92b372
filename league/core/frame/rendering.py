"""Pages as everybody sees them: rendered once for each state of what they show, each language and
part, and kept.

A page is kept by the process that has rendered it, as it is sent. Before each answer one small
query tells whether it still is what the page would be now."""

from __future__ import annotations

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

from league.core.frame.unchanged import EVERYBODYS, PART, SUBJECT, VARY

V = TypeVar("V", bound=Callable[..., HttpResponseBase])
ReadState: TypeAlias = Callable[[Any], Sequence[object]]

RENDERINGS: Final = "renderings"
MOST_BYTES: Final = 64 * 1024
"""Of a page that is kept, compressed: this and the number of pages bound the memory for all of
them."""
DAY: Final = 24 * 3600
"""Seconds after which a page is rendered anew in any case: so long the address of its stream is
good."""
ETAG_OF_READER: Final = "HTTP_IF_NONE_MATCH"
SEAT_COOKIE: Final = "seat-"
"""The names of cookies begin so that have the key of a guest's seat at an online table: the page
shows them dice."""
FORMER: Final = "former_rendering"
"""The attribute of a request that holds what was kept of its page so far, if anything was."""
READ_STATE: Final = "read_state"
"""The attribute of a request whose answer may be kept: what reads the state of its subject."""
OF_FRAMES: Final = ("Content-Security-Policy", "X-Frame-Options")
"""The headers that say which websites may show a page: they can change while the page stays the
same."""


class Rendering(NamedTuple):
    """A page as it is sent, what it shows, and what that had come to; `state`: None while nobody
    has looked."""

    subject: object
    read_state: ReadState
    state: Sequence[object] | None
    body: bytes
    headers: dict[str, str]


def public_page(read_state: ReadState) -> Callable[[V], V]:
    """Decorate a view whose page is the same for everybody without an account: it is rendered once
    for all of them.

    The view names the `subject` of its page to `unless_unchanged`; `read_state` reads, by one small
    query, what everything that the page shows of that has come to. It has to change with whatever
    the page shows and with who may see it: as long as it stays the same, `RenderingMiddleware`
    serves the page. Else the view is asked, and where its ETag is still the same, so is the page.
    """

    def decorator(view: V) -> V:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if is_strangers(request):
                former: Rendering | None = getattr(request, FORMER, None)
                request.META[ETAG_OF_READER] = former.headers["ETag"] if former else ""
                setattr(request, READ_STATE, read_state)
                setattr(request, EVERYBODYS, True)
            return view(request, *args, **kwargs)

        setattr(page, EVERYBODYS, True)
        return cast("V", page)

    return decorator


class RenderingMiddleware:
    """Answers with a page that is kept, before anything else is done for a request, and keeps those
    of public pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the page that is kept as long as it is what it would be now, else what the view
        answers."""
        if not is_strangers(request):
            return self.get_response(request)
        key = _key(request)
        former: Rendering | None = caches[RENDERINGS].get(key)
        current = _state(former)
        if former and current and former.state == current:
            return _answer(request, former)
        etag_of_reader = request.META.get(ETAG_OF_READER, "")
        setattr(request, FORMER, former)
        response = self.get_response(request)
        if (
            not isinstance(response, HttpResponse)
            or not hasattr(request, READ_STATE)
            or _is_own(request, response)
        ):
            return response
        request.META[ETAG_OF_READER] = etag_of_reader
        rendering = _rendering(request, response, former, current)
        if len(rendering.body) <= MOST_BYTES:
            caches[RENDERINGS].set(key, rendering, DAY)
        return _answer(request, rendering)


def is_strangers(request: HttpRequest) -> bool:
    """True if nothing that a page shows can come from who asks for it: no session, no message, no
    key of a link or of a seat."""
    cookies = {settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name} & request.COOKIES.keys()
    seats = [name for name in request.COOKIES if name.startswith(SEAT_COOKIE)]
    return request.method == "GET" and not cookies and not seats and "key" not in request.GET


def _key(request: HttpRequest) -> str:
    """The key of all that an answer depends on beside the state of its subject. Streams' addresses
    last a day."""
    headers = request.headers
    unpacks = "gzip" in headers.get("Accept-Encoding", "")
    language = get_language_from_request(request)
    asked = (
        request.build_absolute_uri(),
        headers.get("HX-Request"),
        headers.get(PART),
        unpacks,
        language,
    )
    return sha256(repr((*asked, datetime.now(UTC).date())).encode()).hexdigest()


def _state(former: Rendering | None) -> Sequence[object] | None:
    """Read what the subject of a rendering has come to; None for one that isn't there any more."""
    try:
        return former.read_state(former.subject) if former else None
    except ObjectDoesNotExist:
        return None


def _is_own(request: HttpRequest, response: HttpResponse) -> bool:
    """True for an answer that isn't kept: no page, or one that holds something of its reader, and
    then no ETag."""
    personal = bool(response.cookies)
    if personal and response.has_header("ETag"):
        del response["ETag"]
    return (
        personal
        or response.status_code not in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
        or not hasattr(request, SUBJECT)
    )


def _rendering(
    request: HttpRequest,
    response: HttpResponse,
    former: Rendering | None,
    current: Sequence[object] | None,
) -> Rendering:
    """A page as it is sent from now on: the former one, if the view would make it once more."""
    subject = getattr(request, SUBJECT)
    # The page can be newer than the state that was read before it, but never older.
    state = current if former and former.subject == subject else None
    if former and response.status_code == HTTPStatus.NOT_MODIFIED:
        of_frames = {name: response[name] for name in OF_FRAMES if response.has_header(name)}
        headers = {
            name: value for name, value in former.headers.items() if name not in OF_FRAMES
        } | of_frames
        return former._replace(subject=subject, state=state, headers=headers)
    response["Cache-Control"] = "public, no-cache"
    patch_vary_headers(response, VARY)
    return Rendering(
        subject, getattr(request, READ_STATE), state, response.content, dict(response.headers)
    )


def _answer(request: HttpRequest, rendering: Rendering) -> HttpResponseBase:
    """The page, or 304 if the reader has it."""
    page = HttpResponse(rendering.body, headers=rendering.headers)
    return get_conditional_response(request, etag=page["ETag"], response=page) or page
