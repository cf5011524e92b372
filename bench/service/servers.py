"""PostgreSQL and Redis in a temporary folder; a worker and a web process as `manage.py up` starts them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
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
    """A worker of two processes, for all queues and the job of `bench.service.echo`, for as long as the block lasts."""
    from django.conf import settings

    options = ["--queues", ",".join(settings.QUEUES), "--concurrency", "2", "--without-gossip", "--without-mingle"]
    command = [sys.executable, "-m", "celery", "--app", "bench.service.echo", "worker", *options, "--without-heartbeat"]
    child = children.Child("worker", command)
    child.start()
    try:
        children.wait_until_ready([child], tell=lambda message: None)
        yield
    finally:
        child.stop()


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
        command = [sys.executable, "-m", "league.up.web", str(number), "--app", "bench.service.hello:application"]
        child = children.Child("web-1", command, sockets=(number,))
        child.start()
        try:
            children.wait_until_ready([child], tell=lambda message: None)
            yield listener.getsockname()[1], child.process.pid
        finally:
            child.stop()
