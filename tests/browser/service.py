"""The services that browsers ask: a light one with the demo, which each process that tests has to
itself, or `up`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from django.conf import settings

from league.queues import QUEUES
from league.up import children, embedded, processes
from league.up.children import Child
from league.up.processes import WebAddress
from league.up.web import listening
from tests import database

CHECKOUT = Path(__file__).parents[2]
START_SECONDS, STOP_SECONDS = 900, 120
SOURCES = ("engine", "games", "league", "tests")
"""The folders whose code and files the demo follows from."""
DEMO = """
from league.core import jobs
from league.celery_app import app
from league.queues import SCHEDULE
from league.demo.season import demo_create, demo_import
app.loader.import_default_modules()
jobs.call = lambda job, *ids: bool(app.tasks[f"league.{job}"].apply(ids))
demo_create()
demo_import()
for name, call in SCHEDULE.items():
    if name.startswith("sweep-"):
        app.tasks[call["task"]].apply()
"""
"""Makes the demo and does its jobs at once."""
SHELL = """
import contextlib, io, json, sys
for line in sys.stdin:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(json.loads(line), {})
    print(json.dumps(printed.getvalue()), flush=True)
"""
EMPTY = """
import psycopg
from django.apps import apps
from django.conf import settings
keep = {"auth_permission", "django_content_type", "league_part"}
tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)} - keep
with psycopg.connect(settings.DATABASE_OWNER_URL, options="-c session_replication_role=replica") as owner:
    while True:
        try:
            owner.execute(f"TRUNCATE {', '.join(sorted(tables))}")
            break
        except psycopg.errors.DeadlockDetected:
            owner.rollback()
"""
"""Empties the tables; only their owner can. A job that is at work may hold some in another order:
then once more."""


@dataclass
class Site:
    """The running service."""

    url: str
    environment: dict[str, str]
    supervisor: psutil.Process | None = None
    shell: subprocess.Popen[str] | None = None

    def run(self, words: str) -> str:
        """Run some Python beside the running service; what it printed. One process does all of it:
        each start costs seconds."""
        if self.shell is None:
            command = [sys.executable, "manage.py", "shell", "--verbosity=0", "-c", SHELL]
            pipe = subprocess.PIPE
            self.shell = subprocess.Popen(
                command, cwd=CHECKOUT, env=self.environment, stdin=pipe, stdout=pipe, text=True
            )
        assert self.shell.stdin
        assert self.shell.stdout
        print(json.dumps(words), file=self.shell.stdin, flush=True)
        printed = self.shell.stdout.readline()
        if not printed:
            self.shell = None  # it ended: the next test gets another one
        assert printed, f"{words} failed"
        return str(json.loads(printed))

    def close(self) -> None:
        """End what was started to run Python."""
        if self.shell:
            self.shell.communicate()

    def manage(self, *command: str, stdin: bytes | None = None) -> str:
        """Run a command of manage.py beside the running service, as an administrator would."""
        return manage(self.environment, *command, stdin=stdin)


def manage(environment: dict[str, str], *command: str, stdin: bytes | None = None) -> str:
    """Run a command of manage.py; what it printed."""
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=CHECKOUT,
        env=environment,
        input=stdin,
        capture_output=True,
    )
    assert not done.returncode, done.stderr.decode()
    return done.stdout.decode()


def empty(site: Site) -> None:
    """Make a running service as it was on its first start."""
    site.run(EMPTY)


def environment_of(name: str) -> dict[str, str]:
    """The environment of a program that uses the database of that name."""
    urls = {
        "DATABASE_URL": settings.DATABASE_URL,
        "DATABASE_OWNER_URL": settings.DATABASE_OWNER_URL,
    }
    return {
        **os.environ,
        "REDIS_URL": settings.REDIS_URL,
        **{variable: database.address(url, name) for variable, url in urls.items()},
    }


def make_demo() -> str:
    """Have a template with the demo; its name."""
    migrated = database.make_migrated()
    name = f"{migrated}_demo"
    files = [
        file
        for folder in SOURCES
        for file in (CHECKOUT / folder).rglob("*")
        if file.suffix in {".py", ".gz"}
    ]
    key = database.digest_of(files, database.schema_key())

    def fill() -> None:
        manage(environment_of(name), "shell", "--verbosity=0", "-c", DEMO)

    database.make_template(name, key, fill, migrated)
    return name


QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat")
"""A worker that talks to no other one."""


@contextmanager
def light(name: str) -> Iterator[Site]:
    """A service on the database of that name: a web process, one worker for all queues, which is
    beat, too, and finds the jobs whose call was lost, and a Redis; nobody supervises."""
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        listener = stack.enter_context(listening("127.0.0.1", 0))
        address = WebAddress("127.0.0.1", listener.getsockname()[1])
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for variable, value in environment_of(name).items():
            patch.setenv(variable, value)
        patch.setenv("CUPS_UP_VAR", str(folder))
        patch.setenv("REDIS_URL", embedded.redis_url())
        patch.setenv("PUBLIC_ORIGIN", f"http://{address}")
        patch.setenv("WEB_PROCESSES", "1")
        number = listener.fileno()
        web = [sys.executable, "-m", "league.up.web", str(number)]
        worker = [
            sys.executable,
            "-m",
            "celery",
            "--app",
            "league.celery_app",
            "worker",
            "--pool",
            "solo",
        ]
        beat = ["--beat", "--schedule", str(folder / "schedule")]
        programs = [
            children.redis(),
            Child(
                "web-1",
                web,
                ready=processes.answers_when_alive("web-1", address),
                sockets=(number,),
            ),
            Child(
                "worker",
                [*worker, "--queues", ",".join(QUEUES), "--loglevel", "INFO", *beat, *QUIET],
            ),
        ]
        for program in programs:
            program.start()
            stack.callback(program.stop)
        children.wait_until_ready(programs, lambda message: None, START_SECONDS)
        site = Site(f"http://{address}", dict(os.environ))
        stack.callback(site.close)
        patch.undo()
        yield site


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder for what a service keeps; PostgreSQL runs as nobody when the tests run as root."""
    folder = Path(tempfile.mkdtemp(prefix="cups-up-browser-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running(
    *options: str, until: str = "Cups up!", within: Sequence[str] = (), **variables: str
) -> Iterator[tuple[Site, str]]:
    """`manage.py up` with nothing in it and with servers of its own, and what it said on its
    console until then.

    `within`: a command that runs it somewhere else, as in another network; `variables`: of its
    environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with temporary_folder() as folder:
        own = {"CUPS_UP_VAR": str(folder), "PORT": str(port), "PYTHONUNBUFFERED": "1", **variables}
        environment = {**os.environ, **own}
        with (folder / "up.log").open("wb") as log:
            up = subprocess.Popen(
                [*within, sys.executable, "manage.py", "up", *options],
                cwd=CHECKOUT,
                env=environment,
                stdout=log,
                stderr=log,
            )
        site = Site(f"http://127.0.0.1:{port}", environment, psutil.Process(up.pid))
        try:
            deadline = time.monotonic() + START_SECONDS
            while until not in (written := (folder / "up.log").read_text()):
                assert up.poll() is None, written
                assert time.monotonic() < deadline, written
                time.sleep(0.1)
            yield site, written
        finally:
            site.close()
            up.send_signal(signal.SIGINT)
            up.wait(STOP_SECONDS)
