"""The supervisor's own heartbeat: it asks the servers whether they answer, and stores the
heartbeats of all parts."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import structlog
from django.db import Error, connection

from league.up import heartbeat
from league.up.children import Child
from league.up.parts import PartHeartbeat, parts_forget, parts_hear

log = structlog.get_logger(__name__)

# seconds for the servers and the database: the supervisor must not hang with one of them
PATIENCE = 3.0


class Pulse:
    """Gives heartbeats for the servers, and stores those of all parts, every few seconds.

    It has no thread of its own: league/up/fork.py."""

    def __init__(self, children: Sequence[Child], host: str) -> None:
        self.children = children
        self.host = host
        self.due = time.monotonic() + heartbeat.SECONDS

    def begin(self) -> None:
        """Delete the parts of an earlier start: this one may have others."""
        self._patiently(lambda: parts_forget(host=self.host))

    def beat(self) -> None:
        """Beat if it is time."""
        if time.monotonic() >= self.due:
            self._patiently(self._beat)
            self.due = time.monotonic() + heartbeat.SECONDS

    def stop(self) -> None:
        """Delete parts that were stopped on purpose, so that they aren't missed."""
        names = [heard.name for heard in self._heard()]
        self._patiently(lambda: parts_forget(host=self.host, names=names))

    def _beat(self) -> None:
        for child in self.children:
            child.rotate()
            if child.server and child.is_ready():
                child.heartbeat.touch()
        parts_hear(host=self.host, heard=self._heard())

    def _heard(self) -> list[PartHeartbeat]:
        return [heard for child in self.children for heard in heard_of(child)]

    @staticmethod
    def _patiently(work: Callable[[], None]) -> None:
        """Use the database within PATIENCE; a database that is away or hangs is a warning."""
        try:
            with at_most(PATIENCE):
                work()
        except (Error, TimeoutError) as error:
            log.warning("pulse.no_database", error=type(error).__name__)
            connection.close()


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` if the block takes longer. Only for the main thread."""

    def break_off(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"{seconds:.0f} s are over")

    before = signal.signal(signal.SIGALRM, break_off)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def heard_of(child: Child) -> list[PartHeartbeat]:
    """Return the heartbeats of a child, and of its parts that can fail alone (`web-1 listener`)."""
    moment = time.time()
    files = [child.heartbeat, *child.heartbeat.parent.glob(f"{child.name} *")]
    return [
        PartHeartbeat(file.name, moment - file.stat().st_mtime, child.deaths)
        for file in files
        if file.exists()
    ]
