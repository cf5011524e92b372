"""What slow, large and many requests do to the others: nothing. A real web process, and its clients
by hand."""

from __future__ import annotations

import http.client
import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http import HTTPStatus

import pytest

from league.asgi import DOWNLOAD_THREADS, PAGE_THREADS, app_for, downloads, live, pages
from league.core.frame.excess import Excess, language
from league.core.frame.slots import BODY_LIMIT, Slots, address_of, body_limit
from league.up import embedded
from league.up.children import Child, wait_until_ready
from league.up.web import listening

PAGE = "/docs/start"
LOGIN = b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a web process; it has a folder of its own, and no database."""
    with pytest.MonkeyPatch.context() as patch, listening("127.0.0.1", 0) as listener:
        patch.setenv("CUPS_UP_VAR", str(tmp_path_factory.mktemp("web")))
        number = listener.fileno()
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
        try:
            wait_until_ready([child], lambda message: None)
            yield listener.getsockname()[1]
        finally:
            child.stop()


def ask(
    port: int, path: str = PAGE, address: str = "127.0.0.1", **headers: str
) -> http.client.HTTPResponse:
    """The answer to a GET, read to its end; `msg` holds its head."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
    client.request("GET", path, headers={"Host": "localhost", **headers})
    answer = client.getresponse()
    answer.read()
    client.close()
    return answer


def open_and_send(port: int, text: bytes, address: str = "127.0.0.1") -> socket.socket:
    """A connection on which this was sent, whose client then does nothing."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(60)
    client.bind((address, 0))
    client.connect(("127.0.0.1", port))
    client.sendall(text)
    return client


def answer(client: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """What comes back on a connection: status, head, body."""
    found = http.client.HTTPResponse(client)
    found.begin()
    return found.status, dict(found.getheaders()), found.read()


def until(condition: Callable[[], bool]) -> None:
    """Wait for it."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_50_slow_bodies_hold_up_no_page_and_are_given_up(port: int) -> None:
    assert PAGE_THREADS < 50
    with ExitStack() as open_clients:
        slow = [
            open_clients.enter_context(open_and_send(port, LOGIN + b"login=a")) for _ in range(50)
        ]
        assert ask(port).status == 200
        answers = [answer(client) for client in slow]
    assert {status for status, _head, _body in answers} == {408}
    assert b"request arrived too slowly" in answers[0][2]


def test_a_head_that_does_not_come_is_not_waited_for(port: int) -> None:
    with ExitStack() as open_clients:
        slow = [open_clients.enter_context(open_and_send(port, b"GET / HTT")) for _ in range(50)]
        assert ask(port).status == 200
        assert {client.recv(1) for client in slow} == {b""}, "closed"


def test_a_head_past_32_kb_is_refused_however_it_comes(port: int) -> None:
    assert ask(port, "/", Cookie="a=" + "b" * 30_000).status != 431
    assert ask(port, "/", Cookie="a=" + "b" * 33_000).status in (400, 431)
    assert ask(port, "/?" + "b" * 33_000).status in (400, 431)


def test_slow_readers_of_downloads_hold_up_no_page_and_are_dropped(port: int) -> None:
    request = b"GET /endless.ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as open_clients:
        for number in range(DOWNLOAD_THREADS):
            open_clients.enter_context(open_and_send(port, request, f"127.0.0.{2 + number // 2}"))
            assert ask(port).status == 200
        until(lambda: read(port, "/being-made/") == b"0")


def test_who_breaks_a_download_off_has_its_making_ended(port: int) -> None:
    with open_and_send(port, b"GET /endless.ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n") as client:
        client.recv(100_000)
    until(lambda: read(port, "/being-made/") == b"0")


def read(port: int, path: str) -> bytes:
    """The body of a page."""
    with open_and_send(
        port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    ) as client:
        return answer(client)[2]


@pytest.mark.parametrize(
    "path", ["/", "/accounts/login/", "/nothing/", "/api/v1/clubs/", "/live/rankings/x"]
)
def test_a_body_of_300_mb_is_refused_by_what_it_says_of_itself(port: int, path: str) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {300 * 1024 * 1024}\r\n\r\n"
    with open_and_send(port, head.encode()) as client:
        assert answer(client)[0] == 413


