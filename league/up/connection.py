"""The web server's connections, with two deadlines that uvicorn lacks: for a request's head, and
for a slow reader.

They also limit what the parser buffers, and end without losing a request: a proxy that has just
connected may still send one, and pages with a stream, which would never end by itself, reconnect to
another process."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from typing import Any

from uvicorn import Server
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from league.request import HEAD_BYTES, is_stream

HEAD_SECONDS = (
    10.0  # from the connection, or the first byte of a later request, to the end of its head
)
READER_SECONDS = 20.0  # between two checks of a slow reader
READER_PACE = 1024  # bytes a second that a reader has to take
MOST_REQUESTS = 16  # that wait on a connection for earlier answers
LAST_SECONDS = 1.0  # that an open connection has left for a request when the process ends


class WebServer(Server):
    """A server that, when it ends, still answers all clients that have connected."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept the connections that wait at the listening socket before ending: closing the
        socket would refuse them.

        The socket is closed at a moment without waiting connections, since the event loop may have
        been busy after its last check.
        """
        await asyncio.sleep(0.01)  # the event loop turns once
        accepted: list[socket.socket] = []
        for listener in sockets or []:
            accepted += iter(partial(_accept_if_waiting, listener), None)
        for server in self.servers:
            server.close()
        connection = partial(
            Connection,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        for client in accepted:
            await asyncio.get_running_loop().connect_accepted_socket(
                connection, client, ssl=self.config.ssl
            )
        await super().shutdown(sockets)


def _accept_if_waiting(listener: socket.socket) -> socket.socket | None:
    try:
        return listener.accept()[0]
    except OSError:
        return None


class Connection(HttpToolsProtocol):
    """A connection that is closed if a request's head is slow or endless, or the answer is read too
    slowly."""

    answer: RequestResponseCycle | None = None
    reads_head = True
    head_bytes = 0  # of a head, or around the chunks of a body, since it began
    head_timer: asyncio.TimerHandle | None = None
    reader_timer: asyncio.TimerHandle | None = None
    unsent = 0
    ending = False

    def connection_made(self, transport: Any) -> None:
        """Start waiting for a request."""
        super().connection_made(transport)
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers, and tell the application."""
        self._stop(self.head_timer)
        self._stop(self.reader_timer)
        super().connection_lost(exc)
        # uvicorn only notifies the last request, which may wait behind this one
        if self.answer is not None:
            self.answer.disconnected = True
            self.answer.message_event.set()

    def data_received(self, data: bytes) -> None:
        """Handle received data. A head that is too large is refused; the time for a new head starts
        to run."""
        self.head_bytes += len(data)
        super().data_received(data)
        if self.ending and self.cycle is not None:
            self.cycle.keep_alive = False
        if self.head_bytes > HEAD_BYTES:
            self.send_400_response("The head of the request is too large.")
            return
        is_answered = self.answer is None or self.answer.response_complete
        if self.reads_head and self.head_timer is None and is_answered:
            self._start_head_timer()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Handle a header of the head; ignore trailers after a body, which could pass for
        headers."""
        if self.reads_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Handle a complete head. Hang up on a client that sends request after request without
        waiting for the answers."""
        self._stop(self.head_timer)
        self.head_timer = None
        self.reads_head = False
        super().on_headers_complete()
        if len(self.pipeline) > MOST_REQUESTS:
            self.transport.abort()
            raise ValueError(MOST_REQUESTS)

    def on_body(self, body: bytes) -> None:
        """Handle a chunk of a body, the length of which the application limits."""
        self.head_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Prepare for the next head."""
        self.reads_head = True
        self.head_bytes = 0
        super().on_message_complete()

    def shutdown(self) -> None:
        """End after the current answer; at once if it is a stream. Without a request, wait a moment
        for one."""
        if self.answer is None:
            self.ending = True
            self.loop.call_later(LAST_SECONDS, self._shut_down_unless_answering)
        elif is_stream(self.answer.scope["path"]):
            self.transport.close()
        else:
            super().shutdown()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.answer = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Watch for unread data: uvicorn itself doesn't wait for the reader of a short answer."""
        super().on_response_complete()
        self._watch_reader()

    def pause_writing(self) -> None:
        """Watch the reader, who reads more slowly than the answer is made."""
        super().pause_writing()
        self._watch_reader()

    def _shut_down_unless_answering(self) -> None:
        if self.answer is None:
            super().shutdown()

    def _start_head_timer(self) -> None:
        self.head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _watch_reader(self) -> None:
        unsent = self._unsent_bytes()
        if self.reader_timer is None and unsent:
            self.unsent = unsent
            self.reader_timer = self.loop.call_later(READER_SECONDS, self._look_at_reader)

    def _look_at_reader(self) -> None:
        """Abort the connection if the reader has taken too little since the last look, and less
        than half of the data."""
        self.reader_timer = None
        unsent = self._unsent_bytes()
        is_slow = self.unsent - unsent < READER_SECONDS * READER_PACE
        if unsent and is_slow and unsent >= self.unsent // 2:
            self.transport.abort()
        else:
            self._watch_reader()

    def _unsent_bytes(self) -> int:
        return int(self.transport.get_write_buffer_size())

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer:
            timer.cancel()
