"""PostgreSQL and Redis in a temporary folder; a worker and a web process as `manage.py up` starts
them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from league.up import children


@contextmanager
def servers() -> Iterator[None]:
    """PostgreSQL with an empty, migrated database, and Redis, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="cups-up-bench-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as nobody when we run as root
        os.environ["CUPS_UP_VAR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
        os.environ["RATE_LIMITS"] = "false"
        os.environ["LOG_LEVEL"] = "WARNING"
        started = [children.postgres(), children.redis()]
        try:
            for child in started:
                child.start()
            children.wait_until_ready(started, tell=lambda message: None)
            _migrate()
            yield
        finally:
            for child in reversed(started):
                child.stop()


def _migrate() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


@contextmanager
def worker() -> Iterator[None]:
    """A worker of two processes, for all queues and the job of `bench.service.echo`, for as long as
    the block lasts."""
    from django.conf import settings

    with _started([_worker("worker", settings.QUEUES, 2)]):
        yield


@contextmanager
def workers() -> Iterator[None]:
    """The workers of one machine, each with its queues, and beat, for as long as the block
    lasts."""
    from league.up import embedded
    from league.up.processes import TOGETHER

    schedule = str(embedded.var_dir() / "schedule")
    beat = [
        sys.executable,
        "-m",
        "celery",
        "--app",
        "league.celery_app",
        "beat",
        "--schedule",
        schedule,
        "--pidfile=",
    ]
    together = [_worker(name, crew.queues, crew.processes) for name, crew in TOGETHER.items()]
    with _started([*together, children.Child("beat", beat)]):
        yield


def _worker(name: str, queues: Iterable[str], processes: int) -> children.Child:
    options = [
        "--queues",
        ",".join(queues),
        "--concurrency",
        str(processes),
        "--hostname",
        f"{name}@bench",
    ]
    options += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return children.Child(
        name, [sys.executable, "-m", "celery", "--app", "bench.service.echo", "worker", *options]
    )


@contextmanager
def _started(together: Sequence[children.Child]) -> Iterator[None]:
    """These processes, for as long as the block lasts."""
    for child in together:
        child.start()
    try:
        children.wait_until_ready(together, tell=lambda message: None)
        yield
    finally:
        children.stop_together(together)


@contextmanager
def web() -> Iterator[int]:
    """A web process that also knows the view of `bench.service.hello`; its port."""
    with web_process() as (port, _):
        yield port


@contextmanager
def web_process() -> Iterator[tuple[int, int]]:
    """The port and the process id of such a web process."""
    from league.up.web import listening

    with listening("127.0.0.1", 0) as listener:
        number = listener.fileno()
        command = [
            sys.executable,
            "-m",
            "league.up.web",
            str(number),
            "--app",
            "bench.service.hello:application",
        ]
        child = children.Child("web-1", command, sockets=(number,))
        child.start()
        try:
            children.wait_until_ready([child], tell=lambda message: None)
            yield listener.getsockname()[1], child.process.pid
        finally:
            child.stop()
