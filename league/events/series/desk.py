"""Many dates at once, seen before anything is made: a series by a rule, and last season's dates for
a new season."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.dates import WEEKDAYS
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.core.frame.forms import model_field
from league.core.frame.saying import redirect_saying
from league.core.frame.slug import slug_field, slug_from
from league.core.viewer.web.confirmation import done, posted
from league.core.viewer.web.viewer import club_page, page_of
from league.events.event.desk.event_form import EventSettingsForm
from league.events.event.desk.page import desk_events_crumbs
from league.events.event.models import Event
from league.events.series.domain import MOST_WEEKS, BadSeries, SeriesDates, rule_of, rule_words
from league.events.series.services import NAME_LENGTH, SLUG_LENGTH, series_create, series_dates
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for_organiser

DAY: Final = {"type": "date"}


class SeriesForm(EventSettingsForm):
    """The first date of a series, and the rule by which the others follow.

    Of a valid one `rule` is the rule as text, and `found` its dates.
    """

    rule: str
    found: SeriesDates

    name = model_field(Event, "name", max_length=NAME_LENGTH)
    slug = slug_field(SLUG_LENGTH)
    every = forms.IntegerField(
        label=gettext_lazy("Every how many weeks"), min_value=1, max_value=MOST_WEEKS, initial=1
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=gettext_lazy("On which weekdays"),
        help_text=gettext_lazy("None chosen: that of the first date."),
        choices=[(str(day), name) for day, name in WEEKDAYS.items()],
        widget=forms.CheckboxSelectMultiple,
        coerce=int,
        required=False,
    )
    until = forms.DateField(
        label=gettext_lazy("Until"),
        help_text=gettext_lazy("The last day on which there can be a date."),
        widget=forms.DateInput(DAY, format="%Y-%m-%d"),
    )
    field_order = (
        "name",
        "slug",
        "starts_at",
        "every",
        "weekdays",
        "until",
        *EventSettingsForm.field_order[3:],
    )

    def __init__(self, season: Season, data: QueryDict | None) -> None:
        super().__init__(season.club, data)
        self.season = season
        self.fields["starts_at"].label = gettext("The first date begins")
        if season.ends_on:
            self.fields["until"].initial = season.ends_on
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        """Make the rule and its dates. Raises `ValidationError` for a series that can't be."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        first = cleaned["starts_at"].astimezone(ZoneInfo(self.club.timezone))
        days = set(cleaned["weekdays"]) or {first.weekday()}
        try:
            self.rule = rule_of(cleaned["every"], days, until=cleaned["until"])
        except BadSeries as bad:
            raise ValidationError(bad.message.translated(gettext)) from bad
        self.found = series_dates(club=self.club, rule=self.rule, starts_at=cleaned["starts_at"])
        return cleaned

    def settings(self) -> dict[str, Any]:
        """Return what `series_create` is given, without the days that are left out."""
        return super().settings() | {
            "rule": self.rule,
            "slug": self.cleaned_data["slug"] or self._slug(),
        }

    def _slug(self) -> str:
        """An address made from the name: the events' own get their dates, so that it needn't be
        free."""
        return slug_from(self.cleaned_data["name"], "", self.club.events.none(), nameless="event")[
            :SLUG_LENGTH
        ]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_organiser)
def series_new_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Plan a series in a season: the rule, then all its dates, of which some can be left out, then
    it is made."""
    form = SeriesForm(season, posted(request))
    context: dict[str, Any] = {
        "season": season,
        "form": form,
        "here": "events",
        "title": gettext("Plan a series"),
        "crumbs": desk_events_crumbs(season.club),
    }
    if request.method != "POST" or not form.is_valid():
        return club_page(request, season.club, "league/events/series/desk/series.html", **context)
    starts, dates_kept = form.found.starts, request.POST.getlist("on")
    context |= {
        "title": gettext("The dates of the series"),
        "dates": starts,
        "rule": rule_words(form.rule, get_language() or "en"),
        "notes": [note.translated(gettext) for note in form.found.notes],
        "kept": dates_kept or [start.date().isoformat() for start in starts],
    }
    if "sure" in request.POST:
        without = {start.date() for start in starts if start.date().isoformat() not in dates_kept}
        settings = form.settings() | {"without": without}
        if done(
            request, form, lambda _, actor: series_create(season=season, actor=actor, **settings)
        ):
            count = len(starts) - len(without)
            words = ngettext("%(count)d event is planned.", "%(count)d events are planned.", count)
            return redirect_saying(
                request, words % {"count": count}, "desk-events", season.club.slug
            )
    return club_page(request, season.club, "league/events/series/desk/series_dates.html", **context)
