"""Rankings of seasons, and of clubs over all time: tables, ratings, records and heads of games."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.response import Response

from engine.rating.rating import Rating, is_provisional
from league.core.frame.api.links import all_time_link, game_link, season_link
from league.core.frame.api.operation import BYTES, LINES, again, reads
from league.core.frame.api.pagination import LazyRows, PlacePagination
from league.core.frame.api.parameters import PagedByPlace
from league.core.frame.api.serializers import (
    FormattedField,
    LinkField,
    RowSerializer,
    Serializer,
    TimeField,
    none_if_empty,
)
from league.core.player.api import PlayerSerializer
from league.standings.ranked_game.domain.gameline import place_read
from league.standings.ranking.api.view import BoardView
from league.standings.ranking.models import Scoring, TieBreak
from league.standings.ranking.queries.board import Board
from league.standings.ranking.queries.ranking import Head, head_page
from league.standings.season.models import AllTime
from league.standings.season.queries.listing import (
    RANKING,
    Rows,
    rating_rows,
    records_of,
    standing_count,
)
from league.standings.standing.queries.standing import TableRow, table_rows

OWNER: Final = ("club__slug", "slug")


def owner_link(club: str, slug: str) -> str:
    """Return the address of a season or of a club's all-time ranking, given by slugs."""
    return all_time_link(club) if slug == AllTime.SLUG else season_link(club, slug)


class RankingSerializer(RowSerializer):
    """A ranking. `version` rises with every change of its table; `computed_at` is the time of the
    last one."""

    club = serializers.CharField(source="club__slug")
    ranking = serializers.CharField(source="ranking__public_id", help_text="The ranking's id.")
    scoring = serializers.ChoiceField(Scoring.choices, source="ranking__scoring")
    rated = serializers.BooleanField(source="ranking__rated")
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(TieBreak.choices), source="ranking__tie_breaks"
    )
    version = serializers.IntegerField(source="ranking__version")
    computed_at = TimeField(source="ranking__computed_at", allow_null=True)
    url = LinkField(owner_link, *OWNER)
    standings = LinkField(owner_link, *OWNER, tail="standings/")
    ratings = LinkField(owner_link, *OWNER, tail="ratings/")
    styles = LinkField(owner_link, *OWNER, tail="styles/", help_text="How everybody plays.")
    heads = LinkField(owner_link, *OWNER, tail="heads/", help_text="The last digest of every game.")
    records = LinkField(
        owner_link,
        *OWNER,
        tail="games.ndjson",
        help_text="The records of all games, one JSON object per line.",
    )


class AllTimeRankings(BoardView):
    """The rankings of clubs over all their public seasons."""

    def versions(self) -> None:
        """Return None: the all-time ranking isn't cached."""

    @reads("A club's all-time ranking", RankingSerializer)
    def get_all_time(self, board: Board) -> dict[str, Any]:
        """The ranking over all public seasons of a club, of any game."""
        row = {name: getattr(board.ranking, name.removeprefix("ranking__")) for name in RANKING}
        return {"club__slug": board.club.slug, "slug": AllTime.SLUG, **row}


class StandingSerializer(RowSerializer):
    """A row of a ranking's table. Rows that share a rank are level in every tie-break."""

    rank = serializers.IntegerField()
    rank_before = serializers.IntegerField(
        allow_null=True, help_text="The rank before the last day of play."
    )
    player = PlayerSerializer(source="*", columns=("player", "handle", "name"))
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField(help_text="Penalties are taken off, so they can be below 0.")
    penalty = serializers.IntegerField(help_text="The points taken off by penalties in total.")
    points_per_game = serializers.FloatField(source="per_game")
    average_rank = serializers.FloatField()
    best_game = serializers.IntegerField(source="best", help_text="The most points from one game.")
    only_end = serializers.BooleanField(
        help_text="Only the end is known of at least one of these games."
    )
    provisional = serializers.BooleanField(
        help_text="True while a player objects to the result of one of these games."
    )
    decided_by = FormattedField(
        none_if_empty,
        "decided_by",
        allow_null=True,
        help_text="The tie-break that separates this row from the next one up or down.",
    )


