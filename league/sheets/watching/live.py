"""The streams of live pages: of one table, and of all tables of an event."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import psycopg
import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db import close_old_connections, connections
from django.db.utils import Error
from psycopg.rows import TupleRow

from games.services.open_game import CHANNEL
from league.core.frame.live import StreamReader, Topic
from league.sheets.watching.queries.watch import (
    event_version,
    table_and_event,
    table_version,
    watched_event,
    watched_table,
)

log = structlog.get_logger(__name__)

THREAD: Final = ThreadPoolExecutor(1, "live")


class ReadTopic(Topic):
    """Streams whose subjects (what the readers follow, such as a table) have versions that are read
    from the database: after each notice of an open game, when a reader joins, and every few
    seconds.

    One thread of the process does all the reading, so the event loop never waits for the database.
    It reads only what somebody follows. `waiting`: the ids still to be read, each with whether it is
    an open game's."""

    channels = (CHANNEL,)

    def __init__(self) -> None:
        super().__init__()
        self.waiting: dict[tuple[str, bool], None] = {}
        self.task: asyncio.Task[None] | None = None

    def join(self, reader: StreamReader) -> None:
        """Add a reader, and read again what they follow, in case they have missed something."""
        super().join(reader)
        if self.lacks(reader):
            self.ask(str(reader.key))

    def lacks(self, reader: StreamReader) -> bool:
        """Return True if the subject has to be read again for a reader who joins."""
        return True

    def leave(self, reader: StreamReader) -> None:
        """Remove a reader, and forget the version of the subject if it has no reader left."""
        super().leave(reader)
        if reader.key not in self.readers:
            self.versions.pop(reader.key, None)
        if not self.readers:
            THREAD.submit(connections.close_all)

    def hear(self, payload: str) -> None:
        """Read the subject of the open game that a notice names, if there is any reader at all."""
        if self.readers:
            self.ask(payload.partition(":")[0], is_open_game=True)

    async def catch_up(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Have all followed subjects read again, since notices may have been lost."""
        self.poll()

    def poll(self) -> None:
        """Have all followed subjects read again soon, for changes without a notice."""
        for key in self.readers:
            self.ask(str(key))

    def ask(self, public_id: str, *, is_open_game: bool = False) -> None:
        """Have a subject read soon, or the subject of an open game; repeated requests until then
        count as one.
        `public_id`: the public id of the subject or of the open game."""
        self.waiting[public_id, is_open_game] = None
        if self.task is None:
            self.task = asyncio.create_task(self._look())

    async def _look(self) -> None:
        """Read the waiting subjects one after another, and publish their versions. If the database
        is away, drop them all: `poll` asks for them again in a few seconds."""
        try:
            while self.waiting:
                public_id, is_open_game = next(iter(self.waiting))
                del self.waiting[public_id, is_open_game]
                loop = asyncio.get_running_loop()
                key, version = await loop.run_in_executor(
                    THREAD, self._read, public_id, is_open_game
                )
                if version and key in self.readers:
                    self.publish(key, version)
        except (Error, OSError) as error:
            log.warning("live.retry", error=type(error).__name__)
            self.waiting.clear()
        finally:
            self.task = None

    @abstractmethod
    def _read(self, public_id: str, is_open_game: bool) -> tuple[str | None, str]:
        """Return the key and the version of a subject; an empty version if nobody needs it. Called
        in the reading thread."""


class SheetTopic(ReadTopic):
    """Streams of subjects whose version takes one small query.

    Each subject is also read every few seconds, because no notice is sent when a round is published
    or a game is counted."""

    @staticmethod
    @abstractmethod
    def key_of(open_game: str) -> str | None:
        """Return the public id of the subject to which an open game belongs, or None."""

    @staticmethod
    @abstractmethod
    def version_of(key: str) -> str:
        """Return the version of a subject. Raise `ObjectDoesNotExist`."""

    def _read(self, public_id: str, is_open_game: bool) -> tuple[str | None, str]:
        close_old_connections()
        key = self.key_of(public_id) if is_open_game else public_id
        if key is None or key not in self.readers:
            return key, ""
        try:
            return key, self.version_of(key)
        except ObjectDoesNotExist:
            return key, ""


class TableStreams(SheetTopic):
    """Tables whose games are being written down: `/live/tables/`."""

    name = "tables"
    salt = "live.sheets.table"

    @staticmethod
    def key_of(open_game: str) -> str | None:
        """Return the public id of an open game's table, or None."""
        return table_and_event(open_game)[0]

    @staticmethod
    def version_of(key: str) -> str:
        """Return the version of a table's public page."""
        return table_version(watched_table(key))


class EventStreams(SheetTopic):
    """All tables of an event's running rounds: `/live/events/`."""

    name = "events"
    salt = "live.sheets.event"

    @staticmethod
    def key_of(open_game: str) -> str | None:
        """Return the public id of an open game's event, or None."""
        return table_and_event(open_game)[1]

    @staticmethod
    def version_of(key: str) -> str:
        """Return the version of an event's page of running tables."""
        return event_version(watched_event(key))
