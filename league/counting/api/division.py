"""The divisions of a season, and closing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django.utils.functional import cached_property
from rest_framework import serializers

from engine.scoring.divisions import DivisionPlan
from games.models.public_id import LENGTH
from league.clubs.models import Club
from league.counting.domain.division import division_plan
from league.counting.models import Division
from league.counting.queries.counting import divisions_of
from league.counting.services.counting import MOST_DIVISIONS, divisions_set, season_close
from league.frame.api.links import player_link
from league.frame.api.operation import reads
from league.frame.api.serializers import Body, IdsField, ModelSerializer, Serializer, several
from league.log.services import Actor
from league.seasons.api.season import NextSeasonSerializer, SeasonSerializer, season_row
from league.seasons.api.view import BoardView, SeasonView
from league.seasons.api.writing import WriteView, changes
from league.seasons.models import Season

MOST: Final = 10_000
"""So many players a division may have."""
DIVISIONS: Final = {
    "divisions": [{"name": "A", "down": 2, "players": ["h7mzt3kd9q"]}, {"name": "B", "up": 2}],
}
NEXT: Final = {
    "slug": "winter-2027", "name": "Winter 2027", "starts_on": "2027-01-07",
    "chosen": [{"player": "t2vnb8wx4r", "division": "v5kx2hq8tw"}],
}  # fmt: skip


class DivisionPlayerSerializer(Serializer):
    """A player of a division, with the rank there."""

    id_ = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()
    rank = serializers.IntegerField()

    def to_representation(self, instance: tuple[str, str, int]) -> dict[str, Any]:
        """A player of `DivisionRows`."""
        player, name, rank = instance
        return {"id": player, "name": name, "url": player_link(player), "rank": rank}


class DivisionSerializer(ModelSerializer[Division]):
    """A division of a season. `up` and `down`: how many move when the season is closed."""

    id_ = serializers.CharField(source="public_id", read_only=True)
    players = DivisionPlayerSerializer(many=True, read_only=True)

    class Meta:
        model = Division
        fields = ("id_", "name", "up", "down", "players")
        extra_kwargs: ClassVar = {name: {"default": 0} for name in ("up", "down")}


class DivisionsSerializer(Serializer):
    """The divisions as they are now, the highest first."""

    results = DivisionSerializer(many=True)


class DivisionSettingSerializer(DivisionSerializer):
    """A division: how many go up and down, and the ids of its players."""

    players = IdsField(MOST, default=list)  # type: ignore[assignment]


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
    open_ = TieSerializer(many=True)
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


class Divisions(BoardView, WriteView):
    """The divisions of seasons."""

    @cached_property
    def club(self) -> Club:
        """The season's club. Raises `Season.DoesNotExist`, also for the ranking of all time, which has no divisions."""
        self.get_object()
        return self.board.club

    def get_object(self) -> Season:
        """The season. Raises `Season.DoesNotExist`."""
        if self.board.season is None:
            raise Season.DoesNotExist
        return self.board.season

    @reads("A season's divisions", DivisionSerializer(many=True))
    def list_divisions(self, season: Season) -> Sequence[Any]:
        """The divisions of a season with their players, the highest first."""
        return divisions_of(season)

    @changes("Say who plays in which division", DivisionsBody, DivisionsSerializer, example=DIVISIONS)
    def set_divisions(self, season: Season, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Say which divisions a season has, and who plays in which, as an organiser, in place of what was said."""
        divisions = [(division["name"], division["up"], division["down"]) for division in body["divisions"]]
        players = {
            player: number for number, division in enumerate(body["divisions"], 1) for player in division["players"]
        }
        divisions_set(season=season, actor=actor, divisions=divisions, players=players)
        return {"results": divisions_of(season)}


class SeasonClose(SeasonView, WriteView):
    """The close of a season."""

    for_organisers = True

    @reads("What closing a season would do", ClosePreviewSerializer)
    def preview_season_close(self, season: Season) -> dict[str, Any]:
        """Those who would go up and down now, and the ties that have to be decided first; for organisers."""
        plan = division_plan(divisions_of(season), {})
        if isinstance(plan, DivisionPlan):
            return {"moves": plan.moves, "open": plan.open_ties, "fault": None}
        return {"moves": [], "open": [], "fault": plan.message}

    @changes("Close a season", SeasonCloseSerializer, SeasonSerializer, created=True, example=NEXT)
    def close_season(self, season: Season, body: dict[str, Any], actor: Actor) -> Any:
        """Begin the next season, in which who goes up or down has done so, as an organiser. Closing again gives the
        season that came of it."""
        body["chosen"] = {choice["player"]: choice["division"] for choice in body["chosen"]}
        return season_row(season_close(season=season, actor=actor, **body))
