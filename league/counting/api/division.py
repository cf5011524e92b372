"""The divisions of a season, and closing it."""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.scoring.divisions import DivisionPlan
from games.models.public_id import LENGTH
from league.counting.domain.division import DivisionRows, division_plan
from league.counting.queries.counting import divisions_of
from league.counting.services.counting import MOST_DIVISIONS, divisions_set, season_close
from league.events.api.series import SeriesView
from league.events.api.view import actor
from league.frame.api.body import Body, several
from league.frame.api.document import change_documented, documented
from league.frame.api.links import player_link
from league.frame.api.parameters import Paged, SeenBy
from league.frame.names import all_seen
from league.seasons.api.season import EXAMPLE as SEASON
from league.seasons.api.season import NextSeasonBody, SeasonShape, season_now
from league.seasons.models import Season

MOST: Final = 10_000
"""So many players a division may have."""


class DivisionPlayerShape(serializers.Serializer[None]):
    """A player of a division, with the rank there."""

    id = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()
    rank = serializers.IntegerField()


class DivisionShape(serializers.Serializer[None]):
    """A division of a season. `up` and `down`: how many move when the season is closed."""

    id = serializers.CharField()
    name = serializers.CharField()
    up = serializers.IntegerField()
    down = serializers.IntegerField()
    players = DivisionPlayerShape(many=True)


class DivisionsShape(serializers.Serializer[None]):
    """The divisions as they are now, the highest first."""

    results = DivisionShape(many=True)


class MoveShape(serializers.Serializer[None]):
    """Somebody who changes the division: the rank that does it, and the ids of the two divisions."""

    player = serializers.CharField(help_text="The id of the player.")
    rank = serializers.IntegerField()
    before = serializers.CharField()
    after = serializers.CharField()


class TieShape(serializers.Serializer[None]):
    """Players who share the rank at a line: `places` of them go to the division `after`, and the organiser says who."""

    rank = serializers.IntegerField()
    places = serializers.IntegerField()
    after = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField(), help_text="Ids of players.")


class CloseShape(serializers.Serializer[None]):
    """Who would move if the season were closed now, which ties have to be decided first, and what is in the way."""

    moves = MoveShape(many=True)
    open = TieShape(many=True)
    fault = serializers.CharField(allow_null=True)


def division_json(division: DivisionRows) -> dict[str, Any]:
    """A division as it is sent."""
    players = [{"id": id, "name": name, "url": player_link(id), "rank": rank} for id, name, rank in division.players]
    return {"id": division.id, "name": division.name, "up": division.up, "down": division.down, "players": players}


def close_json(season: Season) -> dict[str, Any]:
    """What closing a season would do as it is sent."""
    plan = division_plan(divisions_of(season), {})
    if not isinstance(plan, DivisionPlan):
        return {"moves": [], "open": [], "fault": str(plan.message)}
    return {
        "moves": [move._asdict() for move in plan.moves],
        "open": [
            {"rank": tie.rank, "places": tie.places, "after": tie.after, "players": list(tie.players)}
            for tie in plan.open
        ],
        "fault": None,
    }


EXAMPLE: Final = {
    "id": "v5kx2hq8tw", "name": "A", "up": 0, "down": 2,
    "players": [{"id": "h7mzt3kd9q", "name": "Xenia", "url": player_link("h7mzt3kd9q"), "rank": 1}],
}  # fmt: skip
PLAN: Final = {
    "moves": [{"player": "h7mzt3kd9q", "rank": 1, "before": "g9tz4wk2xm", "after": "v5kx2hq8tw"}],
    "open": [{"rank": 2, "places": 1, "after": "v5kx2hq8tw", "players": ["t2vnb8wx4r", "k8xm3qz7wd"]}],
    "fault": None,
}  # fmt: skip


class DivisionBody(Body):
    """A division: how many go up and down, and the ids of its players."""

    name = serializers.CharField(max_length=80, validators=[all_seen])
    up = serializers.IntegerField(default=0, min_value=0, max_value=50)
    down = serializers.IntegerField(default=0, min_value=0, max_value=50)
    players = serializers.ListField(child=serializers.CharField(max_length=LENGTH), default=list, max_length=MOST)


class DivisionsBody(Body):
    """All divisions of a season, the highest first; none that isn't named stays."""

    divisions = several(DivisionBody, least=0, most=MOST_DIVISIONS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse somebody who is named twice."""
        named = [player for division in attrs["divisions"] for player in division["players"]]
        if len(set(named)) < len(named):
            raise serializers.ValidationError({"divisions": "Name each player once."})
        return attrs


class ChosenBody(Body):
    """Who of those that share the rank at a line moves, and to which division, by their ids."""

    player = serializers.CharField(max_length=LENGTH)
    division = serializers.CharField(max_length=LENGTH)


class CloseBody(NextSeasonBody):
    """The next season, and who moves of those who share the rank at a line."""

    chosen = serializers.ListField(child=ChosenBody(), default=list, max_length=MOST)


class Divisions(SeriesView):
    """The divisions of a season, and where organisers say who plays in which."""

    @documented(
        "list_divisions", "A season's divisions", DivisionShape(many=True), problems=[404], parameters=[Paged],
        example=EXAMPLE,
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        """The divisions of a season with their players, the highest first."""
        board = self.board(club, season)
        owner = board.season
        if owner is None:
            raise Season.DoesNotExist
        return self.unless_unchanged(board.versions, lambda: self.paged(divisions_of(owner), division_json))

    @change_documented(
        "set_divisions", "Say who plays in which division", DivisionsBody, DivisionsShape,
        example={"divisions": [{"name": "A", "down": 2, "players": ["h7mzt3kd9q"]}, {"name": "B", "up": 2}]},
        answered={"results": [EXAMPLE]},
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """Say which divisions a season has, and who plays in which, as an organiser, in place of what was said."""
        found = self.season(club, season)
        account = self.organiser(found.club)
        sent = self.sent()
        said = DivisionsBody.of(sent.content)["divisions"]
        divisions = [(division["name"], division["up"], division["down"]) for division in said]
        players = {player: number for number, division in enumerate(said, start=1) for player in division["players"]}

        def store() -> dict[str, Any]:
            divisions_set(season=found, actor=actor(account), divisions=divisions, players=players)
            return {"results": [division_json(division) for division in divisions_of(found)]}

        return self.done(sent, store)


class SeasonClose(SeriesView):
    """The close of a season."""

    parameters = SeenBy

    @documented(
        "preview_season_close", "What closing a season would do", CloseShape, problems=[404], parameters=[SeenBy],
        example=PLAN,
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str) -> Response:
        """Who would go up and down now, and which ties have to be decided first; for organisers."""
        return Response(close_json(self.run_season(club, season)))

    @change_documented(
        "close_season", "Close a season", CloseBody, SeasonShape, created=True,
        example={
            "slug": "winter-2027", "name": "Winter 2027", "starts_on": "2027-01-07",
            "chosen": [{"player": "t2vnb8wx4r", "division": "v5kx2hq8tw"}],
        },
        answered=SEASON | {"slug": "winter-2027", "name": "Winter 2027", "starts_on": "2027-01-07"},
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """Begin the next season, in which who goes up or down has done so, as an organiser. Closing again gives the
        season that came of it."""
        found = self.season(club, season)
        account = self.organiser(found.club)
        sent = self.sent()
        said = CloseBody.of(sent.content)
        said["chosen"] = {row["player"]: row["division"] for row in said["chosen"]}
        return self.done(sent, lambda: season_now(season_close(season=found, actor=actor(account), **said)), status=201)
