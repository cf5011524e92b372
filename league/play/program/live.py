"""The streams of programs: what happens at a table, as each viewer may see it, and at all tables of
an account.

An API view checks the viewer's rights and puts an internal address into a header of its answer; the
event loop then continues with that stream (`league.core.frame.stream_gate`). Readers occupy no
thread and have no queue: a number says how much each was sent, and news is read from the database
once for all readers of a table.
"""

from __future__ import annotations

import asyncio
import json
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from django.core import signing
from django.core.exceptions import ObjectDoesNotExist
from django.db import close_old_connections
from rest_framework.utils.encoders import JSONEncoder

from games.queries.online_game import OnlineGame
from league.core.frame.live import StreamReader
from league.play.online_table.models import OnlineTable
from league.play.online_table.queries import seats_of, table_of_open_game
from league.play.program.api.serializers import OnlineTableSerializer, ToldEntrySerializer
from league.play.program.queries import (
    ENDED,
    SeatState,
    keys_ended,
    public_entries,
    seat_states_of,
    table_read,
    table_seen,
    table_to_stream,
    versions_of,
)
from league.request import STREAMS
from league.sheets.watching.live import ReadTopic

log = structlog.get_logger(__name__)

LINES: Final = b"application/x-ndjson"
MANY: Final = 1_000_000
"""More entries than any sheet has."""
TOKEN_SECONDS: Final = 60
"""How long an internal address is valid. The event loop follows it at once."""


@dataclass(eq=False, slots=True)
class ProgramReader(StreamReader):
    """A reader with an account (None for a spectator) and perhaps an API key; the stream ends when
    the key is revoked.
    """

    account: int | None = None
    api_key: int | None = None


@dataclass(eq=False, slots=True)
class GameReader(ProgramReader):
    """A reader of one table. `table`: the last state sent of everything but the game; `sent`: how
    many entries were sent.
    """

    table: bytes = b""
    sent: int = 0


@dataclass(eq=False, slots=True)
class AccountReader(ProgramReader):
    """A reader of an account's tables in one club. `seat_states`: the last state that was sent for
    each table.
    """

    club: int = 0
    seat_states: dict[str, SeatState] = field(default_factory=dict)


class ProgramTopic(ReadTopic):
    """A topic that streams lines of JSON until the key of the reader is revoked."""

    media_type = LINES
    greeting = b"\n"
    still_here = b"\n"

    @classmethod
    def url_of(cls, **named: Any) -> str:
        """Return the internal address of a stream for a viewer whose rights were checked."""
        return f"{STREAMS}{cls.name}/{signing.dumps(named, salt=cls.salt)}"

    def named(self, token: str) -> dict[str, Any]:
        """Return the parameters in an internal address. Raise `signing.BadSignature`."""
        value: dict[str, Any] = signing.loads(token, salt=self.salt, max_age=TOKEN_SECONDS)
        return value

    def all_readers(self) -> list[Any]:
        """Return all current readers."""
        # Copies, because the event loop changes them while a thread reads.
        copied: list[Any] = []
        for readers in list(self.readers.values()):
            copied += list(readers)
        return copied

    def poll(self) -> None:
        """End the streams of revoked keys, and look for changes that came without a
        notification.
        """
        if self.readers:
            self.ask("")

    def wake(self, keys: Collection[object]) -> None:
        """Wake the readers of these keys to look for news."""
        for key in keys:
            for reader in self.readers.get(key, ()):
                reader.awake.set()

    def _read(self, public_id: str, is_open_game: bool) -> tuple[str | None, str]:
        """Read the news in the worker thread, and wake the readers concerned."""
        close_old_connections()
        if not public_id:
            self._end_keys()
        keys = self._read_news(public_id, is_open_game)
        if keys:
            self.loop.call_soon_threadsafe(self.wake, keys)
        return None, ""

    def _end_keys(self) -> None:
        readers = self.all_readers()
        ended = keys_ended({reader.api_key for reader in readers if reader.api_key is not None})
        for reader in readers:
            if reader.api_key in ended:
                reader.ended = True
                self.loop.call_soon_threadsafe(reader.awake.set)

    @abstractmethod
    def _read_news(self, public_id: str, is_open_game: bool) -> Collection[object]:
        """Read the news of one thing, or of everything for an empty `public_id`. Return the keys
        whose readers are to be woken.
        """

    def join(self, reader: StreamReader) -> None:
        """Add a reader, and look for their news."""
        self.loop = asyncio.get_running_loop()
        super().join(reader)


