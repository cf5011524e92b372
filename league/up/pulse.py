"""The supervisor's own heartbeat: asks the servers whether they answer, and writes down which parts it has heard of."""

import socket
import threading
import time
from collections.abc import Sequence

import structlog
from django.db import Error, connection

from league.up import heartbeat
from league.up.children import Child
from league.up.parts import Heard, parts_forget, parts_hear

log = structlog.get_logger(__name__)


class Pulse(threading.Thread):
    """Beats for the servers, and tells the database of everybody's last heartbeat, until it is stopped."""

    def __init__(self, children: Sequence[Child]) -> None:
        super().__init__(name="pulse", daemon=True)
        self.children = children
        self.stopped = threading.Event()

    def run(self) -> None:
        """Do so every few seconds."""
        while not self.stopped.wait(heartbeat.SECONDS):
            for child in self.children:
                if child.server and child.is_ready():
                    child.heartbeat.touch()
            self._write()

    def _heard(self) -> list[Heard]:
        return [heard for child in self.children for heard in heard_of(child)]

    def _write(self) -> None:
        try:
            parts_hear(host=socket.gethostname(), heard=self._heard())
        except Error as error:
            log.warning("pulse.no_database", error=type(error).__name__)
            connection.close()

    def stop(self) -> None:
        """End, and let nobody wait for parts that were stopped on purpose."""
        self.stopped.set()
        self.join(timeout=2 * heartbeat.SECONDS)
        try:
            parts_forget(host=socket.gethostname(), names=[heard.name for heard in self._heard()])
        except Error as error:
            log.warning("pulse.no_database", error=type(error).__name__)


def heard_of(child: Child) -> list[Heard]:
    """The heartbeats of a child, and of what in it can fail alone (`web-1 listener`), with their ages in seconds."""
    now = time.time()
    files = [child.heartbeat, *child.heartbeat.parent.glob(f"{child.name} *")]
    return [Heard(file.name, now - file.stat().st_mtime, child.deaths) for file in files if file.exists()]
