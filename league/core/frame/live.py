"""Live pages: streams of server-sent events below `/live/`, and one LISTEN connection per web process for all of them.

A `Topic` says where its streams are (`/live/<name>/<signed>?since=…`), which channels of the database it hears, and
what its readers are told. The address is signed, and the page that shows it has checked the rights. `id:` is what the
thing has come to, so a browser that reconnects says what it has seen; it is told the newest, and nothing in between.
No reader has a queue: who is slow is told the newest once the line is free again.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, ClassVar, cast
from urllib.parse import parse_qs, quote

import psycopg
import structlog
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope
from django.conf import settings
from django.core import signing
from django.db import connection as default_connection
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from league.request import LINE
from league.up.heartbeat import beat

log = structlog.get_logger(__name__)

TOKEN_SECONDS = 24 * 3600
AWAKE_SECONDS = 10.0  # twice as long a line may be silent: a proxy ends what is silent for longer
LOOK_SECONDS = 5.0  # a listener that hears nothing asks whether the database is still there
ANSWER_SECONDS = 10.0  # within which the database has to say so
RECONNECT_SECONDS = 1.0
CANCEL_SECONDS = 0.5
SINCE_LENGTH = 40
LineWriter = Callable[[Callable[[], bytes]], bool]
"""Sends what a function gives, and is True, if the answer has begun and all that was sent before is taken."""
HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


@dataclass(eq=False, slots=True)
class StreamReader:
    """Somebody who reads a stream: of what (`key`), what the signed address says beside (`about`), the `version` that
    is shown. `awake` is set when there is news. `allowed`: None until it is known, False ends the stream. `silent`:
    nothing was sent for a while. `line`: writes at once on the connection, if the server can do that."""

    key: Hashable
    about: tuple[Any, ...]
    version: str
    awake: asyncio.Event = field(default_factory=asyncio.Event)
    allowed: bool | None = None
    silent: bool = False
    turn: int | None = None
    line: LineWriter | None = None


class Topic(ABC):
    """Streams of one kind. `name` is part of their addresses, `salt` that of the signatures, and `channels` are those
    of the database that it hears."""

    name: ClassVar[str]
    salt: ClassVar[str]
    channels: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        self.readers: defaultdict[Hashable, set[StreamReader]] = defaultdict(set)

    @classmethod
    def url(cls, signed: Any, since: object) -> str:
        """The address of a stream for a page that shows what it was at `since`."""
        return f"/live/{cls.name}/{signing.dumps(signed, salt=cls.salt)}?since={quote(str(since))}"

    def reader(self, token: str, version: str) -> StreamReader:
        """Who has this address. Raises `signing.BadSignature`."""
        signed = signing.loads(token, salt=self.salt, max_age=TOKEN_SECONDS)
        key, *about = signed if isinstance(signed, list) else [signed]
        return StreamReader(key, tuple(about), version)

    async def join(self, reader: StreamReader) -> bool:
        """Count a reader in; False for who may see it no more."""
        self.readers[reader.key].add(reader)
        return True

    def leave(self, reader: StreamReader) -> None:
        """Count a reader out, and keep nothing of what nobody follows any more."""
        self.readers[reader.key].discard(reader)
        if not self.readers[reader.key]:
            del self.readers[reader.key]

    def wake(self, key: Hashable) -> None:
        """Send the readers of a thing its news: at once where the line is free, elsewhere as soon as it is. To wake a
        task for each of a thousand would take longer than all that it has to do."""
        for reader in self.readers.get(key, ()):
            if reader.allowed is False or not (reader.line and reader.line(partial(self.words, reader))):
                reader.awake.set()

    def words(self, reader: StreamReader) -> bytes:
        """What a reader is sent now, which ends its silence; empty without news."""
        event = self.news(reader)
        reader.silent = reader.silent and not event
        return event

    @abstractmethod
    def news(self, reader: StreamReader) -> bytes:
        """The event that a reader hasn't been sent yet; empty without one."""

    @abstractmethod
    def hear(self, channel: str, payload: str) -> None:
        """Take a notice of the database."""

    @abstractmethod
    async def catch_up(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Learn what was missed while nobody listened."""

    @abstractmethod
    def look_around(self) -> None:
        """Look every few seconds for what nobody tells."""


class LiveStreams:
    """The ASGI application below `/live/`."""

    def __init__(self, topics: Sequence[Topic]) -> None:
        self.topics = {topic.name: topic for topic in topics}

    async def listen(self) -> None:
        """Pass on every NOTIFY to its topics; after a lost connection, what was missed."""
        channels = sorted({channel for topic in self.topics.values() for channel in topic.channels})
        while True:
            try:
                async with await connect() as connection:
                    await connection.execute("; ".join(f"LISTEN {channel}" for channel in channels).encode())
                    for topic in self.topics.values():
                        await topic.catch_up(connection)
                    await self.hear(connection)
            except (psycopg.Error, OSError) as error:  # a TimeoutError is an OSError
                log.warning("live.reconnect", error=type(error).__name__)
                await asyncio.sleep(RECONNECT_SECONDS)

    async def hear(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Pass on what is told, until the connection is lost."""
        while True:
            beat("listener")
            async for notice in connection.notifies(timeout=LOOK_SECONDS):
                for topic in self.topics.values():
                    if notice.channel in topic.channels:
                        topic.hear(notice.channel, notice.payload)
            async with asyncio.timeout(ANSWER_SECONDS):
                await connection.execute("")  # an empty query has an answer, too
            for topic in self.topics.values():
                topic.look_around()

    async def keep_awake(self) -> None:
        """Have something sent on each line that was silent, of all at once: a timer of its own for each reader would
        take half the time in which news are passed on to a thousand of them."""
        while True:
            await asyncio.sleep(AWAKE_SECONDS)
            for topic in self.topics.values():
                for reader in chain.from_iterable(topic.readers.values()):
                    if reader.silent:
                        reader.awake.set()
                    reader.silent = True

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Serve `/live/<name>/<signed>?since=…` until the reader leaves, or may see it no more."""
        name, _, token = scope["path"].removeprefix("/live/").partition("/")
        topic = self.topics.get(name)
        try:
            reader = topic.reader(token, shown_before(scope)) if topic else None
        except signing.BadSignature:
            reader = None
        if topic is None or reader is None:
            await refuse(send)
            return
        reader.line = line_of(scope)
        streaming = asyncio.create_task(stream(topic, reader, send))
        disconnection = asyncio.create_task(disconnected(receive))
        try:
            await asyncio.wait([streaming, disconnection], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end(streaming)
            await end(disconnection)
            topic.leave(reader)


async def refuse(send: ASGISendCallable) -> None:
    """Answer 204, which tells an EventSource to stop asking."""
    await send({"type": "http.response.start", "status": 204, "headers": [], "trailers": False})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def stream(topic: Topic, reader: StreamReader, send: ASGISendCallable) -> None:
    """Send all news as events, and a comment on a line that was silent, which keeps proxies awake."""
    if not await topic.join(reader):
        await refuse(send)
        return
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS, "trailers": False})
    body = b": open\n\n"
    while reader.allowed is not False:
        reader.awake.clear()
        body += topic.news(reader)
        if body or reader.silent:
            reader.silent = False
            await send({"type": "http.response.body", "body": body or b": still here\n\n", "more_body": True})
        body = b""
        await reader.awake.wait()
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def line_of(scope: HTTPScope) -> LineWriter | None:
    """What writes at once on the connection of a request; None if the server has no such thing."""
    return cast("LineWriter | None", (scope.get("extensions") or {}).get(LINE, {}).get("write"))


async def disconnected(receive: ASGIReceiveCallable) -> None:
    """Wait until the reader has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended: before Python 3.12 a cancellation that meets the end of a wait can be lost."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_SECONDS)


def shown_before(scope: HTTPScope) -> str:
    """What a reader has: the id of the last event it got, else that of the page it shows; empty for a strange one."""
    last = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
    since = parse_qs(scope["query_string"].decode("latin-1")).get("since", [""])[0]
    return next((text for text in (last, since) if text.isascii() and 0 < len(text) < SINCE_LENGTH), "")


async def connect() -> psycopg.AsyncConnection[TupleRow]:
    """A connection of our own to Django's database."""
    conninfo = make_conninfo(settings.DATABASE_URL, dbname=default_connection.settings_dict["NAME"])
    async with asyncio.timeout(ANSWER_SECONDS):
        return await psycopg.AsyncConnection.connect(conninfo, autocommit=True)
