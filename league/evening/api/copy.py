"""Copies of seasons: the dates of their events, and making one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.evening.services.copy import copied_settings, season_copy, season_dates
from league.events.api.series import SeriesView
from league.events.api.view import actor
from league.events.models import Event
from league.frame.api.body import Serializer
from league.frame.api.document import change_documented, documented
from league.frame.api.links import event_link
from league.frame.api.parameters import Paged
from league.log.queries import log_end
from league.seasons.api.season import NextSeasonSerializer, SeasonSerializer, season_answer


class CopySerializer(Serializer):
    """An event, and its copy: the slug that this gets, and when it begins. From a pair of `season_dates`."""

    event = serializers.CharField(help_text="The address of the event.")
    name = serializers.CharField()
    slug = serializers.CharField()
    starts_at = serializers.DateTimeField()

    def to_representation(self, instance: tuple[Event, datetime]) -> dict[str, Any]:
        """An event, with its club, and the beginning of its copy."""
        event, starts_at = instance
        slug = copied_settings(event, starts_at)["slug"]
        url = event_link(event.club.slug, event.slug)
        return {"event": url, "name": event.name, "slug": slug, "starts_at": starts_at}


class OfCopy(Paged):
    """Of the events of a copy."""

    starts_on = serializers.DateField(help_text="The day on which the new season begins.")


class SeasonCopy(SeriesView):
    """The copy of a season."""

    parameters = OfCopy

    @documented(
        "preview_season_copy", "What a copy of a season would be", CopySerializer(many=True), problems=[404],
        parameters=[OfCopy],
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        """The days on which each event of a season would be in its copy, moved by whole weeks; for organisers."""
        row = self.run_season(club, season)
        starts_on = self.query["starts_on"]

        def answer() -> HttpResponseBase:
            try:
                dates = season_dates(row, starts_on)
            except ValidationError as error:
                raise serializers.ValidationError({"starts_on": error.messages}) from error
            return self.paged(dates, CopySerializer)

        return self.unless_unchanged((row.public_id, log_end(row.club_id)), answer)

    @change_documented(
        "copy_season", "Copy a season", NextSeasonSerializer, SeasonSerializer, created=True,
        example={"slug": "herbstliga-2027", "name": "Herbstliga 2027", "starts_on": "2027-09-01"},
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """Make a season with the same settings, and its events with their stages as drafts, as an organiser. The same
        copy again is the one that is there."""
        row = self.season(club, season)
        by = actor(self.organiser(row.club))
        request_body = self.sent()
        settings = NextSeasonSerializer.of(request_body.content)
        return self.done(request_body, lambda: season_answer(season_copy(season=row, actor=by, **settings)), status=201)
