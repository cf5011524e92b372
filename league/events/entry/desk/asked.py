"""The requests to enter without an account, for organisers, with a confirmation link to hand on."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.frame.letter_link import public_address
from league.core.frame.numbers import whole_number
from league.core.viewer.web.viewer import club_page, or_404, page_of
from league.events.entry.queries.access import asked_by_mail
from league.events.entry.services.self_entry import entry_by_mail_link
from league.events.event.desk.page import desk_event_crumbs, desk_url, event_desk_page
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser

LISTED: Final = 100
"""The most requests listed, the latest ones."""


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def asked_page(request: HttpRequest, event: Event) -> HttpResponse:
    """List the unconfirmed requests; a POST makes a link for one of them and shows it once."""
    if request.method == "POST":
        return _new_link_page(request, event, request.POST.get("asked", ""))
    return event_desk_page(
        request,
        event,
        "league/events/entry/desk/asked.html",
        crumbs=desk_event_crumbs(event, deeper=True),
        asked=asked_by_mail(event)[:LISTED],
    )


def _new_link_page(request: HttpRequest, event: Event, request_id: str) -> HttpResponse:
    by_mail = or_404(asked_by_mail(event).get, pk=whole_number(request_id))
    token = or_404(entry_by_mail_link, by_mail=by_mail)
    words = gettext("Give this link to %(name)s. It confirms the entry, and opens it again later.")
    return club_page(
        request,
        event.club,
        "league/core/key/desk/secret.html",
        title=gettext("Link for %(name)s") % {"name": by_mail.name},
        text=words % {"name": by_mail.name},
        once=gettext("You’ll see this link only once, but you can make a new one."),
        secret=public_address(reverse("entry-by-mail", args=[token])),
        here="events",
        back=desk_url(event, "desk-entries-asked"),
        crumbs=desk_event_crumbs(event, deeper=True),
    )