@dataclass(frozen=True, slots=True)
class TableNews:
    """The news of a table, by viewer: an account that sits there, or None for all spectators.

    `tables`: everything but the game; `games`: the game as the viewer sees it, or null; both as
    JSON. `entries`: lines of the newest entries, up to the `length` of the sheet.
    """

    version: str
    tables: Mapping[int | None, bytes]
    games: Mapping[int | None, bytes]
    entries: Sequence[bytes]
    length: int
    ended: bool


class GameStreams(ProgramTopic):
    """The streams of single tables."""

    name, salt = "program-games", "live.play.program.games"

    def __init__(self) -> None:
        super().__init__()
        self.news_of_tables: dict[object, TableNews] = {}

    def reader(self, token: str, version: str) -> GameReader:
        """Return the reader with this internal address. Raise `signing.BadSignature`."""
        named = self.named(token)
        return GameReader(named["table"], "", account=named["account"], api_key=named["api_key"])

    def lacks(self, reader: StreamReader) -> bool:
        """Return True if the reader's view of the table hasn't been read yet."""
        assert isinstance(reader, GameReader)
        news = self.news_of_tables.get(reader.key)
        return news is None or reader.account not in news.tables

    def leave(self, reader: StreamReader) -> None:
        """Remove a reader. Forget the table if nobody else follows it."""
        super().leave(reader)
        if reader.key not in self.readers:
            self.news_of_tables.pop(reader.key, None)

    def news(self, reader: StreamReader) -> bytes:
        """Return the lines that a reader hasn't been sent yet.

        First come the new entries, then what the reader can do now. A new reader, or one who has
        missed entries, is sent the whole state instead; so is everybody if something but the game
        changed.
        """
        assert isinstance(reader, GameReader)
        news = self.news_of_tables.get(reader.key)
        if news is None or news.version == reader.version or reader.account not in news.tables:
            return b""
        table = news.tables[reader.account]
        game = news.games[reader.account]

        lines: list[bytes] = []
        first_entry = news.length - len(news.entries)
        has_all_before = bool(reader.version) and first_entry <= reader.sent
        if has_all_before:
            lines += news.entries[reader.sent - first_entry :]
        if not has_all_before or table != reader.table:
            lines.append(b'{"type":"state","table":%b,"game":%b}\n' % (table, game))
        elif lines:
            lines.append(b'{"type":"now","game":%b}\n' % game)

        reader.version = news.version
        reader.table = table
        reader.sent = news.length
        reader.ended = reader.ended or news.ended
        return b"".join(lines)

    def _read_news(self, public_id: str, is_open_game: bool) -> Collection[object]:
        """Read the news of a table, given by its public id or by an open game's; of all tables that
        have changed for an empty `public_id`. Return the keys of the tables that were read.
        """
        if not public_id:
            return self._read_changed_tables()
        key = public_id
        if is_open_game:
            # A lobby has no open game: it notifies with the id of its table.
            key = table_of_open_game(public_id) or public_id
        return [key] if self._read_table(key) else []

    def _read_changed_tables(self) -> list[object]:
        versions = versions_of([str(key) for key in list(self.readers)])
        known = {key: news.version for key, news in list(self.news_of_tables.items())}
        changed: list[object] = []
        for key, version in versions.items():
            if known.get(key) != version and self._read_table(key):
                changed.append(key)
        return changed

    def _read_table(self, key: str) -> bool:
        readers: list[Any] = list(self.readers.get(key, ()))
        if not readers:
            return False
        accounts = {reader.account for reader in readers}
        try:
            sent = min([reader.sent for reader in readers if reader.version], default=MANY)
            self.news_of_tables[key] = news_of(key, accounts, sent)
        except ObjectDoesNotExist:
            return False
        return True


def news_of(key: str, accounts: Collection[int | None], sent: int) -> TableNews:
    """Read a table for these viewers, with its entries from the number `sent` on.

    Raise `OnlineTable.DoesNotExist`.
    """
    table = table_to_stream(key)
    all_seats = seats_of(table)
    own_seats = {seat.user_id: seat.number for seat in all_seats if seat.user_id in accounts}
    table_as_read = table_read(table, list(own_seats.values()), all_seats)

    serializer = OnlineTableSerializer()
    tables = {}
    games = {}
    for account in accounts:
        value = serializer.to_representation(table_seen(table_as_read, own_seats.get(account)))
        games[account] = dumped(value.pop("game"))
        tables[account] = dumped(value)

    length = 0 if table_as_read.game is None else table_as_read.game.row.length
    entries: list[bytes] = []
    if table_as_read.game is not None and sent < length:
        entries = _entry_lines(table_as_read.game, sent)
    return TableNews(
        version=f"{table.version}.{length}.{table.status}",
        tables=tables,
        games=games,
        entries=entries,
        length=length,
        ended=table.status in ENDED,
    )


