"""`manage.py up` as its user sees it: killed in pieces, killed whole, interrupted."""

import fcntl
import http.client
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import psutil
import psycopg
import pytest
from django.conf import settings
from django.db import connection

from league.up import embedded
from league.up.certificate import certificate_files
from tests.database import address

NAMES = {"postgres", "valkey-server", "worker-counting", "worker-imports", "beat", "web-1"}
UP = [sys.executable, str(embedded.CHECKOUT / "manage.py"), "up"]


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An installation of its own, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("CUPS_UP_VAR", str(tmp_path))
    own = {
        "CUPS_UP_VAR": str(tmp_path),
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "WEB_PROCESSES": "1",
    }
    return {name: value for name, value in os.environ.items() if not name.endswith("_URL")} | own


class Up:
    """A running `manage.py up`."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.process = psutil.Popen(
            UP, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.said = []
        for line in self.process.stdout:
            self.said.append(line)
            if line.startswith("Cups up!"):
                break
        assert self.process.poll() is None, "".join(self.said)

    def page(self, path: str = "/") -> int | None:
        """The status of a page, None if nobody answers."""
        client = http.client.HTTPConnection("127.0.0.1", int(self.environment["PORT"]), timeout=10)
        try:
            client.request("GET", path)
            return client.getresponse().status
        except OSError:
            return None
        finally:
            client.close()

    def children(self) -> dict[str, psutil.Process]:
        """The servers, and our processes that do their work, by their names."""
        found: dict[str, psutil.Process] = {}
        for process in self.process.children():
            with suppress(psutil.NoSuchProcess):  # or a zombie
                found[process.name()] = process
        return found

    def everything(self) -> list[psutil.Process]:
        """The supervisor, its children and theirs."""
        return [self.process, *self.process.children(recursive=True)]


@pytest.fixture
def start(environment: dict[str, str]) -> Iterator[Callable[[], Up]]:
    """Starts `manage.py up`, as often as asked; whatever is left at the end is killed."""
    started: list[Up] = []

    def start() -> Up:
        started.append(Up(environment))
        return started[-1]

    yield start
    for up in started:
        if up.process.poll() is None:
            up.process.kill()


def until(condition: Callable[[], bool]) -> None:
    """Wait for it."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def gone(processes: list[psutil.Process]) -> bool:
    """Whether all have ended (an init that is slow to bury them does not count)."""
    return not any(
        process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes
    )


def database(statement: str) -> list[tuple[object, ...]]:
    """Ask the running database, as its owner."""
    with psycopg.connect(embedded.database_url(embedded.OWNER), autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def test_nothing_stays_and_nothing_is_lost(start: Callable[[], Up]) -> None:
    up = start()
    assert up.page() == 200
    database("CREATE TABLE kept AS SELECT 'three sixes' AS what")
    others = (
        "SELECT DISTINCT usename FROM pg_stat_activity"
        " WHERE datname = 'cupsup' AND pid <> pg_backend_pid()"
    )
    assert database(others) == [("cupsup",)]

    until(lambda: set(up.children()) == NAMES)
    before = up.children()
    until(lambda: bool(before["worker-counting"].children()))
    ours = [process for process in up.everything() if "postgres" not in process.name()]
    assert len(ours) - 1 <= 8, "beside PostgreSQL and Valkey"
    for process in before.values():
        process.kill()
    killed = {process.pid for process in before.values()}
    until(
        lambda: (
            set(up.children()) == NAMES
            and not killed & {child.pid for child in up.children().values()}
        )
    )
    until(lambda: up.page() == 200)
    until(lambda: bool(up.children()["worker-counting"].children()))
    until(lambda: up.page("/health/") == 200)
    assert database("SELECT what FROM kept") == [("three sixes",)]

    everything = up.everything()
    up.process.kill()
    until(lambda: gone(everything))
    assert up.page() is None

    up = start()
    assert up.page() == 200
    assert database("SELECT what FROM kept") == [("three sixes",)]
    everything = up.everything()
    assert len(everything) > len(before)
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait() == 0
    until(lambda: gone(everything))


def test_a_second_up_in_the_same_folder_is_refused(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with (tmp_path / "up.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = subprocess.run(UP, env=environment, capture_output=True, text=True)
    assert second.returncode == 1
    assert "already running in" in second.stderr
    assert not (tmp_path / "pgdata").exists()


def test_a_taken_port_is_told_before_anything_starts(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = subprocess.run(
            UP, env=environment | {"PORT": port}, capture_output=True, text=True
        )
    assert refused.returncode == 1
    assert f"127.0.0.1:{port}" in refused.stderr
    assert "Set PORT" in refused.stderr
    assert not (tmp_path / "pgdata").exists()


def test_a_port_has_to_be_a_number(environment: dict[str, str]) -> None:
    for port in ("http", "99999", "0", "-1"):
        refused = subprocess.run(
            UP, env=environment | {"PORT": port}, capture_output=True, text=True
        )
        assert refused.returncode == 1
        assert f"PORT is '{port}'; it has to be a whole number from 1 to 65535." in refused.stderr
        assert "Traceback" not in refused.stderr


def test_it_speaks_https_by_a_certificate_of_its_own(
    environment: dict[str, str], start: Callable[[], Up]
) -> None:
    environment["HTTPS"] = "1"
    up = start()
    assert f"https://127.0.0.1:{environment['PORT']}/ after" in up.said[-1]
    trusted = ssl.create_default_context(cafile=certificate_files().certificate)
    client = http.client.HTTPSConnection(
        "127.0.0.1", int(environment["PORT"]), timeout=30, context=trusted
    )
    client.request("GET", "/setup/")
    answer = client.getresponse()
    assert answer.status == HTTPStatus.OK
    assert "Strict-Transport-Security" not in answer.headers
    assert "Secure" not in answer.headers["Set-Cookie"]
    up.process.send_signal(signal.SIGINT)
    up.process.wait(60)


@pytest.mark.django_db(transaction=True)
def test_one_part_runs_alone_beside_other_servers(environment: dict[str, str]) -> None:
    migrated = address(settings.DATABASE_URL, connection.settings_dict["NAME"])
    addresses = {"DATABASE_URL": migrated, "REDIS_URL": settings.REDIS_URL}
    part = psutil.Popen(
        [*UP, "web"],
        env=environment | addresses,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said = []
        for line in iter(part.stdout.readline, ""):
            said.append(line)
            if line.startswith("Cups up!"):
                break
        assert said[-1].startswith("Cups up!"), "".join(said)
        assert [child.name() for child in part.children()] == ["web-1"]
    finally:
        part.terminate()
        part.communicate()
    assert part.returncode == 0
