"""The divisions of a season, and closing it."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.scoring.divisions import DivisionPlan
from games.models.public_id import LENGTH
from league.counting.domain.division import division_plan
from league.counting.models import Division
from league.counting.queries.counting import divisions_of
from league.counting.services.counting import MOST_DIVISIONS, divisions_set, season_close
from league.events.api.series import SeriesView
from league.events.api.view import actor
from league.frame.api.body import Body, ModelSerializer, Serializer, several
from league.frame.api.document import change_documented, documented
from league.frame.api.links import player_link
from league.frame.api.parameters import Paged, SeenBy
from league.seasons.api.season import NextSeasonSerializer, SeasonSerializer, season_answer
from league.seasons.models import Season

MOST: Final = 10_000
"""So many players a division may have."""


class DivisionPlayerSerializer(Serializer):
    """A player of a division, with the rank there."""

    id = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()
    rank = serializers.IntegerField()

    def to_representation(self, instance: tuple[str, str, int]) -> dict[str, Any]:
        """A player of `DivisionRows`."""
        player, name, rank = instance
        return {"id": player, "name": name, "url": player_link(player), "rank": rank}


class DivisionSerializer(ModelSerializer[Division]):
    """A division of a season. `up` and `down`: how many move when the season is closed."""

    id = serializers.CharField(source="public_id", read_only=True)
    players = DivisionPlayerSerializer(many=True, read_only=True)

    class Meta:
        model = Division
        fields = ("id", "name", "up", "down", "players")
        extra_kwargs: ClassVar = {name: {"default": 0} for name in ("up", "down")}


class DivisionsSerializer(Serializer):
    """The divisions as they are now, the highest first."""

    results = DivisionSerializer(many=True)


class DivisionSettingSerializer(DivisionSerializer):
    """A division: how many go up and down, and the ids of its players."""

    players = serializers.ListField(  # type: ignore[assignment]
        child=serializers.CharField(max_length=LENGTH), default=list, max_length=MOST
    )


class DivisionsBody(Body):
    """All divisions of a season, the highest first; none that isn't named stays."""

    divisions = several(DivisionSettingSerializer, least=0, most=MOST_DIVISIONS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse somebody who is named twice."""
        ids = [player for division in attrs["divisions"] for player in division["players"]]
        if len(set(ids)) < len(ids):
            raise serializers.ValidationError({"divisions": "Name each player once."})
        return attrs


class MoveSerializer(Serializer):
    """Somebody who changes the division: the rank that does it, and the ids of the two divisions."""

    player = serializers.CharField(help_text="The id of the player.")
    rank = serializers.IntegerField()
    before = serializers.CharField()
    after = serializers.CharField()


class TieSerializer(Serializer):
    """Players who share the rank at a line: `places` of them go to the division `after`, and the organiser says who."""

    rank = serializers.IntegerField()
    places = serializers.IntegerField()
    after = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField(), help_text="Ids of players.")


class ClosePreviewSerializer(Serializer):
    """Those who would move if the season were closed now, the ties to be decided first, and what is in the way."""

    moves = MoveSerializer(many=True)
    open = TieSerializer(many=True)
    fault = serializers.CharField(allow_null=True)


class ChoiceBody(Body):
    """One of those that share the rank at a line, who moves, and the division to which, by their ids."""

    player = serializers.CharField(max_length=LENGTH)
    division = serializers.CharField(max_length=LENGTH)


class SeasonCloseSerializer(NextSeasonSerializer):
    """The next season, and who moves of those who share the rank at a line."""

    chosen = serializers.ListField(child=ChoiceBody(), default=list, max_length=MOST)

    class Meta(NextSeasonSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*NextSeasonSerializer.Meta.fields, "chosen")


class Divisions(SeriesView):
    """The divisions of a season, and where organisers say who plays in which."""

    @documented(
        "list_divisions", "A season's divisions", DivisionSerializer(many=True), problems=[404], parameters=[Paged]
    )
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        """The divisions of a season with their players, the highest first."""
        board = self.board(club, season)
        owner = board.season
        if owner is None:
            raise Season.DoesNotExist
        return self.unless_unchanged(board.versions, lambda: self.paged(divisions_of(owner), DivisionSerializer))

    @change_documented(
        "set_divisions", "Say who plays in which division", DivisionsBody, DivisionsSerializer,
        example={"divisions": [{"name": "A", "down": 2, "players": ["h7mzt3kd9q"]}, {"name": "B", "up": 2}]},
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """Say which divisions a season has, and who plays in which, as an organiser, in place of what was said."""
        row = self.season(club, season)
        account = self.organiser(row.club)
        request_body = self.sent()
        settings = DivisionsBody.of(request_body.content)["divisions"]
        divisions = [(division["name"], division["up"], division["down"]) for division in settings]
        players = {player: number for number, division in enumerate(settings, 1) for player in division["players"]}

        def store() -> dict[str, Any]:
            divisions_set(season=row, actor=actor(account), divisions=divisions, players=players)
            return DivisionsSerializer({"results": divisions_of(row)}).data

        return self.done(request_body, store)


class SeasonClose(SeriesView):
    """The close of a season."""

    parameters = SeenBy

    @documented(
        "preview_season_close", "What closing a season would do", ClosePreviewSerializer, problems=[404],
        parameters=[SeenBy],
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str) -> Response:
        """Those who would go up and down now, and the ties that have to be decided first; for organisers."""
        plan = division_plan(divisions_of(self.run_season(club, season)), {})
        if isinstance(plan, DivisionPlan):
            return Response(ClosePreviewSerializer({"moves": plan.moves, "open": plan.open, "fault": None}).data)
        return Response(ClosePreviewSerializer({"moves": [], "open": [], "fault": plan.message}).data)

    @change_documented(
        "close_season", "Close a season", SeasonCloseSerializer, SeasonSerializer, created=True,
        example={
            "slug": "winter-2027", "name": "Winter 2027", "starts_on": "2027-01-07",
            "chosen": [{"player": "t2vnb8wx4r", "division": "v5kx2hq8tw"}],
        },
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """Begin the next season, in which who goes up or down has done so, as an organiser. Closing again gives the
        season that came of it."""
        row = self.season(club, season)
        by = actor(self.organiser(row.club))
        request_body = self.sent()
        settings = SeasonCloseSerializer.of(request_body.content)
        settings["chosen"] = {choice["player"]: choice["division"] for choice in settings["chosen"]}
        return self.done(
            request_body, lambda: season_answer(season_close(season=row, actor=by, **settings)), status=201
        )
