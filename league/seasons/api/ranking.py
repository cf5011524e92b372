"""Rankings: what a season's and a club's of all time have in common, and the latter."""

from __future__ import annotations

from typing import Final

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.clubs.api.row import RowSerializer
from league.frame.api.document import BYTES, documented
from league.frame.api.fields import LinkField
from league.frame.api.links import all_time_link, season_link
from league.frame.api.parameters import SeenBy
from league.rankings.models import Scoring, TieBreak
from league.seasons.api.view import SeenView
from league.seasons.models import AllTime
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


class OneAllTime(SeenView):
    """A club's ranking over all its public seasons."""

    @documented(
        "get_all_time", "A club's ranking of all time", RankingSerializer, problems=[404], parameters=[SeenBy],
    )  # fmt: skip
    def get(self, request: Request, club: str) -> Response:
        """The ranking over all public seasons of a club, of whatever game."""
        ranking = self.board(club).ranking
        row = {name: getattr(ranking, name.removeprefix("ranking__")) for name in RANKING}
        return Response(RankingSerializer({"club__slug": club, "slug": AllTime.SLUG, **row}).data)


class Records(SeenView):
    """The games of a ranking as a file."""

    limit = "export"

    @documented(
        "get_season_records", "A season's records", BYTES, problems=[404], parameters=[SeenBy], media_type=LINES
    )
    def get(self, request: Request, club: str, season: str = AllTime.SLUG) -> HttpResponseBase:
        """The records of all games in order of play, one JSON object a line, each with its digests and its seal.

        Importing them again changes nothing; `python -m engine verify` proves them offline.
        """
        board = self.board(club, season)
        headers = {"Content-Disposition": f'attachment; filename="{club}-{season}.jsonl"'}
        return self.unless_unchanged(
            board.versions, lambda: StreamingHttpResponse(records_of(board), content_type=LINES, headers=headers)
        )


@extend_schema_view(
    get=extend_schema(operation_id="get_all_time_records", summary="The records of a club's public seasons")
)
class AllTimeRecords(Records):
    """The games of a club's ranking of all time as a file."""
