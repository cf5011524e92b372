"""The events of a club for its organisers: the list, a new event, and the settings of an event."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from games.models.game import Kind
from league.core.club.models import Club
from league.core.frame.name_key import NameKey
from league.core.frame.saying import redirect_saying
from league.core.viewer.queries.access import club_for_organiser
from league.core.viewer.web.confirmation import posted, run_action, sure
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, or_404, page_of
from league.events.event.desk.event_effects import event_effects
from league.events.event.desk.event_form import AloneForm, EventSettingsForm
from league.events.event.desk.page import cockpit_url, desk_event_crumbs, desk_events_crumbs
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser
from league.events.event.queries.event import coming, past, with_counts
from league.events.event.services import event_change, event_create
from league.events.series.queries import later_events
from league.events.series.services import series_change
from league.standings.season.models import Season

EVENTS_PER_PAGE: Final = 30
MOST_COMING: Final = 200
SEASONS_OFFERED: Final = 12


@login_required
@require_safe
@page_of(club_for_organiser)
def event_desk_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Show all events of the club: coming ones, then past ones by pages (`?page=`), with possible
    actions.
    """
    events = with_counts(Event.objects.filter(club=club))
    page = Paginator(past(events), EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    return club_page(
        request,
        club,
        "league/events/event/desk/events.html",
        coming=list(coming(events)[:MOST_COMING]) if page.number == 1 else [],
        page=page,
        here="events",
        crumbs=desk_crumbs(club),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(club_for_organiser)
def event_new_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Plan an event. First choose its season (`?season=`), or the game of an event that stands
    alone (`?kind=`).
    """
    season = _chosen_season(request, club)
    kind = request.GET.get("kind", "")
    if season is None and kind not in Kind.values:
        return _season_choice_page(request, club)

    form = EventSettingsForm(club, posted(request))
    alone = AloneForm(kind, posted(request)) if season is None else None
    if request.method == "POST" and form.is_valid() and (alone is None or alone.is_valid()):
        settings = form.settings()
        if alone is not None:
            settings["kind"] = alone.settings()
        if run_action(
            request,
            form,
            lambda _, actor: event_create(club=club, season=season, actor=actor, **settings),
        ):
            return redirect_saying(
                request,
                gettext("The event is ready as a draft that only organisers can see."),
                "desk-event",
                club.slug,
                settings["slug"],
            )
    return club_page(
        request,
        club,
        "league/events/event/desk/event_settings.html",
        form=form,
        alone=alone,
        season=season,
        here="events",
        crumbs=desk_events_crumbs(club),
    )


def _chosen_season(request: HttpRequest, club: Club) -> Season | None:
    slug = request.GET.get("season", "")
    if not slug:
        return None
    return or_404(Season.objects.get, club=club, slug=slug)


def _season_choice_page(request: HttpRequest, club: Club) -> HttpResponse:
    seasons = Season.objects.filter(club=club, archived=False).exclude(events__alone=True)
    return club_page(
        request,
        club,
        "league/events/event/desk/event_season.html",
        seasons=seasons.order_by("-starts_on", NameKey("name"))[:SEASONS_OFFERED],
        kinds=Kind.choices,
        here="events",
        crumbs=desk_events_crumbs(club),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def event_settings_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Change an event, and all later ones of its series if wished. The effects are shown before
    they happen.
    """
    manages_club = request.user.has_perm("league.manage_club", event.club)
    later = later_events(event) if manages_club else []
    form = EventSettingsForm(event.club, posted(request), event=event, later=len(later))
    context = {
        "event": event,
        "form": form,
        "here": "events",
        "crumbs": desk_event_crumbs(event, deeper=True),
        "back": cockpit_url(event),
    }
    if request.method == "POST" and form.is_valid():
        settings = form.settings()
        touched = [event, *later] if form.cleaned_data.get("later") else [event]
        effects = sure(request, event_effects(event, settings, touched))
        if effects:
            return club_page(
                request,
                event.club,
                "league/standings/season/desk/sure.html",
                **context,
                effects=effects,
            )
        change = series_change if len(touched) > 1 else event_change
        if run_action(request, form, lambda _, actor: change(event=event, actor=actor, **settings)):
            return redirect_saying(
                request,
                gettext("Settings saved."),
                "desk-event",
                event.club.slug,
                settings["slug"],
            )
    return club_page(request, event.club, "league/events/event/desk/event_settings.html", **context)
