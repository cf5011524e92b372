"""The web process: `/live/…` is a plain ASGI stream, everything else goes through WSGI to Django.

Django through ASGI cost 3–4 ms CPU a request against 0.2–0.8 ms by WSGI, and held one thread per
open stream. Pages, downloads and streams have slots of their own, so that none of them can take
what another needs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from a2wsgi import WSGIMiddleware

from league.wsgi import application as django_application

if TYPE_CHECKING:
    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope

from league.core.frame.batches import Batches
from league.core.frame.downloads import ENDINGS, Downloads
from league.core.frame.live import LiveStreams, end
from league.core.frame.slots import Limited, Slots
from league.core.frame.stream_gate import StreamGate
from league.disputes.call.live import CallStreams
from league.play.online_table.live import OnlineTableStreams
from league.play.program.live import AccountStreams, GameStreams
from league.request import STREAMS, is_stream
from league.sheets.watching.live import EventStreams, TableStreams
from league.site.metrics.domain import STREAMS_OPEN
from league.standings.ranking.live import Rankings
from league.up import heartbeat
from league.up.heartbeat import beat_on

PAGE_THREADS = 8
DOWNLOAD_THREADS = 4
PAGE_CHUNKS = 1_000  # of 4 kB: a slow reader of a static file holds memory, and no thread

wsgi = cast(Any, django_application)  # its types aren't asgiref's
streams = LiveStreams(
    [
        Rankings(),
        TableStreams(),
        EventStreams(),
        OnlineTableStreams(),
        GameStreams(),
        AccountStreams(),
        CallStreams(),
    ]
)
stream_slots = Slots(each=1_000, total=8_000)
live = Limited(streams, stream_slots)
pages = Limited(
    Batches(WSGIMiddleware(wsgi, workers=PAGE_THREADS, send_queue_size=PAGE_CHUNKS)),
    # a club's evening has one address, and all its phones reload at once
    Slots(each=100, total=400),
)
programs = Limited(StreamGate(pages, streams), stream_slots)
downloads = Limited(
    Downloads(wsgi, threads=DOWNLOAD_THREADS), Slots(each=2, total=DOWNLOAD_THREADS)
)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Pass one connection on to the application for its path.

    Drop headers with an underscore: WSGI can't tell them from the same headers with a hyphen, which
    a trusted proxy may have set.
    """
    if scope["type"] == "http":
        scope["headers"] = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
    elif scope["type"] == "http":
        await app_for(scope["path"])(scope, receive, send)


def app_for(path: str) -> Limited:
    """Return the application that serves a path."""
    if path.startswith(STREAMS):
        return live
    if is_stream(path):
        return programs
    return downloads if path.endswith(ENDINGS) else pages


async def lifespan(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Listen to the database and give heartbeats for as long as the process serves."""
    await receive()
    work = (streams.listen(), streams.keep_awake(), count_streams(), beat_on())
    tasks = [asyncio.create_task(task) for task in work]
    await send({"type": "lifespan.startup.complete"})
    await receive()
    for task in tasks:
        await end(task)
    await send({"type": "lifespan.shutdown.complete"})


async def count_streams() -> None:
    """Tell the metrics every few seconds how many streams are open."""
    while True:
        STREAMS_OPEN.set(stream_slots.all_taken)
        await asyncio.sleep(heartbeat.SECONDS)
