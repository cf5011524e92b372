"""Rankings: what a season's and a club's of all time have in common, and the latter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.frame.api.document import BYTES, documented
from league.frame.api.links import all_time_link
from league.frame.api.parameters import SeenBy
from league.rankings.models import Scoring, TieBreak
from league.seasons.api.view import SeenView
from league.seasons.models import AllTime
from league.seasons.queries.listing import records_of

LINES = "application/x-ndjson"
RANKING = ("scoring", "rated", "tie_breaks", "version", "computed_at")


class RankingShape(serializers.Serializer[None]):
    """A ranking. `version` rises with every change of its table; `computed_at` says when it rose."""

    club = serializers.CharField()
    ranking = serializers.CharField(help_text="The ranking's own id.")
    scoring = serializers.ChoiceField(Scoring.choices)
    rated = serializers.BooleanField()
    tie_breaks = serializers.ListField(child=serializers.ChoiceField(TieBreak.choices))
    version = serializers.IntegerField()
    computed_at = serializers.DateTimeField(allow_null=True)
    url = serializers.CharField()
    standings = serializers.CharField()
    ratings = serializers.CharField()
    styles = serializers.CharField(help_text="How everybody plays.")
    heads = serializers.CharField(help_text="The last digest of every game.")
    records = serializers.CharField(help_text="The records of all games, one JSON object a line.")


def ranking_json(club: str, url: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """A ranking as it is sent, from its columns `RANKING` and its `public_id`; `url` is its owner's address."""
    settings = {name: row[name] for name in RANKING}
    lists = {name: f"{url}{name}/" for name in ("standings", "ratings", "styles", "heads")}
    return {"club": club, "ranking": row["public_id"], **settings, "url": url, **lists, "records": f"{url}games.ndjson"}


EXAMPLE = {
    "public_id": "w4kz7hq2mt", "scoring": "placement", "rated": True, "version": 340,
    "tie_breaks": ["points", "points_per_game", "wins"], "computed_at": "2026-10-01T21:12:09Z",
}  # fmt: skip


class OneAllTime(SeenView):
    """A club's ranking over all its public seasons."""

    @documented(
        "get_all_time", "A club's ranking of all time", RankingShape, problems=[404], parameters=[SeenBy],
        example=ranking_json("zum-stern", all_time_link("zum-stern"), EXAMPLE),
    )  # fmt: skip
    def get(self, request: Request, club: str) -> Response:
        """The ranking over all public seasons of a club, of whatever game."""
        found = self.board(club).ranking
        row = {name: getattr(found, name) for name in ("public_id", *RANKING)}
        return Response(ranking_json(club, all_time_link(club), row))


class Records(SeenView):
    """The games of a ranking as a file."""

    limit = "export"

    @documented(
        "get_season_records",
        "A season's records",
        BYTES,
        problems=[404],
        parameters=[SeenBy],
        media_type=LINES,
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
