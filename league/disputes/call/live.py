"""The streams of the open calls of a club, for the pages of its arbiters."""

from __future__ import annotations

from league.core.club.models import Club
from league.disputes.call.queries import calls_version, club_calls, club_of_open_game
from league.sheets.watching.live import SheetTopic


class CallStreams(SheetTopic):
    """Calls for the arbiter, by club: `/live/calls/`."""

    name, salt = "calls", "live.disputes.call"

    @staticmethod
    def key_of(open_game: str) -> str | None:
        """Return the row id of an open game's club, as a text; None for a friendly game."""
        club = club_of_open_game(open_game)
        return None if club is None else str(club)

    @staticmethod
    def version_of(key: str) -> str:
        """Return the version of the open calls of a club."""
        return calls_version(club_calls(Club.objects.get(pk=key)))
