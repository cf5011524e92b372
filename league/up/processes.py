"""Our own processes: web, workers by queue, beat. They are copies of the supervisor, which has
imported what they need."""

from __future__ import annotations

import http.client
import os
import socket
import ssl
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from django.conf import settings

from league.environment.declaration import WEB_PROCESSES
from league.up import embedded
from league.up.certificate import certificate_files, own_certificate
from league.up.children import Child
from league.up.web import GRACE_SECONDS, listening, serve


@dataclass(frozen=True)
class Crew:
    """The queues of a worker, and the number of its processes."""

    queues: tuple[str, ...]
    processes: int


TOGETHER = {
    "worker-counting": Crew(("counting", "draws"), 1),
    "worker-imports": Crew(("previews", "imports", "analysis", "mail", "push"), 2),
}
"""The workers on one machine: one for short jobs and one for long ones, so that no long job delays
the counting. No job waits for a lock, and of the two processes for long jobs one can send emails
while the other imports."""
APART = {
    "worker-counting": Crew(("counting", "draws"), 2),
    "worker-imports": Crew(("previews", "imports", "analysis"), 2),
    "worker-mail": Crew(("mail",), 1),
    "worker-push": Crew(("push",), 2),
}
"""The workers in containers of their own, where there is room: no hanging import, analysis, mail
server or push service delays other jobs."""


PARTS: Mapping[str | None, Mapping[str, Crew]] = {
    None: TOGETHER,
    "worker": APART,
    "worker-short": {name: crew for name, crew in APART.items() if name == "worker-counting"},
    "worker-long": {name: crew for name, crew in APART.items() if name != "worker-counting"},
}
"""The workers of each part that has some: a part that is killed for lack of memory takes no other
parts with it."""

PATIENCE = 3.5  # seconds for current work: an interrupted job is done again
WEB_PATIENCE = GRACE_SECONDS + 2.0  # an interrupted answer is lost


@dataclass(frozen=True)
class WebAddress:
    """The address on which the web processes listen."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def local_host(self) -> str:
        """The host at which this machine itself reaches the web processes."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 compared, not bound

    @property
    def local_origin(self) -> str:
        """The origin to type into a browser on this machine."""
        host = f"[{self.local_host}]" if ":" in self.local_host else self.local_host
        scheme = "https" if settings.OWN_CERTIFICATE else "http"
        return f"{scheme}://{host}:{self.port}"


def web_processes(*, alone: bool) -> int:
    """Return the number of web processes: WEB_PROCESSES if it is set; otherwise one beside the
    other parts, or one for each available core if the web processes run `alone`."""
    count = WEB_PROCESSES.read()
    if count:
        return count
    if not alone:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def web(listener: socket.socket, address: WebAddress, count: int) -> list[Child]:
    """Return the web processes, which share a socket: while one restarts, the others answer."""
    certificate = own_certificate(settings.ALLOWED_HOSTS) if settings.OWN_CERTIFICATE else None
    return [
        Child(
            f"web-{number}",
            ready=answers_when_alive(f"web-{number}", address),
            work=partial(serve, listener, "league.asgi:application", certificate),
            patience=WEB_PATIENCE,
            sockets=(listener.fileno(),),
        )
        for number in range(1, count + 1)
    ]


def workers(part: str | None) -> list[Child]:
    """Return the workers of a part."""
    crews = PARTS.get(part, {})
    return [
        Child(name, work=partial(work_on, name, crew), patience=PATIENCE)
        for name, crew in crews.items()
    ]


def work_on(name: str, crew: Crew) -> None:
    """Run a worker until a signal arrives."""
    from league.celery_app import app

    worker = app.Worker(
        hostname=f"{name}@{socket.gethostname()}",
        queues=list(crew.queues),
        concurrency=crew.processes,
        loglevel="INFO",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


def metrics(host: str) -> list[Child]:
    """Return the process that tells Prometheus what the workers of this host have counted; none
    unless METRICS_TOKEN and METRICS_PORT are set. On other hosts the web processes tell it."""
    if not (settings.METRICS_TOKEN and settings.METRICS_PORT):
        return []
    listener = listening(host, settings.METRICS_PORT)
    work = partial(serve, listener, "league.site.metrics.web.worker:application")
    return [Child("metrics", work=work, patience=PATIENCE, sockets=(listener.fileno(),))]


def beat() -> list[Child]:
    """Return Celery's scheduler, which queues the scheduled jobs."""
    schedule = embedded.var_dir() / "beat" / "schedule"
    schedule.parent.mkdir(exist_ok=True)
    return [Child("beat", work=partial(run_scheduler, str(schedule)), patience=PATIENCE)]


def run_scheduler(schedule: str) -> None:
    """Run Celery's scheduler until a signal arrives."""
    from league.celery_app import app

    app.Beat(schedule=schedule, pidfile="", loglevel="INFO").run()


def answers_when_alive(name: str, address: WebAddress) -> Callable[[], bool]:
    """Return a function that tells if a web process has given its first heartbeat and the home page
    answers."""
    heartbeat = embedded.var_dir() / "heartbeats" / name
    return lambda: heartbeat.exists() and web_ready(address)


def web_ready(address: WebAddress) -> bool:
    """Return True if the home page answers a request like a reader's. This also prepares the page
    for the first reader."""
    host = next(iter(settings.ALLOWED_HOSTS), "*").lstrip(".").replace("*", "localhost")
    client = _client(address)
    try:
        client.request(
            "GET",
            "/",
            headers={"Host": host, "X-Forwarded-Proto": "https" if settings.HTTPS else "http"},
        )
        answer = client.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()
    return answer.status < HTTPStatus.BAD_REQUEST


def _client(address: WebAddress) -> http.client.HTTPConnection:
    if not settings.OWN_CERTIFICATE:
        return http.client.HTTPConnection(address.local_host, address.port, timeout=5)
    context = ssl.create_default_context(cafile=certificate_files().certificate)
    return http.client.HTTPSConnection(address.local_host, address.port, timeout=5, context=context)
