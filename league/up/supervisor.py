"""The supervisor of `manage.py up`: it starts the servers, migrates, starts our processes, watches
them and stops them.

It has one thread, and imports what its processes need while the servers start: they are copies of
it. Before that it needs no Django, so that it prints something at once."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from league.environment.declaration import DATABASE_URL, REDIS_URL
from league.up import children, embedded, processes
from league.up.children import WITHHELD, Child, ChildError, stop_together, wait_until_ready
from league.up.host import this_host
from league.up.metrics_folder import metrics_folder_prepare
from league.up.network import is_loopback, is_loopback_origin, served_hosts, terminal_code
from league.up.preload import preload, settle
from league.up.processes import WebAddress
from league.up.web import listening

if TYPE_CHECKING:
    from league.up.pulse import Pulse

Tell = Callable[[str], None]
TELL_SECONDS = 2.5  # the longest time without a line of output
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class UpError(RuntimeError):
    """`up` can't start or go on; the message says why and what to do."""


@contextmanager
def sole_supervisor(part: str | None) -> Iterator[None]:
    """Hold `var/`, or one part's place in it, for this process alone. Raise `UpError` if another
    `up` holds it.

    It is free again when the process ends, even if it was killed.
    """
    folder = embedded.var_dir_make()
    with (folder / (f"up-{part}.lock" if part else "up.lock")).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise UpError(
                f"Cups Up is already running in {folder} ({file.read()}). Stop that "
                "one first, or set CUPS_UP_VAR to another folder."
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()}")
        file.flush()
        yield


def listen(address: WebAddress) -> socket.socket:
    """Return a socket that listens on the address. Raise `UpError` if that isn't possible."""
    try:
        return listening(address.host, address.port)
    except (OSError, OverflowError) as error:
        raise UpError(
            f"Nothing can listen on {address} ({error}). Set PORT to another one."
        ) from error


def servers() -> list[Child]:
    """Return the servers that we have to run: PostgreSQL and Redis, except those that the
    environment names."""
    own_servers = []
    if not DATABASE_URL.is_given():
        own_servers.append(children.postgres())
    if not REDIS_URL.is_given():
        own_servers.append(children.redis())
    return own_servers


@contextmanager
def with_progress(tell: Tell, name: str) -> Iterator[None]:
    """Tell how long the block takes: every few seconds, and at its end."""
    started = time.monotonic()

    def tell_time_so_far(number: int, frame: FrameType | None) -> None:
        tell(f"{name:<16}{time.monotonic() - started:5.1f} s …")

    former_handler = signal.signal(signal.SIGALRM, tell_time_so_far)
    signal.setitimer(signal.ITIMER_REAL, TELL_SECONDS, TELL_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former_handler)
    tell(f"{name:<16}{time.monotonic() - started:5.1f} s")


def tell_systemd(state: str) -> None:
    """Tell systemd our state, if it has started us as a unit of `Type=notify` (sd_notify(3))."""
    name = os.environ.get("NOTIFY_SOCKET")
    if not name:
        return
    address = name.replace("@", "\0", 1) if name.startswith("@") else name
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
        connection.connect(address)
        connection.sendall(state.encode())


