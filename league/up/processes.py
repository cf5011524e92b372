"""Our own processes: web, one for each core; workers by queue; beat."""

from __future__ import annotations

import http.client
import os
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from league.up import embedded
from league.up.children import Child

WORKERS = {
    "worker-counting": ("counting", "draws"),
    "worker-imports": ("imports", "analysis"),
    "worker-mail": ("mail",),
    "worker-push": ("push",),
}
"""The queues that each worker works on: no import, analysis, mail server or push service that hangs ever holds up the
counting, nor one of them another. A draw takes a second or so, and somebody waits for it."""
WORKER_PROCESSES = 2  # the lock of a ranking makes one wait while the other can go on
MAIL_PROCESSES = 1  # letters wait for each other, and nothing for them
PYTHON = [sys.executable, "-m"]


@dataclass(frozen=True)
class WebAddress:
    """Where the web processes listen."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def web_processes() -> int:
    """How many there are: WEB_PROCESSES, or one for each core that we may use."""
    if given := os.environ.get("WEB_PROCESSES"):
        return max(int(given), 1)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def web(listener: socket.socket, address: WebAddress) -> list[Child]:
    """The web processes, which share a socket: while one is started anew, the others answer."""
    number = listener.fileno()
    return [
        Child(
            f"web-{nth}",
            [*PYTHON, "league.up.web", str(number)],
            answers_when_alive(f"web-{nth}", address),
            sockets=(number,),
        )
        for nth in range(1, web_processes() + 1)
    ]


def workers() -> list[Child]:
    """A worker process for each entry of `WORKERS`, with the queues that it takes jobs from."""
    return [Child(name, worker_command(name, queues)) for name, queues in WORKERS.items()]


def worker_command(name: str, queues: Sequence[str], app: str = "league") -> list[str]:
    """The command line of a worker on some queues."""
    processes = MAIL_PROCESSES if queues == ("mail",) else WORKER_PROCESSES
    node = f"{name}@{socket.gethostname()}"
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO"]
    work = ["--queues", ",".join(queues), "--concurrency", str(processes), "--hostname", node]
    return [*PYTHON, "celery", "--app", app, "worker", *work, *alone]


def beat() -> list[Child]:
    """Beat, which calls for what is due."""
    schedule = embedded.var_dir() / "beat" / "schedule"
    schedule.parent.mkdir(exist_ok=True)
    options = ["--schedule", str(schedule), "--pidfile", "", "--loglevel", "INFO"]
    return [Child("beat", [*PYTHON, "celery", "--app", "league", "beat", *options])]


def answers_when_alive(name: str, address: WebAddress) -> Callable[[], bool]:
    """Whether a web process has given its first heartbeat and the first page answers."""
    heartbeat = embedded.var_dir() / "heartbeats" / name
    return lambda: heartbeat.exists() and web_ready(address)


def web_ready(address: WebAddress) -> bool:
    """Whether the first page answers; asking for it once also makes it quick for its first reader."""
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address.host, address.host)  # noqa: S104 compared, not bound
    client = http.client.HTTPConnection(local, address.port, timeout=5)
    try:
        client.request("GET", "/", headers={"Host": "localhost"})
        client.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()
    return True
