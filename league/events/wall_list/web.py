"""The list of an event on which a checked-in player taps their own name, so that the phone becomes
that player.

With the code of the wall this happens at once; without it, somebody who checks in there has to
approve it.
"""

from __future__ import annotations

from typing import Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.claim.models import Claim
from league.core.claim.queries import claim_of_digest
from league.core.claim.web import ClaimForm, account_of, claim_answer, claim_welcome
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.confirmation import done, posted
from league.core.viewer.web.viewer import club_page, page_of, viewer_of
from league.events.entry.models import Entry
from league.events.entry.queries.entry import entries_unclaimed
from league.events.event.models import Event
from league.events.event.queries.access import event_for
from league.events.event.web import event_crumbs
from league.events.wall_list.models import ClaimRequest, WallCode
from league.events.wall_list.queries import event_for_wall, request_of_key
from league.events.wall_list.services import claim_request_drop, claim_request_make

SESSION_KEYS: Final = "claim_keys"
"""The session key under which a browser keeps the keys of its requests, by the public ids of
events.
"""


class ClaimOnListForm(ClaimForm):
    """The checked-in entry whose name was tapped."""

    entry: forms.ModelChoiceField[Entry] = forms.ModelChoiceField(
        None,
        to_field_name="public_id",
        error_messages={
            "invalid_choice": gettext_lazy(
                "Somebody else has taken this name, or it isn’t checked in."
            )
        },
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def event_wall_page(
    request: HttpRequest, club_slug: str, event_slug: str, code: str
) -> HttpResponse:
    """Tap your own name on the list that the wall's code opens, and become that player. An old code
    leads to the list without a code.
    """
    viewer = viewer_of(request)
    try:
        event = event_for_wall(viewer, club_slug, event_slug, code)
    except (Event.DoesNotExist, WallCode.DoesNotExist):
        words = gettext(
            "This code is no longer valid. Scan the one on the wall now, or tap your name here "
            "and wait."
        )
        return redirect_saying(
            request, words, "event-claim", club_slug, event_slug, level=messages.WARNING
        )
    if event.over:
        return redirect("event", club_slug, event_slug)
    form = _list_form(request, event)
    player = form.cleaned_data["entry"].player if form.is_valid() else None
    claim_response = claim_answer(request, form, Claim.Way.LIST, player)
    return claim_response or _list_page(request, event, form, by_code=True)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for)
def event_claim_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Tap your own name on an event's list without the wall's code, and see how the phone waits for
    the organisers. An event that is over has no list.
    """
    if event.over:
        return redirect("event", event.club.slug, event.slug)
    keys: dict[str, str] = request.session.get(SESSION_KEYS, {})
    earlier_key = keys.get(event.public_id, "")
    claim_request = request_of_key(event, earlier_key)
    if claim_request is not None:
        return _request_page(request, event, claim_request)

    form = _list_form(request, event)
    if form.is_valid():
        entry = form.cleaned_data["entry"]
        entry.event = event
        new_key = form.cleaned_data["key"]
        make = {
            "entry": entry,
            "user": account_of(request),
            "key": new_key,
            "earlier_key": earlier_key,
        }
        if done(request, form, lambda cleaned, actor: claim_request_make(**make)):
            request.session[SESSION_KEYS] = {**keys, event.public_id: new_key}
            return redirect("event-claim", event.club.slug, event.slug)
    return _list_page(request, event, form, by_code=False)


def _list_form(request: HttpRequest, event: Event) -> ClaimOnListForm:
    form = ClaimOnListForm(posted(request))
    form.fields["entry"].queryset = entries_unclaimed(event)  # type: ignore[attr-defined]
    return form


def _list_page(
    request: HttpRequest, event: Event, form: ClaimOnListForm, *, by_code: bool
) -> HttpResponse:
    """Show the checked-in entries of players without an account, to tap one's own name. `by_code`:
    the wall's code was scanned, so a tap needs no approval."""
    return club_page(
        request,
        event.club,
        "league/events/wall_list/claim.html",
        event=event,
        entries=entries_unclaimed(event),
        form=form,
        by_code=by_code,
        crumbs=event_crumbs(event),
    )


def _request_page(request: HttpRequest, event: Event, claim_request: ClaimRequest) -> HttpResponse:
    claim = claim_of_digest(claim_request.key)
    if claim is not None:
        if request.headers.get("HX-Request"):
            return HttpResponse(headers={"HX-Redirect": request.path})
        return claim_welcome(request, claim)
    if request.method == "POST":
        claim_request_drop(claim_request=claim_request)
        return redirect("event-claim", event.club.slug, event.slug)
    is_free = entries_unclaimed(event).filter(pk=claim_request.entry_id).exists()
    return club_page(
        request,
        event.club,
        "league/events/wall_list/claim_asked.html",
        event=event,
        asked=claim_request,
        waits=is_free and claim_request.status == ClaimRequest.Status.WAITING,
        crumbs=event_crumbs(event),
    )
