"""Live rankings: a stream carries no content, only the ranking's version, and how long pages may spread out their
requests; each then fetches what it may see like any other page.

What readers missed the topic knows: it keeps the version of every ranking, so that a stream needs no connection to the
database, however many are open.
"""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg.rows import TupleRow

from league.core.frame.live import StreamReader, Topic
from league.core.frame.numbers import whole_number
from league.standings.ranking.services.counting import LIVE_CHANNEL

SALT: Final = "live.ranking"
SPREAD: Final = 3  # ms for each reader of a ranking, within which all of them ask for what has changed …
MOST_SPREAD: Final = 3000  # … and at most


def live_url(ranking_id: int, version: int) -> str:
    """The address of a ranking's stream, for a page that shows `version`; the page's loader checks the rights."""
    return Rankings.url(ranking_id, version)


class Rankings(Topic):
    """The streams of rankings, below `/live/rankings/`."""

    name = "rankings"
    salt = SALT
    channels = (LIVE_CHANNEL,)

    def __init__(self) -> None:
        super().__init__()
        self.versions: dict[int, int] = {}

    async def catch_up(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Learn all versions, and tell those that have risen."""
        async for ranking_id, version in await connection.execute("SELECT id, version FROM league_ranking"):
            self.publish(ranking_id, version)

    def look_around(self) -> None:
        """Nothing: the database tells of every version."""

    def hear(self, channel: str, payload: str) -> None:
        """Note the version that a ranking has come to."""
        self.publish(*map(int, payload.split(":")))

    def publish(self, ranking_id: int, version: int) -> None:
        """Note a ranking's version and tell its readers, if it is new."""
        if version > self.versions.get(ranking_id, -1):
            self.versions[ranking_id] = version
            self.wake(ranking_id)

    def news(self, reader: StreamReader) -> bytes:
        """The newest version, if it is above the one that the reader has."""
        if reader.turn is None:
            reader.turn = whole_number(reader.version) or 0
        assert isinstance(reader.key, int)
        version = self.versions.get(reader.key, 0)
        if version <= reader.turn:
            return b""
        reader.turn = version
        spread = min(MOST_SPREAD, SPREAD * len(self.readers.get(reader.key, ())))
        return b'id: %d\nevent: ranking\ndata: {"version": %d, "spread": %d}\n\n' % (version, version, spread)
