"""What `manage.py up` does: start the servers, migrate, start our processes, watch them, stop them."""

import fcntl
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.db import OperationalError, connection

from league.site.demo import demo_create, demo_import
from league.site.queries.setup import is_set_up, setup_address
from league.up import children, embedded, processes
from league.up.children import Child, ChildError, wait_until_ready
from league.up.processes import WebAddress
from league.up.pulse import Pulse
from league.up.web import listening

Tell = Callable[[str], None]
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class UpError(RuntimeError):
    """`up` cannot start or go on; the message says why and what to do."""


@contextmanager
def sole_supervisor(part: str | None) -> Iterator[None]:
    """Hold `var/`, or one part's place in it, for this process alone; UpError if another `up` has it.

    A kill gives it back.
    """
    embedded.var_dir().mkdir(parents=True, exist_ok=True)
    with (embedded.var_dir() / (f"up-{part}.lock" if part else "up.lock")).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise UpError(
                f"Cups Up is already running in {embedded.var_dir()} ({file.read()}). Stop that one first, "
                "or set CUPS_UP_VAR to another folder."
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()}")
        file.flush()
        yield


def listen(address: WebAddress) -> socket.socket:
    """A socket that listens on the address; UpError if there can't be one."""
    try:
        return listening(address.host, address.port)
    except (OSError, OverflowError) as error:
        raise UpError(f"Nothing can listen on {address} ({error}). Set PORT to another one.") from error


def given(name: str) -> bool:
    """Whether the environment names a server of its own, as the settings read it."""
    return name in os.environ or f"{name}_FILE" in os.environ


def servers() -> list[Child]:
    """The servers that the environment does not name."""
    wanted = []
    if not given("DATABASE_URL"):
        wanted.append(children.postgres())
    if not given("REDIS_URL"):
        wanted.append(children.redis())
    return wanted


def migrate(tell: Tell) -> None:
    """Bring the schema and the rights of the service's role up to date, if they are not."""
    started = time.monotonic()
    call_command("migrate", interactive=False, verbosity=0)
    connection.close()
    tell(f"{'schema':<12}{time.monotonic() - started:5.1f} s")


class Demo(threading.Thread):
    """Imports the demo's season while the supervisor watches its children, and keeps what went wrong."""

    def __init__(self) -> None:
        super().__init__(name="demo", daemon=True)
        self.error: Exception | None = None

    def run(self) -> None:
        """Import the demo while the service runs."""
        try:
            demo_import()
        except Exception as error:
            self.error = error
        finally:
            connection.close()


class Supervisor:
    """Runs everything, or one `part` of PARTS, until Ctrl-C or SIGTERM."""

    PARTS = ("web", "worker", "beat")

    def __init__(self, *, address: WebAddress, part: str | None, demo: bool, tell: Tell) -> None:
        self.address, self.part, self.demo, self.tell = address, part, demo, tell
        self.children: list[Child] = []
        self.pulse: Pulse | None = None
        self.listener: socket.socket | None = None  # ours for as long as we run: web processes come and go

    def run(self) -> None:
        """Start, watch and stop everything. UpError with what to do if that is not possible."""
        for name in ENDINGS:
            if name != signal.SIGHUP or signal.getsignal(name) != signal.SIG_IGN:  # `nohup` ignores it
                signal.signal(name, signal.default_int_handler)
        try:
            with sole_supervisor(self.part):
                try:
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
        except OperationalError as error:
            raise UpError(f"The database does not answer: {error}") from error
        except PermissionError as error:
            raise UpError(
                f"{error.filename} belongs to another user, who ran `up` here before. "
                "Go on as that user, or set CUPS_UP_VAR to another folder."
            ) from error

    def _start(self) -> None:
        started = time.monotonic()
        if self.part in (None, "web"):
            self.listener = listen(self.address)
        if not self.part:
            self.tell(f"Cups Up starts; its data and logs are in {self._relative(embedded.var_dir())}")
            self._start_together(servers())
            migrate(self._tell_step)
        self._start_together(self._processes())
        seconds = time.monotonic() - started
        where = f" http://{self.address}/" if self.listener else f" The {self.part} runs"
        self.tell(f"Cups up!{where} after {seconds:.1f} s. Ctrl-C stops it.")
        if self.listener and not self.demo and not is_set_up():
            self.tell("Nobody has an account yet. Make the first one, and its club, at this address:")
            self.tell(f"  {setup_address('' if self.part else f'http://{self.address}')}")
        connection.close()

    def _processes(self) -> list[Child]:
        """Our own processes. Those of one part print to the terminal, as a container or systemd wants it."""
        found: list[Child] = []
        if self.part in (None, "worker"):
            found += processes.workers()
        if self.part in (None, "beat"):
            found += processes.beat()
        if self.listener:
            web = processes.web(self.listener, self.address)
            self._tell_step(f"web processes: {len(web)}, one for each core unless WEB_PROCESSES says otherwise")
            found += web
        for child in found:
            child.terminal = self.part is not None
        return found

    def _start_together(self, some: list[Child]) -> None:
        for child in some:
            child.start()
            self.children.append(child)
        wait_until_ready(some, self._tell_step)

    def _watch(self) -> None:
        demo = self._start_demo() if self.demo else None
        self.pulse = Pulse(self.children)
        self.pulse.start()
        while True:
            for child in self.children:
                if message := child.watch():
                    self.tell(message)
            if demo and not demo.is_alive():
                if demo.error:
                    raise UpError(f"The demo's season could not be imported: {demo.error!r}") from demo.error
                self.tell("The demo's season is complete.")
                demo = None
            time.sleep(0.1)

    def _start_demo(self) -> Demo:
        self.tell("The demo's season arrives now, while you watch. Log in as")
        for role, email, password in demo_create():
            self.tell(f"  {role:<12}{email:<26}{password}")
        connection.close()
        demo = Demo()
        demo.start()
        return demo

    def _stop(self) -> None:
        for name in ENDINGS:
            signal.signal(name, signal.SIG_IGN)
        if self.pulse:
            self.pulse.stop()
        if self.listener:
            self.listener.close()
        for child in reversed(self.children):
            child.stop()

    def _tell_step(self, message: str) -> None:
        self.tell(f"  {message}")

    @staticmethod
    def _relative(folder: Path) -> str:
        return os.path.relpath(folder) if folder.is_relative_to(Path.cwd()) else str(folder)
