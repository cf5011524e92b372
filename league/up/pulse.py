"""The supervisor's own heartbeat: asks the servers whether they answer, and writes down which parts
it has heard of."""

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
from league.up.parts import Heard, parts_forget, parts_hear

log = structlog.get_logger(__name__)

# seconds for the servers and the database: whoever watches the others must not hang with one
PATIENCE = 3.0


class Pulse:
    """Beats for the servers, and tells the database of everybody's last heartbeat, every few
    seconds.

    Without a thread of its own: league/up/fork.py.
    """

    def __init__(self, children: Sequence[Child], host: str) -> None:
        self.children, self.host = children, host
        self.due = time.monotonic() + heartbeat.SECONDS

    def begin(self) -> None:
        """Wait for no part of an earlier start: this one may have others."""
        self._patiently(lambda: parts_forget(host=self.host))

    def beat(self) -> None:
        """Do so if it is time."""
        if time.monotonic() >= self.due:
            self._patiently(self._beat)
            self.due = time.monotonic() + heartbeat.SECONDS

    def stop(self) -> None:
        """Let nobody wait for parts that were stopped on purpose."""
        names = [heard.name for heard in self._heard()]
        self._patiently(lambda: parts_forget(host=self.host, names=names))

    def _beat(self) -> None:
        for child in self.children:
            child.rotate()
            if child.server and child.is_ready():
                child.heartbeat.touch()
        parts_hear(host=self.host, heard=self._heard())

    def _heard(self) -> list[Heard]:
        return [heard for child in self.children for heard in heard_of(child)]

    @staticmethod
    def _patiently(work: Callable[[], None]) -> None:
        """Do what asks the database; a database that is away or hangs is a warning."""
        try:
            with at_most(PATIENCE):
                work()
        except (Error, TimeoutError) as error:
            log.warning("pulse.no_database", error=type(error).__name__)
            connection.close()


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Break the block off with a TimeoutError after so many seconds. For the main thread alone."""

    def break_off(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"{seconds:.0f} s are over")

    before = signal.signal(signal.SIGALRM, break_off)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def heard_of(child: Child) -> list[Heard]:
    """The heartbeats of a child, and of what in it can fail alone (`web-1 listener`), with their
    ages in seconds."""
    moment = time.time()
    files = [child.heartbeat, *child.heartbeat.parent.glob(f"{child.name} *")]
    return [
        Heard(file.name, moment - file.stat().st_mtime, child.deaths)
        for file in files
        if file.exists()
    ]