def test_a_body_that_says_nothing_of_itself_is_refused_when_it_is_too_large(port: int) -> None:
    head = b"POST /api/v1/clubs/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with open_and_send(port, head) as client:
        chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        for _ in range(BODY_LIMIT // 65536 + 1):
            client.sendall(chunk)
        status, headers, body = answer(client)
    assert (status, headers["content-type"]) == (413, "application/problem+json")
    assert json.loads(body)["code"] == "too_large"


def test_a_page_beyond_a_limit_is_in_the_readers_language(port: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nAccept-Language: de-AT,en\r\nContent-Length: 9999999\r\n\r\n"
    with open_and_send(port, head) as client:
        body = answer(client)[2].decode()
    assert '<html lang="de">' in body
    assert "<script" not in body


def test_uploads_may_be_larger_than_forms() -> None:
    def scope(path: str, length: int) -> object:
        return {"path": path, "headers": [(b"content-length", str(length).encode())]}

    large = 5 * BODY_LIMIT
    for path in ("/clubs/stern/autumn/import/", "/api/v1/clubs/stern/games/"):
        assert body_limit(scope(path, large)) > large  # type: ignore[arg-type]
    for path in ("/", "/clubs/stern/autumn/", "/games/import/x"):
        with pytest.raises(Excess):
            body_limit(scope(path, large))  # type: ignore[arg-type]


def test_an_address_gets_no_more_than_its_slots_and_all_no_more_than_there_are() -> None:
    slots = Slots(each=2, total=3)

    def take(address: str) -> HTTPStatus | None:
        try:
            held.enter_context(slots.take({"client": (address, 1), "headers": []}))  # type: ignore[typeddict-item]
        except Excess as excess:
            return excess.status
        return None

    with ExitStack() as held:
        assert [take("10.0.0.1") for _ in range(3)] == [None, None, HTTPStatus.TOO_MANY_REQUESTS]
        assert [take("10.0.0.2") for _ in range(2)] == [None, HTTPStatus.SERVICE_UNAVAILABLE]
    with ExitStack() as held:
        assert take("10.0.0.1") is None, "what was held is given back"


def test_downloads_beyond_the_slots_are_told_when_to_come_again(port: int) -> None:
    request = b"GET /endless.ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as open_clients:
        for _ in range(downloads.slots.each):
            client = open_clients.enter_context(open_and_send(port, request, "127.0.0.9"))
            client.recv(10)
        with open_and_send(port, request, "127.0.0.9") as third:
            status, headers, _body = answer(third)
    assert (status, headers["retry-after"]) == (429, "5")


def test_slots_go_by_the_household_that_trusted_proxies_tell_of() -> None:
    def address(connected: str, forwarded: bytes = b"") -> str:
        headers = [(b"x-forwarded-for", forwarded)] if forwarded else []
        return address_of({"client": (connected, 1), "headers": headers})  # type: ignore[typeddict-item]

    assert address("2001:db8::1") == address("2001:db8::ffff") != address("2001:db8:0:1::1")
    assert address("10.0.0.1", b"1.1.1.1") == address("10.0.0.1") != address("10.0.0.2")
    assert address("127.0.0.1", b"1.1.1.1, 10.0.0.1") == "10.0.0.1"


def test_what_can_be_of_any_size_is_a_download() -> None:
    assert app_for("/api/v1/clubs/stern/seasons/autumn/games.ndjson") is downloads
    assert app_for("/clubs/stern/log/log.jsonl") is downloads
    assert app_for("/live/rankings/x") is live
    assert app_for("/clubs/stern/autumn/table.csv") is pages


@pytest.mark.parametrize(
    ("asked", "given"),
    [("", "en"), ("de", "de"), ("tlh,nl-BE;q=0.8", "nl"), ("tlh", "en"), ("\x00;q=x", "en")],
)
def test_the_language_is_the_first_of_ours(asked: str, given: str) -> None:
    assert language(asked) == given
