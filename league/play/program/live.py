"""The streams of programs: what happens at a table, as each viewer may see it, and at all tables of
an account.

A view of the API checks who asks, and names an inner address in a header of its answer; the event
loop then goes on with that stream (`league.core.frame.stream_gate`). No thread waits for a reader,
and no reader has a queue: what each was told is noted by numbers, and what is new is read from the
database once for all readers of a table."""

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

from league.core.frame.live import StreamReader
from league.play.online_table.models import OnlineTable
from league.play.online_table.queries import seats_of, table_of_open_game
from league.play.program.api.serializers import OnlineTableSerializer, ToldEntrySerializer
from league.play.program.queries import (
    ENDED,
    SeatStanding,
    entries_told,
    keys_ended,
    standings_of,
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
"""So long an inner address is good: the event loop follows it at once."""


@dataclass(eq=False, slots=True)
class ProgramReader(StreamReader):
    """A reader with an account (None: a spectator) and an API key, of which the stream ends with
    the key."""

    account: int | None = None
    api_key: int | None = None


@dataclass(eq=False, slots=True)
class GameReader(ProgramReader):
    """A reader of one table. `table`: what was last told of all but the game; `sent`: entries that
    were told."""

    table: bytes = b""
    sent: int = 0


@dataclass(eq=False, slots=True)
class AccountReader(ProgramReader):
    """A reader of an account's tables in one club. `standings`: the last one that was told of each
    table."""

    club: int = 0
    standings: dict[str, SeatStanding] = field(default_factory=dict)


class ProgramTopic(ReadTopic):
    """Streams as lines of JSON, which end with the key of their reader."""

    media_type = LINES
    greeting = b"\n"
    still_here = b"\n"

    @classmethod
    def url_of(cls, **named: Any) -> str:
        """Return the inner address of a stream for a viewer whose rights were checked."""
        return f"{STREAMS}{cls.name}/{signing.dumps(named, salt=cls.salt)}"

    def named(self, token: str) -> dict[str, Any]:
        """Return what an inner address names. Raises `signing.BadSignature`."""
        value: dict[str, Any] = signing.loads(token, salt=self.salt, max_age=TOKEN_SECONDS)
        return value

    def everybody(self) -> list[Any]:
        """Return all readers, as they are at this moment."""
        return [reader for readers in list(self.readers.values()) for reader in list(readers)]

    def look_around(self) -> None:
        """End the streams of keys that are good no longer, and look at what nobody told of."""
        if self.readers:
            self.ask("")

    def wake(self, keys: Collection[object]) -> None:
        """Let the readers of these things look for news."""
        for key in keys:
            for reader in self.readers.get(key, ()):
                reader.awake.set()

    def _read(self, public_id: str, is_open_game: bool) -> tuple[str | None, str]:
        """Read in the thread what is new, and wake those whom it concerns."""
        close_old_connections()
        if not public_id:
            self._end_keys()
        keys = self._read_news(public_id, is_open_game)
        if keys:
            self.loop.call_soon_threadsafe(self.wake, keys)
        return None, ""

    def _end_keys(self) -> None:
        readers = self.everybody()
        ended = keys_ended({reader.api_key for reader in readers if reader.api_key is not None})
        for reader in readers:
            if reader.api_key in ended:
                reader.ended = True
                self.loop.call_soon_threadsafe(reader.awake.set)

    @abstractmethod
    def _read_news(self, public_id: str, is_open_game: bool) -> Collection[object]:
        """Read what is new of one thing, or of all for an empty `public_id`; return the keys whose
        readers look."""

    def join(self, reader: StreamReader) -> None:
        """Count a reader in, and look what there is for them."""
        self.loop = asyncio.get_running_loop()
        super().join(reader)


@dataclass(frozen=True, slots=True)
class TableNews:
    """What there is to be told of a table, by viewer: an account that sits there, or None for all
    spectators.

    `tables`: all but the game; `games`: the game as the viewer sees it, or null; both as JSON.
    `entries`: lines of the newest entries, up to the `length` of the sheet."""

    version: str
    tables: Mapping[int | None, bytes]
    games: Mapping[int | None, bytes]
    entries: Sequence[bytes]
    length: int
    ended: bool


class GameStreams(ProgramTopic):
    """What happens at one table."""

    name, salt = "program-games", "live.play.program.games"

    def __init__(self) -> None:
        super().__init__()
        self.fresh: dict[object, TableNews] = {}

    def reader(self, token: str, version: str) -> GameReader:
        """Return who has this inner address. Raises `signing.BadSignature`."""
        named = self.named(token)
        return GameReader(named["table"], "", account=named["account"], api_key=named["api_key"])

    def lacks(self, reader: StreamReader) -> bool:
        """Tell whether nothing is known yet of what this viewer sees of the table."""
        assert isinstance(reader, GameReader)
        news = self.fresh.get(reader.key)
        return news is None or reader.account not in news.tables

    def leave(self, reader: StreamReader) -> None:
        """Forget a reader. If nobody else follows that table, forget what is known of it, too."""
        super().leave(reader)
        if reader.key not in self.readers:
            self.fresh.pop(reader.key, None)

    def news(self, reader: StreamReader) -> bytes:
        """Return the lines that a reader hasn't been sent yet.

        First come the new entries, then what can be done now. A reader who is new or has missed
        entries is sent the whole state instead, and so is everybody when something changed beside
        the game."""
        assert isinstance(reader, GameReader)
        news = self.fresh.get(reader.key)
        if news is None or news.version == reader.version or reader.account not in news.tables:
            return b""
        table = news.tables[reader.account]
        game = news.games[reader.account]
        lines: list[bytes] = []
        first_entry = news.length - len(news.entries)
        follows = bool(reader.version) and first_entry <= reader.sent
        if follows:
            lines += news.entries[reader.sent - first_entry :]
        if not follows or table != reader.table:
            lines.append(b'{"type":"state","table":%b,"game":%b}\n' % (table, game))
        elif lines:
            lines.append(b'{"type":"now","game":%b}\n' % game)
        reader.version = news.version
        reader.table = table
        reader.sent = news.length
        reader.ended = reader.ended or news.ended
        return b"".join(lines)

    def _read_news(self, public_id: str, is_open_game: bool) -> Collection[object]:
        if not public_id:
            return self._changed()
        key = table_of_open_game(public_id) or public_id if is_open_game else public_id
        return [key] if self._read_table(key) else []

    def _changed(self) -> list[object]:
        """Read the tables that have changed though nobody told of it."""
        versions = versions_of([str(key) for key in list(self.readers)])
        known = {key: news.version for key, news in list(self.fresh.items())}
        return [
            key
            for key, version in versions.items()
            if known.get(key) != version and self._read_table(key)
        ]

    def _read_table(self, key: str) -> bool:
        """Read what is new of a table for all who follow it; False if nobody does."""
        readers: list[Any] = list(self.readers.get(key, ()))
        if not readers:
            return False
        try:
            sent = min([reader.sent for reader in readers if reader.version], default=MANY)
            self.fresh[key] = news_of(key, {reader.account for reader in readers}, sent)
        except ObjectDoesNotExist:
            return False
        return True


def news_of(key: str, accounts: Collection[int | None], sent: int) -> TableNews:
    """Read a table for these viewers, with its entries from the number `sent` on. Raises
    `OnlineTable.DoesNotExist`."""
    table = table_to_stream(key)
    taken = seats_of(table)
    seats = {seat.user_id: seat.number for seat in taken if seat.user_id in accounts}
    read = table_read(table, list(seats.values()), taken)
    serializer = OnlineTableSerializer()
    shown = {
        account: serializer.to_representation(table_seen(read, seats.get(account)))
        for account in accounts
    }
    games = {account: dumped(value.pop("game")) for account, value in shown.items()}
    entries: list[bytes] = []
    length = 0 if read.game is None else read.game.row.length
    if read.game is not None and sent < length:
        entry_serializer = ToldEntrySerializer()
        rows = [
            entry_serializer.to_representation(entry) for entry in entries_told(read.game, sent)
        ]
        entries = [
            b'{"type":"entry","entry":%b}\n' % dumped(row) for row in rows if row["number"] < length
        ]
    return TableNews(
        version=f"{table.version}.{length}.{table.status}",
        tables={account: dumped(value) for account, value in shown.items()},
        games=games,
        entries=entries,
        length=length,
        ended=table.status in ENDED,
    )


def dumped(value: Any) -> bytes:
    """Return a value as compact JSON in UTF-8."""
    return json.dumps(value, cls=JSONEncoder, ensure_ascii=False, separators=(",", ":")).encode()


class AccountStreams(ProgramTopic):
    """What happens at all tables of an account in one club."""

    name, salt = "program-accounts", "live.play.program.accounts"

    def __init__(self) -> None:
        super().__init__()
        self.standings: dict[tuple[int, str], SeatStanding] = {}
        self.known: set[object] = set()
        """The keys of accounts whose standings were read."""

    def reader(self, token: str, version: str) -> AccountReader:
        """Return who has this inner address. Raises `signing.BadSignature`."""
        named = self.named(token)
        account = named["account"]
        return AccountReader(
            str(account), "", account=account, api_key=named["api_key"], club=named["club"]
        )

    def lacks(self, reader: StreamReader) -> bool:
        """Tell whether nobody knows yet where the account stands."""
        return reader.key not in self.known

    def leave(self, reader: StreamReader) -> None:
        """Forget a reader. If nobody else follows that account, forget where it stands, too."""
        super().leave(reader)
        if reader.key not in self.readers:
            self.known.discard(reader.key)
            self.standings = {
                (account, table): standing
                for (account, table), standing in self.standings.items()
                if str(account) != reader.key
            }

    def news(self, reader: StreamReader) -> bytes:
        """Return the lines that a reader hasn't been sent yet."""
        assert isinstance(reader, AccountReader)
        if reader.key not in self.known:
            return b""
        mine = {
            table: standing
            for (account, table), standing in list(self.standings.items())
            if account == reader.account and standing.club == reader.club
        }
        lines = []
        for table in {**reader.standings, **mine}:
            events = events_of(reader.standings.get(table), mine.get(table))
            lines += [dumped(event) + b"\n" for event in events]
        reader.standings = {
            table: standing for table, standing in mine.items() if standing.status not in ENDED
        }
        return b"".join(lines)

    def _read_news(self, public_id: str, is_open_game: bool) -> Collection[object]:
        followed = [int(str(key)) for key in list(self.readers)]
        earlier = self.standings
        if is_open_game:
            changed = table_of_open_game(public_id) or public_id
            fresh = standings_of(followed, earlier, changed)
            read_anew = {(account, table) for account, table in earlier if table == changed}
        else:
            accounts = [int(public_id)] if public_id else followed
            fresh = standings_of(accounts, earlier)
            read_anew = {(account, table) for account, table in earlier if account in accounts}
            self.known |= {str(account) for account in accounts}
        gone = read_anew - fresh.keys()
        kept = {
            key: standing
            for key, standing in earlier.items()
            if key[0] in followed and key not in gone
        }
        self.standings = kept | fresh
        return {str(account) for account, _ in [*fresh, *gone]} | (
            {public_id} if public_id else set()
        )


def events_of(before: SeatStanding | None, now: SeatStanding | None) -> list[dict[str, Any]]:
    """Return what has happened to a seat between two of its standings; None: the account doesn't
    sit there."""
    standing = now or before
    assert standing is not None
    status = OnlineTable.Status
    types = []
    if now is None:
        types = ["unseated" if standing.status == status.LOBBY else "game_over"]
    elif now.status in ENDED:
        types = ["game_over"] if before else []
    elif now.status == status.LOBBY:
        types = [] if before else ["seated"]
    else:
        if before is None or before.status != status.PLAYING:
            types = ["game_begun"]
        if now.asked_at is not None and (before is None or before.asked_at != now.asked_at):
            types = [*types, "your_turn"]
    length = standing.length
    return [{"type": event, "table": standing.table, "length": length} for event in types]
