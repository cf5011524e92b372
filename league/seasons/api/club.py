"""Clubs."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from league.clubs.api.row import RowSerializer
from league.clubs.models import Club
from league.clubs.queries.access import listed_for
from league.frame.api.links import all_time_link, club_link
from league.frame.api.operation import reads
from league.frame.api.serializers import LinkField
from league.seasons.api.view import SeenView
from league.seasons.queries.listing import club_rows


class ClubSerializer(RowSerializer):
    """A club, from a row of `club_rows`. Its name is public; its seasons each say who may see them."""

    id_ = serializers.CharField(source="public_id")
    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    timezone = serializers.CharField(help_text="A name of the IANA database; days of play are days there.")
    url = LinkField(club_link, "slug")
    seasons = LinkField(club_link, "slug", tail="seasons/")
    all_time = serializers.SerializerMethodField(help_text="The ranking over all public seasons, if there is one.")
    players = LinkField(club_link, "slug", tail="players/")
    games = LinkField(club_link, "slug", tail="games/")
    events = LinkField(club_link, "slug", tail="events/")
    calendar = LinkField(
        "/clubs/{}/calendar.ics".format, "slug", help_text="The address of its events, for calendars to subscribe to."
    )

    def get_all_time(self, club: dict[str, str]) -> str | None:
        """The address of the ranking of all time."""
        return all_time_link(club["slug"]) if club["all_time__ranking__public_id"] else None


class Clubs(SeenView):
    """Clubs."""

    @reads("All clubs", ClubSerializer(many=True))
    def list_clubs(self, _: None) -> QuerySet[Club, dict[str, Any]]:
        """All clubs by name."""
        return club_rows(listed_for(self.viewer()))

    @reads("A club", ClubSerializer)
    def get_club(self, _: None) -> Any:
        """One club, by its slug."""
        return club_rows(Club.objects.filter(pk=self.club.pk)).get()
