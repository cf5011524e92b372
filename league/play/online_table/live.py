"""The streams of online tables. They announce that something has happened, never what."""

from __future__ import annotations

from league.play.online_table.queries import table_of_open_game, table_version
from league.sheets.watching.live import SheetTopic


class OnlineTableStreams(SheetTopic):
    """The streams of online tables and their lobbies, at `/live/play/`."""

    name, salt = "play", "live.play.online_table"

    @staticmethod
    def key_of(open_game: str) -> str | None:
        """Return the id of the table where an open game is played. A lobby notifies with its own
        id.
        """
        return table_of_open_game(open_game) or open_game

    @staticmethod
    def version_of(key: str) -> str:
        """Return the version of a table."""
        return table_version(key)
