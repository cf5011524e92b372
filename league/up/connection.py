"""A connection of the web server, with two deadlines that uvicorn lacks: for a request's head, and
for its reader.

With a limit for all that its parser would keep without one. And with an end that leaves nobody
without an answer: a proxy that has just connected may still ask, and pages that listen to a stream,
which would never end by itself, connect anew somewhere else."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from typing import Any

from uvicorn import Server
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from league.request import HEAD_BYTES, is_stream

HEAD_SECONDS = (
    10.0  # from the connection, or from the first byte of a later request, to the end of the head
)
READER_SECONDS = 20.0  # between two looks at a slow reader
READER_PACE = 1024  # bytes a second that it has to take
MOST_REQUESTS = 16  # that wait on a connection for the answer before theirs
LAST_SECONDS = 1.0  # in which who is connected already may ask, when the process is to end


class WebServer(Server):
    """A server that hears whoever has connected by the time at which it ends."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let in who waits at the listening socket, and end: with it they would be turned away,
        having asked.

        The socket is closed in the moment in which nobody waits: the event loop may have been busy
        since it looked."""
        await asyncio.sleep(0.01)  # the event loop turns once
        waiting = [
            client
            for listener in sockets or []
            for client in iter(partial(_accepted, listener), None)
        ]
        for server in self.servers:
            server.close()
        connection = partial(
            Connection,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        for client in waiting:
            await asyncio.get_running_loop().connect_accepted_socket(
                connection, client, ssl=self.config.ssl
            )
        await super().shutdown(sockets)


def _accepted(listener: socket.socket) -> socket.socket | None:
    """Somebody who waits at a listening socket that doesn't block; None if nobody does."""
    try:
        return listener.accept()[0]
    except OSError:
        return None


class Connection(HttpToolsProtocol):
    """A connection that is closed if the head of a request is slow to come, or endless, or the
    answer slow to be taken."""

    answer: RequestResponseCycle | None = None
    reads_head = True
    head_bytes = 0  # of a head, or of what stands around the pieces of a body, since either began
    head_timer: asyncio.TimerHandle | None = None
    reader_timer: asyncio.TimerHandle | None = None
    unsent = 0
    ending = False

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop(self.head_timer)
        self._stop(self.reader_timer)
        super().connection_lost(exc)
        if (
            self.answer is not None
        ):  # uvicorn tells the last request alone, which may wait behind this one
            self.answer.disconnected = True
            self.answer.message_event.set()

    def data_received(self, data: bytes) -> None:
        """Take what has come; a head may be neither slow nor endless."""
        self.head_bytes += len(data)
        super().data_received(data)
        if self.ending and self.cycle is not None:
            self.cycle.keep_alive = False
        if self.head_bytes > HEAD_BYTES:
            self.send_400_response("The head of the request is too large.")
        elif (
            self.reads_head
            and self.head_timer is None
            and (self.answer is None or self.answer.response_complete)
        ):
            self._await_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; what comes after a body says nothing of the request."""
        if self.reads_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """A head is there with its last byte; who sends request after request and waits for no
        answer is hung up on."""
        self._stop(self.head_timer)
        self.head_timer, self.reads_head = None, False
        super().on_headers_complete()
        if len(self.pipeline) > MOST_REQUESTS:
            self.transport.abort()
            raise ValueError(MOST_REQUESTS)

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body, whose length the application minds."""
        self.head_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """What comes next is another head."""
        self.reads_head, self.head_bytes = True, 0
        super().on_message_complete()

    def shutdown(self) -> None:
        """End after the answer that is being given, a stream at once; a connection without a
        request waits for one."""
        if self.answer is None:
            self.ending = True
            self.loop.call_later(LAST_SECONDS, self._end_unasked)
        elif is_stream(self.answer.scope["path"]):
            self.transport.close()
        else:
            super().shutdown()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Note which answer is being given."""
        self.answer = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Look after what isn't taken yet: a short answer never makes the server wait for its
        reader."""
        super().on_response_complete()
        self._watch_reader()

    def pause_writing(self) -> None:
        """The reader is slower than the answer."""
        super().pause_writing()
        self._watch_reader()

    def _end_unasked(self) -> None:
        if self.answer is None:
            super().shutdown()

    def _await_head(self) -> None:
        self.head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _watch_reader(self) -> None:
        if self.reader_timer is None and (unsent := self._unsent()):
            self.unsent = unsent
            self.reader_timer = self.loop.call_later(READER_SECONDS, self._look_at_reader)

    def _look_at_reader(self) -> None:
        self.reader_timer = None
        unsent = self._unsent()
        if (
            unsent
            and self.unsent - unsent < READER_SECONDS * READER_PACE
            and unsent >= self.unsent // 2
        ):
            self.transport.abort()
        else:
            self._watch_reader()

    def _unsent(self) -> int:
        return int(self.transport.get_write_buffer_size())

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer:
            timer.cancel()
