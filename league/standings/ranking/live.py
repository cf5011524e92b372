"""Live rankings: their topic keeps the version of every ranking, so that a stream needs no
connection to the database, however many are open."""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg.rows import TupleRow

from league.core.frame.live import Topic
from league.standings.ranking.services.counting import LIVE_CHANNEL

SALT: Final = "live.ranking"


def live_url(ranking_id: int, version: int) -> str:
    """The address of a ranking's stream, for a page that shows `version`; the page's loader checks
    the rights."""
    return Rankings.url(ranking_id, version)


class Rankings(Topic):
    """The streams of rankings, below `/live/rankings/`."""

    name = "rankings"
    salt = SALT
    channels = (LIVE_CHANNEL,)

    async def catch_up(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Learn all versions, and tell those that are new."""
        async for ranking_id, version in await connection.execute(
            "SELECT id, version FROM league_ranking"
        ):
            self.publish(ranking_id, str(version))

    def hear(self, payload: str) -> None:
        """Note the version that a ranking has come to."""
        ranking_id, version = payload.split(":")
        self.publish(int(ranking_id), version)

    def look_around(self) -> None:
        """Nothing: the database tells of every version."""
