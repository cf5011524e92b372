"""Seasons."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers

from games.models.game import Kind
from league.frame.api.operation import reads
from league.frame.api.serializers import ModelSerializer
from league.seasons.api.ranking import RankingSerializer
from league.seasons.api.view import SeenView
from league.seasons.models import Notes, Season, Visibility
from league.seasons.queries.access import visible_seasons
from league.seasons.queries.listing import season_rows


class SeasonSerializer(RankingSerializer):
    """A season, with the ranking that is its table, from a row of `season_rows`."""

    id_ = serializers.CharField(source="public_id")
    slug = serializers.CharField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    game = serializers.ChoiceField(Kind.choices, source="kind")
    rules = serializers.DictField(help_text="The settings of `rules` in records that all games share.")
    notes = serializers.ChoiceField(Notes.choices, help_text="What the club writes down of a game.")
    visibility = serializers.ChoiceField(Visibility.choices)


class NextSeasonSerializer(ModelSerializer[Season]):
    """The name and address of a new season, and its first day."""

    class Meta:
        model = Season
        fields: ClassVar[tuple[str, ...]] = ("slug", "name", "starts_on")


class Seasons(SeenView):
    """The seasons of a club."""

    @reads("A club's seasons", SeasonSerializer(many=True))
    def list_seasons(self, _: None) -> QuerySet[Season, dict[str, Any]]:
        """The club's seasons that you may see, the latest first."""
        return season_rows(visible_seasons(self.viewer(self.club.slug)), self.club.slug)

    @reads("A season", SeasonSerializer)
    def get_season(self, _: None) -> Any:
        """One season, by its slug."""
        club = self.kwargs["club"]
        return season_rows(visible_seasons(self.viewer(club)), club).get(slug=self.kwargs["season"])


def season_row(season: Season) -> Any:
    """A season, with its club, as it is stored now, for a `SeasonSerializer`."""
    return season_rows(Season.objects.filter(pk=season.pk), season.club.slug).get()
