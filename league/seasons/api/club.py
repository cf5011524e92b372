"""Clubs."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.clubs.models import Club
from league.clubs.queries.access import club_for, listed_for
from league.frame.api.document import documented
from league.frame.api.links import all_time_link, club_link
from league.frame.api.parameters import Paged, SeenBy
from league.seasons.api.view import SeenListView, SeenView
from league.seasons.queries.listing import club_rows


class ClubShape(serializers.Serializer[None]):
    """A club. Its name is public; its seasons each say who may see them."""

    id = serializers.CharField()
    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    timezone = serializers.CharField(help_text="A name of the IANA database; days of play are days there.")
    url = serializers.CharField()
    seasons = serializers.CharField()
    all_time = serializers.CharField(allow_null=True, help_text="The ranking over all public seasons, if there is one.")
    players = serializers.CharField()
    games = serializers.CharField()
    events = serializers.CharField()
    calendar = serializers.CharField(help_text="The address of its events, for calendars to subscribe to.")


def club_json(row: dict[str, Any]) -> dict[str, Any]:
    """A row of `club_rows` as it is sent."""
    url = club_link(row["slug"])
    return {
        "id": row["public_id"],
        **{name: row[name] for name in ("slug", "name", "about", "timezone")},
        "url": url,
        "seasons": f"{url}seasons/",
        "all_time": all_time_link(row["slug"]) if row["all_time__ranking__public_id"] else None,
        "players": f"{url}players/",
        "games": f"{url}games/",
        "events": f"{url}events/",
        "calendar": f"/clubs/{row['slug']}/calendar.ics",
    }


EXAMPLE = club_json(
    {
        "public_id": "c5dn8rjw2z", "slug": "zum-stern", "name": "Würfelrunde zum Stern", "about": "Thursdays at eight.",
        "timezone": "Europe/Berlin", "all_time__ranking__public_id": "w4kz7hq2mt",
    }
)  # fmt: skip


class Clubs(SeenListView):
    """The clubs that want to be listed, and the viewer's own, in one list."""

    @documented("list_clubs", "All clubs", ClubShape(many=True), problems=[404], parameters=[Paged], example=EXAMPLE)
    def get(self, request: Request) -> Response:
        """All clubs by name."""
        return self.paged(club_rows(listed_for(self.viewer())), club_json)


class OneClub(SeenView):
    """One club, by its slug."""

    @documented("get_club", "A club", ClubShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, club: str) -> Response:
        """One club, by its slug."""
        found = club_for(self.viewer(club), club)
        return Response(club_json(club_rows(Club.objects.filter(pk=found.pk)).get()))
