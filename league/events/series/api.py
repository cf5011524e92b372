"""Series of events in the API: previewing their dates, creating and reading them."""

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
    pop_rule,
    series_create,
    series_dates,
)
from league.standings.ranking.api.view import SeasonView, WriteView, changes
from league.standings.season.models import Season


# It takes series of `series_rows`, and a view in its context that has their `season`.
class SeriesSerializer(ModelSerializer[Series]):
    """A series. `rule` is an RRULE (RFC 5545) in the club's local time, starting at `starts_at`."""

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
            "without": "The days it leaves out.",
        }

    def get_events(self, series: Series) -> list[str]:
        """The addresses of its events, in order."""
        club = self.context["view"].season.club.slug
        return [event_link(club, slug) for slug in series.slugs]  # type: ignore[attr-defined]

    def get_url(self, series: Series) -> str:
        """The address of the series, below that of its season."""
        season = self.context["view"].season
        return series_link(season.club.slug, season.slug, series.public_id)


class SeriesDatesSerializer(Serializer):
    """The dates a series would have; `notes` names those that move because of daylight saving
    time."""

    rule = serializers.CharField()
    words = serializers.CharField(help_text="The rule in English.")
    dates = serializers.ListField(child=TimeField(format=None))
    notes = serializers.ListField(child=serializers.CharField())


class SeriesCreateSerializer(EventSerializer):
    """The first date of a series, and the rule for the others: repeat every `every` weeks on these
    weekdays (by default the weekday of the first date), until the day `until`, or `count` times.
    Each event's number is added to the name, and its date to the slug."""

    every = serializers.IntegerField(
        default=1, min_value=1, max_value=MOST_WEEKS, help_text="Weeks."
    )
    weekdays = serializers.ListField(
        child=serializers.ChoiceField(DAYS), default=list, max_length=len(DAYS)
    )
    until = serializers.DateField(required=False, help_text="The last possible day for a date.")
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
    """A view of a season's settings and of what is planned in it."""

    def versions(self) -> tuple[object, ...]:
        """Return the season, and the end of the club's log, which has every change of the
        season.
        """
        return (self.season.public_id, log_end(self.season.club_id))


class SeriesOfSeason(SeriesView):
    """The series of a season."""

    def get_object(self) -> Any:
        """Return the series, or the season. Raise `Series.DoesNotExist`."""
        if "series" not in self.kwargs:
            return self.season
        return series_rows(self.season).get(public_id=self.kwargs["series"])

    @reads("A season's series", SeriesSerializer(many=True), for_organisers=True)
    def list_series(self, season: Season) -> QuerySet[Series]:
        """The series of a season, each with its events; for organisers."""
        return series_rows(season)

    @changes(
        "Create a series", SeriesCreateSerializer, SeriesSerializer, created=True, example=EXAMPLE
    )
    def create_series(self, season: Season, body: dict[str, Any], actor: Actor) -> Series:
        """Create all events of a series as drafts, as an organiser. Creating the same series again
        returns the existing one.
        """
        settings = {**body}
        settings["days_left_out"] = set(settings.pop("without"))
        rule = pop_rule(season.club, settings)
        series = series_create(season=season, actor=actor, rule=rule, **settings)
        return series_rows(season).get(pk=series.pk)

    @reads("A series", SeriesSerializer, for_organisers=True)
    def get_series(self, series: Series) -> Series:
        """One series with its events; for organisers."""
        return series

    @changes(
        "Preview the dates of a series",
        SeriesCreateSerializer,
        SeriesDatesSerializer,
        example=EXAMPLE,
    )
    def preview_series(self, season: Season, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """The dates such a series would have. Nothing is created. Choose any days to leave out from
        them.
        """
        rule = pop_rule(season.club, body)
        dates = series_dates(
            club=season.club,
            rule=rule,
            starts_at=body["starts_at"],
            days_left_out=set(body["without"]),
        )
        return {
            "rule": rule,
            "words": rule_words(rule, "en"),
            "dates": dates.starts,
            "notes": dates.notes,
        }
