"""The way from an address of the API to a stream: a view checks who asks, and the event loop goes
on from there."""

from __future__ import annotations

from typing import Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

INNER: Final = "X-Inner-Stream"
"""The header by which a view names the inner address of a stream; nobody outside is sent it."""
HEADER: Final = INNER.lower().encode()


class StreamGate:
    """The ASGI application of addresses that end in a stream.

    `pages` answers whatever is no stream, such as a refusal. Where its answer names an inner
    address, `streams` goes on with that, and the thread of the request is free again."""

    def __init__(self, pages: Any, streams: Any) -> None:
        self.pages, self.streams = pages, streams

    async def __call__(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Serve one request."""
        inner = ""

        async def pass_on(message: Any) -> None:
            nonlocal inner
            if message["type"] == "http.response.start":
                headers = list(message["headers"])
                message = {
                    **message,
                    "headers": [pair for pair in headers if pair[0].lower() != HEADER],
                }
                if scope["method"] == "GET":
                    inner = next(
                        (value.decode() for name, value in headers if name.lower() == HEADER), ""
                    )
            if not inner:
                await send(message)

        await self.pages(scope, receive, pass_on)
        if inner:
            await self.streams({**scope, "path": inner, "query_string": b""}, receive, send)
