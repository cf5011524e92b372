"""Copies: a season with its events' dates, an event again, its stages for later dates of a
series."""

from __future__ import annotations

from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from league.core.frame.forms import model_field
from league.core.frame.saying import redirect_saying
from league.core.frame.slug import slug_from
from league.core.viewer.web.confirmation import (
    Confirmation,
    ReasonForm,
    add_errors,
    posted,
    run_action,
)
from league.core.viewer.web.viewer import club_page, page_of
from league.counting.season_copy.domain import next_date, next_name
from league.counting.season_copy.services import (
    copied_days,
    event_copy,
    season_copy,
    season_dates,
    stages_spread,
)
from league.events.event.desk.event_form import ClubTimeField
from league.events.event.desk.page import (
    cockpit_url,
    desk_event_crumbs,
    event_desk_page,
    take_event_step,
)
from league.events.event.models import Event
from league.events.event.queries.access import event_for_club
from league.stages.stage.queries.stage import unplanned_dates
from league.standings.season.desk.season import desk_season_crumbs
from league.standings.season.desk.season_form import NextSeasonForm
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for_organiser


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_organiser)
def season_copy_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Copy a season with its events, after showing the new dates."""
    form = NextSeasonForm(season, posted(request))
    context: dict[str, Any] = {
        "season": season,
        "form": form,
        "here": "seasons",
        "title": gettext("Copy the season"),
        "crumbs": desk_season_crumbs(season.club, season),
    }
    template = "league/counting/season_copy/desk/season_copy.html"
    if request.method == "POST" and form.is_valid():
        settings = form.settings()
        if "sure" not in request.POST:
            try:
                context["dates"] = season_dates(season, settings["starts_on"])
                context["weeks"] = copied_days(season, settings["starts_on"]) // 7
                context["slug"] = settings["slug"]
                template = "league/counting/season_copy/desk/season_copied.html"
            except ValidationError as error:
                add_errors(form, error)
        elif run_action(
            request, form, lambda _, actor: season_copy(season=season, actor=actor, **settings)
        ):
            return redirect_saying(
                request,
                gettext("The new season is ready. Its events are drafts."),
                "desk-season",
                season.club.slug,
                settings["slug"],
            )
    return club_page(request, season.club, template, **context)


class AgainForm(forms.Form):
    """The new name and start of an event that is planned like an earlier one."""

    name = model_field(Event, "name")

    def __init__(self, event: Event, data: QueryDict | None) -> None:
        zone = ZoneInfo(event.club.timezone)
        starts_at = next_date(event, timezone.now())
        name = next_name(event.name, starts_at.astimezone(zone).year)
        super().__init__(data, initial={"name": name, "starts_at": starts_at})
        self.event = event
        self.fields["starts_at"] = model_field(
            Event, "starts_at", form_class=partial(ClubTimeField, zone)
        )

    def settings(self) -> dict[str, Any]:
        """Return the settings for `event_copy`."""
        name = self.cleaned_data["name"]
        return {
            **self.cleaned_data,
            "slug": slug_from(name, "", self.event.club.events, nameless="event"),
        }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_club)
def event_again_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Plan an event like this one: its settings and stages on another date; then ask who comes."""
    form = AgainForm(event, posted(request))
    if request.method == "POST" and form.is_valid():
        settings = form.settings()
        if run_action(
            request, form, lambda _, actor: event_copy(event=event, actor=actor, **settings)
        ):
            return redirect_saying(
                request,
                gettext("The event is ready as a draft that only organisers can see."),
                "desk-attendance",
                event.club.slug,
                settings["slug"],
            )
    return event_desk_page(
        request,
        event,
        "league/counting/season_copy/desk/event_again.html",
        crumbs=desk_event_crumbs(event, deeper=True),
        stages=event.stages.order_by("number"),
        form=form,
        back=cockpit_url(event),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_club)
def stages_spread_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Plan this event's stages for the later dates of its series, too."""
    count = len(unplanned_dates(event))
    names = ", ".join(event.stages.order_by("number").values_list("name", flat=True))
    words = ngettext(
        "%(count)d later date gets the stages planned here: %(stages)s.",
        "%(count)d later dates get the stages planned here: %(stages)s.",
        count,
    )
    step = Confirmation(
        title=gettext("Plan all later dates like this one"),
        effects=[
            words % {"count": count, "stages": names},
            gettext("Dates that already have a stage stay as they are."),
        ],
        button=gettext("Plan them"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: stages_spread(event=event, actor=actor),
        done=gettext("The later dates are planned."),
    )
    return take_event_step(request, event, step, crumbs=desk_event_crumbs(event, deeper=True))
