"""Clubs and their seasons."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers

from games.models.game import Kind
from league.core.club.models import Club
from league.core.frame.api.links import all_time_link, club_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import (
    FormattedField,
    LinkField,
    ModelSerializer,
    RowSerializer,
)
from league.core.viewer.queries.access import listed_for
from league.standings.ranking.api.ranking import RankingSerializer
from league.standings.ranking.api.view import SeenView
from league.standings.season.models import Notes, Season, Visibility
from league.standings.season.queries.access import visible_seasons
from league.standings.season.queries.listing import club_rows, season_rows


class ClubSerializer(RowSerializer):
    """A club, from a row of `club_rows`. Its name is public; each season sets who may see it."""

    id_ = serializers.CharField(source="public_id")
    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    timezone = serializers.CharField(
        help_text="A name of the IANA database; days of play are days there."
    )
    url = LinkField(club_link, "slug")
    seasons = LinkField(club_link, "slug", tail="seasons/")
    all_time = FormattedField(
        lambda slug, ranking: all_time_link(slug) if ranking else None,
        "slug",
        "all_time__ranking__public_id",
        allow_null=True,
        help_text="The ranking over all public seasons, if there is one.",
    )
    players = LinkField(club_link, "slug", tail="players/")
    games = LinkField(club_link, "slug", tail="games/")
    events = LinkField(club_link, "slug", tail="events/")
    calendar = LinkField(
        "/clubs/{}/calendar.ics".format,
        "slug",
        help_text="The address of its events, for calendars to subscribe to.",
    )


class Clubs(SeenView):
    """The clubs that a viewer may see, all and each by itself."""

    @reads("All clubs", ClubSerializer(many=True))
    def list_clubs(self, _: None) -> QuerySet[Club, dict[str, Any]]:
        """All clubs by name."""
        return club_rows(listed_for(self.viewer()))

    @reads("A club", ClubSerializer)
    def get_club(self, _: None) -> Any:
        """One club, by its slug."""
        return club_rows(Club.objects.filter(pk=self.club.pk)).get()


class SeasonSerializer(RankingSerializer):
    """A season, with the ranking that is its table, from a row of `season_rows`."""

    id_ = serializers.CharField(source="public_id")
    slug = serializers.CharField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    game = serializers.ChoiceField(Kind.choices, source="kind")
    rules = serializers.DictField(
        help_text="The settings of `rules` in records that all games share."
    )
    notes = serializers.ChoiceField(
        Notes.choices, help_text="What the club writes down about a game."
    )
    visibility = serializers.ChoiceField(Visibility.choices)
    online = serializers.BooleanField(help_text="Whether games at online tables may count.")


class NextSeasonSerializer(ModelSerializer[Season]):
    """The name and address of a new season, and its first day."""

    class Meta:
        model = Season
        fields: ClassVar[tuple[str, ...]] = ("slug", "name", "starts_on")


class Seasons(SeenView):
    """The seasons of a club."""

    @reads("A club's seasons", SeasonSerializer(many=True))
    def list_seasons(self, _: None) -> QuerySet[Season, dict[str, Any]]:
        """The club's seasons you may see, the latest first."""
        return season_rows(visible_seasons(self.viewer(self.club.slug)), self.club.slug)

    @reads("A season", SeasonSerializer)
    def get_season(self, _: None) -> Any:
        """One season, by its slug."""
        club = self.kwargs["club"]
        return season_rows(visible_seasons(self.viewer(club)), club).get(slug=self.kwargs["season"])