def _entry_lines(game: OnlineGame, sent: int) -> list[bytes]:
    serializer = ToldEntrySerializer()
    lines = []
    for entry in public_entries(game, sent):
        row = serializer.to_representation(entry)
        # Entries that were added since the game was read come with the next news.
        if row["number"] < game.row.length:
            lines.append(b'{"type":"entry","entry":%b}\n' % dumped(row))
    return lines


def dumped(value: Any) -> bytes:
    """Return a value as compact JSON in UTF-8."""
    return json.dumps(value, cls=JSONEncoder, ensure_ascii=False, separators=(",", ":")).encode()


class AccountStreams(ProgramTopic):
    """The streams of accounts: what happens at all their tables in one club."""

    name, salt = "program-accounts", "live.play.program.accounts"

    def __init__(self) -> None:
        super().__init__()
        self.seat_states: dict[tuple[int, str], SeatState] = {}
        # The keys of the accounts whose seat states were read.
        self.known: set[object] = set()

    def reader(self, token: str, version: str) -> AccountReader:
        """Return the reader with this internal address. Raise `signing.BadSignature`."""
        named = self.named(token)
        account = named["account"]
        return AccountReader(
            str(account), "", account=account, api_key=named["api_key"], club=named["club"]
        )

    def lacks(self, reader: StreamReader) -> bool:
        """Return True if the seat states of the account haven't been read yet."""
        return reader.key not in self.known

    def leave(self, reader: StreamReader) -> None:
        """Remove a reader. Forget the account's seat states if nobody else follows it."""
        super().leave(reader)
        if reader.key in self.readers:
            return
        self.known.discard(reader.key)
        kept = {}
        for (account, table), state in self.seat_states.items():
            if str(account) != reader.key:
                kept[account, table] = state
        self.seat_states = kept

    def news(self, reader: StreamReader) -> bytes:
        """Return the lines that a reader hasn't been sent yet."""
        assert isinstance(reader, AccountReader)
        if reader.key not in self.known:
            return b""
        before = reader.seat_states
        now: dict[str, SeatState] = {}
        for (account, table), state in list(self.seat_states.items()):
            if account == reader.account and state.club == reader.club:
                now[table] = state

        lines = []
        for table in {**before, **now}:
            for event in events_of(before.get(table), now.get(table)):
                lines.append(dumped(event) + b"\n")
        reader.seat_states = {
            table: state for table, state in now.items() if state.status not in ENDED
        }
        return b"".join(lines)

    def _read_news(self, public_id: str, is_open_game: bool) -> Collection[object]:
        """Read the seat states at the table of an open game, or those of an account given by its
        row id; of all followed accounts for an empty `public_id`. Return the keys of the accounts
        concerned.
        """
        followed = [int(str(key)) for key in list(self.readers)]
        earlier = self.seat_states
        if is_open_game:
            changed_table = table_of_open_game(public_id) or public_id
            read_states = seat_states_of(followed, earlier, changed_table)
            outdated = {key for key in earlier if key[1] == changed_table}
        else:
            accounts = [int(public_id)] if public_id else followed
            read_states = seat_states_of(accounts, earlier)
            outdated = {key for key in earlier if key[0] in accounts}
            self.known.update(str(account) for account in accounts)

        left_seats = outdated - read_states.keys()
        states = {}
        for key, state in earlier.items():
            if key[0] in followed and key not in left_seats:
                states[key] = state
        states.update(read_states)
        self.seat_states = states

        keys: set[object] = {str(account) for account, _ in [*read_states, *left_seats]}
        if public_id:
            keys.add(public_id)
        return keys


def events_of(before: SeatState | None, now: SeatState | None) -> list[dict[str, Any]]:
    """Return the events between two states of a seat; None means that the account has no seat."""
    state = now or before
    assert state is not None
    events = []
    for event_type in _event_types(before, now):
        events.append({"type": event_type, "table": state.table, "length": state.length})
    return events


def _event_types(before: SeatState | None, now: SeatState | None) -> list[str]:
    status = OnlineTable.Status
    if now is None:
        assert before is not None
        return ["unseated" if before.status == status.LOBBY else "game_over"]
    if now.status in ENDED:
        return ["game_over"] if before else []
    if now.status == status.LOBBY:
        return [] if before else ["seated"]

    types = []
    if before is None or before.status != status.PLAYING:
        types.append("game_begun")
    asked_before = before.asked_at if before else None
    if now.asked_at is not None and now.asked_at != asked_before:
        types.append("your_turn")
    return types
