"""Series of events: the dates that one would have, making it, reading it."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.db.models import QuerySet
from rest_framework import serializers

from league.core.frame.api.links import event_link, series_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import FormattedField, ModelSerializer, Serializer, TimeField
from league.core.log.queries import log_end
from league.core.log.services import Actor
from league.events.event.api import EventSerializer
from league.events.event.services import SETTINGS
from league.events.series.domain import DAYS, MOST_DATES, MOST_WEEKS, rule_words
from league.events.series.models import Series
from league.events.series.queries import series_rows
from league.events.series.services import (
    NAME_LENGTH,
    RULE,
    SLUG_LENGTH,
    rule_taken,
    series_create,
    series_dates,
)
from league.standings.ranking.api.view import SeasonView, WriteView, changes
from league.standings.season.models import Season


class SeriesSerializer(ModelSerializer[Series]):
    """A series of `series_rows`, for a context with its `season`. `rule` is an RRULE (RFC 5545)
    over the times that clocks in the club show, from `starts_at` on."""

    words = FormattedField(
        partial(rule_words, language="en"), "rule", help_text="The rule in English."
    )
    events = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()

    class Meta:
        model = Series
        fields = ["id", "name", "rule", "words", "starts_at", "without", "events", "url"]
        read_only_fields = fields
        help_texts = {
            "starts_at": "The first date on the club's clocks, without offset.",
            "without": "Days that it leaves out.",
        }

    def get_events(self, series: Series) -> list[str]:
        """Addresses of its events, in order."""
        club = self.context["view"].season.club.slug
        return [event_link(club, slug) for slug in series.slugs]  # type: ignore[attr-defined]

    def get_url(self, series: Series) -> str:
        """The address of the series, below its season's."""
        season = self.context["view"].season
        return series_link(season.club.slug, season.slug, series.public_id)


class SeriesDatesSerializer(Serializer):
    """The dates that a series would have; `notes` says which of them the clocks move."""

    rule = serializers.CharField()
    words = serializers.CharField(help_text="The rule in English.")
    dates = serializers.ListField(child=TimeField(format=None))
    notes = serializers.ListField(child=serializers.CharField())


class SeriesCreateSerializer(EventSerializer):
    """The first date of a series, and the rule by which the others follow: every so many weeks on
    these weekdays (without any: on that of the first date), up to the day `until`, or `count`
    times. Each date gets its number behind the name, and its day behind the address."""

    every = serializers.IntegerField(
        default=1, min_value=1, max_value=MOST_WEEKS, help_text="Weeks."
    )
    weekdays = serializers.ListField(
        child=serializers.ChoiceField(DAYS), default=list, max_length=len(DAYS)
    )
    until = serializers.DateField(
        required=False, help_text="The last day on which there can be a date."
    )
    count = serializers.IntegerField(required=False, min_value=1, max_value=MOST_DATES)
    without = serializers.ListField(
        child=serializers.DateField(),
        default=list,
        max_length=MOST_DATES,
        help_text="Days that are left out.",
    )

    class Meta(EventSerializer.Meta):
        fields = [*SETTINGS, *RULE, "without"]
        extra_kwargs = {"name": {"max_length": NAME_LENGTH}, "slug": {"max_length": SLUG_LENGTH}}


EXAMPLE: Final = {
    "slug": "thursday",
    "name": "Thursday",
    "starts_at": "2026-12-03T18:30:00Z",
    "every": 2,
    "until": "2027-01-31",
    "without": ["2026-12-31"],
}


class SeriesView(SeasonView, WriteView):
    """A view of the settings of a season and of what is planned in it."""

    def versions(self) -> tuple[object, ...]:
        """The season, and the end of the club's log, in which every change of it stands."""
        return (self.season.public_id, log_end(self.season.club_id))


class SeriesOfSeason(SeriesView):
    """The series of a season."""

    def get_object(self) -> Any:
        """The series, or the season. Raises `Series.DoesNotExist`."""
        rows = series_rows(self.season)
        return rows.get(public_id=self.kwargs["series"]) if "series" in self.kwargs else self.season

    @reads("A season's series", SeriesSerializer(many=True), for_organisers=True)
    def list_series(self, season: Season) -> QuerySet[Series]:
        """The series of a season, each with its events; for organisers."""
        return series_rows(season)

    @changes(
        "Make a series", SeriesCreateSerializer, SeriesSerializer, created=True, example=EXAMPLE
    )
    def create_series(self, season: Season, body: dict[str, Any], actor: Actor) -> Series:
        """Make all events of a series, as drafts, as an organiser. The same series again is the one
        that is there."""
        settings = {**body, "without": set(body["without"])}
        rule = rule_taken(season.club, settings)
        return series_rows(season).get(
            pk=series_create(season=season, actor=actor, rule=rule, **settings).pk
        )

    @reads("A series", SeriesSerializer, for_organisers=True)
    def get_series(self, series: Series) -> Series:
        """One series with its events; for organisers."""
        return series

    @changes(
        "The dates that a series would have",
        SeriesCreateSerializer,
        SeriesDatesSerializer,
        example=EXAMPLE,
    )
    def preview_series(self, season: Season, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """The dates that such a series would have; nothing is made. Days to leave out can be chosen
        from them."""
        rule = rule_taken(season.club, body)
        dates = series_dates(
            club=season.club, rule=rule, starts_at=body["starts_at"], without=set(body["without"])
        )
        return {
            "rule": rule,
            "words": rule_words(rule, "en"),
            "dates": dates.starts,
            "notes": dates.notes,
        }