class Supervisor:
    """Runs everything, or one `part` of PARTS, until Ctrl-C or SIGTERM."""

    PARTS = ("web", "worker", "worker-short", "worker-long", "beat")

    def __init__(self, *, address: WebAddress, part: str | None, demo: bool, tell: Tell) -> None:
        self.address = address
        self.part = part
        self.demo = demo
        self.tell = tell
        self.children: list[Child] = []
        self.pulse: Pulse | None = None
        self.importing: Child | None = None
        self.ending = False
        # Web processes come and go; their socket stays open as long as we run.
        self.listener: socket.socket | None = None

    def run(self) -> None:
        """Start, watch and stop everything. Raise `UpError` if it can't start or go on."""
        for name in ENDINGS:
            is_ignored = signal.getsignal(name) == signal.SIG_IGN
            if name != signal.SIGHUP or not is_ignored:  # under `nohup`, SIGHUP stays ignored
                signal.signal(name, self._end)
        try:
            with sole_supervisor(self.part):
                metrics_folder_prepare(self.part)
                try:
                    if WITHHELD & os.environ.keys():
                        self._forget_owner()
                    self._start()
                    self._watch()
                except KeyboardInterrupt:
                    self.tell("Stopping …")
                finally:
                    self._stop()
        except KeyboardInterrupt:
            return
        except (ChildError, embedded.ServersError) as error:
            raise UpError(str(error)) from error
        except PermissionError as error:
            raise UpError(
                f"{error.filename} belongs to another user, who ran `up` here before. "
                "Go on as that user, or set CUPS_UP_VAR to another folder."
            ) from error

    def _start(self) -> None:
        started = time.monotonic()
        if self.part in (None, "web"):
            self.listener = listen(self.address)
        own_servers: list[Child] = []
        if not self.part:
            folder = self._relative_if_inside(embedded.var_dir())
            self.tell(f"Cups Up is starting; its data and logs are in {folder}")
            with with_progress(self._tell_step, "servers prepared"):
                own_servers = servers()

        self._start_all(own_servers)
        with with_progress(self._tell_step, "modules"):
            preload(web=self.listener is not None)
        wait_until_ready(own_servers, self._tell_step)
        self._update_schema()
        self._replace_published_demo_passwords()
        settle()
        self._start_processes(started)

    def _replace_published_demo_passwords(self) -> None:
        from django.conf import settings

        from league.demo.accounts import demo_passwords_set

        if not (self.part or settings.ONLY_HERE):
            demo_passwords_set()

    def _start_processes(self, started: float) -> None:
        """Start our processes: web processes, workers and the scheduler, or of a single `part` only
        its own. Tell that we are up as soon as the pages can be opened; a part without web
        processes tells it once its processes run."""
        if self.listener:
            runs_alone = self.part is not None
            count = processes.web_processes(alone=runs_alone)
            explanation = ", one for each core" if runs_alone else ""
            self._tell_step(
                f"web processes: {count}{explanation} unless WEB_PROCESSES says otherwise"
            )
            self._start_together(processes.web(self.listener, self.address, count))
            self._tell_up(started)
        others = processes.workers(self.part)
        if self.part in (None, "beat"):
            others += processes.beat()
        if not self.listener:
            others += self._metrics()
        self._start_together(others)
        if not self.listener:
            self._tell_up(started)

    def _metrics(self) -> list[Child]:
        try:
            return processes.metrics(self.address.host)
        except (OSError, OverflowError) as error:
            raise UpError(
                f"Nothing can listen on METRICS_PORT ({error}): set another one."
            ) from error

    def _tell_up(self, started: float) -> None:
        from django.conf import settings

        from league.core.account.queries.setup import is_set_up, setup_address

        place_or_part = (
            f" {self.address.local_origin}/" if self.listener else f" The {self.part} runs"
        )
        self.tell(
            f"Cups up!{place_or_part} after {time.monotonic() - started:.1f} s. Ctrl-C stops it."
        )
        tell_systemd("READY=1")
        is_named = settings.IMPRINT_URL and settings.PRIVACY_URL
        if self.listener and settings.STATIC_COLLECTED and not is_named:
            self.tell(
                "No page says who runs this service, or what it keeps: set IMPRINT_URL and "
                "PRIVACY_URL."
            )
        if self.listener and not self.demo and not is_set_up():
            self._tell_setup_address(setup_address("" if self.part else self.address.local_origin))
        if not self.part:
            self._tell_how_phones_connect()

    def _tell_setup_address(self, address: str) -> None:
        from django.conf import settings

        self.tell("Nobody has an account yet. Create the first one, and its club, at this address:")
        self.tell(f"  {address}")
        if not settings.MAIL_LEAVES:
            self.tell(
                "It sends no mail until EMAIL_HOST names a server: see /docs/mail in the manual."
            )

    def _tell_how_phones_connect(self) -> None:
        from django.conf import settings

        if settings.ONLY_HERE:
            target = "demo" if self.demo else "up"
            self.tell(
                "No other machine can open it. For phones in your network: "
                f"HOST=0.0.0.0 make {target}"
            )
            return
        if is_loopback_origin(settings.PUBLIC_ORIGIN):
            self.tell("This machine isn't on a network. Connect it, then start this again.")
            return
        address = f"{settings.PUBLIC_ORIGIN}/"
        self.tell(f"Phones in your network open {address}")
        self.tell(terminal_code(address))
        others = []
        if settings.DIRECT:
            reachable = [host for host in served_hosts(settings.HOST) if not is_loopback(host)]
            others = reachable[1:]
        if others:
            self.tell(
                f"If that doesn't open, try another name of this machine: {', '.join(others)}"
            )

    def _update_schema(self) -> None:
        """Let a single part only check the database: its role may not change the schema."""
        from django.db import OperationalError

        from league.up.schema import database_check, schema_update

        try:
            with with_progress(self._tell_step, "schema"):
                if self.part:
                    database_check()
                else:
                    schema_update()
        except OperationalError as error:
            raise UpError(f"The database does not answer: {error}") from error

    def _forget_owner(self) -> None:
        """Migrate, then restart without the owner's credentials, since our copies inherit whatever
        we have."""
        if not self.part and DATABASE_URL.is_given():
            with with_progress(self._tell_step, "modules"):
                preload(web=False)
            self._update_schema()
        rest = {name: value for name, value in os.environ.items() if name not in WITHHELD}
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], rest)

    def _start_all(self, new_children: list[Child]) -> None:
        for child in new_children:
            child.start()
            self.children.append(child)

    def _start_together(self, new_children: list[Child]) -> None:
        """Let the processes of a single part print to the terminal, as containers and systemd
        expect."""
        for child in new_children:
            child.terminal = self.part is not None
        running = list(self.children)
        self._start_all(new_children)
        wait_until_ready(new_children, self._tell_step, running=running)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.ending = True
        raise KeyboardInterrupt

    def _watch(self) -> None:
        from league.up.pulse import Pulse

        demo = self._start_demo_import() if self.demo else None
        host = this_host(self.address if self.part == "web" else None)
        self.pulse = Pulse(self.children, host)
        if self.part is None:
            self.pulse.begin()
        while not self.ending:  # some code swallows the interrupt itself
            for child in self.children:
                message = child.watch()
                if message:
                    self.tell(message)
            self.pulse.beat()
            if demo and demo.process.poll() is not None:
                self._go_on_with_demo(demo)
                demo = None
            time.sleep(0.1)
        raise KeyboardInterrupt

    def _go_on_with_demo(self, demo: Child) -> None:
        from league.demo.table import demo_table_play

        if demo.process.poll():
            raise UpError(f"The demo's season could not be imported:\n{demo.tail()}")
        self.tell(
            "The demo's season is complete. Automatic players keep playing at its table: "
            "watch them there."
        )
        self.importing = Child("demo-table", work=demo_table_play)
        self.importing.start()

    def _start_demo_import(self) -> Child:
        from league.demo.accounts import ACCOUNTS, demo_password
        from league.demo.season import demo_create_in_language, demo_import_in_language

        self.tell("The demo's season arrives now, while you watch. Log in as")
        demo_create_in_language()
        for name, email, _ in ACCOUNTS:
            self.tell(f"  {name:<12}{email:<26}{demo_password(name)}")
        self.importing = Child("demo", work=demo_import_in_language)
        self.importing.start()
        return self.importing

    def _stop(self) -> None:
        for name in ENDINGS:
            signal.signal(name, signal.SIG_IGN)
        if self.pulse:
            self.pulse.stop()
        if self.listener:
            self.listener.close()
        own_processes = [child for child in self.children if not child.server]
        if self.importing:
            own_processes.insert(0, self.importing)
        stop_together(own_processes)
        for server in reversed([child for child in self.children if child.server]):
            server.stop()

    def _tell_step(self, message: str) -> None:
        self.tell(f"  {message}")

    @staticmethod
    def _relative_if_inside(folder: Path) -> str:
        if folder.is_relative_to(Path.cwd()):
            return os.path.relpath(folder)
        return str(folder)
