"""The list of an event on which somebody who was checked in taps the own name: this phone is that player then."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.clubs.web.confirmation import posted
from league.clubs.web.viewer import club_page, page_of
from league.entries.models import Entry
from league.entries.queries.entry import entries_unclaimed
from league.events.models import Event
from league.events.queries.access import event_for
from league.events.web.crumbs import below_event_crumbs
from league.frame.letter_link import public_address
from league.people.models import Claim
from league.people.web.claim import ClaimForm, claim_answer


class ClaimOnListForm(ClaimForm):
    """The entry whose name somebody taps: of those who were checked in."""

    entry: forms.ModelChoiceField[Entry] = forms.ModelChoiceField(
        None,
        to_field_name="public_id",
        error_messages={"invalid_choice": gettext_lazy("This name was taken meanwhile, or isn’t checked in.")},
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for)
def event_claim_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Tap the own name on an event's list; an event that is over has none. Organisers see the code for the wall."""
    if event.over:
        return redirect("event", event.club.slug, event.slug)
    entries = entries_unclaimed(event)
    form = ClaimOnListForm(posted(request))
    form.fields["entry"].queryset = entries  # type: ignore[attr-defined]
    player = form.cleaned_data["entry"].player if form.is_valid() else None
    if answer := claim_answer(request, form, Claim.Way.LIST, player):
        return answer
    return club_page(
        request,
        event.club,
        "league/entries/claim.html",
        event=event,
        entries=entries,
        form=form,
        wall=public_address(reverse("event-claim", args=[event.club.slug, event.slug])),
        works=request.user.has_perm("league.enter_event", event),
        crumbs=below_event_crumbs(event),
    )
