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
from league.events.api.event import SAID as EVENT
from league.events.api.event import EventBody
from league.events.api.view import EventWriteView, actor
from league.events.domain.recurrence import DAYS, MOST_DATES, MOST_WEEKS, BadSeries, rule_of, rule_words
from league.events.models import Event, Series
from league.events.services.series import series_create, series_dates
from league.frame.api.document import change_documented, documented
from league.frame.api.links import event_link, season_link
from league.frame.api.parameters import Paged, SeenBy
from league.frame.names import all_seen
from league.frame.years import years_check
from league.log.queries import log_end
from league.seasons.api.view import SeenListView
from league.seasons.models import Season
from league.seasons.queries.access import season_for_organiser

RULE: Final = ("every", "weekdays", "until", "count")
"""What a body says of the rule."""


class SeriesShape(serializers.Serializer[None]):
    """A series. `rule` is an RRULE (RFC 5545) over the times that clocks in the club show, from `starts_at` on."""

    id = serializers.CharField()
    name = serializers.CharField()
    rule = serializers.CharField()
    words = serializers.CharField(help_text="The rule in English.")
    starts_at = serializers.CharField(help_text="The first date on the club's clocks, without offset.")
    without = serializers.ListField(child=serializers.DateField(), help_text="Days that it leaves out.")
    events = serializers.ListField(child=serializers.CharField(), help_text="Addresses of its events, in order.")
    url = serializers.CharField()


class SeriesDatesShape(serializers.Serializer[None]):
    """The dates that a series would have; `notes` says which of them the clocks move."""

    rule = serializers.CharField()
    words = serializers.CharField(help_text="The rule in English.")
    dates = serializers.ListField(child=serializers.DateTimeField())
    notes = serializers.ListField(child=serializers.CharField())


def series_json(season: Season, series: Series) -> dict[str, Any]:
    """A series of `series_rows` as it is sent."""
    club = season.club.slug
    slugs: list[str] = series.slugs  # type: ignore[attr-defined]
    return {
        "id": series.public_id,
        "name": series.name,
        "rule": series.rule,
        "words": rule_words(series.rule, "en"),
        "starts_at": series.starts_at,
        "without": series.without,
        "events": [event_link(club, slug) for slug in slugs],
        "url": f"{season_link(club, season.slug)}series/{series.public_id}/",
    }


def series_rows(season: Season) -> QuerySet[Series]:
    """The series that have events in a season, each with the addresses of those (`slugs`), in an order that stays."""
    own = Event.objects.filter(season=season, series=OuterRef("pk")).order_by("starts_at", "pk")
    found = Series.objects.filter(pk__in=Event.objects.filter(season=season).values("series"))
    return found.annotate(slugs=ArraySubquery(own.values("slug"))).order_by("starts_at", "pk")


SAID: Final = {
    "slug": "thursday", "name": "Thursday", "starts_at": "2026-12-03T18:30:00Z", "every": 2, "until": "2027-01-31",
    "venue": EVENT["venue"],
}  # fmt: skip
RULES: Final = {
    "rule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;UNTIL=20270131T235959",
    "words": "every second Thursday until 31 January 2027",
}
EXAMPLE: Final = {
    "id": "k7xt2wq8mz", "name": "Thursday", **RULES, "starts_at": "2026-12-03T19:30:00", "without": ["2026-12-31"],
    "events": [event_link("zum-stern", "thursday-2026-12-03")],
    "url": f"{season_link('zum-stern', 'herbstliga-2026')}series/k7xt2wq8mz/",
}  # fmt: skip


class SeriesBody(EventBody):
    """The first date of a series, and the rule by which the others follow: every so many weeks on these weekdays
    (without any: on that of the first date), up to the day `until`, or `count` times. Each date gets its number behind
    the name, and its day behind the address."""

    slug = serializers.SlugField(max_length=53)
    name = serializers.CharField(max_length=110, validators=[all_seen])
    every = serializers.IntegerField(default=1, min_value=1, max_value=MOST_WEEKS, help_text="Weeks.")
    weekdays = serializers.ListField(child=serializers.ChoiceField(DAYS), default=list, max_length=len(DAYS))
    until = serializers.DateField(required=False, help_text="The last day on which there can be a date.")
    count = serializers.IntegerField(required=False, min_value=1, max_value=MOST_DATES)
    without = serializers.ListField(
        child=serializers.DateField(), default=list, max_length=MOST_DATES, help_text="Days that are left out."
    )


def rule_said(club: Club, said: dict[str, Any]) -> str:
    """The rule that a body says, as text; its members are taken out. Raises `ValidationError`."""
    every, weekdays, until, count = [said.pop(name, None) for name in RULE]
    years_check({"starts_at": said["starts_at"], "until": until})
    days = {DAYS.index(day) for day in weekdays}
    first = said["starts_at"].astimezone(ZoneInfo(club.timezone))
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

    @documented(
        "list_series", "A season's series", SeriesShape(many=True), problems=[404], parameters=[Paged], example=EXAMPLE
    )
    def get(self, request: Request, club: str, season: str) -> HttpResponseBase:
        """The series of a season, each with its events; for organisers."""
        found = self.run_season(club, season)
        return self.unless_unchanged(
            (found.public_id, log_end(found.club_id)),
            lambda: self.paged(series_rows(found), lambda series: series_json(found, series)),
        )

    @change_documented(
        "create_series", "Make a series", SeriesBody, SeriesShape, created=True,
        example={**SAID, "without": ["2026-12-31"]}, answered=EXAMPLE,
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """Make all events of a series, as drafts, as an organiser. The same series again is the one that is there."""
        found = self.season(club, season)
        account = self.organiser(found.club)
        sent = self.sent()
        said = SeriesBody.of(sent.content)

        def create() -> dict[str, Any]:
            settings = {**said, "without": set(said["without"])}
            rule = rule_said(found.club, settings)
            made = series_create(season=found, actor=actor(account), rule=rule, **settings)
            return series_json(found, series_rows(found).get(pk=made.pk))

        return self.done(sent, create, status=201)


class OneSeries(SeriesView):
    """A rule of dates, and the events that it made."""

    parameters = SeenBy

    @documented("get_series", "A series", SeriesShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, club: str, season: str, series: str) -> HttpResponseBase:
        """One series with its events; for organisers."""
        found = self.run_season(club, season)
        row = series_rows(found).get(public_id=series)
        return self.unless_unchanged((row.public_id, log_end(found.club_id)), lambda: Response(series_json(found, row)))


class SeriesPreview(SeriesView):
    """What a series would come to."""

    @change_documented(
        "preview_series", "The dates that a series would have", SeriesBody, SeriesDatesShape, example=SAID,
        answered={**RULES, "dates": ["2026-12-03T19:30:00+01:00", "2026-12-17T19:30:00+01:00"], "notes": []},
    )  # fmt: skip
    def post(self, request: Request, club: str, season: str) -> Response:
        """The dates that such a series would have; nothing is made. Days to leave out can be chosen from them."""
        found = self.season(club, season)
        self.organiser(found.club)
        sent = self.sent()
        said = SeriesBody.of(sent.content)

        def look() -> dict[str, Any]:
            rule = rule_said(found.club, said)
            dates = series_dates(club=found.club, rule=rule, starts_at=said["starts_at"], without=set(said["without"]))
            words = rule_words(rule, "en")
            return {"rule": rule, "words": words, "dates": dates.starts, "notes": [str(note) for note in dates.notes]}

        return self.done(sent, look)
