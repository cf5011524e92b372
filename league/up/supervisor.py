"""What `manage.py up` does: start the servers, migrate, start our processes, watch them, stop them."""

import fcntl
import http.client
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.db import OperationalError, connection
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError

from league.celery_app import app as celery_app
from league.site.demo import demo_create, demo_import
from league.site.queries.setup import is_set_up, setup_token
from league.up import children, embedded
from league.up.children import Child, ChildError, wait_until_ready

Tell = Callable[[str], None]
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class UpError(RuntimeError):
    """`up` cannot start or go on; the message says why and what to do."""


@contextmanager
def sole_supervisor() -> Iterator[None]:
    """Hold `var/` for this process alone; UpError if another `up` has it. A kill gives it back."""
    embedded.var_dir().mkdir(parents=True, exist_ok=True)
    with (embedded.var_dir() / "up.lock").open("a+") as file:
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


def check_port(host: str, port: int) -> None:
    """UpError if nothing can listen on the address."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(found[0], found[1]) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(found[4])
    except (OSError, OverflowError) as error:
        raise UpError(f"Nothing can listen on {host}:{port} ({error}). Set PORT to another one.") from error


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


def processes(host: str, port: int) -> list[Child]:
    """Our own processes. The worker has two: the lock of a season makes one wait while another can go on."""
    python = [sys.executable, "-m"]
    celery = [*python, "celery", "--app", "league"]
    schedule = embedded.var_dir() / "beat" / "schedule"
    schedule.parent.mkdir(exist_ok=True)
    node = f"up@{socket.gethostname()}"
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    serve = ["league.asgi:application", "--host", host, "--port", str(port), "--no-access-log"]
    return [
        Child(
            "worker",
            [*celery, "worker", "--concurrency", "2", "--loglevel", "INFO", "--hostname", node, *alone],
            lambda: worker_ready(node),
        ),
        Child(
            "beat",
            [*celery, "beat", "--schedule", str(schedule), "--pidfile", "", "--loglevel", "INFO"],
            lambda: True,
        ),
        Child(
            "web",
            [*python, "uvicorn", *serve, "--timeout-graceful-shutdown", "2"],
            lambda: web_ready(host, port),
        ),
    ]


def worker_ready(node: str) -> bool:
    """Whether the worker takes jobs."""
    try:
        answers = celery_app.control.broadcast("ping", destination=[node], reply=True, timeout=0.3, limit=1)
    except (OSError, BrokerError, RedisError):
        return False
    return bool(answers)


def web_ready(host: str, port: int) -> bool:
    """Whether the first page answers; asking for it once also makes it quick for its first reader."""
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 compared, not bound
    client = http.client.HTTPConnection(local, port, timeout=5)
    try:
        client.request("GET", "/")
        client.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()
    return True


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
    """Runs everything until Ctrl-C or SIGTERM."""

    def __init__(self, *, host: str, port: int, demo: bool, tell: Tell) -> None:
        self.host, self.port, self.demo, self.tell = host, port, demo, tell
        self.children: list[Child] = []

    def run(self) -> None:
        """Start, watch and stop everything. UpError with what to do if that is not possible."""
        for name in ENDINGS:
            if name != signal.SIGHUP or signal.getsignal(name) != signal.SIG_IGN:  # `nohup` ignores it
                signal.signal(name, signal.default_int_handler)
        try:
            with sole_supervisor():
                check_port(self.host, self.port)
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
        self.tell(f"Cups Up starts; its data and logs are in {self._relative(embedded.var_dir())}")
        self._start_together(servers())
        migrate(self._tell_step)
        self._start_together(processes(self.host, self.port))
        seconds = time.monotonic() - started
        self.tell(f"Cups up! http://{self.host}:{self.port}/ after {seconds:.1f} s. Ctrl-C stops it.")
        if not self.demo and not is_set_up():
            self.tell("Nobody has an account yet. Make the first one, and its club, at this address:")
            self.tell(f"  http://{self.host}:{self.port}/setup/?token={setup_token()}")
        connection.close()

    def _start_together(self, some: list[Child]) -> None:
        for child in some:
            child.start()
            self.children.append(child)
        wait_until_ready(some, self._tell_step)

    def _watch(self) -> None:
        demo = self._start_demo() if self.demo else None
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
        for child in reversed(self.children):
            child.stop()

    def _tell_step(self, message: str) -> None:
        self.tell(f"  {message}")

    @staticmethod
    def _relative(folder: Path) -> str:
        return os.path.relpath(folder) if folder.is_relative_to(Path.cwd()) else str(folder)
