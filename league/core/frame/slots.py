"""Limits before Django: how large a body may be, how slowly it may come, and how many requests of
an address may be open at once.

All of this happens on the event loop: a request gets a thread only once its body is there."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from typing import Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGIReceiveEvent, ASGISendCallable, HTTPScope
from django.conf import settings

from league.core.frame.client_address import address_behind, network_of
from league.core.frame.excess import Excess, excess_answer
from league.request import HEAD_BYTES

MB: Final = 1024 * 1024
BODY_SECONDS: Final = 10.0  # how much later than at its pace a body may come
BODY_PACE: Final = 16 * 1024  # bytes a second: a phone in a cellar manages that
BODY_LIMIT: Final = MB  # bytes; also the most without a Content-Length, at any address
LARGE_BODIES: Final = (
    (re.compile(r"/clubs/[^/]+/[^/]+/import/"), settings.DATA_UPLOAD_MAX_MEMORY_SIZE),
    (re.compile(r"/api/v1/clubs/[^/]+/games/"), settings.DATA_UPLOAD_MAX_MEMORY_SIZE),
    (
        re.compile(r"(/api/v1)?/games/[^/]+/(photos|statements)/"),
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    ),
    (re.compile(r"/replay/"), 4 * MB),  # pasted records grow when a form encodes them
)


class Slots:
    """Slots for open requests of one kind in this process, `each` for one address and `total` for
    all."""

    def __init__(self, *, each: int, total: int) -> None:
        self.each = each
        self.total = total
        self.taken: Counter[str] = Counter()
        self.all_taken = 0

    @contextmanager
    def take(self, scope: HTTPScope) -> Iterator[None]:
        """Hold a slot during the block. Raise `Excess` 429 if the address has used up its slots,
        503 if none is free for anybody."""
        address = address_of(scope)
        if self.taken[address] >= self.each:
            raise Excess(HTTPStatus.TOO_MANY_REQUESTS)
        if self.all_taken >= self.total:
            raise Excess(HTTPStatus.SERVICE_UNAVAILABLE)
        self.taken[address] += 1
        self.all_taken += 1
        try:
            yield
        finally:
            self.all_taken -= 1
            self.taken[address] -= 1
            if not self.taken[address]:
                del self.taken[address]


class Limited:
    """An ASGI application that passes on only requests within the limits, with their body in one
    piece."""

    uploads = Slots(each=3, total=12)  # large bodies, held in memory

    def __init__(self, app: Any, slots: Slots) -> None:
        self.app = app
        self.slots = slots

    async def __call__(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Serve a request, or answer which limit it exceeds."""
        try:
            with ExitStack() as slots:
                head_check(scope)
                slots.enter_context(self.slots.take(scope))
                limit = body_limit(scope)
                if limit > BODY_LIMIT:
                    slots.enter_context(self.uploads.take(scope))
                await self.app(scope, body_once(await read_body(receive, limit), receive), send)
        except Excess as excess:
            await excess_answer(excess, scope, send)
        except ConnectionError:
            return  # the client has left


def address_of(scope: HTTPScope) -> str:
    """Return the address of the client behind trusted proxies; for IPv6, its network."""
    connected_address = scope["client"][0] if scope["client"] else ""
    forwarded_for = b",".join(
        value for name, value in scope["headers"] if name == b"x-forwarded-for"
    )
    return network_of(address_behind(connected_address, forwarded_for.decode("latin-1")))


def head_check(scope: HTTPScope) -> None:
    """Raise `Excess` 431 if address and headers have more than HEAD_BYTES; the server itself only
    refuses a large head that comes in pieces."""
    address_bytes = len(scope["raw_path"]) + len(scope["query_string"])
    # Four more for each header: a colon, a blank and the end of the line.
    header_bytes = sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    if address_bytes + header_bytes > HEAD_BYTES:
        raise Excess(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)


def body_limit(scope: HTTPScope) -> int:
    """Return how many bytes the body may have. Raise `Excess` 413 if its Content-Length is
    larger."""
    length = dict(scope["headers"]).get(b"content-length", b"")
    if not length or int(length) <= BODY_LIMIT:  # the server has made sure that it is a number
        return BODY_LIMIT
    limit = BODY_LIMIT
    for path, large_limit in LARGE_BODIES:
        if path.fullmatch(scope["path"]):
            limit = large_limit
            break
    if int(length) > limit:
        raise Excess(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return limit


async def read_body(receive: ASGIReceiveCallable, limit: int) -> bytes:
    """Return the whole body.

    Raise `Excess` 413 if it is larger than `limit` bytes, 408 if it is too slow, `ConnectionError`
    if it breaks off."""
    began = asyncio.get_running_loop().time()
    body = bytearray()
    more = True
    while more:
        try:
            async with asyncio.timeout_at(began + BODY_SECONDS + len(body) / BODY_PACE):
                message: Any = await receive()
        except TimeoutError:
            raise Excess(HTTPStatus.REQUEST_TIMEOUT) from None
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        body += message.get("body", b"")
        if len(body) > limit:
            raise Excess(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        more = message.get("more_body", False)
    return bytes(body)


def body_once(body: bytes, receive: ASGIReceiveCallable) -> ASGIReceiveCallable:
    """Return a `receive` that first gives the body in one piece, and then passes on the server's
    messages."""
    unread: list[ASGIReceiveEvent] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_once() -> ASGIReceiveEvent:
        if unread:
            return unread.pop()
        return await receive()

    return receive_once
