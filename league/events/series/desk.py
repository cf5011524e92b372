"""Planning a series of events: its dates are shown before it is created."""

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
    """The first date of a series, and the rule for the others.

    Once it is valid, `rule` is the rule as text, and `dates` are its dates.
    """

    rule: str
    dates: SeriesDates

    name = model_field(Event, "name", max_length=NAME_LENGTH)
    slug = slug_field(SLUG_LENGTH)
    every = forms.IntegerField(
        label=gettext_lazy("Weeks between dates"), min_value=1, max_value=MOST_WEEKS, initial=1
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Weekdays"),
        help_text=gettext_lazy("Choose none to use the weekday of the first date."),
        choices=[(str(day), name) for day, name in WEEKDAYS.items()],
        widget=forms.CheckboxSelectMultiple,
        coerce=int,
        required=False,
    )
    until = forms.DateField(
        label=gettext_lazy("Until"),
        help_text=gettext_lazy("The last possible day for a date."),
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
        self.fields["starts_at"].label = gettext("Start of the first date")
        if season.ends_on:
            self.fields["until"].initial = season.ends_on
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        """Compute the rule and its dates. Raise `ValidationError` if the series is impossible."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        starts_at = cleaned["starts_at"]
        first = starts_at.astimezone(ZoneInfo(self.club.timezone))
        days = set(cleaned["weekdays"]) or {first.weekday()}
        try:
            self.rule = rule_of(cleaned["every"], days, until=cleaned["until"])
        except BadSeries as bad:
            raise ValidationError(bad.message.translated(gettext)) from bad
        self.dates = series_dates(club=self.club, rule=self.rule, starts_at=starts_at)
        return cleaned

    def settings(self) -> dict[str, Any]:
        """Return the arguments of `series_create`, except for `without`: the days to leave out are
        chosen on the next page."""
        settings = super().settings()
        settings["rule"] = self.rule
        settings["slug"] = self.cleaned_data["slug"] or self._slug()
        return settings

    def _slug(self) -> str:
        no_events = self.club.events.none()  # dates are added to the slug, so that any is free
        slug = slug_from(self.cleaned_data["name"], "", no_events, nameless="event")
        return slug[:SLUG_LENGTH]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_organiser)
def series_new_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Plan a series in a season: first the rule, then all its dates, of which some can be left out,
    then create it.
    """
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

    starts = form.dates.starts
    days = [start.date().isoformat() for start in starts]
    kept_days = request.POST.getlist("on")
    context["title"] = gettext("Dates of the series")
    context["dates"] = starts
    context["rule"] = rule_words(form.rule, get_language() or "en")
    context["notes"] = [note.translated(gettext) for note in form.dates.notes]
    context["kept"] = kept_days or days

    if "sure" in request.POST:
        without = {start.date() for start in starts if start.date().isoformat() not in kept_days}
        settings = {**form.settings(), "without": without}
        if done(
            request, form, lambda _, actor: series_create(season=season, actor=actor, **settings)
        ):
            count = len(starts) - len(without)
            words = ngettext("%(count)d event is planned.", "%(count)d events are planned.", count)
            return redirect_saying(
                request, words % {"count": count}, "desk-events", season.club.slug
            )
    return club_page(request, season.club, "league/events/series/desk/series_dates.html", **context)
