"""The desk page on which organisers write to all players who have a place in an event."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from league.core.frame.forms import model_field
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import run_action
from league.core.viewer.web.viewer import club_page, page_of
from league.events.event.desk.page import desk_event_crumbs
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser
from league.notices.message.models import EventMessage
from league.notices.message.services import MOST_A_DAY, message_send
from league.notices.notice.queries.notice import messages_of, reached


class MessageForm(forms.Form):
    """A message before it is sent; its limits are those of `EventMessage`."""

    subject = model_field(EventMessage, "subject", label=gettext_lazy("Subject"))
    text = model_field(
        EventMessage,
        "text",
        label=gettext_lazy("Text"),
        help_text=gettext_lazy("Plain text. Everybody who has a place will get it."),
        widget=forms.Textarea(attrs={"rows": 6}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def event_notices_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the form for a message, then how many people it reaches, and send it once that is
    confirmed (`sure`)."""
    form = MessageForm(request.POST or None)
    is_ready = request.method == "POST" and form.is_valid() and "back" not in request.POST
    if is_ready and "sure" in request.POST:
        if run_action(request, form, partial(_send, event)):
            sent_message = gettext("The message is on its way.")
            listed_message = gettext(
                "Everybody with an account finds the message in their notifications."
            )
            return redirect_saying(
                request,
                sent_message if settings.MAIL_LEAVES else listed_message,
                "desk-event-notices",
                event.club.slug,
                event.slug,
            )
        is_ready = False
    context = {
        "event": event,
        "form": form,
        "reached": reached(event),
        "sent": messages_of(event),
        "most": MOST_A_DAY,
        "here": "events",
        "crumbs": desk_event_crumbs(event, deeper=True),
    }
    template = "league/notices/message/desk/event_notices.html"
    if is_ready:
        template = "league/notices/message/desk/event_message.html"
    return club_page(request, event.club, template, **context)


def _send(event: Event, cleaned: dict[str, Any], actor: Actor) -> object:
    return message_send(event=event, actor=actor, **cleaned)
