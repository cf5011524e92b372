"""A child process: started, checked, restarted when it dies or hangs, stopped.

Servers are programs; our own processes are copies of this one (league/up/fork.py)."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from league.environment.declaration import DATABASE_OWNER_URL
from league.up import embedded, heartbeat
from league.up.fork import Copy, fork
from league.up.launch import SAME, launch_command

LOG_LIMIT = 5_000_000  # bytes of a log before it is rotated
QUICK_DEATH = 10.0  # seconds: a child that lived longer had worked
GIVE_UP_AFTER = 4  # quick deaths in a row of a child that was never ready
LONGEST_WAIT = 60.0  # seconds before a child that keeps dying is restarted
# without a heartbeat; a busy machine needs less, and nobody waits so long by themselves
HUNG_SECONDS = 60.0
# only migrations run as the owner of the tables
WITHHELD = {DATABASE_OWNER_URL.name, DATABASE_OWNER_URL.file_name}
# The pipe by which children notice our end (league/up/launch.py): its other end is never closed.
LIFELINE = None if sys.platform == "linux" else os.pipe()[0]


class ChildError(RuntimeError):
    """A child doesn't stay up; the message has the end of its log."""


@dataclass
class Child:
    """A child process: a program, or work for a copy of this process.

    `ready`: tells if it is ready; None: it is once it has given a heartbeat. `patience`: seconds
    that it has for stopping before it is killed. `server`: True if it gives no heartbeat by itself,
    but `ready` asks it. `sockets`: open files that it inherits. `terminal`: True if its output goes
    to our output, not to a file.
    """

    name: str
    command: Sequence[str] = ()
    ready: Callable[[], bool] | None = None
    work: Callable[[], None] | None = None
    folder: Path = embedded.CHECKOUT
    user: str = SAME
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGKILL
    patience: float = 5.0
    server: bool = False
    sockets: tuple[int, ...] = ()
    terminal: bool = False
    deaths: int = field(default=0, init=False)
    quick_deaths: int = field(default=0, init=False)
    again_at: float | None = field(default=None, init=False)

    @property
    def log(self) -> Path:
        """The log file of its output, which only its owner may read."""
        return embedded.var_dir() / "log" / f"{self.name}.log"

    @property
    def heartbeat(self) -> Path:
        """The file that the process touches as its heartbeat."""
        return embedded.var_dir() / "heartbeats" / self.name

    def start(self) -> None:
        """Start the process, in a process group of its own so that Ctrl-C reaches only the
        supervisor."""
        for folder in (self.log.parent, self.heartbeat.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        self.heartbeat.unlink(missing_ok=True)
        environment = {name: value for name, value in os.environ.items() if name not in WITHHELD}
        environment[heartbeat.FOLDER] = str(self.heartbeat.parent)
        environment[heartbeat.PART] = self.name
        output = None if self.terminal else self._open_log()
        try:
            start_process = self._start_copy if self.work else self._start_program
            self.process = start_process(environment, output)
        finally:
            if output is not None:
                os.close(output)

        self.started = time.monotonic()
        self.checked_at = self.started
        self.again_at = None
        self.last_beat = 0.0
        self.silent_seconds = 0.0

    def _start_copy(self, environment: Mapping[str, str], output: int | None) -> Copy:
        assert self.work
        return fork(
            self.work,
            name=self.name,
            environment=environment,
            output=output,
            files=self._inherited_files(),
            lifeline=LIFELINE,
        )

    def _inherited_files(self) -> list[int]:
        if LIFELINE is None:
            return [*self.sockets]
        return [*self.sockets, LIFELINE]

    def _start_program(
        self, environment: Mapping[str, str], output: int | None
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            launch_command(
                self.command,
                folder=self.folder,
                user=self.user,
                death_signal=self.death_signal,
                lifeline=LIFELINE,
            ),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            pass_fds=self._inherited_files(),
        )

    def _open_log(self) -> int:
        self.rotate()
        log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.fchmod(log, 0o600)
        self.log_start = os.fstat(log).st_size
        return log

    def is_ready(self) -> bool:
        """Return True if the process runs and can do its work."""
        if self.process.poll() is not None:
            return False
        if self.ready:
            return self.ready()
        return self.heartbeat.exists()

    def rotate(self) -> None:
        """Copy a large log to a second file, replacing an earlier copy, and empty it; the process
        keeps writing to the same file."""
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            shutil.copyfile(self.log, f"{self.log}.1")
            Path(f"{self.log}.1").chmod(0o600)
            os.truncate(self.log, 0)
            self.log_start = 0

    def tail(self, lines: int = 20) -> str:
        """Return the last lines that the process has printed since its start."""
        if self.terminal:
            return "(see above)"
        with self.log.open("rb") as log:
            log.seek(self.log_start)
            return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])

    def watch(self) -> str | None:
        """Check the process once: kill it if it hangs; if it has died, restart it after a wait.
        Return a message for the operator, or None."""
        now = time.monotonic()
        code = self.process.poll()
        if code is None:
            return self._kill_if_silent(now)
        if self.again_at is not None:
            if now >= self.again_at:
                self.start()
            return None

        self._kill_group()
        self.deaths += 1
        is_quick = now - self.started < QUICK_DEATH
        self.quick_deaths = self.quick_deaths + 1 if is_quick else 1
        wait = min(0.1 * 2**self.quick_deaths, LONGEST_WAIT)
        self.again_at = now + wait

        cause = f"signal {-code}" if code < 0 else f"code {code}"
        if self.quick_deaths < GIVE_UP_AFTER:
            return f"{self.name} died ({cause}); it is being restarted"
        return (
            f"{self.name} died ({cause}), {self.quick_deaths} times in a row; the next try is in "
            f"{wait:.0f} s"
        )

    def _kill_if_silent(self, now: float) -> str | None:
        """Kill the process after HUNG_SECONDS without a heartbeat. Only time in which we watched
        counts: if the machine slept, the process isn't hung."""
        beat_at = self.heartbeat.stat().st_mtime if self.heartbeat.exists() else 0.0
        if beat_at == self.last_beat:
            self.silent_seconds += min(now - self.checked_at, 1.0)
        else:
            self.silent_seconds = 0.0
        self.last_beat = beat_at
        self.checked_at = now
        if self.silent_seconds < HUNG_SECONDS:
            return None
        self.silent_seconds = 0.0
        self.process.kill()
        return f"{self.name} has given no heartbeat for {HUNG_SECONDS:.0f} s; it is killed"

    def stop(self) -> None:
        """Ask the process to end, and kill it after `patience` seconds, with everything that it has
        started."""
        self.ask_to_end()
        self.await_end(time.monotonic() + self.patience)

    def ask_to_end(self) -> None:
        """Send the process its stop signal."""
        with suppress(ProcessLookupError):
            self.process.send_signal(self.stop_signal)

    def await_end(self, deadline: float) -> None:
        """Wait until the process has ended; kill it after the deadline. In any case kill everything
        that it has started."""
        try:
            self.process.wait(max(deadline - time.monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._kill_group()

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)


def stop_together(children: Sequence[Child]) -> None:
    """Ask all children to end, then wait for each, so that together they take as long as the
    slowest."""
    for child in children:
        child.ask_to_end()
    asked_at = time.monotonic()
    for child in children:
        child.await_end(asked_at + child.patience)


def wait_until_ready(
    children: Sequence[Child],
    tell: Callable[[str], None],
    patience: float = 120.0,
    running: Sequence[Child] = (),
) -> None:
    """Wait until every child is ready, and tell how many seconds each took. Raise `ChildError` if
    one doesn't become ready.

    Children that are `running` already are watched meanwhile, since the others may need them.
    """
    unready = list(children)
    while unready:
        for child in running:
            _watch_and_tell(child, tell)
        for child in list(unready):
            _watch_and_tell(child, tell)
            seconds = time.monotonic() - child.started
            if child.is_ready():
                tell(f"{child.name:<16}{seconds:5.1f} s")
                unready.remove(child)
            elif child.quick_deaths >= GIVE_UP_AFTER:
                raise ChildError(
                    f"{child.name} does not stay up. The end of {child.log}:\n{child.tail()}"
                )
            elif seconds > patience:
                raise ChildError(
                    f"{child.name} is not ready after {seconds:.0f} s. Its log:\n{child.tail()}"
                )
        time.sleep(0.02)


def _watch_and_tell(child: Child, tell: Callable[[str], None]) -> None:
    message = child.watch()
    if message:
        tell(message)


def postgres(*, durable: bool = True) -> Child:
    """Return PostgreSQL as a child, with its cluster prepared. Its death signal ends it at once,
    without losing anything committed."""
    user = embedded.postgres_user()
    embedded.prepare_postgres(user, durable=durable)
    return Child(
        "postgres",
        embedded.postgres_command(durable=durable),
        embedded.postgres_ready,
        folder=embedded.data_dir(),
        user=user,
        stop_signal=signal.SIGINT,
        death_signal=signal.SIGQUIT,
        patience=10.0,
        server=True,
    )


def redis() -> Child:
    """Return Redis as a child, with its folders prepared."""
    embedded.prepare_redis()
    folder = embedded.var_dir() / "redis"
    return Child(
        "redis", embedded.redis_command(), embedded.redis_ready, folder=folder, server=True
    )
