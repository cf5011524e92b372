"""Uploading a list of entries: first a preview, then the entries. The list itself isn't stored."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.log.services import Actor
from league.core.player.queries.lookalike import Lookalike
from league.core.viewer.web.confirmation import posted, run_action
from league.core.viewer.web.viewer import page_of
from league.events.entry.domain.entry_file import (
    MOST_BYTES,
    EntryFile,
    FileRefused,
    ListRow,
    decoded,
    read_entries,
)
from league.events.entry.services.entry_list import (
    ListPreview,
    entry_list_enter,
    entry_list_preview,
)
from league.events.event.desk.page import desk_entries_crumbs, desk_url, event_desk_page
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser

LISTED = 50
"""How many rows of each kind the preview names."""


class ListForm(forms.Form):
    """A list of entries: a file, or the text of one that was previewed before."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "A CSV file, as saved by a spreadsheet. Its first line names the columns: handle, "
            "name, guest, club."
        ),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv,text/plain"}),
    )
    text = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Add the list as `read`, and its `text` to be sent again."""
        cleaned = super().clean() or {}
        file: UploadedFile[bytes] | None = cleaned.get("file")
        if not file and not cleaned.get("text"):
            raise forms.ValidationError({"file": gettext("Choose a file first.")})
        try:
            if file:
                cleaned["text"] = decoded(file.read(MOST_BYTES + 1))
            cleaned["read"] = read_entries(cleaned["text"])
        except FileRefused as refused:
            raise forms.ValidationError({"file": str(refused)}) from None
        return cleaned


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def entry_list_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Upload a list, preview its effects, and confirm it."""
    form = ListForm(posted(request), request.FILES or None)
    context: dict[str, Any] = {"form": form, "preview": None, "parts": [], "text": ""}
    if request.method == "POST" and form.is_valid():
        file: EntryFile = form.cleaned_data["read"]
        if "sure" not in request.POST:
            preview = entry_list_preview(event=event, file=file)
            context["preview"] = preview
            context["parts"] = preview_parts(preview)
            context["text"] = form.cleaned_data["text"]
        elif run_action(
            request, form, lambda cleaned, actor: _enter_list(request, event, file, actor)
        ):
            return redirect(desk_url(event, "desk-entries"))
    return event_desk_page(
        request,
        event,
        "league/events/entry/desk/entry_list.html",
        crumbs=desk_entries_crumbs(event),
        back=desk_url(event, "desk-entries"),
        **context,
    )


def _enter_list(request: HttpRequest, event: Event, file: EntryFile, actor: Actor) -> None:
    count = len(entry_list_enter(event=event, file=file, actor=actor).new)
    words = ngettext(
        "%(count)d player entered from the list.",
        "%(count)d players entered from the list.",
        count,
    )
    messages.success(request, words % {"count": count})


def preview_parts(preview: ListPreview) -> list[tuple[str, list[str], int]]:
    """Return the parts of a preview: a heading, the first names or lines, and the number of all."""
    known = [row.name for row in preview.known]
    unknown = [_name_with_handle(row) for row in preview.unknown]
    alike = [_alike(lookalike) for lookalike in preview.lookalikes]
    entered = [row.name for row in preview.entered]
    double = [_line(row.line, row.name) for row in preview.double]
    bad = [_line(row.line, row.why) for row in preview.bad]
    parts = [
        (gettext("Players of the club"), known),
        (gettext("Unknown, so added as new players"), unknown),
        (gettext("New handles that look like others (are they the same people?)"), alike),
        (gettext("Already entered, unchanged"), entered),
        (gettext("Listed twice and skipped"), double),
        (gettext("Unreadable and skipped"), bad),
    ]
    return [(heading, lines[:LISTED], len(lines)) for heading, lines in parts if lines]


def _name_with_handle(row: ListRow) -> str:
    if row.name == row.handle:
        return row.name
    return f"{row.name} ({row.handle})"


def _alike(lookalike: Lookalike) -> str:
    if not lookalike.like:
        return lookalike.handle
    return f"{lookalike.handle} – {lookalike.like}"


def _line(line: int, words: str) -> str:
    return gettext("Line %(line)d: %(words)s") % {"line": line, "words": words}