class RatingSerializer(RowSerializer):
    """A player's rating in a ranking (Plackett–Luce): the skill is between `low` and `high` with 95
    %."""

    player = PlayerSerializer(
        source="*", columns=("player__public_id", "player__handle", "player__name")
    )
    mu = serializers.FloatField(help_text="The mean.")
    sigma = serializers.FloatField(help_text="The standard deviation.")
    low = serializers.SerializerMethodField()
    high = serializers.SerializerMethodField()
    provisional = serializers.SerializerMethodField(
        help_text="Whether it is based on too few games to compare."
    )
    disputed = serializers.BooleanField(
        help_text="True while the result of one of these games is disputed."
    )
    games = serializers.IntegerField()
    recent = serializers.ListField(
        child=serializers.FloatField(),
        help_text="`mu` after each of the latest twelve games, oldest first.",
    )

    def get_low(self, row: dict[str, Any]) -> float:
        """The lower end of the 95 % interval."""
        return Rating(row["mu"], row["sigma"]).interval.low

    def get_high(self, row: dict[str, Any]) -> float:
        """The upper end of the 95 % interval."""
        return Rating(row["mu"], row["sigma"]).interval.high

    def get_provisional(self, row: dict[str, Any]) -> bool:
        """Whether the deviation is still too wide."""
        return is_provisional(row["sigma"])


class OfGameList(PagedByPlace):
    """The parameters of a list of games. Take places from `next` and `previous`; don't make them
    up."""

    before = serializers.CharField(required=False, help_text="The games before this place.")
    after = serializers.CharField(required=False, help_text="The games after this place.")
    place_read = staticmethod(place_read)


class HeadSerializer(Serializer):
    """A game and its head, which identifies its whole content: the last link of its chain of
    digests, in hexadecimal."""

    id_ = serializers.CharField()
    record_id = serializers.CharField(help_text="The id in its record, unique in the club.")
    head = serializers.CharField()
    url = serializers.CharField()

    def to_representation(self, instance: Head) -> dict[str, Any]:
        """Return a game's head without the fields' machinery: a page may have thousands."""
        head, record, game = instance
        return {"id": game, "record_id": record, "head": bytes(head).hex(), "url": game_link(game)}


class Standings(BoardView):
    """Views of rankings: tables, ratings and games."""

    @reads("A season's table", StandingSerializer(many=True))
    def list_standings(self, board: Board) -> LazyRows[TableRow]:
        """The table from best to worst."""
        ranking = board.ranking
        return LazyRows(
            partial(standing_count, ranking),
            lambda first, count: table_rows(ranking, first=first, count=count),
        )

    list_all_time_standings = again(list_standings, "A club's all-time table")

    @reads("A season's ratings", RatingSerializer(many=True))
    def list_ratings(self, board: Board) -> Rows:
        """The ratings from the strongest player to the weakest; none if the ranking isn't rated."""
        return rating_rows(board.ranking)

    list_all_time_ratings = again(list_ratings, "A club's all-time ratings")

    @reads("A season's records", BYTES, media_type=LINES, limit="export")
    def get_season_records(self, board: Board) -> StreamingHttpResponse:
        """The records of all games in order of play, one JSON object per line, each with its
        digests and its seal.

        Importing them again changes nothing; `python -m engine verify` proves them offline.
        """
        headers = {
            "Content-Disposition": f'attachment; filename="{board.club.slug}-{board.slug}.jsonl"'
        }
        return StreamingHttpResponse(records_of(board), content_type=LINES, headers=headers)

    get_all_time_records = again(get_season_records, "The records of a club's public seasons")

    @reads("The heads of a season's games", HeadSerializer(many=True), parameters=OfGameList)
    def list_heads(self, board: Board) -> Response:
        """The last digest of every game, in order of play: with a copy of them anybody can detect
        any later change."""
        query = self.query
        page = head_page(
            board.ranking,
            query["page_size"],
            before=query.get("before", ""),
            after=query.get("after", ""),
        )
        rows: Any = HeadSerializer(page.games, many=True).data
        return PlacePagination.answer(self.request, rows, before=page.older, after=page.newer)

    list_all_time_heads = again(list_heads, "The heads of all of a club's games")
