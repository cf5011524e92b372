"""Seasons."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.models.game import Kind
from league.clubs.queries.access import club_for
from league.frame.api.body import ModelSerializer
from league.frame.api.document import documented
from league.frame.api.parameters import Paged, SeenBy
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


def season_answer(season: Season) -> dict[str, Any]:
    """A season, with its club, as it is stored now, as it is sent."""
    return SeasonSerializer(season_rows(Season.objects.filter(pk=season.pk), season.club.slug).get()).data


class Seasons(SeenListView):
    """The seasons of a club in one list."""

    @documented(
        "list_seasons", "A club's seasons", SeasonSerializer(many=True), problems=[404], parameters=[Paged],
    )  # fmt: skip
    def get(self, request: Request, club: str) -> Response:
        """The club's seasons that you may see, the latest first."""
        viewer = self.viewer(club)
        return self.paged(season_rows(visible_seasons(viewer), club_for(viewer, club).slug), SeasonSerializer)


class OneSeason(SeenView):
    """One season, by its slug."""

    @documented("get_season", "A season", SeasonSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, season: str) -> Response:
        """One season, by its slug."""
        row = season_rows(visible_seasons(self.viewer(club)), club).get(slug=season)
        return Response(SeasonSerializer(row).data)


class NextSeasonSerializer(ModelSerializer[Season]):
    """The name and address of a new season, and its first day."""

    class Meta:
        model = Season
        fields: ClassVar[tuple[str, ...]] = ("slug", "name", "starts_on")
