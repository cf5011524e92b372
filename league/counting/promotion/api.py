"""Closing a season."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from rest_framework import serializers

from engine.scoring.divisions import DivisionPlan
from games.models.public_id import LENGTH
from league.core.frame.api.links import game_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import (
    Body,
    Serializer,
)
from league.core.log.services import Actor
from league.counting.event_counting.api import MOST_PLAYERS
from league.counting.event_counting.queries import divisions_of
from league.counting.promotion.domain import close_refused, division_plan
from league.counting.promotion.queries import disputed_games
from league.counting.promotion.services import season_close
from league.standings.ranking.api.view import SeasonView, WriteView, changes
from league.standings.season.api import NextSeasonSerializer, SeasonSerializer
from league.standings.season.models import Season
from league.standings.season.queries.listing import season_row

NEXT_SEASON: Final = {
    "slug": "winter-2027",
    "name": "Winter 2027",
    "starts_on": "2027-01-07",
    "chosen": [{"player": "t2vnb8wx4r", "division": "v5kx2hq8tw"}],
}


class MoveSerializer(Serializer):
    """A player who changes division: the rank that decides it, and the ids of the two divisions."""

    player = serializers.CharField(help_text="The id of the player.")
    rank = serializers.IntegerField()
    before = serializers.CharField()
    after = serializers.CharField()


class TieSerializer(Serializer):
    """Players who share the rank where promotion or relegation is decided: `places` of them go to
    the division `after`; the organiser chooses them."""

    rank = serializers.IntegerField()
    places = serializers.IntegerField()
    after = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField(), help_text="Ids of players.")


class ClosePreviewSerializer(Serializer):
    """The players who would move if the season were closed now, the ties to decide first, and what
    keeps the season from being closed."""

    moves = MoveSerializer(many=True)
    open_ = TieSerializer(many=True)
    fault = serializers.CharField(allow_null=True)
    disputed = serializers.ListField(
        child=serializers.CharField(),
        help_text="The addresses of the games whose results are provisional: while there are any, the season isn't "
        "closed.",
    )


class ChoiceBody(Body):
    """A tied player who moves, and the division they move to, by their ids."""

    player = serializers.CharField(max_length=LENGTH)
    division = serializers.CharField(max_length=LENGTH)


class SeasonCloseSerializer(NextSeasonSerializer):
    """The next season, and the tied players who move."""

    chosen = serializers.ListField(child=ChoiceBody(), default=list, max_length=MOST_PLAYERS)

    class Meta(NextSeasonSerializer.Meta):
        fields: ClassVar[tuple[str, ...]] = (*NextSeasonSerializer.Meta.fields, "chosen")


class SeasonClose(SeasonView, WriteView):
    """The close of a season."""

    @reads("What closing a season would do", ClosePreviewSerializer, for_organisers=True)
    def preview_season_close(self, season: Season) -> dict[str, Any]:
        """The players who would go up and down now, and the ties to decide first; for
        organisers."""
        plan = division_plan(divisions_of(season), {})
        disputed = disputed_games(season)
        addresses = [game_link(game.public_id) for game in disputed]
        if not isinstance(plan, DivisionPlan):
            return {"moves": [], "open": [], "fault": plan.message, "disputed": addresses}
        fault = close_refused(disputed).message if disputed else None
        return {"moves": plan.moves, "open": plan.open_ties, "fault": fault, "disputed": addresses}

    @changes(
        "Close a season", SeasonCloseSerializer, SeasonSerializer, created=True, example=NEXT_SEASON
    )
    def close_season(self, season: Season, body: dict[str, Any], actor: Actor) -> Any:
        """Start the next season, with the players in their new divisions, as an organiser. Closing
        again returns the same next season."""
        body["chosen"] = {choice["player"]: choice["division"] for choice in body["chosen"]}
        return season_row(season_close(season=season, actor=actor, **body))
