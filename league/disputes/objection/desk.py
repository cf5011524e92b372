"""The desk pages of open cases, of a club and of an event, for those who rule on them."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.core.club.models import Club
from league.core.viewer.queries.access import club_for_arbiter
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, page_of
from league.disputes.appeal.queries import appeals_open
from league.disputes.hearing.queries import hearings_open
from league.disputes.objection.models import Objection
from league.disputes.objection.queries.objection import (
    objection_rows,
    open_of_club,
    open_of_event,
)
from league.events.event.desk.page import desk_event_crumbs
from league.events.event.models import Event
from league.events.event.queries.access import event_for_arbiter

CASES_PER_PAGE: Final = 50


@login_required
@require_safe
@page_of(club_for_arbiter)
def objection_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the open objections, hearings and appeals of a club to its arbiters and organisers.
    `?page=2` turns the page of the objections, `?hearings=2` and `?appeals=2` those of the
    others."""
    of_club = Q(season_game__season__club=club)
    return _objections_page(
        request, club, open_of_club(club), of_club, here="objections", crumbs=desk_crumbs(club)
    )


@login_required
@require_safe
@page_of(event_for_arbiter)
def event_objection_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the open objections, hearings and appeals of an event, also to those who are arbiters at
    this event alone. `?page=2` turns the page of the objections, `?hearings=2` and `?appeals=2`
    those of the others."""
    crumbs = desk_event_crumbs(event, deeper=True)
    of_event = Q(table_game__table__stage_round__stage__event=event)
    return _objections_page(
        request,
        event.club,
        open_of_event(event),
        of_event,
        here="events",
        crumbs=crumbs,
        event=event,
    )


def _objections_page(
    request: HttpRequest, club: Club, objections: QuerySet[Objection], games: Q, **context: object
) -> HttpResponse:
    """Render pages of these objections, and of the open hearings and appeals about the games that
    fulfil the condition `games`."""
    lists: dict[str, QuerySet[Any, Any]] = {
        "page": objection_rows(objections),
        "hearings": hearings_open(games),
        "appeals": appeals_open(games).prefetch_related("drafts"),
    }
    for parameter, rows in lists.items():
        context[parameter] = Paginator(rows, CASES_PER_PAGE).get_page(request.GET.get(parameter))
    return club_page(request, club, "league/disputes/objection/desk/objections.html", **context)
