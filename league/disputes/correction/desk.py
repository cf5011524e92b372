"""The desk page that says for whom an entry counts, with a preview of what that changes."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import posted, run_action
from league.core.viewer.web.viewer import page_of
from league.disputes.correction.queries.counts import CountsEffect, counts_effect
from league.events.entry.models import Entry
from league.events.entry.queries.access import entry_for_organiser
from league.events.entry.services.entry import entry_change
from league.events.event.desk.page import desk_event_crumbs, desk_url, event_desk_page
from league.floor.check_in.desk.entry import CountsForm, entry_url


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(entry_for_organiser)
def entry_counts_page(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Store for whom an entry counts: at once if nothing changes in the season, otherwise after a
    page that shows the changes."""
    form = CountsForm(entry, posted(request))
    effect = CountsEffect(table=None, events=())
    if form.is_valid():
        settings = {name: form.cleaned_data[name] for name in ("guest", "substitutes")}
        effect = counts_effect(entry=entry, **settings)
        is_confirmed = "sure" in request.POST or not effect.changed

        def store(cleaned: dict[str, Any], actor: Actor) -> object:
            return entry_change(entry=entry, actor=actor, **settings)

        if is_confirmed and run_action(request, form, store):
            message = gettext("Saved.")
            if effect.changed:
                message = gettext("Saved. The season’s table will update in a moment.")
            return redirect_saying(request, message, entry_url(entry))
    return event_desk_page(
        request,
        entry.event,
        "league/disputes/correction/desk/counts.html",
        crumbs=desk_event_crumbs(
            entry.event,
            (gettext("Entries"), desk_url(entry.event, "desk-entries")),
            (entry.player.name, entry_url(entry)),
        ),
        entry=entry,
        form=form,
        effect=effect if form.is_valid() else None,
        back=entry_url(entry),
    )
