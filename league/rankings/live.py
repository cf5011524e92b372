"""Live pages: one stream of server-sent events per open ranking, one LISTEN connection per web process.

A stream carries no content, only the ranking's version, and how long pages may spread out their requests; each then
fetches what it may see like any other page.
`id:` is the version, so a browser that reconnects says what it has seen. What it missed the listener knows: it keeps
the version of every ranking, so that a stream needs no connection to the database, however many are open.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import psycopg
import structlog
from django.conf import settings
from django.core import signing
from django.db import connection as default_connection
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from league.rankings.services.counting import LIVE_CHANNEL
from league.up.heartbeat import beat

if TYPE_CHECKING:
    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

log = structlog.get_logger(__name__)

SALT = "live.ranking"
TOKEN_SECONDS = 24 * 3600
AWAKE_SECONDS = 20.0  # a proxy ends what is silent for longer
LOOK_SECONDS = 5.0  # a listener that hears nothing asks whether the database is still there
ANSWER_SECONDS = 10.0  # within which the database has to say so
RECONNECT_SECONDS = 1.0
CANCEL_SECONDS = 0.5
SPREAD = 3  # ms for each reader of a ranking, within which all of them ask for what has changed …
MOST_SPREAD = 3000  # … and at most
QUEUE_SIZE = 8  # only the newest version counts: a reader who is slow misses nothing by losing older ones


def live_url(ranking_id: int, version: int) -> str:
    """The address of a ranking's stream, for a page that shows `version`; the page's loader checks the rights."""
    return f"/live/rankings/{signing.dumps(ranking_id, salt=SALT)}?since={version}"


class LiveStreams:
    """The ASGI application below `/live/`."""

    def __init__(self) -> None:
        self.readers: defaultdict[int, set[asyncio.Queue[int]]] = defaultdict(set)
        self.versions: dict[int, int] = {}

    async def listen(self) -> None:
        """Pass on every NOTIFY to its readers; after a lost connection, what was missed."""
        while True:
            try:
                async with await connect() as connection:
                    await connection.execute(f"LISTEN {LIVE_CHANNEL}".encode())
                    await self.catch_up(connection)
                    await self.hear(connection)
            except (psycopg.Error, OSError) as error:  # a TimeoutError is an OSError
                log.warning("live.reconnect", error=type(error).__name__)
                await asyncio.sleep(RECONNECT_SECONDS)

    async def catch_up(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Learn all versions, and tell those that have risen."""
        cursor = await connection.execute("SELECT id, version FROM league_ranking")
        async for ranking_id, version in cursor:
            self.publish(ranking_id, version)

    async def hear(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Publish what is told, until the connection is lost."""
        while True:
            beat("listener")
            async for notice in connection.notifies(timeout=LOOK_SECONDS):
                ranking_id, version = map(int, notice.payload.split(":"))
                self.publish(ranking_id, version)
            async with asyncio.timeout(ANSWER_SECONDS):
                await connection.execute("SELECT 1")

    def publish(self, ranking_id: int, version: int) -> None:
        """Note a ranking's version and tell its readers, if it is new."""
        if version <= self.versions.get(ranking_id, -1):
            return
        self.versions[ranking_id] = version
        for queue in self.readers.get(ranking_id, ()):
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(version)

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Serve `/live/rankings/<token>?since=<version>` until the reader leaves."""
        try:
            ranking_id = signing.loads(scope["path"].removeprefix("/live/rankings/"), salt=SALT, max_age=TOKEN_SECONDS)
        except signing.BadSignature:
            # 204 tells an EventSource to stop asking.
            await send({"type": "http.response.start", "status": 204, "headers": [], "trailers": False})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        queue: asyncio.Queue[int] = asyncio.Queue(QUEUE_SIZE)
        self.readers[ranking_id].add(queue)
        stream = asyncio.create_task(self.stream(queue, ranking_id, seen_version(scope), send))
        disconnection = asyncio.create_task(disconnected(receive))
        try:
            await asyncio.wait([stream, disconnection], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end(stream)
            await end(disconnection)
            self.readers[ranking_id].discard(queue)
            if not self.readers[ranking_id]:
                del self.readers[ranking_id]

    async def stream(
        self, queue: asyncio.Queue[int], ranking_id: int, version_shown: int, send: ASGISendCallable
    ) -> None:
        """Send each version above `version_shown` as an event, and a comment now and then that keeps proxies awake."""
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers, "trailers": False})
        body, version = b": open\n\n", self.versions.get(ranking_id, 0)
        while True:
            if version > version_shown:
                version_shown = version
                spread = min(MOST_SPREAD, SPREAD * len(self.readers.get(ranking_id, ())))
                body += b'id: %d\nevent: ranking\ndata: {"version": %d, "spread": %d}\n\n' % (version, version, spread)
            await send({"type": "http.response.body", "body": body, "more_body": True})
            body = b""
            try:
                version = await asyncio.wait_for(queue.get(), AWAKE_SECONDS)
            except TimeoutError:
                body = b": still here\n\n"


async def disconnected(receive: ASGIReceiveCallable) -> None:
    """Wait until the reader has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended: before Python 3.12 a cancellation that meets the end of a wait can be lost."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_SECONDS)


def seen_version(scope: HTTPScope) -> int:
    """The version that a reader has: of the last event it got, else of the page it shows."""
    last = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
    since = parse_qs(scope["query_string"].decode("latin-1")).get("since", [""])[0]
    return int(next((text for text in (last, since) if text.isascii() and text.isdigit() and len(text) < 10), "0"))


async def connect() -> psycopg.AsyncConnection[TupleRow]:
    """A connection of our own to Django's database."""
    conninfo = make_conninfo(settings.DATABASE_URL, dbname=default_connection.settings_dict["NAME"])
    async with asyncio.timeout(ANSWER_SECONDS):
        return await psycopg.AsyncConnection.connect(conninfo, autocommit=True)
