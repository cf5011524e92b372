"""Rankings: what a season's and a club's of all time have in common, and the latter."""

from __future__ import annotations

from typing import Any, Final

from django.http import StreamingHttpResponse
from rest_framework import serializers

from league.clubs.api.row import RowSerializer
from league.frame.api.links import all_time_link, season_link
from league.frame.api.operation import BYTES, reads
from league.frame.api.serializers import LinkField
from league.rankings.models import Scoring, TieBreak
from league.seasons.api.view import BoardView
from league.seasons.models import AllTime
from league.seasons.queries.board import Board
from league.seasons.queries.listing import RANKING, records_of

LINES = "application/x-ndjson"
OWNER: Final = ("club__slug", "slug")


def owner_link(club: str, slug: str) -> str:
    """The address of a season, or of a club's ranking of all time, by the slugs."""
    return all_time_link(club) if slug == AllTime.SLUG else season_link(club, slug)


class RankingSerializer(RowSerializer):
    """A ranking. `version` rises with every change of its table; `computed_at` says when it rose."""

    club = serializers.CharField(source="club__slug")
    ranking = serializers.CharField(source="ranking__public_id", help_text="The ranking's own id.")
    scoring = serializers.ChoiceField(Scoring.choices, source="ranking__scoring")
    rated = serializers.BooleanField(source="ranking__rated")
    tie_breaks = serializers.ListField(child=serializers.ChoiceField(TieBreak.choices), source="ranking__tie_breaks")
    version = serializers.IntegerField(source="ranking__version")
    computed_at = serializers.DateTimeField(source="ranking__computed_at", allow_null=True)
    url = LinkField(owner_link, *OWNER)
    standings = LinkField(owner_link, *OWNER, tail="standings/")
    ratings = LinkField(owner_link, *OWNER, tail="ratings/")
    styles = LinkField(owner_link, *OWNER, tail="styles/", help_text="How everybody plays.")
    heads = LinkField(owner_link, *OWNER, tail="heads/", help_text="The last digest of every game.")
    records = LinkField(
        owner_link, *OWNER, tail="games.ndjson", help_text="The records of all games, one JSON object a line."
    )


class AllTimeRankings(BoardView):
    """The rankings of clubs over all their public seasons."""

    def versions(self) -> None:
        """No ETag."""

    @reads("A club's ranking of all time", RankingSerializer)
    def get_all_time(self, board: Board) -> dict[str, Any]:
        """The ranking over all public seasons of a club, of whatever game."""
        row = {name: getattr(board.ranking, name.removeprefix("ranking__")) for name in RANKING}
        return {"club__slug": board.club.slug, "slug": AllTime.SLUG, **row}


class Records(BoardView):
    """The games of rankings as files."""

    limit = "export"

    def file(self, board: Board) -> StreamingHttpResponse:
        """The records of a ranking's games, one a line."""
        name = f"{board.club.slug}-{self.kwargs.get('season', AllTime.SLUG)}.jsonl"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(records_of(board), content_type=LINES, headers=headers)

    @reads("A season's records", BYTES, media_type=LINES)
    def get_season_records(self, board: Board) -> StreamingHttpResponse:
        """The records of all games in order of play, one JSON object a line, each with its digests and its seal.

        Importing them again changes nothing; `python -m engine verify` proves them offline.
        """
        return self.file(board)

    @reads("The records of a club's public seasons", BYTES, media_type=LINES)
    def get_all_time_records(self, board: Board) -> StreamingHttpResponse:
        """The records of all games in order of play, one JSON object a line, each with its digests and its seal.

        Importing them again changes nothing; `python -m engine verify` proves them offline.
        """
        return self.file(board)
