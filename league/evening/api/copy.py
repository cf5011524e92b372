"""Copying a season: when its events would be, and doing it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.evening.services.copy import copied_settings, season_copy, season_dates
from league.events.api.series import SeriesView
from league.events.api.view import actor
from league.events.models import Event
from league.frame.api.document import change_documented, documented
from league.frame.api.links import event_link
from league.frame.api.parameters import Paged
from league.log.queries import log_end
from league.seasons.api.season import EXAMPLE as SEASON
from league.seasons.api.season import NextSeasonBody, SeasonShape, season_now


class CopiedShape(serializers.Serializer[None]):
    """An event, and its copy: the slug that this gets, and when it begins."""

    event = serializers.CharField(help_text="The address of the event.")
    name = serializers.CharField()
    slug = serializers.CharField()
    starts_at = serializers.DateTimeField()


def copied_json(event: Event, starts_at: datetime) -> dict[str, Any]:
    """An event, with its club, and when its copy begins, as it is sent."""
    slug = copied_settings(event, starts_at)["slug"]
    return {
        "event": event_link(event.club.slug, event.slug),
        "name": event.name,
        "slug": slug,
        "starts_at": starts_at,
    }


EXAMPLE: Final = {
    "event": event_link("zum-stern", "night-1"), "name": "First night", "slug": "night-1-2027-09-02",
    "starts_at": "2027-09-02T19:30:00+02:00",
}  # fmt: skip


class OfCopy(Paged):
    """Of the events of a copy."""

    starts_on = serializers.DateField(help_text="The day on which the new season begins.")


class SeasonCopy(SeriesView):
    """The copy of a season."""

    parameters = OfCopy

    @documented(
        "preview_season_copy", "What a copy of a season would be", CopiedShape(many=True), problems=[404],
        parameters=[OfCopy], example=EXAMPLE,
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        """When each event of a season would be in its copy, moved by whole weeks; for organisers."""
        found = self.run_season(club, season)
        starts_on = self.query["starts_on"]

        def answer() -> HttpResponseBase:
            try:
                dates = season_dates(found, starts_on)
            except ValidationError as error:
                raise serializers.ValidationError({"starts_on": error.messages}) from error
            return self.paged(dates, lambda pair: copied_json(*pair))

        return self.unless_unchanged((found.public_id, log_end(found.club_id)), answer)

    @change_documented(
        "copy_season", "Copy a season", NextSeasonBody, SeasonShape, created=True,
        example={"slug": "herbstliga-2027", "name": "Herbstliga 2027", "starts_on": "2027-09-01"},
        answered=SEASON | {"slug": "herbstliga-2027", "name": "Herbstliga 2027", "starts_on": "2027-09-01"},
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """Make a season with the same settings, and its events with their stages as drafts, as an organiser. The same
        copy again is the one that is there."""
        found = self.season(club, season)
        account = self.organiser(found.club)
        sent = self.sent()
        said = NextSeasonBody.of(sent.content)
        return self.done(sent, lambda: season_now(season_copy(season=found, actor=actor(account), **said)), status=201)
