"""The page of labels: the club or town for which the entries of an event play, where several
meet.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.core.frame.forms import model_field, offer
from league.core.frame.name_key import NameKey
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import done, posted
from league.core.viewer.web.viewer import page_of
from league.events.entry.models import Entry
from league.events.entry.queries.entry import ACTIVE, labels_of
from league.events.entry.services.label import labels_set
from league.events.event.desk.page import desk_entries_crumbs, desk_url, event_desk_page
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser

PER_PAGE: Final = 200


class LabelForm(forms.Form):
    """A club or town, and the entries that play for it."""

    label = model_field(
        Entry,
        "label",
        help_text=gettext_lazy(
            "Everybody can see it. Leave it empty to remove it from the players you tick."
        ),
        widget=forms.TextInput(attrs={"list": "labels", "autocomplete": "off"}),
    )
    entries = forms.MultipleChoiceField(
        label=gettext_lazy("Who plays for it?"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Tick the players who play for it.")},
    )

    def __init__(self, entries: Iterable[Entry], data: QueryDict | None) -> None:
        super().__init__(data)
        self.people = {entry.public_id: entry for entry in entries}
        choices = [(public_id, _choice_label(entry)) for public_id, entry in self.people.items()]
        offer(self, "entries", choices)


def _choice_label(entry: Entry) -> str:
    if not entry.label:
        return entry.player.name
    return f"{entry.player.name} · {entry.label}"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def labels_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Set the club or town of the ticked entries. Entries without one are listed first."""
    active = Entry.objects.filter(event=event, status__in=ACTIVE).select_related("player")
    entries = active.order_by(NameKey("label"), "player__name_key", "number")
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    form = LabelForm(page, posted(request))
    if form.is_valid() and done(
        request, form, lambda cleaned, actor: _set_labels(event, form, cleaned, actor)
    ):
        return redirect_saying(request, _result_words(form.cleaned_data), request.path)
    return event_desk_page(
        request,
        event,
        "league/events/entry/desk/labels.html",
        crumbs=desk_entries_crumbs(event),
        form=form,
        page=page,
        labels=labels_of(event),
        back=desk_url(event, "desk-entries"),
    )


def _set_labels(event: Event, form: LabelForm, cleaned: dict[str, Any], actor: Actor) -> None:
    entries = [form.people[public_id] for public_id in cleaned["entries"]]
    labels_set(event=event, entries=entries, label=cleaned["label"], actor=actor)


def _result_words(cleaned: dict[str, Any]) -> str:
    count = len(cleaned["entries"])
    if not cleaned["label"]:
        return gettext("They no longer play for a club or town.")
    words = ngettext(
        "%(count)d player plays for %(label)s.", "%(count)d players play for %(label)s.", count
    )
    return words % {"count": count, "label": cleaned["label"]}
