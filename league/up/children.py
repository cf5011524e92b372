"""One child process: started, asked whether it is ready, started again when it dies, stopped."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from league.up import embedded
from league.up.launch import SAME, launch_command

LOG_LIMIT = 5_000_000  # bytes of a log that is put aside at the next start
QUICK_DEATH = 10.0  # seconds: a child that lived longer was well
GIVE_UP_AFTER = 4  # quick deaths in a row
WITHHELD = {"DATABASE_OWNER_URL", "DATABASE_OWNER_URL_FILE"}  # only migrations are run by the owner of the tables


class ChildError(RuntimeError):
    """A child that does not stay up; the message carries the end of its log."""


@dataclass
class Child:
    """A program, how to tell that it is ready, how to stop it (`patience`: seconds before it is killed)."""

    name: str
    command: Sequence[str]
    ready: Callable[[], bool]
    folder: Path = embedded.CHECKOUT
    user: str = SAME
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGKILL
    patience: float = 5.0
    quick_deaths: int = field(default=0, init=False)
    again_at: float | None = field(default=None, init=False)

    @property
    def log(self) -> Path:
        """The file that gets everything the child prints."""
        return embedded.var_dir() / "log" / f"{self.name}.log"

    def start(self) -> None:
        """Start the program, in a process group of its own so that Ctrl-C reaches only the supervisor."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(f"{self.log}.1")
        command = launch_command(self.command, folder=self.folder, user=self.user, death_signal=self.death_signal)
        environment = {name: value for name, value in os.environ.items() if name not in WITHHELD}
        with self.log.open("ab") as log:
            self.log_start = log.tell()
            self.process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self.started, self.again_at = time.monotonic(), None

    def tail(self, lines: int = 20) -> str:
        """The last lines it printed since its start."""
        with self.log.open("rb") as log:
            log.seek(self.log_start)
            return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])

    def watch(self) -> str | None:
        """Look once: start it again if it has died and waited long enough. What there is to tell, or None.

        ChildError after GIVE_UP_AFTER quick deaths in a row.
        """
        if (code := self.process.poll()) is None:
            return None
        now = time.monotonic()
        if self.again_at is not None:
            if now >= self.again_at:
                self.start()
            return None
        self._kill_group()
        self.quick_deaths = self.quick_deaths + 1 if now - self.started < QUICK_DEATH else 1
        cause = f"signal {-code}" if code < 0 else f"code {code}"
        if self.quick_deaths >= GIVE_UP_AFTER:
            raise ChildError(f"{self.name} does not stay up ({cause}). The end of {self.log}:\n{self.tail()}")
        self.again_at = now + 0.1 * 2**self.quick_deaths
        return f"{self.name} died ({cause}); it is started again"

    def stop(self) -> None:
        """Ask it to end; after `patience` seconds kill it and what it started."""
        with suppress(ProcessLookupError):
            self.process.send_signal(self.stop_signal)
        try:
            self.process.wait(self.patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._kill_group()

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)


def wait_until_ready(children: Sequence[Child], tell: Callable[[str], None], patience: float = 60.0) -> None:
    """Wait until every child is ready; tell of each with its seconds. ChildError if one cannot be had."""
    waiting = list(children)
    while waiting:
        for child in list(waiting):
            if message := child.watch():
                tell(message)
            seconds = time.monotonic() - child.started
            if child.process.poll() is None and child.ready():
                tell(f"{child.name:<12}{seconds:5.1f} s")
                waiting.remove(child)
            elif seconds > patience:
                raise ChildError(f"{child.name} is not ready after {seconds:.0f} s. Its log:\n{child.tail()}")
        time.sleep(0.02)


def postgres(*, durable: bool = True) -> Child:
    """PostgreSQL, its cluster prepared. Its death signal ends it at once, and nothing committed is lost."""
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
    )


def redis() -> Child:
    """Redis, its folders prepared."""
    embedded.prepare_redis()
    return Child("redis", embedded.redis_command(), embedded.redis_ready, folder=embedded.var_dir() / "redis")
