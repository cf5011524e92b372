"""Two web processes behind a proxy are started anew one after the other, and nobody is turned away
meanwhile.

The proxy is nginx with docker/nginx.conf where it is installed, else a small one of our own; the
processes are started as docker/systemd says."""

from __future__ import annotations

import http.client
import http.server
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.conf import settings
from django.db import connection

from league.models import Ranking
from league.standings.ranking.live import live_url
from league.up.web import GRACE_SECONDS
from tests.architecture.checkout import ROOT
from tests.database import address
from tests.factories.counted import counted_season

pytestmark = pytest.mark.django_db(transaction=True)

UNITS = sorted((ROOT / "docker" / "systemd").glob("*.*"))
STAYING = [unit for unit in UNITS if "Type=notify" in unit.read_text()]
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
PAGE = "/docs/start"
INSTALLED = "/srv/cups-up"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def installed(unit: Path) -> str:
    """A unit as it reads where this checkout is what is installed."""
    return (
        unit.read_text()
        .replace(f"{INSTALLED}/.venv/bin/python", sys.executable)
        .replace(INSTALLED, str(ROOT))
    )


def until(condition: Callable[[], bool]) -> None:
    """Wait for it."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class Started:
    """A unit's command, run as systemd would run it until it says that it is ready."""

    def __init__(self, unit: Path, folder: Path, instance: str = "") -> None:
        text = installed(unit).replace("%i", instance).replace("/var/lib/cups-up", str(folder))
        lines = re.findall(r"^Environment=(.*)$", text, re.MULTILINE)
        own = dict(pair.split("=", 1) for line in lines for pair in line.split())
        (command,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
        migrated = address(settings.DATABASE_URL, connection.settings_dict["NAME"])
        given = {
            "DATABASE_URL": migrated,
            "REDIS_URL": settings.REDIS_URL,
            "SECRET_KEY": settings.SECRET_KEY,
        }
        notes = folder / f"notify-{instance}"
        notes.unlink(missing_ok=True)
        Path(own["CUPS_UP_VAR"]).mkdir(parents=True, exist_ok=True)
        environment = os.environ | given | own | {"NOTIFY_SOCKET": str(notes), "WEB_PROCESSES": "1"}
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard,
            (folder / "printed").open("a") as log,
        ):
            heard.bind(str(notes))
            heard.settimeout(120)
            self.process = psutil.Popen(
                shlex.split(command), cwd=ROOT, env=environment, stdout=log, stderr=log
            )
            try:
                self.state = heard.recv(100)
            except TimeoutError:
                self.stop()
                raise AssertionError((folder / "printed").read_text()) from None

    def stop(self) -> float:
        """Stop it as systemd does; the seconds that it took."""
        began = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
        return time.monotonic() - began


@contextmanager
def nginx(port: int, upstreams: list[int], folder: Path) -> Iterator[None]:
    """Nginx with our file, on other ports and without a certificate."""
    text = (ROOT / "docker" / "nginx.conf").read_text()
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = re.sub(r"^ +ssl_certificate.*\n", "", text, flags=re.MULTILINE)
    text = text.replace("/srv/cups-up/static-root", str(folder / "static-root"))
    for written, actual in zip(("8001", "8002"), upstreams, strict=True):
        text = text.replace(f"127.0.0.1:{written}", f"127.0.0.1:{actual}")
    with nginx_running(text, folder):
        yield


