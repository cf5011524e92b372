"""A web process that is asked to end answers whoever has asked, and then ends; a real one, and its
clients by hand."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core import signing
from uvicorn import Config

from league.standings.ranking.live import SALT
from league.up import embedded
from league.up.children import Child, wait_until_ready
from league.up.connection import LAST_SECONDS, Connection, WebServer
from league.up.web import GRACE_SECONDS, listening
from tests.league.core.frame.test_slots import LOGIN, PAGE, answer, open_and_send

GET = f"GET {PAGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


@pytest.fixture
def web(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Child, int]]:
    """A web process with a folder of its own and no database, and its port."""
    monkeypatch.setenv("CUPS_UP_VAR", str(tmp_path_factory.mktemp("web")))
    monkeypatch.setenv("SECRET_KEY", settings.SECRET_KEY)
    with listening("127.0.0.1", 0) as listener:
        number, port = listener.fileno(), listener.getsockname()[1]
        command = [
            sys.executable,
            "-m",
            "league.up.web",
            str(number),
            "--app",
            "tests.league.core.frame.served:application",
        ]
        child = Child("web-1", command, sockets=(number,), folder=embedded.CHECKOUT)
        child.start()
        wait_until_ready([child], lambda message: None)
    yield child, port
    child.stop()


def stream(port: int) -> socket.socket:
    """A stream that has begun."""
    token = signing.dumps(1, salt=SALT)
    client = open_and_send(
        port, f"GET /live/rankings/{token}?since=0 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    )
    until(lambda: b": open" in client.recv(4096, socket.MSG_PEEK))
    return client


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def refuses(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionError:
        return True
    return False


@pytest.mark.parametrize("after_the_last_turn", [False, True])
def test_who_came_while_the_process_was_busy_is_let_in_before_it_ends(
    monkeypatch: pytest.MonkeyPatch, *, after_the_last_turn: bool
) -> None:
    """A busy process learns of its end and of who has connected since in the same turn, or not at
    all."""
    clients: list[socket.socket] = []
    sleep = asyncio.sleep

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})

    with listening("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]

        def come() -> None:
            clients.extend(open_and_send(port, GET) for _ in range(5))

        async def last_turn(server: WebServer, counter: int) -> bool:
            if not after_the_last_turn:
                come()
            return True

        async def turn(seconds: float) -> None:
            await sleep(seconds)
            if after_the_last_turn and not clients:
                come()

        monkeypatch.setattr(WebServer, "on_tick", last_turn)
        monkeypatch.setattr(asyncio, "sleep", turn)
        config = Config(
            application, http=Connection, ws="none", lifespan="off", timeout_graceful_shutdown=5
        )
        WebServer(config).run(sockets=[listener])
    assert [answer(client)[0] for client in clients] == [200] * 5


def test_who_has_asked_is_answered_and_streams_end_at_once(web: tuple[Child, int]) -> None:
    child, port = web
    open_streams = [stream(port) for _ in range(2)]
    half, unasked, idle = (
        open_and_send(port, LOGIN),
        open_and_send(port, b""),
        open_and_send(port, GET),
    )
    assert answer(idle)[0] == 200
    time.sleep(0.2)  # until the process has taken all of them
    began = time.monotonic()
    child.ask_to_end()
    until(lambda: refuses(port))
    unasked.sendall(GET)
    assert answer(unasked)[0] == 200
    half.sendall(b"x" * 1000)
    assert answer(half)[0] == 403, "no token of the form"
    for client in [*open_streams, idle, unasked]:
        client.settimeout(5)
        while client.recv(4096):
            pass
    child.process.wait(10)
    assert time.monotonic() - began < GRACE_SECONDS / 2
    assert child.process.returncode == -signal.SIGTERM, "it ended by itself"


def test_who_has_connected_and_never_asks_holds_it_up_for_a_moment(web: tuple[Child, int]) -> None:
    child, port = web
    client = open_and_send(port, b"")
    time.sleep(0.2)
    began = time.monotonic()
    child.ask_to_end()
    child.process.wait(10)
    assert LAST_SECONDS <= time.monotonic() - began < LAST_SECONDS + 3
    client.close()
