"""Claimed players at an event, for those who check in: the code for the wall, waiting phones, and
tapped names.
"""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.core.claim.services import claim_end
from league.core.frame.letter_link import public_address
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import run_button_action
from league.core.viewer.web.viewer import or_404, page_of, viewer_of
from league.events.event.desk.page import desk_event_crumbs, event_desk_page
from league.events.event.models import Event
from league.events.event.queries.access import event_for_scorer
from league.events.wall_list.models import ClaimRequest
from league.events.wall_list.queries import claim_request_for_scorer, requests_waiting, tapped_at
from league.events.wall_list.services import (
    claim_request_approve,
    claim_request_refuse,
    wall_code,
    wall_code_renew,
)

LISTED: Final = 100


def wall_address(event: Event) -> str:
    """Return the address that the code on the wall opens."""
    return public_address(
        reverse("event-wall", args=[event.club.slug, event.slug, wall_code(event).code])
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_scorer)
def event_claims_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the code for the wall, waiting phones and tapped names. `do=renew` makes another code;
    `claim` frees a name, for organisers of the event.
    """
    if event.over:
        return redirect("desk-event", event.club.slug, event.slug)
    manages = request.user.has_perm("league.manage_event", event)
    if request.method == "POST":
        if request.POST.get("do") == "renew":
            _renew_code(request, event)
        elif manages:
            _free_name(request, event, request.POST.get("claim", ""))
        else:
            raise Http404
        return redirect("desk-claims", event.club.slug, event.slug)
    return event_desk_page(
        request,
        event,
        "league/events/wall_list/desk/claims.html",
        crumbs=desk_event_crumbs(event, deeper=True),
        wall=wall_address(event),
        waiting=requests_waiting(event)[:LISTED],
        taken=tapped_at(event)[:LISTED],
        manages=manages,
    )


def _renew_code(request: HttpRequest, event: Event) -> None:
    if run_button_action(request, lambda actor: wall_code_renew(event=event, actor=actor)):
        words = gettext(
            "There’s a new code: put it up. Anybody who scans the old one needs your approval."
        )
        messages.success(request, words)


def _free_name(request: HttpRequest, event: Event, claim_id: str) -> None:
    claim = or_404(tapped_at(event).get, public_id=claim_id)
    if claim_end(claim=claim, actor=Actor(request.user.pk)):
        messages.success(
            request, gettext("%(name)s can be tapped again.") % {"name": claim.player.name}
        )


@login_required
@require_POST
def claim_request_step(
    request: HttpRequest, club_slug: str, event_slug: str, request_id: str
) -> HttpResponse:
    """Let a waiting phone be the player (`do=approve`), or refuse it. An answer that was given
    before stays.
    """
    viewer = viewer_of(request)
    event = or_404(event_for_scorer, viewer, club_slug, event_slug)
    try:
        claim_request = claim_request_for_scorer(viewer, club_slug, event_slug, request_id)
    except ClaimRequest.DoesNotExist:
        explanation = gettext(
            "This phone is no longer waiting: somebody has already decided, or the name is taken."
        )
        messages.info(request, explanation)
        return redirect("desk-claims", event.club.slug, event.slug)
    if request.POST.get("do") == "approve":
        _approve(request, claim_request)
    else:
        _refuse(request, claim_request)
    return redirect("desk-claims", event.club.slug, event.slug)


def _approve(request: HttpRequest, claim_request: ClaimRequest) -> None:
    names = {"name": claim_request.entry.player.name, "sign": claim_request.sign}
    if run_button_action(
        request, lambda actor: claim_request_approve(claim_request=claim_request, actor=actor)
    ):
        messages.success(request, gettext("Phone %(sign)s is now %(name)s.") % names)


def _refuse(request: HttpRequest, claim_request: ClaimRequest) -> None:
    names = {"name": claim_request.entry.player.name, "sign": claim_request.sign}
    if run_button_action(
        request, lambda actor: claim_request_refuse(claim_request=claim_request, actor=actor)
    ):
        messages.success(request, gettext("Phone %(sign)s is refused.") % names)
