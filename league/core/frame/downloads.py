"""Large answers that are made while they are sent. If the reader leaves, making them ends, too."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

from a2wsgi import WSGIMiddleware
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

ENDINGS: Final = (
    ".ndjson",
    ".jsonl",
    "/heads.txt",
    "/handles.csv",
    "/seats.csv",
    "/adjustments.csv",
)
"""The ends of the paths whose answers can be of any size."""
LEFT: Final = "league.left"
"""The key of the scope with an event that is set when the reader has left."""


class Downloads:
    """Django's downloads as an ASGI application, each in a thread of its own."""

    def __init__(self, wsgi: Callable[..., Any], *, threads: int) -> None:
        self.app: Any = WSGIMiddleware(ended_when_left(wsgi), workers=threads)

    async def __call__(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Serve one download. The first message of `receive` is the whole body; after it comes only
        the disconnect."""
        body = await receive()
        departure = threading.Event()

        async def wait_for_departure() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            departure.set()

        async def receive_body() -> Any:
            return body

        watching = asyncio.create_task(wait_for_departure())
        try:
            await self.app({**scope, LEFT: departure}, receive_body, send)
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching


def ended_when_left(wsgi: Callable[..., Iterable[bytes]]) -> Callable[..., Iterator[bytes]]:
    """Wrap a WSGI application, so that its answers end as soon as their reader has left."""

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        departure: threading.Event = environ["asgi.scope"][LEFT]
        answer: Any = wsgi(environ, start_response)
        try:
            for chunk in answer:
                if departure.is_set():
                    return
                yield chunk
        finally:
            answer.close()

    return application
