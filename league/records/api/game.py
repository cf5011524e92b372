"""Games."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.notation.text import MEDIA_TYPE
from engine.record.check import check
from engine.record.export import export
from games.domain.game import game_notation
from games.models import Game
from games.models.game import Kind
from games.models.public_id import LENGTH
from games.queries.game import game_correction, sealed_record
from league.clubs.api.player import PlayerSerializer
from league.clubs.api.row import RowSerializer
from league.clubs.queries.access import club_for
from league.frame.api.document import OF_GAMES, RECORD, documented
from league.frame.api.fields import LinkField
from league.frame.api.links import game_link, season_link
from league.frame.api.pagination import PlacePagination
from league.frame.api.parameters import SeenBy
from league.rankings.api.place import PagedByPlace
from league.rankings.queries.game import seats_of
from league.seasons.api.view import SeenListView, SeenView
from league.seasons.queries.access import visible_seasons
from league.seasons.queries.listing import game_rows


class SeatSerializer(RowSerializer):
    """A seat, clockwise from seat 0; rank and points (of the season's table) are null until the game counts."""

    player = PlayerSerializer(source="*", columns=("player", "handle", "name"))
    rank = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)


class RatingChangeSerializer(RowSerializer):
    """The change of a rating that a game brought."""

    mu_before = serializers.FloatField()
    sigma_before = serializers.FloatField()
    mu = serializers.FloatField()
    sigma = serializers.FloatField()


class RatedSeatSerializer(SeatSerializer):
    """A seat with the dice that had left the game before it (Bluff), and the change of the rating: null where the
    ranking isn't rated, or the game not yet."""

    cntdice = serializers.IntegerField(allow_null=True)
    rating = RatingChangeSerializer(allow_null=True)


class GameSerializer(RowSerializer):
    """A game, from a row of `game_rows`. `counted`: the season's table holds it. `event`, `table` and `played_at` may
    be unknown."""

    id = serializers.CharField(source="game__public_id")
    record_id = serializers.CharField(source="game__external_id", help_text="The id in its record, unique in the club.")
    revision = serializers.IntegerField(source="game__revision", help_text="1, and one more with every correction.")
    game = serializers.ChoiceField(Kind.choices, source="game__kind")
    club = serializers.CharField(source="ranking__club__slug")
    season = serializers.CharField(source="ranking__season__slug")
    event = serializers.SerializerMethodField()
    table = serializers.SerializerMethodField()
    played_at = serializers.DateTimeField(source="game__played_at", allow_null=True)
    over = serializers.BooleanField()
    counted = serializers.BooleanField(source="over")
    only_end = serializers.BooleanField(
        help_text="Only the end of the game is known: its record tells an outcome, and no round or turn."
    )
    rounds = serializers.SerializerMethodField(help_text="How many rounds or turns are recorded.")
    seats = SeatSerializer(many=True)
    url = LinkField(game_link, "game__public_id")
    record = LinkField(game_link, "game__public_id", tail="record/", help_text="The address of its record.")
    notation = LinkField(game_link, "game__public_id", tail="notation/", help_text="The address of the game as text.")
    analysis = LinkField(game_link, "game__public_id", tail="analysis/", help_text="The address of its analysis.")

    def get_event(self, row: dict[str, Any]) -> str | None:
        """The event that the record names."""
        return row["game__event"] or None

    def get_table(self, row: dict[str, Any]) -> str | None:
        """The table that the record names."""
        return row["game__table"] or None

    def get_rounds(self, row: dict[str, Any]) -> int:
        """The rounds that are stored: an outcome alone is one, too."""
        return 0 if row["only_end"] else row["rounds"]


class OneGameSerializer(GameSerializer):
    """A game. `head` stands for all its facts: the last link of the chain of digests, in hexadecimal."""

    counted = serializers.BooleanField()
    seats = RatedSeatSerializer(many=True)
    rules = serializers.DictField()
    opener = serializers.IntegerField(help_text="The seat that opened the first round.")
    season_url = LinkField(season_link, "ranking__club__slug", "ranking__season__slug")
    entered_at = serializers.DateTimeField()
    entered_by = serializers.CharField(
        allow_null=True, help_text="The id of the account that entered it; null where the service itself did."
    )
    head = serializers.CharField()
    corrects = serializers.CharField(allow_null=True, help_text="The address of the revision that this one corrects.")
    corrected_by = serializers.CharField(allow_null=True, help_text="The address of the revision that corrects it.")
    reason = serializers.CharField(allow_null=True, help_text="Why this revision corrects the one before.")
    difference = serializers.CharField(allow_null=True, help_text="The address of what this revision changed.")


