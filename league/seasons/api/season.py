"""Seasons."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.models.game import Kind
from league.clubs.queries.access import club_for
from league.frame.api.body import Body
from league.frame.api.document import documented
from league.frame.api.links import season_link
from league.frame.api.parameters import Paged, SeenBy
from league.frame.names import all_seen
from league.seasons.api.ranking import RankingSerializer
from league.seasons.api.view import SeenListView, SeenView
from league.seasons.models import Season, Visibility
from league.seasons.queries.access import visible_seasons
from league.seasons.queries.listing import season_rows


class SeasonSerializer(RankingSerializer):
    """A season, with the ranking that is its table, from a row of `season_rows`."""

    id = serializers.CharField(source="public_id")
    slug = serializers.CharField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    game = serializers.ChoiceField(Kind.choices, source="kind")
    rules = serializers.DictField(help_text="The settings of `rules` in records that all games share.")
    visibility = serializers.ChoiceField(Visibility.choices)


def season_now(season: Season) -> dict[str, Any]:
    """A season, with its club, as it is stored now, as it is sent."""
    return SeasonSerializer.answer(season_rows(Season.objects.filter(pk=season.pk), season.club.slug).get())


EXAMPLE = SeasonSerializer.answer(
    {
        "public_id": "q8vh3kx5pd", "club__slug": "zum-stern", "slug": "herbstliga-2026", "name": "Herbstliga 2026",
        "starts_on": "2026-09-01", "ends_on": None, "kind": "bluff", "rules": {"exact": "all"}, "visibility": "public",
        "ranking__public_id": "b7tz2mwj6n", "ranking__scoring": "cntdice", "ranking__rated": True,
        "ranking__tie_breaks": ["points", "wins", "best_game"], "ranking__version": 12,
        "ranking__computed_at": "2026-10-01T21:12:09Z",
    }
)  # fmt: skip


class Seasons(SeenListView):
    """The seasons of a club in one list."""

    @documented(
        "list_seasons", "A club's seasons", SeasonSerializer(many=True), problems=[404], parameters=[Paged],
        example=EXAMPLE,
    )  # fmt: skip
    def get(self, request: Request, club: str) -> Response:
        """The club's seasons that you may see, the latest first."""
        viewer = self.viewer(club)
        return self.paged(season_rows(visible_seasons(viewer), club_for(viewer, club).slug), SeasonSerializer.answer)


class OneSeason(SeenView):
    """One season, by its slug."""

    @documented("get_season", "A season", SeasonSerializer, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, club: str, season: str) -> Response:
        """One season, by its slug."""
        row = season_rows(visible_seasons(self.viewer(club)), club).get(slug=season)
        return Response(SeasonSerializer(row).data)


class NextSeasonBody(Body, serializers.ModelSerializer[Season]):
    """What the new season is called, and when it begins."""

    class Meta:
        model = Season
        fields = ("slug", "name", "starts_on")
        extra_kwargs: ClassVar = {"name": {"validators": [all_seen]}}