@contextmanager
def nginx_running(site: str, folder: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    (folder / "site.conf").write_text(site)
    user = "user root;" if os.geteuid() == 0 else ""
    paths = "".join(
        f"{name}_temp_path {folder}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; events {{}}"
        f" http {{ access_log off; {paths} include {folder}/site.conf; }}"
    )
    assert NGINX
    command = [
        NGINX,
        "-p",
        str(folder),
        "-c",
        str(folder / "nginx.conf"),
        "-e",
        str(folder / "nginx.log"),
        *options,
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def small_proxy(port: int, upstreams: list[int], folder: Path) -> Iterator[None]:
    """What nginx does by our file, as far as this test needs it: who doesn't take a request leaves
    it to the next."""

    def serve(client: socket.socket) -> None:
        with client, suppress(OSError):
            request = whole(client)
            for upstream in upstreams:
                with (
                    suppress(ConnectionError),
                    socket.create_connection(("127.0.0.1", upstream)) as server,
                ):
                    server.sendall(
                        request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)
                    )
                    some = False
                    while answer := server.recv(65536):
                        client.sendall(answer)
                        some = True
                    if some:
                        return

    def accept() -> None:
        with suppress(OSError), ThreadPoolExecutor(8) as threads:
            while True:
                threads.submit(serve, listener.accept()[0])

    with socket.create_server(("127.0.0.1", port)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield
        listener.shutdown(socket.SHUT_RDWR)


def whole(client: socket.socket) -> bytes:
    """A request with its body."""
    request = b""
    while chunk := client.recv(65536):
        request += chunk
        head, end, body = request.partition(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        if end and len(body) >= int(length[1] if length else 0):
            break
    return request


def ask(port: int, method: str = "GET", path: str = PAGE) -> str:
    """How a request is answered: its status, or the error."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        client.request(
            method, path, body=b"a=b" if method == "POST" else None, headers={"Host": "localhost"}
        )
        answer = client.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException) as error:
        return repr(error)
    finally:
        client.close()
    return f"{method} {answer.status}"


class Load:
    """Readers and a writer who ask without a pause for as long as the block takes."""

    def __init__(self, port: int) -> None:
        self.port, self.answers, self.over = port, Counter[str](), threading.Event()
        self.threads = [
            threading.Thread(target=self._go_on, args=(method,))
            for method in ("GET", "GET", "POST")
        ]

    def __enter__(self) -> Load:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join()

    def _go_on(self, method: str) -> None:
        while not self.over.is_set():
            self.answers[ask(self.port, method)] += 1
            time.sleep(0.005)


def opened_stream(port: int) -> http.client.HTTPResponse:
    """A stream of a table, whose first line has come."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    client.request(
        "GET", live_url(Ranking.objects.earliest("pk").pk, 0), headers={"Host": "localhost"}
    )
    stream = client.getresponse()
    assert stream.readline() == b": open\n", "it isn't held back"
    return stream


def test_a_rolling_restart_refuses_nobody(tmp_path: Path) -> None:
    proxy: Callable[..., Any] = nginx if NGINX else small_proxy
    counted_season(1)
    (unit,) = [unit for unit in STAYING if "web@" in unit.name]
    port, upstreams = free_port(), [free_port(), free_port()]
    with ExitStack() as stack:
        with ThreadPoolExecutor() as starting:
            started = list(
                starting.map(lambda number: Started(unit, tmp_path, str(number)), upstreams)
            )
        stack.callback(lambda: [process.stop() for process in started])
        stack.enter_context(proxy(port, upstreams, tmp_path))
        until(lambda: ask(port) == "GET 200")
        streams = [opened_stream(port) for _ in range(2)]
        seconds = []
        with Load(port) as load:
            for nth, number in enumerate(upstreams):
                seconds.append(started[nth].stop())
                started[nth] = Started(unit, tmp_path, str(number))
        assert set(load.answers) == {"GET 200", "POST 403"}, load.answers
        assert min(load.answers.values()) > 20
        assert max(seconds) < GRACE_SECONDS / 2, "streams end at once, so nobody waits for them"
        for stream in streams:
            with suppress(http.client.HTTPException):
                stream.read()
        opened_stream(port).close()


@pytest.mark.parametrize(
    "unit", [unit for unit in STAYING if "@" not in unit.name], ids=lambda unit: unit.stem
)
def test_the_command_of_each_unit_starts_and_stops(unit: Path, tmp_path: Path) -> None:
    started = Started(unit, tmp_path)
    assert started.state == b"READY=1"
    started.stop()
    assert started.process.returncode == 0, (tmp_path / "printed").read_text()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd isn't installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = installed(unit).replace("/usr/bin/restic", "/bin/true")
        text = text.replace("/etc/cups-up/alert", "/bin/true")
        (tmp_path / unit.name.replace("@", "@8001")).write_text(text)
    names = sorted(str(file) for file in tmp_path.iterdir())
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *names], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert [line for line in result.stderr.splitlines() if "cups-up" in line] == []


class Service(http.server.BaseHTTPRequestHandler):
    """What the proxy has behind it: it says what it was asked for."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"service {self.path}".encode())

    def log_message(self, *arguments: object) -> None:
        """Print nothing."""


def fetched(port: int, path: str) -> http.client.HTTPResponse:
    """An answer to a browser that takes compressed files."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    client.request("GET", path, headers={"Accept-Encoding": "gzip"})
    return client.getresponse()


@pytest.mark.skipif(not NGINX, reason="nginx isn't installed")
def test_nginx_serves_static_files_and_asks_the_service_for_those_it_lacks(tmp_path: Path) -> None:
    files = tmp_path / "static-root" / "league"
    files.mkdir(parents=True)
    for name in ("app.css", "app.0123456789ab.css"):
        (files / name).write_text("a{}")
    (files / "app.0123456789ab.css.gz").write_bytes(b"compressed before")
    with http.server.HTTPServer(("127.0.0.1", 0), Service) as service:
        threading.Thread(target=service.serve_forever, daemon=True).start()
        port = free_port()
        with nginx(port, [service.server_port] * 2, tmp_path):
            until(lambda: ask(port) == "GET 200")
            hashed = fetched(port, "/static/league/app.0123456789ab.css")
            assert hashed.headers["Content-Encoding"] == "gzip"
            assert hashed.read() == b"compressed before"
            assert hashed.headers["Cache-Control"] == "public, max-age=315360000, immutable"
            plain = fetched(port, "/static/league/app.css")
            assert plain.read() == b"a{}"
            assert plain.headers["Cache-Control"] == "public, max-age=60"
            newer = fetched(port, "/static/league/app.ba9876543210.css")
            assert newer.read() == b"service /static/league/app.ba9876543210.css"
            assert newer.headers["Cache-Control"] is None
            outside = fetched(port, "/static/../site.conf")
            assert b"upstream" not in outside.read()
            outside = fetched(port, "/static../site.conf")
            assert b"upstream" not in outside.read()
        service.shutdown()


@pytest.mark.skipif(
    not NGINX or not shutil.which("openssl"), reason="nginx or openssl isn't installed"
)
def test_nginx_takes_the_file_as_it_is(tmp_path: Path) -> None:
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    subprocess.run(
        shlex.split(
            "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=cups.example.org"
            f" -keyout {key} -out {certificate}"
        ),
        check=True,
        capture_output=True,
    )
    site = (
        (ROOT / "docker" / "nginx.conf")
        .read_text()
        .replace("/etc/letsencrypt/live/cups.example.org", str(tmp_path))
    )
    with nginx_running(site, tmp_path, "-t") as process:
        errors = process.communicate()[1].decode()
    assert process.returncode == 0, errors
