"""The public pages of rulings, for everybody who may see the games."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from league.core.club.models import Club
from league.core.viewer.queries.access import club_for
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import club_page, page_of, viewer_of
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.queries import appeal_until, may_withdraw
from league.disputes.objection.queries.objection import own_seat_of
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.queries import changes_in_names, ruling_for, rulings_of, rulings_seen

RULINGS_PER_PAGE: Final = 30


@require_safe
@page_of(club_for)
def ruling_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the rulings of a club on games that the reader may see, the newest first, a page
    (`?page=`) at a time."""
    rulings = rulings_seen(viewer_of(request), club)
    page = Paginator(rulings, RULINGS_PER_PAGE).get_page(request.GET.get("page"))
    return club_page(
        request,
        club,
        "league/disputes/ruling/ruling_list.html",
        page=page,
        crumbs=club_crumbs(club),
    )


@require_safe
@page_of(ruling_for)
def ruling_detail(request: HttpRequest, ruling: Ruling) -> HttpResponse:
    """Show one ruling: the facts found, the rule, the reason, and what it changed."""
    club = ruling.club
    now = timezone.now()
    until = appeal_until(ruling)
    appeal = Appeal.objects.filter(ruling=ruling).select_related("end__ruling").first()
    is_open = (
        appeal is None
        and until is not None
        and now <= until
        and ruling == rulings_of(ruling.game).last()
    )
    return club_page(
        request,
        club,
        "league/disputes/ruling/ruling_detail.html",
        ruling=ruling,
        changes=changes_in_names(ruling),
        appeal=appeal,
        until=until if is_open else None,
        can_appeal=is_open and _can_appeal(request, ruling),
        may_withdraw=appeal is not None and may_withdraw(request.user, appeal),
        authors=authors_of(request.user, club, [ruling.ruled_by, ruling.seconded_by]),
        may_rule=request.user.has_perm("league.rule_on_game", ruling.outcome),
        crumbs=[
            *club_crumbs(club),
            (gettext("Rulings"), reverse("club-rulings", args=[club.slug])),
        ],
    )


def _can_appeal(request: HttpRequest, ruling: Ruling) -> bool:
    if not request.user.is_authenticated:
        return False
    own_seat = own_seat_of(ruling.outcome, request.user.pk)
    return own_seat is not None or request.user.has_perm("league.rule_on_game", ruling.outcome)
