"""From an address of the API to a stream: a view checks who asks, and the event loop does the
rest."""

from __future__ import annotations

from typing import Any, Final

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

INNER: Final = "X-Inner-Stream"
"""The header in which a view names the inner address of a stream; it isn't sent out."""
HEADER: Final = INNER.lower().encode()


class StreamGate:
    """The ASGI application of addresses with a stream.

    `pages` answers requests that get no stream, such as refused ones. If its answer names an inner
    address, `streams` goes on with that, and the thread of the request is free again."""

    def __init__(self, pages: Any, streams: Any) -> None:
        self.pages = pages
        self.streams = streams

    async def __call__(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Serve one request: by a stream if the view's answer names one, otherwise by that
        answer."""
        inner_address = ""

        async def send_unless_stream(message: Any) -> None:
            nonlocal inner_address
            if message["type"] == "http.response.start":
                headers = []
                for name, value in message["headers"]:
                    if name.lower() != HEADER:
                        headers.append((name, value))
                    elif scope["method"] == "GET":
                        inner_address = value.decode()
                message = {**message, "headers": headers}
            if not inner_address:
                await send(message)

        await self.pages(scope, receive, send_unless_stream)
        if inner_address:
            await self.streams({**scope, "path": inner_address, "query_string": b""}, receive, send)
