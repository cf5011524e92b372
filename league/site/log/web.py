"""The club's log, for its organisers and arbiters."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from engine.record.shape import YEARS
from league.core.club.models import Club
from league.core.frame.unchanged import unless_unchanged
from league.core.log.actions import ACTIONS
from league.core.log.models import LogHead
from league.core.log.queries import log_chunks
from league.core.viewer.queries.access import log_for
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import club_page, page_of, viewer_of
from league.site.log.domain import LogRow
from league.site.log.queries.log import EntryFilters, log_rows
from league.site.log.queries.subject import subject_names
from league.standings.season.queries.access import players_with_page

ENTRIES_PER_PAGE: Final = 50
SUBJECT_PAGES: Final = {
    "player": "player",
    "online": "online-table",
    "import": "import-job",
}
"""The page of a subject's public id, by the first word of the action."""


IN_CALENDAR: Final = [
    MinValueValidator(date(YEARS[0], 1, 1)),
    MaxValueValidator(date(YEARS[-1], 12, 31)),
]
"""Limits of plausible days: no day can be added to the last one of the calendar."""


def action_choices() -> list[tuple[str, str]]:
    """Return all registered actions, after the choice of any."""
    return [
        ("", gettext("everything")),
        *((action.value, str(action.label)) for action in ACTIONS.values()),
    ]


class LogFilter(forms.Form):
    """The filters of the log's page."""

    action = forms.ChoiceField(
        label=gettext_lazy("What was done"), choices=action_choices, required=False
    )
    actor = forms.CharField(
        label=gettext_lazy("Done by"),
        help_text=gettext_lazy("An account’s name, or - for the service itself."),
        max_length=150,
        required=False,
    )
    subject = forms.CharField(
        label=gettext_lazy("About"),
        help_text=gettext_lazy("A player’s name, or an id from an address."),
        max_length=64,
        required=False,
    )
    since = forms.DateField(
        label=gettext_lazy("From"),
        required=False,
        validators=IN_CALENDAR,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    until = forms.DateField(
        label=gettext_lazy("Up to"),
        required=False,
        validators=IN_CALENDAR,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    before = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    def filters(self, zone: ZoneInfo) -> EntryFilters:
        """Return the valid filters, with days in the club's time zone."""
        self.is_valid()
        cleaned = self.cleaned_data
        until: date | None = cleaned.get("until")
        return EntryFilters(
            action=cleaned.get("action", ""),
            actor=cleaned.get("actor", "").strip(),
            subject=cleaned.get("subject", "").strip(),
            since=_midnight(cleaned.get("since"), zone),
            until=_midnight(until and until + timedelta(days=1), zone),
            before=cleaned.get("before"),
        )


def _midnight(day: date | None, zone: ZoneInfo) -> datetime | None:
    if day is None:
        return None
    return datetime.combine(day, time.min, zone)


@login_required
@require_safe
@page_of(log_for)
def log_page(request: HttpRequest, head: LogHead) -> HttpResponse:
    """Show a club's log, the latest entries first: `?action=`, `?actor=`, `?subject=`, `?since=`,
    `?until=`."""
    form = LogFilter(request.GET)
    rows = log_rows(head, form.filters(ZoneInfo(head.club.timezone)), ENTRIES_PER_PAGE + 1)
    rows_shown = rows[:ENTRIES_PER_PAGE]
    openable = players_with_page(
        viewer_of(request), [row.subject for row in rows_shown if _subject_kind(row) == "player"]
    )
    if request.user.has_perm("league.import_games", head.club):
        openable |= {row.subject for row in rows_shown if _subject_kind(row) == "import"}
    names = subject_names(head.club, set[str]().union(*(row.ids for row in rows_shown)))
    return club_page(
        request,
        head.club,
        "league/site/log/log.html",
        form=form,
        head=head,
        digest=bytes(head.digest).hex(),
        broken=broken_at(head, rows_shown),
        rows=[(row.named(names), subject_url(head.club, row, openable)) for row in rows_shown],
        older=rows_shown[-1].position if len(rows) > ENTRIES_PER_PAGE else None,
        narrowed=any(name in request.GET for name in form.fields),
        crumbs=club_crumbs(head.club),
    )


def broken_at(head: LogHead, rows: list[LogRow]) -> int | None:
    """Return the position of the first of these entries that doesn't follow from the entry before
    it, or doesn't agree with the log's end; None if all do."""
    for row in rows:
        is_end = row.position == head.position
        is_other_end = is_end and row.digest != bytes(head.digest).hex()
        if not row.follows or is_other_end or row.position > head.position:
            return row.position
    return None


def subject_url(club: Club, row: LogRow, openable: Collection[str]) -> str:
    """Return the address of an entry's subject; empty if it has no page that the reader may open.
    `openable`: the public ids of the players and imports with such a page."""
    kind = _subject_kind(row)
    if not row.subject or (kind in ("player", "import") and row.subject not in openable):
        return ""
    if kind == "club":
        return reverse("club", args=[club.slug])
    if kind == "season":
        if row.season:
            return reverse("season", args=[club.slug, row.season])
        return ""
    if kind == "game":
        return _game_url(row)
    if kind in SUBJECT_PAGES:
        return reverse(SUBJECT_PAGES[kind], args=[row.subject])
    return ""


def _game_url(row: LogRow) -> str:
    if row.online_table:
        return reverse("online-table", args=[row.online_table])
    return reverse("game", args=[row.subject])


def _subject_kind(row: LogRow) -> str:
    return row.action.partition(".")[0]


@login_required
@require_safe
@page_of(log_for)
def log_export(request: HttpRequest, head: LogHead) -> HttpResponseBase:
    """Send the whole log as JSON Lines, which can be verified offline; or a 304 while no entry was
    added, as nothing beside the entries is forgotten without a new one."""

    def answer() -> StreamingHttpResponse:
        file_name = f"{head.club.slug}-log.jsonl"
        return StreamingHttpResponse(
            log_chunks(head.club_id),
            content_type="application/x-ndjson",
            headers={"Content-Disposition": f'attachment; filename="{file_name}"'},
        )

    return unless_unchanged(request, (head.position, bytes(head.digest), head.club.slug), answer)
