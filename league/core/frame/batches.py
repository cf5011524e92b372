"""Answering simultaneous requests for the same part of a page together.

A result makes all open pages ask for the part that has changed. People without an account all get
the same answer. So requests of one moment get one answer, which is made after the last of them has
come."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from weakref import WeakValueDictionary

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

from league.core.frame.slots import body_once
from league.core.frame.unchanged import LIVE, PART, VARY

GATHER_SECONDS: Final = 0.1
PERSONAL: Final = (b"cookie", b"authorization")
COOKIE_SET: Final = b"set-cookie"
HEADERS: Final = tuple(
    name.lower().encode()
    for name in (*VARY, "Host", "Accept-Encoding", "If-None-Match", "X-Forwarded-Proto")
)
"""The headers on which an answer to somebody without an account can depend."""


class Batches:
    """An ASGI application in front of another one, which is asked only once for a batch of equal
    requests."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.waiting: dict[tuple[object, ...], asyncio.Task[list[Any]]] = {}
        self.turns: WeakValueDictionary[tuple[object, ...], asyncio.Lock] = WeakValueDictionary()

    async def __call__(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Serve a request, as part of a batch if it is for the live part of a public page."""
        headers = dict(scope["headers"])
        is_live = headers.get(PART.lower().encode()) == LIVE.encode() and scope["method"] == "GET"
        if not is_live or any(name in headers for name in PERSONAL):
            await self.app(scope, receive, send)
            return

        key = (scope["path"], scope["query_string"], *[headers.get(name) for name in HEADERS])
        batch = self.waiting.get(key)
        if batch is None:
            batch = asyncio.create_task(self._answer(key, scope))
            self.waiting[key] = batch
        messages = await asyncio.shield(batch)
        if any(name.lower() == COOKIE_SET for name, _ in messages[0]["headers"]):
            await self.app(scope, receive, send)  # a CSRF token or a session is for one reader
            return
        for message in messages:
            await send(message)

    async def _answer(self, key: tuple[object, ...], scope: HTTPScope) -> list[Any]:
        """Return the messages of the batch's common answer. Requests that arrive while it is being
        made form the next batch, which waits for this one: new content is rendered once."""
        lock = self.turns.setdefault(key, asyncio.Lock())
        messages: list[Any] = []

        async def send(message: Any) -> None:
            messages.append(message)

        await asyncio.sleep(GATHER_SECONDS)
        async with lock:
            del self.waiting[key]
            await self.app(scope, body_once(b"", _silence), send)
        return messages


async def _silence() -> Any:
    """Wait for ever: a batch doesn't disconnect."""
    await asyncio.Event().wait()
