"""An answer that has begun is written at once, to whoever takes what is sent: a real server, and a
client by hand."""

from __future__ import annotations

import asyncio
import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from uvicorn import Config

from league.core.frame.live import LiveStreams
from league.request import HEAD_BYTES
from league.standings.ranking.live import Rankings
from league.up.connection import MOST_REQUESTS, Connection, WebServer
from league.up.web import listening

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@contextmanager
def served(application: Any) -> Iterator[http.client.HTTPConnection]:
    """A client of a server that serves an application, in a thread of its own, until the block
    ends."""
    with listening("127.0.0.1", 0) as listener:
        server = WebServer(
            Config(
                application, http=Connection, ws="none", lifespan="off", timeout_graceful_shutdown=1
            )
        )
        thread = Thread(target=lambda: asyncio.run(server.serve([listener])))
        thread.start()
        client = http.client.HTTPConnection("127.0.0.1", listener.getsockname()[1], timeout=30)
        try:
            yield client
        finally:
            client.close()
            server.should_exit = True
            thread.join()


def test_news_reach_an_open_page() -> None:
    rankings = Rankings()
    streams = LiveStreams([rankings])

    async def application(scope: Any, receive: Any, send: Any) -> None:
        asyncio.get_running_loop().call_later(0.2, rankings.publish, 1, "5")
        await streams(scope, receive, send)

    with served(application) as client:
        client.request("GET", Rankings.url(1, 0))
        page = client.getresponse()
        assert page.readline() == b": open\n"
        page.readline()
        assert page.readline() == b"id: 5\n"


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the names of a request's headers, once its body is there."""
    while (await receive()).get("more_body"):
        pass
    body = b" ".join(name for name, _ in scope["headers"])
    await send(
        {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-length", b"%d" % len(body))],
        }
    )
    await send({"type": "http.response.body", "body": body})


def send(client: http.client.HTTPConnection, text: bytes) -> socket.socket:
    """Send something by hand, which the client's own words are too polite for."""
    client.connect()
    assert client.sock
    client.sock.sendall(text)
    return client.sock


def send_for_ever(connected: socket.socket) -> None:
    """Send far more than any head, however long that takes."""
    for _ in range(100 * HEAD_BYTES // 1024):
        connected.sendall(b"x" * 1024)


def read(connected: socket.socket) -> bytes:
    """All that comes until the server ends the connection, in whichever way."""
    found = b""
    try:
        while piece := connected.recv(65_536):
            found += piece
    except ConnectionResetError:
        pass
    return found


def test_who_leaves_is_missed_though_another_request_waits() -> None:
    missed = asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        missed.set()

    with served(application) as client:
        connected = send(client, GET * 2)
        assert connected.recv(4096)
        client.close()
    assert missed.is_set()


def test_requests_that_come_together_are_answered_in_turn() -> None:
    with served(echo) as client:
        connected = send(client, GET * MOST_REQUESTS + LAST)
        found = read(connected)
    assert found.count(b"200 OK") == MOST_REQUESTS + 1
    assert found.count(b"\r\n\r\nhost") == MOST_REQUESTS + 1


def test_who_never_waits_for_an_answer_is_hung_up_on() -> None:
    with served(echo) as client:
        assert read(send(client, GET * 1000)) == b""


def test_a_later_head_is_not_waited_for_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.up.connection.HEAD_SECONDS", 0.3)
    with served(echo) as client:
        client.request("GET", "/")
        client.getresponse().read()
        client.sock.sendall(b"GET /")
        assert read(client.sock) == b""


@pytest.mark.parametrize(
    "head",
    [
        GET + b"GET /",
        b"GET / HTTP/1.1\r\nCookie: ",
        b"GET /",
        POST + b"4;",
        POST + b"4\r\nbody\r\n0\r\nCookie: ",
    ],
    ids=["a second address", "a header", "an address", "a chunk's length", "a trailer"],
)
def test_nothing_but_a_body_may_be_endless(head: bytes) -> None:
    with served(echo) as client:
        connected = send(client, head)
        with pytest.raises(ConnectionError):
            send_for_ever(connected)


def test_a_body_may_be_larger_than_a_head() -> None:
    with served(echo) as client:
        client.request("POST", "/", body=iter([b"x" * HEAD_BYTES] * 30), encode_chunked=True)
        assert client.getresponse().status == 200


def test_what_comes_after_a_body_says_nothing_of_the_request() -> None:
    with served(echo) as client:
        connected = send(
            client, POST + b"4\r\nbody\r\n0\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n" + LAST
        )
        assert b"x-forwarded-for" not in read(connected)


@pytest.mark.parametrize(
    "text",
    [
        b"\0",
        b"BLUFF / HTTP/1.1\r\n\r\n",
        b"GET http://localhost HTTP/1.1\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\n\r\n",
    ],
)
def test_what_is_no_request_is_said_to_be_none(text: bytes) -> None:
    with served(echo) as client:
        assert read(send(client, text)).startswith(b"HTTP/1.1 400 Bad Request")
