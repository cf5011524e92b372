"""Series of events: the dates that one would have, making it, reading it."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

from django.contrib.postgres.expressions import ArraySubquery
from django.core.exceptions import ValidationError
from django.db.models import OuterRef, QuerySet
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.clubs.models import Club
from league.events.api.event import EventSerializer
from league.events.api.view import EventWriteView, actor
from league.events.domain.recurrence import DAYS, MOST_DATES, MOST_WEEKS, BadSeries, rule_of, rule_words
from league.events.models import Event, Series
from league.events.services.event import SETTINGS
from league.events.services.series import NAME_LENGTH, SLUG_LENGTH, series_create, series_dates
from league.frame.api.body import ModelSerializer, Serializer
from league.frame.api.document import change_documented, documented
from league.frame.api.links import event_link, season_link
from league.frame.api.parameters import Paged, SeenBy
from league.frame.years import years_check
from league.log.queries import log_end
from league.seasons.api.view import SeenListView
from league.seasons.models import Season
from league.seasons.queries.access import season_for_organiser

RULE: Final = ("every", "weekdays", "until", "count")
"""The members of a body that make the rule."""


class SeriesSerializer(ModelSerializer[Series]):
    """A series of `series_rows`, for a context with its `season`. `rule` is an RRULE (RFC 5545) over the times that
    clocks in the club show, from `starts_at` on."""

    id = serializers.CharField(source="public_id", read_only=True)
    words = serializers.SerializerMethodField(help_text="The rule in English.")
    events = serializers.SerializerMethodField(help_text="Addresses of its events, in order.")
    url = serializers.SerializerMethodField()

    class Meta:
        model = Series
        fields = ["id", "name", "rule", "words", "starts_at", "without", "events", "url"]
        read_only_fields = fields
        extra_kwargs = {
            "starts_at": {"help_text": "The first date on the club's clocks, without offset."},
            "without": {"help_text": "Days that it leaves out."},
        }

    def get_words(self, series: Series) -> str:
        """The rule in English."""
        return rule_words(series.rule, "en")

    def get_events(self, series: Series) -> list[str]:
        """The addresses of its events, in order."""
        club = self.context["season"].club.slug
        return [event_link(club, slug) for slug in series.slugs]  # type: ignore[attr-defined]

    def get_url(self, series: Series) -> str:
        """The address of the series, below its season's."""
        season = self.context["season"]
        return f"{season_link(season.club.slug, season.slug)}series/{series.public_id}/"


class SeriesDatesSerializer(Serializer):
    """The dates that a series would have; `notes` says which of them the clocks move."""

    rule = serializers.CharField()
    words = serializers.CharField(help_text="The rule in English.")
    dates = serializers.ListField(child=serializers.DateTimeField(format=None))
    notes = serializers.ListField(child=serializers.CharField())


def series_rows(season: Season) -> QuerySet[Series]:
    """The series that have events in a season, each with the addresses of those (`slugs`), in an order that stays."""
    events = Event.objects.filter(season=season, series=OuterRef("pk")).order_by("starts_at", "pk")
    rows = Series.objects.filter(pk__in=Event.objects.filter(season=season).values("series"))
    return rows.annotate(slugs=ArraySubquery(events.values("slug"))).order_by("starts_at", "pk")


class SeriesCreateSerializer(EventSerializer):
    """The first date of a series, and the rule by which the others follow: every so many weeks on these weekdays
    (without any: on that of the first date), up to the day `until`, or `count` times. Each date gets its number behind
    the name, and its day behind the address."""

    every = serializers.IntegerField(default=1, min_value=1, max_value=MOST_WEEKS, help_text="Weeks.")
    weekdays = serializers.ListField(child=serializers.ChoiceField(DAYS), default=list, max_length=len(DAYS))
    until = serializers.DateField(required=False, help_text="The last day on which there can be a date.")
    count = serializers.IntegerField(required=False, min_value=1, max_value=MOST_DATES)
    without = serializers.ListField(
        child=serializers.DateField(), default=list, max_length=MOST_DATES, help_text="Days that are left out."
    )

    class Meta(EventSerializer.Meta):
        fields = [*SETTINGS, *RULE, "without"]
        extra_kwargs = {
            **EventSerializer.Meta.extra_kwargs,
            "name": {"max_length": NAME_LENGTH},
            "slug": {"max_length": SLUG_LENGTH},
        }


