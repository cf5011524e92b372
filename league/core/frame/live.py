"""Live pages: streams of server-sent events below `/live/`, and one LISTEN connection for all of
them in each web process.

A `Topic` defines the address of its streams (`/live/<name>/<signed>?since=…`) and the channels of
the database that it listens to. A stream has no content: it says that something has changed, and
within which time pages shall fetch it, like any other page. `id:` is the version. A browser that
reconnects says which version it has, and gets the newest one, none in between. Readers have no
queue."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar, Final
from urllib.parse import parse_qs, quote

import psycopg
import structlog
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope
from django.conf import settings
from django.core import signing
from django.db import connection as default_connection
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from league.core.frame.outages import POSTGRES
from league.request import STREAMS
from league.up.heartbeat import beat

log = structlog.get_logger(__name__)

TOKEN_SECONDS = 24 * 3600
AWAKE_SECONDS = 10.0  # proxies end silent connections; a stream is silent for at most twice as long
LOOK_SECONDS = 5.0  # a listener that hears nothing checks the database after this time …
ANSWER_SECONDS = 10.0  # … which has to answer within this one
RECONNECT_SECONDS = 1.0
CANCEL_SECONDS = 0.5
SINCE_LENGTH = 40
SPREAD: Final = 3  # ms for each reader: all of them spread their requests over the sum …
MOST_SPREAD: Final = 3000  # … or over this, if it is less
HEADERS = [
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


@dataclass(eq=False, slots=True)
class StreamReader:
    """A reader of a stream about the thing (such as a table) with this `key`. The reader has its
    `version`.

    `awake` is set when there is news. `silent`: nothing was sent for a while. `ended`: the stream
    ends after the news."""

    key: Hashable
    version: str
    awake: asyncio.Event = field(default_factory=asyncio.Event)
    silent: bool = False
    ended: bool = False


class Topic(ABC):
    """The streams of one kind of things, and the known `versions` of those things.

    `name` is part of the addresses, `salt` of the signatures; `channels` are the database's
    channels that it listens to. A stream of the `media_type` begins with the `greeting`, and sends
    `still_here` when it was silent."""

    name: ClassVar[str]
    salt: ClassVar[str]
    channels: ClassVar[tuple[str, ...]]
    media_type: ClassVar[bytes] = b"text/event-stream"
    greeting: ClassVar[bytes] = b": open\n\n"
    still_here: ClassVar[bytes] = b": still here\n\n"

    def __init__(self) -> None:
        self.readers: defaultdict[Hashable, set[StreamReader]] = defaultdict(set)
        self.versions: dict[Hashable, str] = {}

    @classmethod
    def url(cls, key: Hashable, version: object) -> str:
        """Return the address of a stream for a page that shows a version, and that has checked the
        viewer's rights."""
        return (
            f"{STREAMS}{cls.name}/{signing.dumps(key, salt=cls.salt)}?since={quote(str(version))}"
        )

    def reader(self, token: str, version: str) -> StreamReader:
        """Return a reader for a signed address. Raise `signing.BadSignature` if the token is forged
        or too old."""
        return StreamReader(signing.loads(token, salt=self.salt, max_age=TOKEN_SECONDS), version)

    def join(self, reader: StreamReader) -> None:
        """Add a reader."""
        self.readers[reader.key].add(reader)

    def leave(self, reader: StreamReader) -> None:
        """Remove a reader, and the entry of its thing if no reader is left."""
        self.readers[reader.key].discard(reader)
        if not self.readers[reader.key]:
            del self.readers[reader.key]

    def publish(self, key: Hashable, version: str) -> None:
        """Note the version of a thing, and wake its readers if it is new."""
        if version != self.versions.get(key):
            self.versions[key] = version
            for reader in self.readers.get(key, ()):
                reader.awake.set()

    def news(self, reader: StreamReader) -> bytes:
        """Return the event that a reader hasn't been sent yet, and note it as sent; empty if there
        is none."""
        version = self.versions.get(reader.key, reader.version)
        if version == reader.version:
            return b""
        reader.version = version
        spread = min(MOST_SPREAD, SPREAD * len(self.readers.get(reader.key, ())))
        return f'id: {version}\ndata: {{"spread": {spread}}}\n\n'.encode()

    @abstractmethod
    def hear(self, payload: str) -> None:
        """Handle a notification of the database."""

    @abstractmethod
    async def catch_up(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Read the changes that were missed while nobody listened."""

    @abstractmethod
    def poll(self) -> None:
        """Check for changes that came without a notice. Called every few seconds."""


class LiveStreams:
    """The ASGI application below `/live/`."""

    def __init__(self, topics: Sequence[Topic]) -> None:
        self.topics = {topic.name: topic for topic in topics}

    async def listen(self) -> None:
        """Pass each NOTIFY on to its topics; after a lost connection, let them catch up."""
        channels = sorted({channel for topic in self.topics.values() for channel in topic.channels})
        while True:
            try:
                async with await connect() as connection:
                    await connection.execute(
                        "; ".join(f"LISTEN {channel}" for channel in channels).encode()
                    )
                    for topic in self.topics.values():
                        await topic.catch_up(connection)
                    await self.hear(connection)
            except (psycopg.Error, OSError) as error:  # a TimeoutError is an OSError
                log.warning(
                    "live.reconnect", outage=POSTGRES, error=type(error).__name__, exc_info=error
                )
                await asyncio.sleep(RECONNECT_SECONDS)

    async def hear(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Pass notifications on to the topics until the connection is lost."""
        while True:
            beat("listener")
            async for notice in connection.notifies(timeout=LOOK_SECONDS):
                for topic in self.topics.values():
                    if notice.channel in topic.channels:
                        topic.hear(notice.payload)
            async with asyncio.timeout(ANSWER_SECONDS):
                await connection.execute("")  # an empty query has an answer, too
            for topic in self.topics.values():
                topic.poll()

    async def keep_awake(self) -> None:
        """Wake all readers whose stream was silent, at the same moment: a timer for each would take
        half of the time that news for a thousand readers takes."""
        while True:
            await asyncio.sleep(AWAKE_SECONDS)
            for topic in self.topics.values():
                for reader in chain.from_iterable(topic.readers.values()):
                    if reader.silent:
                        reader.awake.set()
                    reader.silent = True

    async def __call__(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Serve `/live/<name>/<signed>?since=…` until the reader leaves."""
        name, _, token = scope["path"].removeprefix(STREAMS).partition("/")
        topic = self.topics.get(name)
        try:
            reader = topic.reader(token, shown_before(scope)) if topic else None
        except signing.BadSignature:
            reader = None
        if topic is None or reader is None:
            await refuse(send)
            return
        topic.join(reader)
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
    """Send news as events, and a comment after silence, which keeps proxies from closing the
    connection."""
    headers = [(b"content-type", topic.media_type), *HEADERS]
    await send(
        {"type": "http.response.start", "status": 200, "headers": headers, "trailers": False}
    )
    body = topic.greeting
    while True:
        reader.awake.clear()
        body += topic.news(reader)
        if body or reader.silent:
            reader.silent = False
            await send(
                {"type": "http.response.body", "body": body or topic.still_here, "more_body": True}
            )
        body = b""
        if reader.ended:
            break
        await reader.awake.wait()
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def disconnected(receive: ASGIReceiveCallable) -> None:
    """Wait until the reader has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended: before Python 3.12 a cancellation at the end of a wait can
    get lost."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_SECONDS)


def shown_before(scope: HTTPScope) -> str:
    """Return the version that a reader already has: the id of its last event, otherwise the version
    of its page; empty if malformed."""
    last = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
    since = parse_qs(scope["query_string"].decode("latin-1")).get("since", [""])[0]
    for version in (last, since):
        if version.isascii() and 0 < len(version) < SINCE_LENGTH:
            return version
    return ""


async def connect() -> psycopg.AsyncConnection[TupleRow]:
    """Open a connection of our own to Django's database."""
    conninfo = make_conninfo(settings.DATABASE_URL, dbname=default_connection.settings_dict["NAME"])
    async with asyncio.timeout(ANSWER_SECONDS):
        return await psycopg.AsyncConnection.connect(conninfo, autocommit=True)
