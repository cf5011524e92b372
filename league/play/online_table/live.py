"""The streams of online tables: they tell that something has happened, and never what."""

from __future__ import annotations

from league.play.online_table.queries import table_of_open_game, table_version
from league.sheets.watching.live import SheetTopic


class OnlineTableStreams(SheetTopic):
    """Online tables, their lobbies included: `/live/play/`."""

    name, salt = "play", "live.play.online_table"

    @staticmethod
    def key_of(open_game: str) -> str | None:
        """Return at which table an open game is played; a lobby tells its table itself."""
        return table_of_open_game(open_game) or open_game

    @staticmethod
    def version_of(key: str) -> str:
        """Read what a table has come to."""
        return table_version(key)