EXAMPLE: Final = {
    "slug": "thursday", "name": "Thursday", "starts_at": "2026-12-03T18:30:00Z", "every": 2, "until": "2027-01-31",
    "without": ["2026-12-31"],
}  # fmt: skip


def rule_taken(club: Club, settings: dict[str, Any]) -> str:
    """The rule of the settings of a series, as text; its members are taken out of them. Raises `ValidationError`."""
    every, weekdays, until, count = [settings.pop(name, None) for name in RULE]
    years_check({"starts_at": settings["starts_at"], "until": until})
    days = {DAYS.index(day) for day in weekdays}
    first = settings["starts_at"].astimezone(ZoneInfo(club.timezone))
    try:
        return rule_of(every, days or {first.weekday()}, until=until, count=count)
    except BadSeries as bad:
        raise ValidationError(str(bad.message)) from bad


class SeriesView(EventWriteView, SeenListView):
    """A view of the series of a season, which organisers alone see."""

    def run_season(self, club: str, season: str) -> Season:
        """The season, if the viewer runs its club's events. Raises `Season.DoesNotExist`."""
        return season_for_organiser(self.viewer(club), club, season)


class SeriesList(SeriesView):
    """The series of a season, and where organisers make them."""

    @documented("list_series", "A season's series", SeriesSerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        """The series of a season, each with its events; for organisers."""
        owner = self.run_season(club, season)
        versions = (owner.public_id, log_end(owner.club_id))
        return self.unless_unchanged(versions, lambda: self.paged(series_rows(owner), SeriesSerializer, season=owner))

    @change_documented(
        "create_series", "Make a series", SeriesCreateSerializer, SeriesSerializer, created=True, example=EXAMPLE
    )
    def post(self, request: Request, club: str, season: str) -> Response:
        """Make all events of a series, as drafts, as an organiser. The same series again is the one that is there."""
        owner = self.season(club, season)
        account = self.organiser(owner.club)
        request_body = self.sent()
        body = SeriesCreateSerializer.of(request_body.content)

        def create() -> dict[str, Any]:
            settings = {**body, "without": set(body["without"])}
            rule = rule_taken(owner.club, settings)
            series = series_create(season=owner, actor=actor(account), rule=rule, **settings)
            return SeriesSerializer(series_rows(owner).get(pk=series.pk), context={"season": owner}).data

        return self.done(request_body, create, status=201)


class OneSeries(SeriesView):
    """A rule of dates, and the events that it made."""

    parameters = SeenBy

    @documented("get_series", "A series", SeriesSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, season: str, series: str) -> HttpResponseBase:
        """One series with its events; for organisers."""
        owner = self.run_season(club, season)
        row = series_rows(owner).get(public_id=series)
        answer = SeriesSerializer(row, context={"season": owner})
        return self.unless_unchanged((row.public_id, log_end(owner.club_id)), lambda: Response(answer.data))


class SeriesPreview(SeriesView):
    """The dates of a series that isn't made yet."""

    @change_documented(
        "preview_series", "The dates that a series would have", SeriesCreateSerializer, SeriesDatesSerializer,
        example=EXAMPLE,
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """The dates that such a series would have; nothing is made. Days to leave out can be chosen from them."""
        home = self.season(club, season).club
        self.organiser(home)
        request_body = self.sent()
        settings = SeriesCreateSerializer.of(request_body.content)

        def preview() -> dict[str, Any]:
            rule = rule_taken(home, settings)
            without = set(settings["without"])
            dates = series_dates(club=home, rule=rule, starts_at=settings["starts_at"], without=without)
            answer = {"rule": rule, "words": rule_words(rule, "en"), "dates": dates.starts, "notes": dates.notes}
            return SeriesDatesSerializer(answer).data

        return self.done(request_body, preview)
