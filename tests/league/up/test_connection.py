"""An answer that has begun is written at once, to whoever takes what is sent: a real server, and a client by hand."""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from uvicorn import Config

from league.frame.live import LiveStreams
from league.rankings.live import Rankings
from league.request import LINE
from league.up.connection import Connection, WebServer
from league.up.web import listening

PIECE = b"x" * 50_000
MOST_PIECES = 2_000
"""More than the buffers of any system hold."""


@contextmanager
def served(application: Any) -> Iterator[http.client.HTTPConnection]:
    """A client of a server that serves an application, in a thread of its own, until the block ends."""
    with listening("127.0.0.1", 0) as listener:
        server = WebServer(Config(application, http=Connection, ws="none", lifespan="off", timeout_graceful_shutdown=1))
        thread = Thread(target=lambda: asyncio.run(server.serve([listener])))
        thread.start()
        client = http.client.HTTPConnection("127.0.0.1", listener.getsockname()[1], timeout=30)
        try:
            yield client
        finally:
            client.close()
            server.should_exit = True
            thread.join()


def test_a_reader_who_takes_nothing_is_sent_no_more_until_it_has_taken_all() -> None:
    asked, ends = list[int](), list[bool]()

    def piece() -> bytes:
        asked.append(len(asked))
        return PIECE

    async def application(scope: Any, receive: Any, send: Any) -> None:
        line: Callable[[Callable[[], bytes]], bool] = scope["extensions"][LINE]["write"]
        assert not line(piece), "nothing has begun"
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while len(asked) < MOST_PIECES and line(piece):
            pass
        assert not line(piece)
        await send({"type": "http.response.body", "body": b"taken", "more_body": True})  # waits until all is
        assert line(lambda: b" and more")
        assert line(lambda: b"")
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        ends.append(line(piece))

    with served(application) as client:
        client.request("GET", "/")
        body = client.getresponse().read()
    assert 0 < len(asked) < MOST_PIECES
    assert body == PIECE * len(asked) + b"taken and more"
    assert ends == [False]


def test_who_asks_for_the_head_of_a_stream_takes_nobody_the_news() -> None:
    rankings = Rankings()
    streams = LiveStreams([rankings])
    with served(streams) as client:
        client.request("HEAD", Rankings.url(1, 0))
        assert client.getresponse().status == 200
        (reader,) = rankings.readers[1]
        assert reader.line
        assert not reader.line(lambda: PIECE)


def test_nothing_is_written_to_who_has_left() -> None:
    left = asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        if not scope["extensions"][LINE]["write"](lambda: PIECE):
            left.set()

    with served(application) as client:
        client.request("GET", "/")
        client.getresponse().close()
    assert left.is_set()


def test_news_reach_an_open_page_by_its_line() -> None:
    rankings = Rankings()
    streams = LiveStreams([rankings])

    async def application(scope: Any, receive: Any, send: Any) -> None:
        asyncio.get_running_loop().call_later(0.2, rankings.publish, 1, 5)
        await streams(scope, receive, send)

    with served(application) as client:
        client.request("GET", Rankings.url(1, 0))
        page = client.getresponse()
        assert page.readline() == b": open\n"
        page.readline()
        (reader,) = rankings.readers[1]
        assert reader.line
        assert [page.readline() for _ in range(2)] == [b"id: 5\n", b"event: ranking\n"]