class OfGames(PagedByPlace):
    """Of the list of a club's games."""

    season = serializers.SlugField(required=False, max_length=64, help_text="The slug of a season.")
    player = serializers.SlugField(
        required=False, max_length=LENGTH, help_text="The id of a player who sat at the table."
    )
    event = serializers.SlugField(required=False, max_length=64, help_text="The slug of an event, as records name it.")
    played_after = serializers.DateTimeField(
        required=False, help_text="Played at this time or later (RFC 3339; without offset it is UTC)."
    )
    played_before = serializers.DateTimeField(required=False, help_text="Played before this time.")


class GameList(SeenListView):
    """The games of a club in one list, narrowed by parameters."""

    parameters = OfGames
    pagination_class = PlacePagination

    @documented(
        "list_games", "A club's games", GameSerializer(many=True), problems=[404], parameters=[OfGames],
    )  # fmt: skip
    def get(self, request: Request, club: str) -> Response:
        """The games of the seasons that you may see, the latest first; corrected ones in their newest revision."""
        viewer = self.viewer(club)
        narrowing = {name: value for name, value in self.query.items() if name not in ("key", "page_size")}
        page = game_rows(visible_seasons(viewer), club_for(viewer, club), self.query["page_size"], **narrowing)
        rows: Any = GameSerializer(page.games, many=True).data
        return PlacePagination.answer(request, rows, before=page.older, after=page.newer, latest_first=True)


class OneGame(SeenView):
    """One game, by its public id."""

    @documented("get_game", "A game", OneGameSerializer, problems=[404, 409], parameters=[SeenBy], words=OF_GAMES)
    def get(self, request: Request, game: str) -> Response:
        """A game with what it did to the ratings. Every revision has its own address."""
        return Response(OneGameSerializer(_one_game_row(self.game(game))).data)


class GameRecord(SeenView):
    """The record of one game, as it was sealed."""

    @documented(
        "get_game_record", "A game's record", OpenApiTypes.OBJECT, problems=[404, 409], parameters=[SeenBy],
        example=RECORD, words=OF_GAMES,
    )  # fmt: skip
    def get(self, request: Request, game: str) -> HttpResponse:
        """The record as it was sealed, with result, digests and seal: `python -m engine verify` proves it."""
        return HttpResponse(export(sealed_record(self.game(game))[0]), content_type="application/json")


class GameNotation(SeenView):
    """A game as text."""

    @documented(
        "get_game_notation", "A game as text", OpenApiTypes.STR, problems=[404, 409], parameters=[SeenBy],
        media_type=MEDIA_TYPE, words=OF_GAMES,
    )  # fmt: skip
    def get(self, request: Request, game: str) -> HttpResponse:
        """The game in the text notation, to be read aloud or typed."""
        revision = self.game(game)
        text = game_notation(revision, sealed_record(revision)[0])
        return HttpResponse(text, content_type=f"{MEDIA_TYPE}; charset=utf-8")


def _one_game_row(game: Game) -> dict[str, Any]:
    """A game with all that `OneGameSerializer` sends, as a row of `game_rows` and more."""
    season = game.season_game.season
    seats = seats_of(game)
    record, head = sealed_record(game)
    ending = check(record).ending
    header = json.loads(game.header)
    correction = game_correction(game)
    dice = ending.cntdice or [None] * len(seats)
    return {
        "game__public_id": game.public_id,
        "game__external_id": game.external_id,
        "game__revision": game.revision,
        "game__kind": game.kind,
        "ranking__club__slug": season.club.slug,
        "ranking__season__slug": season.slug,
        "game__event": game.event,
        "game__table": game.table,
        "game__played_at": game.played_at,
        "over": ending.over,
        "counted": all(seat.rank is not None for seat in seats),
        "only_end": record.outcome is not None,
        "rounds": len(record.rounds),
        "seats": [
            {**asdict(seat), "cntdice": cntdice, "rating": None if seat.mu is None else seat}
            for seat, cntdice in zip(seats, dice, strict=True)
        ],
        "rules": header["rules"],
        "opener": header["opener"],
        "entered_at": game.entered_at,
        "entered_by": game.entered_by.public_id if game.entered_by else None,
        "head": head.hex(),
        "corrects": game_link(game.replaces.public_id) if game.replaces else None,
        "corrected_by": game_link(correction.public_id) if correction else None,
        "reason": game.reason or None,
        "difference": f"{game_link(game.public_id)}difference/" if game.replaces else None,
    }
