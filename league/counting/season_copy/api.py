"""Copies of seasons: the dates of their events, and making one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from rest_framework import serializers

from league.core.frame.api.links import event_link
from league.core.frame.api.operation import reads
from league.core.frame.api.parameters import Paged
from league.core.frame.api.serializers import LinkField, Serializer, TimeField
from league.core.log.services import Actor
from league.counting.season_copy.services import EventCopy, season_copy, season_dates
from league.events.series.api import SeriesView
from league.standings.ranking.api.view import changes
from league.standings.season.api import NextSeasonSerializer, SeasonSerializer
from league.standings.season.models import Season
from league.standings.season.queries.listing import season_row

NEXT: Final = {"slug": "herbstliga-2027", "name": "Herbstliga 2027", "starts_on": "2027-09-01"}


class CopySerializer(Serializer):
    """An event and its copy: the slug the copy gets, and when it begins. One of `season_dates`."""

    event = LinkField(
        event_link, "event.club.slug", "event.slug", help_text="The address of the event."
    )
    name = serializers.CharField(source="event.name")
    slug = serializers.CharField()
    starts_at = TimeField(format=None)


class OfCopy(Paged):
    """The parameters of a copy."""

    starts_on = serializers.DateField(help_text="The day the new season begins.")


class SeasonCopy(SeriesView):
    """The copy of a season."""

    @reads(
        "Preview a copy of a season",
        CopySerializer(many=True),
        parameters=OfCopy,
        for_organisers=True,
    )
    def preview_season_copy(self, season: Season) -> Sequence[EventCopy]:
        """The dates of each event in a copy of the season, moved by whole weeks; for organisers."""
        try:
            return season_dates(season, self.query["starts_on"])
        except ValidationError as error:
            raise serializers.ValidationError({"starts_on": error.messages}) from error

    @changes("Copy a season", NextSeasonSerializer, SeasonSerializer, created=True, example=NEXT)
    def copy_season(self, season: Season, body: dict[str, Any], actor: Actor) -> Any:
        """Create a season with the same settings, and its events with their stages as drafts, as an
        organiser. Copying again returns the same copy."""
        return season_row(season_copy(season=season, actor=actor, **body))
