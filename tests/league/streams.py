"""Readers of live streams, driven by hand."""

from __future__ import annotations

import asyncio
from typing import Any

from league.core.frame.live import LiveStreams, end


class Listener:
    """One connection of a browser to the stream, driven by hand."""

    def __init__(self, url: str, last_event_id: str | None = None) -> None:
        path, _, query = url.partition("?")
        headers = [(b"last-event-id", last_event_id.encode())] if last_event_id else []
        self.scope: Any = {
            "type": "http",
            "path": path,
            "query_string": query.encode(),
            "headers": headers,
        }
        self.sent: asyncio.Queue[Any] = asyncio.Queue()
        self.gone = asyncio.Event()

    async def receive(self) -> Any:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        await self.sent.put(message)

    async def next_event(self, seconds: float = 10) -> str:
        """The next event's text; comments that keep the line awake are passed over."""
        while True:
            message = await asyncio.wait_for(self.sent.get(), seconds)
            body = message.get("body", b"").decode()
            if "data:" in body:
                return str(body)


async def during(reader: Listener, streams: LiveStreams, steps: Any) -> None:
    """Run `steps` while the reader is connected and the process listens."""
    listening = asyncio.create_task(streams.listen())
    serving = asyncio.create_task(streams(reader.scope, reader.receive, reader.send))
    try:
        await steps
    finally:
        reader.gone.set()
        await serving
        await end(listening)
