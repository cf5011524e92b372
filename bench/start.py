"""`manage.py up` in a folder of its own: first and second start until a page answers, memory,
processes, stop.

Seconds by the clock depend on what else the machine does, so each figure stands beside the seconds
that `manage.py check` took right before it, and the ratio of both is what to compare."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parents[1]
TURNS: Final = 3  # of the second start: the first is measured once
PATIENCE: Final = 300.0
SETTLED: Final = 12.0  # seconds in which jobs were called and done, before memory is read
SERVERS: Final = ("postgres", "valkey-server")


@dataclass
class Figures:
    """What was measured: seconds, megabytes, numbers, by their names."""

    values: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, value: float) -> None:
        """Keep one value more."""
        self.values.setdefault(name, []).append(value)

    def row(self, name: str) -> str:
        """A line with the median, and with its ratio to `manage.py check` for seconds."""
        value, check = median(self.values[name]), median(self.values["check"])
        if name.startswith("until"):
            return f"  {name:<52} {value:7.1f} s    {value / check:5.1f} × check"
        return f"  {name:<52} {value:7.0f}"


def measure() -> None:
    """Print how long starts and stop take, and what runs then."""
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="cups-up-bench-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as nobody when we run as root
        environment = {
            **os.environ,
            "CUPS_UP_VAR": folder,
            "PORT": str(free_port()),
            "PYTHONUNBUFFERED": "1",
        }
        for name in ("DATABASE_URL", "REDIS_URL", "WEB_PROCESSES", "DATABASE_OWNER_URL"):
            environment.pop(name, None)
        for turn in range(1 + TURNS):
            figures.add("check", seconds_of(lambda: run(environment, "check").wait()))
            watch(environment, figures, "second" if turn else "first")
    print(
        f"\nStart and stop  (check takes {median(figures.values['check']):.1f} s; medians of "
        f"{TURNS} second starts)"
    )
    for name in figures.values:
        if name != "check":
            print(figures.row(name), flush=True)


def watch(environment: dict[str, str], figures: Figures, which: str) -> None:
    """Start everything, look at what runs, and stop it."""
    started = time.monotonic()
    up = run(environment, "up")
    try:
        until(up, lambda: answers(int(environment["PORT"])))
        figures.add(f"until a page answers, {which} start", time.monotonic() - started)
        beating = Path(environment["CUPS_UP_VAR"], "heartbeats", "worker-counting")
        until(
            up,
            lambda: (
                beating.exists()
                and beating.stat().st_mtime > time.time() - (time.monotonic() - started)
            ),
        )
        figures.add(f"until games are counted, {which} start", time.monotonic() - started)
        time.sleep(SETTLED)
        processes = [up.pid, *descendants(up.pid)]
        servers = {root for root in processes if name_of(root) in SERVERS}
        ours = set(processes) - servers - {pid for root in servers for pid in descendants(root)}
        figures.add("processes of our own", len(ours))
        figures.add("MB of our own (PSS)", sum(map(megabytes, ours)))
        figures.add("MB with PostgreSQL and Valkey (PSS)", sum(map(megabytes, processes)))
    finally:
        up.send_signal(signal.SIGINT)
        figures.add(f"until everything has stopped, {which} start", seconds_of(up.wait))


def run(environment: dict[str, str], command: str) -> subprocess.Popen[bytes]:
    """Start a command of manage.py, in silence."""
    line = [sys.executable, "manage.py", command]
    return subprocess.Popen(
        line, cwd=CHECKOUT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def seconds_of(work: Callable[[], object]) -> float:
    """How long a call takes."""
    started = time.monotonic()
    work()
    return time.monotonic() - started


def until(up: subprocess.Popen[bytes], condition: Callable[[], bool]) -> None:
    """Wait for a condition as long as the service runs."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if up.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("`manage.py up` does not start here; run it by hand")
        time.sleep(0.02)


def answers(port: int) -> bool:
    """Whether the first page answers."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        client.request("GET", "/")
        return client.getresponse().status == 200
    except OSError:
        return False
    finally:
        client.close()


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def descendants(pid: int) -> list[int]:
    """A process' children, and theirs."""
    children = [
        int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    ]
    return [one for child in children for one in (child, *descendants(child))]


def name_of(pid: int) -> str:
    """What the system calls a process."""
    return Path(f"/proc/{pid}/comm").read_text().strip()


def megabytes(pid: int) -> float:
    """The memory of a process; what it shares with others counts in part."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.findall(r"^Pss:\s+(\d+) kB$", rollup, re.MULTILINE)[0]) / 1024
