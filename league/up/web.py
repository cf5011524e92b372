"""One process of the web server: `python -m league.up.web <number of a listening socket>`.

uvicorn has no deadline for the head of a request and none for a reader who stops reading; both are here.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import socket
from typing import Any

import h11
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0  # from the connection, or from the first byte of a later request, to the end of the head
HEAD_BYTES = 32 * 1024
READER_SECONDS = 20.0  # between two looks at a slow reader
READER_PACE = 1024  # bytes a second that it has to take
IDLE_SECONDS = 5  # a connection without a request
GRACE_SECONDS = 2  # for open requests when the process is to end
OTHER_FILES = 200  # of a process, beside its connections


class Connection(H11Protocol):
    """A connection that is closed if the head of a request is slow to come, or the answer slow to be taken."""

    head_timer: asyncio.TimerHandle | None = None
    reader_timer: asyncio.TimerHandle | None = None
    unsent = 0

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop(self.head_timer)
        self._stop(self.reader_timer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what has come; the wait for a head ends with its last byte."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop(self.head_timer)
            self.head_timer = None
        elif self.head_timer is None:
            self._await_head()

    def on_response_complete(self) -> None:
        """Look after what isn't taken yet: a short answer never makes the server wait for its reader."""
        super().on_response_complete()
        self._watch_reader()

    def pause_writing(self) -> None:
        """The reader is slower than the answer."""
        super().pause_writing()
        self._watch_reader()

    def _await_head(self) -> None:
        self.head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _watch_reader(self) -> None:
        if self.reader_timer is None and (unsent := self._unsent()):
            self.unsent = unsent
            self.reader_timer = self.loop.call_later(READER_SECONDS, self._look_at_reader)

    def _look_at_reader(self) -> None:
        self.reader_timer = None
        left = self._unsent()
        if left and self.unsent - left < READER_SECONDS * READER_PACE and left >= self.unsent // 2:
            self.transport.abort()
        else:
            self._watch_reader()

    def _unsent(self) -> int:
        return int(self.transport.get_write_buffer_size())  # type: ignore[attr-defined]

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer:
            timer.cancel()


def raise_file_limit() -> int:
    """Let this process open as many files as the system allows; how many that are."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def listening(host: str, port: int) -> socket.socket:
    """A listening socket that several processes can share. OSError or OverflowError if there can't be one."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(found[0], found[1])
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(found[4])
        listener.listen(2048)
    except BaseException:
        listener.close()
        raise
    return listener


def serve(listener: socket.socket, app: str) -> None:
    """Serve until a signal ends it."""
    files = raise_file_limit()
    config = Config(
        app,
        http=Connection,
        ws="none",
        lifespan="on",
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=HEAD_BYTES,
        limit_concurrency=max(files - OTHER_FILES, OTHER_FILES),
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    Server(config).run(sockets=[listener])


def main() -> None:
    """Serve on a socket that the starter of this process has opened."""
    parser = argparse.ArgumentParser(prog="python -m league.up.web", description=__doc__)
    parser.add_argument("socket", type=int, help="the number of the listening socket among the open files")
    parser.add_argument("--app", default="league.asgi:application", help="the ASGI application")
    arguments = parser.parse_args()
    os.set_inheritable(arguments.socket, False)
    serve(socket.socket(fileno=arguments.socket), arguments.app)


if __name__ == "__main__":
    main()
