"""The attendance page: tick regulars and type names, to enter and check them in at once."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.core.frame.forms import offer
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.confirmation import done, posted
from league.core.viewer.web.viewer import club_page, page_of
from league.events.entry.desk.entry_list import preview_parts
from league.events.entry.domain.entry_file import (
    MOST_BYTES,
    EntryFile,
    FileRefused,
    ListRow,
    read_names,
)
from league.events.entry.queries.entry import regulars
from league.events.entry.services.entry_list import (
    ListPreview,
    attendance_note,
    entry_list_enter,
    entry_list_preview,
    handles_of,
)
from league.events.event.desk.page import cockpit_url, desk_event_crumbs
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser


class AttendanceForm(forms.Form):
    """The players who come: `players` are ticked, `names` are typed; with `here` they are checked
    in, too.
    """

    players = forms.MultipleChoiceField(
        label=gettext_lazy("Regulars"), required=False, widget=forms.CheckboxSelectMultiple
    )
    names = forms.CharField(
        label=gettext_lazy("Others"),
        help_text=gettext_lazy(
            "One name per line, or separated by commas. New names become players of the club."
        ),
        max_length=MOST_BYTES // 4,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    here = forms.BooleanField(
        label=gettext_lazy("They are here: check them in"), required=False, initial=True
    )

    def __init__(self, event: Event, data: QueryDict | None) -> None:
        super().__init__(data)
        self.event = event
        people = regulars(event)
        self.regulars = {regular.player.public_id: regular for regular in people}
        choices = [(regular.player.public_id, regular.player.name) for regular in people]
        offer(self, "players", choices)
        self.fields["players"].initial = [
            regular.player.public_id for regular in people if regular.was_last
        ]
        if not people:
            del self.fields["players"]

    def clean_names(self) -> EntryFile:
        """Return the typed names, with handles for players of the club. Raise `ValidationError`."""
        try:
            return handles_of(self.event.club_id, read_names(self.cleaned_data["names"]))
        except FileRefused as refused:
            raise forms.ValidationError(str(refused)) from refused

    def clean(self) -> dict[str, Any]:
        """Add `file`, the list of all ticked and typed players. Raise `ValidationError` if it is
        empty.
        """
        cleaned = super().clean() or {}
        typed: EntryFile = cleaned.get("names") or EntryFile(rows=(), bad=())
        ticked = []
        for line, player_id in enumerate(cleaned.get("players", ()), start=len(typed.rows) + 1):
            regular = self.regulars[player_id]
            handle = regular.player.handle
            ticked.append(ListRow(line, handle, name=handle, guest=False, label=regular.label))
        if not ticked and not typed.rows and not self.errors:
            raise forms.ValidationError(gettext("Tick somebody, or type a name."))
        cleaned["file"] = EntryFile((*ticked, *typed.rows), typed.bad)
        return cleaned


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def attendance_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter the players who come. If a name can't be read or looks like a known one, ask first."""
    form = AttendanceForm(event, posted(request))
    context: dict[str, Any] = {
        "event": event,
        "form": form,
        "here": "events",
        "crumbs": desk_event_crumbs(event, deeper=True),
        "back": cockpit_url(event),
    }
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        checks_in = form.cleaned_data["here"]
        preview = entry_list_preview(event=event, file=file)
        if (preview.bad or preview.lookalikes) and "sure" not in request.POST:
            context["preview"] = preview
            context["parts"] = preview_parts(preview)
        else:
            service = attendance_note if checks_in else entry_list_enter
            if done(request, form, lambda _, actor: service(event=event, file=file, actor=actor)):
                words = _result_words(preview, checked_in=checks_in)
                return redirect_saying(request, words, cockpit_url(event))
    return club_page(request, event.club, "league/events/entry/desk/attendance.html", **context)


def _result_words(preview: ListPreview, *, checked_in: bool) -> str:
    count = len(preview.new)
    if checked_in:
        count += len(preview.entered)
        words = ngettext(
            "%(count)d player is checked in.", "%(count)d players are checked in.", count
        )
    else:
        words = ngettext("%(count)d player is entered.", "%(count)d players are entered.", count)
    sentences = [words % {"count": count}]
    if preview.waits:
        waits = ngettext(
            "%(count)d player is waiting for a place.",
            "%(count)d players are waiting for a place.",
            preview.waits,
        )
        sentences.append(waits % {"count": preview.waits})
    return " ".join(sentences)
