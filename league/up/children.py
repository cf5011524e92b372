"""One child process: started, asked whether it is ready, started again when it dies or hangs,
stopped.

Servers are programs; our own processes are copies of this one (league/up/fork.py).
"""

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

from league.up import embedded, heartbeat
from league.up.fork import Copy, fork
from league.up.launch import SAME, launch_command

LOG_LIMIT = 5_000_000  # bytes of a log that is laid aside
QUICK_DEATH = 10.0  # seconds: a child that lived longer was well
GIVE_UP_AFTER = 4  # quick deaths in a row of a child that was never ready
LONGEST_WAIT = 60.0  # seconds before a child that keeps dying is started again
# without a heartbeat: long enough for a machine that is busy, too short for anybody to wait
HUNG_SECONDS = 60.0
WITHHELD = {
    "DATABASE_OWNER_URL",
    "DATABASE_OWNER_URL_FILE",
}  # only migrations are run by the owner of the tables
LIFELINE = (
    None if sys.platform == "linux" else os.pipe()[0]
)  # league/up/launch.py; the second end is never closed


class ChildError(RuntimeError):
    """A child that does not stay up; the message carries the end of its log."""


@dataclass
class Child:
    """A program, or work for a copy of this process; how to tell that it is ready, how to stop it
    (`patience`: seconds before it is killed).

    `ready` None: it is ready with its first heartbeat. `server`: it gives no heartbeat by itself,
    but answers `ready`. `sockets` are open files that it inherits. `terminal`: what it prints goes
    where our own goes, not to a file."""

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
        """The file that gets everything the child prints, for its owner alone."""
        return embedded.var_dir() / "log" / f"{self.name}.log"

    @property
    def heartbeat(self) -> Path:
        """The file that it touches."""
        return embedded.var_dir() / "heartbeats" / self.name

    def start(self) -> None:
        """Start the program, in a process group of its own so that Ctrl-C reaches only the
        supervisor."""
        for folder in (self.log.parent, self.heartbeat.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        self.heartbeat.unlink(missing_ok=True)
        pulse = {heartbeat.FOLDER: str(self.heartbeat.parent), heartbeat.PART: self.name}
        environment = {
            name: value for name, value in os.environ.items() if name not in WITHHELD
        } | pulse
        output = None if self.terminal else self._open_log()
        try:
            self.process = (
                self._copy(environment, output) if self.work else self._program(environment, output)
            )
        finally:
            if output is not None:
                os.close(output)
        self.started = self.looked = time.monotonic()
        self.again_at, self.beaten, self.silent = None, 0.0, 0.0

    def _copy(self, environment: Mapping[str, str], output: int | None) -> Copy:
        assert self.work
        files = [*self.sockets, *([] if LIFELINE is None else [LIFELINE])]
        return fork(
            self.work,
            name=self.name,
            environment=environment,
            output=output,
            files=files,
            lifeline=LIFELINE,
        )

    def _program(
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
            pass_fds=[*self.sockets, *([] if LIFELINE is None else [LIFELINE])],
        )

    def _open_log(self) -> int:
        self.rotate()
        log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.fchmod(log, 0o600)
        self.log_start = os.fstat(log).st_size
        return log

    def is_ready(self) -> bool:
        """True if it does its work."""
        return self.process.poll() is None and (
            self.ready() if self.ready else self.heartbeat.exists()
        )

    def rotate(self) -> None:
        """Lay a large log aside, in place of the one before; what is being written goes on in it,
        empty."""
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            shutil.copyfile(self.log, f"{self.log}.1")
            Path(f"{self.log}.1").chmod(0o600)
            os.truncate(self.log, 0)
            self.log_start = 0

    def tail(self, lines: int = 20) -> str:
        """The last lines it printed since its start."""
        if self.terminal:
            return "(see above)"
        with self.log.open("rb") as log:
            log.seek(self.log_start)
            return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])

    def watch(self) -> str | None:
        """Look once: kill it if it hangs, start it again if it has died and waited. What there is
        to tell, or None."""
        moment = time.monotonic()
        if (code := self.process.poll()) is None:
            return self._kill_if_silent(moment)
        if self.again_at is not None:
            if moment >= self.again_at:
                self.start()
            return None
        self._kill_group()
        self.deaths += 1
        self.quick_deaths = self.quick_deaths + 1 if moment - self.started < QUICK_DEATH else 1
        wait = min(0.1 * 2**self.quick_deaths, LONGEST_WAIT)
        self.again_at = moment + wait
        cause = f"signal {-code}" if code < 0 else f"code {code}"
        if self.quick_deaths < GIVE_UP_AFTER:
            return f"{self.name} died ({cause}); it is started again"
        return (
            f"{self.name} died ({cause}), {self.quick_deaths} times in a row; the next try is in "
            f"{wait:.0f} s"
        )

    def _kill_if_silent(self, moment: float) -> str | None:
        """Kill it after HUNG_SECONDS without a heartbeat, counted as we looked: a machine that
        slept isn't hung."""
        beaten = self.heartbeat.stat().st_mtime if self.heartbeat.exists() else 0.0
        self.silent = 0.0 if beaten != self.beaten else self.silent + min(moment - self.looked, 1.0)
        self.beaten, self.looked = beaten, moment
        if self.silent < HUNG_SECONDS:
            return None
        self.silent = 0.0
        self.process.kill()
        return f"{self.name} has given no heartbeat for {HUNG_SECONDS:.0f} s; it is killed"

    def stop(self) -> None:
        """Ask it to end; after `patience` seconds kill it and what it started."""
        self.ask_to_end()
        self.await_end(time.monotonic() + self.patience)

    def ask_to_end(self) -> None:
        """Send it the signal for that."""
        with suppress(ProcessLookupError):
            self.process.send_signal(self.stop_signal)

    def await_end(self, deadline: float) -> None:
        """Wait for its end; after the deadline kill it, and in any case what it started."""
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
    """Ask all of them to end, then wait for each: together they take as long as the slowest."""
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
    """Wait until every child is ready; tell of each with its seconds. ChildError if one cannot be
    had.

    Those that are `running` are watched meanwhile: what is awaited may need them.
    """
    waiting = list(children)
    while waiting:
        for child in running:
            if message := child.watch():
                tell(message)
        for child in list(waiting):
            if message := child.watch():
                tell(message)
            seconds = time.monotonic() - child.started
            if child.is_ready():
                tell(f"{child.name:<16}{seconds:5.1f} s")
                waiting.remove(child)
            elif child.quick_deaths >= GIVE_UP_AFTER:
                raise ChildError(
                    f"{child.name} does not stay up. The end of {child.log}:\n{child.tail()}"
                )
            elif seconds > patience:
                raise ChildError(
                    f"{child.name} is not ready after {seconds:.0f} s. Its log:\n{child.tail()}"
                )
        time.sleep(0.02)


def postgres(*, durable: bool = True) -> Child:
    """PostgreSQL, its cluster prepared. Its death signal ends it at once, and nothing committed is
    lost."""
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
    """Redis, its folders prepared."""
    embedded.prepare_redis()
    folder = embedded.var_dir() / "redis"
    return Child(
        "redis", embedded.redis_command(), embedded.redis_ready, folder=folder, server=True
    )
