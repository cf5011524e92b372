"""The organisers' pages of how a season's events count, and of its divisions."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.core.frame.saying import redirect_saying
from league.core.viewer.web.confirmation import run_action
from league.core.viewer.web.viewer import PageContext, club_page, page_of
from league.counting.event_counting.desk.counting_form import CountingForm, DivisionsForm
from league.counting.event_counting.queries import counting_of, divisions_of
from league.counting.event_counting.services import counting_change, divisions_set
from league.standings.season.desk.season import desk_season_crumbs
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for_organiser


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_organiser)
def counting_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Choose whether and how the events of a season count together."""
    form = CountingForm(counting_of(season), request.POST or None)
    if (
        request.method == "POST"
        and form.is_valid()
        and run_action(
            request,
            form,
            lambda cleaned, actor: counting_change(season=season, actor=actor, **form.settings()),
        )
    ):
        return redirect_saying(
            request,
            gettext("Events count this way from now on."),
            "desk-season-counting",
            season.club.slug,
            season.slug,
        )
    return _season_page(
        request,
        season,
        "league/counting/event_counting/desk/counting.html",
        form=form,
        title=gettext("How events count"),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_organiser)
def divisions_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Set the divisions of a season, their players, and how many go up and down."""
    form = DivisionsForm(season, divisions_of(season), request.POST or None)
    if (
        request.method == "POST"
        and form.is_valid()
        and run_action(
            request,
            form,
            lambda cleaned, actor: divisions_set(season=season, actor=actor, **form.settings()),
        )
    ):
        return redirect_saying(
            request,
            gettext("The divisions are saved."),
            "desk-season-divisions",
            season.club.slug,
            season.slug,
        )
    return _season_page(
        request,
        season,
        "league/counting/event_counting/desk/divisions.html",
        form=form,
        title=gettext("Divisions"),
    )


def _season_page(
    request: HttpRequest, season: Season, template: str, **context: object
) -> HttpResponse:
    shared_context: PageContext = {
        "season": season,
        "here": "seasons",
        "crumbs": desk_season_crumbs(season.club, season),
    }
    return club_page(request, season.club, template, **shared_context, **context)
