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

from league.core.frame.outages import POSTGRES
from league.up import heartbeat
from league.up.children import Child
from league.up.host import Host
from league.up.metrics_folder import metrics_folder_sweep
from league.up.parts import PartHeartbeat, parts_forget, parts_hear

log = structlog.get_logger(__name__)

# seconds for the servers and the database: the supervisor must not hang with one of them
PATIENCE = 3.0


class Pulse:
    """Gives heartbeats for the servers, and stores those of all parts, every few seconds.

    It has no thread of its own: league/up/fork.py."""

    def __init__(self, children: Sequence[Child], host: Host) -> None:
        self.children = children
        self.host = host
        self.due = time.monotonic() + heartbeat.SECONDS

    def begin(self) -> None:
        """Delete the parts of an earlier start, since this one may have others."""
        self._within_patience(lambda: parts_forget(host_id=self.host.id))

    def beat(self) -> None:
        """Give and store heartbeats, if it is time again."""
        if time.monotonic() >= self.due:
            metrics_folder_sweep()
            self._within_patience(self._beat)
            self.due = time.monotonic() + heartbeat.SECONDS

    def stop(self) -> None:
        """Delete the parts, which are stopped on purpose, so that none of them counts as missed."""
        names = [heard.name for heard in self._heard()]
        self._within_patience(lambda: parts_forget(host_id=self.host.id, names=names))

    def _beat(self) -> None:
        """Give the heartbeats of servers that answer, and store those of all parts."""
        for child in self.children:
            child.rotate()
            if child.server and child.is_ready():
                child.heartbeat.touch()
        parts_hear(host=self.host, heard=self._heard())

    def _heard(self) -> list[PartHeartbeat]:
        return [heard for child in self.children for heard in heartbeats_of(child)]

    @staticmethod
    def _within_patience(work: Callable[[], object]) -> None:
        try:
            with at_most(PATIENCE):
                work()
        except (Error, TimeoutError) as error:
            log.warning(
                "pulse.no_database", outage=POSTGRES, error=type(error).__name__, exc_info=error
            )
            connection.close()


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` if the block takes longer than this. It works only in the main
    thread."""

    def break_off(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"{seconds:.0f} s are over")

    former_handler = signal.signal(signal.SIGALRM, break_off)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former_handler)


def heartbeats_of(child: Child) -> list[PartHeartbeat]:
    """Return the heartbeats of a child, and of its parts that can fail by themselves (`web-1
    listener`)."""
    now = time.time()
    files = [child.heartbeat, *child.heartbeat.parent.glob(f"{child.name} *")]
    return [
        PartHeartbeat(file.name, now - file.stat().st_mtime, child.deaths)
        for file in files
        if file.exists()
    ]
