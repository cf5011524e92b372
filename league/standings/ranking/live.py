"""Live rankings. The topic keeps every ranking's version in memory, so that no stream needs a
database connection."""

from __future__ import annotations

from typing import Final

import psycopg
from psycopg.rows import TupleRow

from league.core.frame.live import Topic
from league.standings.ranking.services.counting import LIVE_CHANNEL

SALT: Final = "live.ranking"


def live_url(ranking_id: int, version: int) -> str:
    """Return the address of a ranking's stream for a page that shows `version`. The view of the
    page has checked the rights."""
    return Rankings.url(ranking_id, version)


class Rankings(Topic):
    """The streams of rankings, below `/live/rankings/`."""

    name = "rankings"
    salt = SALT
    channels = (LIVE_CHANNEL,)

    async def catch_up(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Read all versions, and publish the new ones."""
        async for ranking_id, version in await connection.execute(
            "SELECT id, version FROM league_ranking"
        ):
            self.publish(ranking_id, str(version))

    def hear(self, payload: str) -> None:
        """Publish the new version of a ranking."""
        ranking_id, version = payload.split(":")
        self.publish(int(ranking_id), version)

    def poll(self) -> None:
        """Do nothing: the database sends a notification for every version."""
