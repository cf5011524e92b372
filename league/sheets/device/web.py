"""The pages on which the code of a phone without network is read."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from engine.illegal import Refused
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.viewer import club_page, page_of
from league.events.event.desk.page import desk_event_crumbs
from league.events.event.models import Event
from league.events.event.queries.access import event_for_scorer
from league.sheets.device.services.code import TakenCode, code_take
from league.standings.ranking.web.ranking import season_crumbs
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for_scorer


class ScorerCodeForm(forms.Form):
    """The code of a phone without network, read by a camera or copied as text."""

    code = forms.CharField(
        label=gettext_lazy("Code as text"),
        max_length=8_000,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocomplete": "off"}),
        help_text=gettext_lazy("No camera? Copy the text shown below the code on the phone."),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_scorer)
def code_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Take in what a phone without network wrote at a table of an event, from its code, and go on
    to the sheet."""
    return _code_page(
        request,
        event,
        "desk-codes",
        event=event,
        here="events",
        crumbs=desk_event_crumbs(event, deeper=True),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_scorer)
def season_code_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Take in what a phone without network wrote of a season's game without a table, from its code,
    and go on to the sheet."""
    crumb = (
        gettext("Write a game down"),
        reverse("season-write", args=[season.club.slug, season.slug]),
    )
    return _code_page(request, season, "season-codes", crumbs=[*season_crumbs(season), crumb])


def _code_page(
    request: HttpRequest, ground: Event | Season, url_name: str, **context: object
) -> HttpResponse:
    form = ScorerCodeForm(request.POST or None)
    if not form.is_valid():
        return club_page(
            request,
            ground.club,
            "league/sheets/device/desk/code.html",
            ground=ground,
            form=form,
            **context,
        )
    try:
        code = code_take(ground=ground, text=form.cleaned_data["code"])
    except Refused as refused:
        refusal = refused.illegal.message.translated(gettext)
        return redirect_saying(
            request, refusal, url_name, ground.club.slug, ground.slug, level=messages.ERROR
        )
    if code.waits_until is not None:
        warning = gettext(
            "This phone’s key is no longer valid. What it wrote is kept beside the sheet for a "
            "day, and two players at the table can let it in."
        )
        messages.warning(request, warning)
    elif code.is_late:
        messages.warning(
            request,
            gettext("Others wrote in the meantime. What came too late is kept beside their sheet."),
        )
    else:
        messages.success(request, _success_message(code))
    return redirect("open-game", code.row.open_game.public_id)


def _success_message(code: TakenCode) -> str:
    if not code.added:
        return gettext("All of this is already on the sheet.")
    message = ngettext(
        "%(count)s entry read from the code.", "%(count)s entries read from the code.", code.added
    )
    return message % {"count": code.added}
