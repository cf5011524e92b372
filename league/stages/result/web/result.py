"""The page that enters a table's result: who finished where, in a few taps; or a whole record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Case, Count, Q, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from engine.illegal import Refused
from engine.record.write import write
from games.domain.text import Fault, PastedGame, fault_in
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.viewer import club_page, page_of
from league.records.game.web.text_form import GameTextForm
from league.stages.result.services.result import (
    outcome_fault,
    table_game_enter,
    table_outcome_enter,
)
from league.stages.result.web.result_form import ResultForm, Sitter
from league.stages.round.domain.round import moment_of_play
from league.stages.stage.domain.table_name import number_of, table_name
from league.stages.stage.queries.facts import table_facts
from league.stages.table.domain.table import points_asked, seated_table, uncounted_words
from league.stages.table.models import Table
from league.stages.table.queries.access import table_for_result
from league.stages.table.queries.table import Sitting, entries_tied_at, sitting_at
from league.stages.table.web import table_crumbs
from league.standings.season.models import Notes


class RecordForm(GameTextForm):
    """The record of a whole game."""

    text = forms.CharField(
        label=gettext_lazy("The game"),
        help_text=gettext_lazy("A record as JSON, on one line or several, or in text notation."),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 6, "spellcheck": "false", "autocapitalize": "off", "class": "code"}
        ),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(table_for_result)
def result_page(request: HttpRequest, table: Table) -> HttpResponse:
    """Enter a game of a table: choose, look at what will be sealed, confirm. A game that is sent
    twice is one game."""
    event = table.stage_round.stage.event
    sitting = sitting_at(table)
    if table.finished and request.method != "POST":
        return _redirect_from_finished(request, table, sitting)
    # After a tie in a knock-out, only the players who share the last place that goes on play again.
    tied_entries = entries_tied_at(table, sitting.games)
    members = [
        player for player in sitting.players if not tied_entries or player.entry in tied_entries
    ]
    number = sitting.next_number
    by_record = "text" in request.POST
    places_data = None if by_record else request.POST or None
    form = ResultForm(
        [Sitter(member.entry_id, member.handle, member.name) for member in members],
        places_data,
        season=event.season,
        number=number,
        with_points=points_asked(table),
        played_at=moment_of_play(table, number, timezone.now()),
    )
    record = RecordForm(request.POST, request.FILES) if by_record else RecordForm()
    response_or_context: HttpResponse | dict[str, Any] = {}
    if request.method == "POST" and by_record:
        response_or_context = _seal_record(request, table, record)
    elif request.method == "POST":
        response_or_context = _seal_places(request, table, form)
    if isinstance(response_or_context, HttpResponse):
        return response_or_context

    next_table = (
        _next_open_table(table) if request.user.has_perm("league.enter_event", event) else None
    )
    facts = table_facts(table)
    (row,) = facts.tables
    context: dict[str, Any] = {
        "form": form,
        "record": record,
        **response_or_context,
        "then": table_name(number_of(next_table)) if next_table else "",
        "at_once": not form.with_points and not tied_entries,
        "table": table,
        "row": row,
        "event": event,
        "stage": table.stage_round.stage,
        "number": number,
        "level": [member.name for member in members] if tied_entries else [],
        "rounds_first": event.season.notes == Notes.ROUNDS,
        "seated": seated_table(facts, row, draw_reasons=[]),
        "manages": request.user.has_perm("league.manage_event", event),
        "crumbs": table_crumbs(table, deeper=True),
    }
    return club_page(request, event.club, "league/stages/result/result.html", **context)


def _redirect_from_finished(request: HttpRequest, table: Table, sitting: Sitting) -> HttpResponse:
    words = gettext(
        "All games at this table are in. To fix a mistake, use “Correct…” next to the game."
    )
    if sitting.walkover:
        words = gettext("This table was awarded without play.")
    messages.info(request, words)
    return redirect("table", table.public_id)


def _next_open_table(table: Table) -> Table | None:
    """Return the open table of the round with the next higher number, or else with the lowest; None
    if no other table is open."""
    tables = Table.objects.select_related("stage_round__stage").filter(
        stage_round=table.stage_round_id, finished=False
    )
    has_lower_number = Case(When(number__gt=table.number, then=0), default=1)
    return tables.exclude(pk=table.pk).order_by(has_lower_number, "number").first()


def _seal_places(
    request: HttpRequest, table: Table, form: ResultForm
) -> HttpResponse | dict[str, Any]:
    """Seal the chosen result if it is confirmed. Otherwise return the context that shows it for
    confirmation, or an empty one if the form has errors."""
    if not form.is_valid() or "change" in request.POST:
        return {}
    chosen = {name: form.cleaned_data[name] for name in ("ranks", "points", "number", "broken_off")}
    if "sure" not in request.POST:
        fault = outcome_fault(table=table, **chosen)
        if fault is not None:
            form.refuse(fault)
            return {}
        notes = sealing_notes(form, uncounted(table, chosen["points"]))
        return {"sealing": form.sealing, "notes": notes}

    played_at = form.cleaned_data["played_at"]
    try:
        table_outcome_enter(
            table=table, **chosen, played_at=played_at, actor=Actor(request.user.pk)
        )
    except Refused as refused:
        if refused.illegal.code == "conflict":
            return _redirect_after_conflict(request, table)
        form.refuse(refused.illegal)
        return {}
    return _redirect_after_sealing(request, table)


def sealing_notes(form: ResultForm, uncounted_words: Sequence[str]) -> list[str]:
    """Return the sentences that a page shows beside the places of a valid form, before they are
    sealed."""
    notes = []
    if form.cleaned_data["broken_off"].by_clock:
        notes.append(
            gettext(
                "Time was up: players who still had dice are ranked by them, and ties share a "
                "place."
            )
        )
    missing = form.cleaned_data["incomplete"]
    if missing:
        words = gettext(
            "Points are sealed for everybody or for nobody. They’re missing for %(names)s, so "
            "only the places will be sealed."
        )
        notes.append(words % {"names": ", ".join(missing)})
    return [*notes, *uncounted_words]


def uncounted(table: Table, points: Mapping[str, int] | None) -> list[str]:
    """Return sentences on where a game of a table doesn't count without points."""
    stage = table.stage_round.stage
    return uncounted_words(stage.event.season, points, stage)


def _seal_record(
    request: HttpRequest, table: Table, form: RecordForm
) -> HttpResponse | dict[str, Any]:
    """Seal the pasted record if it is confirmed. Otherwise return the context that shows its places
    or its fault."""
    if not form.is_valid():
        return {}
    pasted: PastedGame = form.cleaned_data["pasted"]
    if pasted.record is None or pasted.fault or pasted.verdict is None:
        return {"fault": pasted.fault}
    ranks = pasted.verdict.ending.rank
    if "sure" not in request.POST:
        places = sorted(zip(ranks or (), pasted.record.seats, strict=False))
        return {"places": places, "text": pasted.text, "unfinished": ranks is None}
    try:
        table_game_enter(
            table=table, line=write(pasted.record).encode(), actor=Actor(request.user.pk)
        )
    except Refused as refused:
        if refused.illegal.code == "conflict":
            return _redirect_after_conflict(request, table)
        fault: Fault = fault_in(pasted.text, refused.illegal)
        return {"fault": fault}
    return _redirect_after_sealing(request, table)


def _redirect_after_conflict(request: HttpRequest, table: Table) -> HttpResponse:
    words = gettext(
        "Somebody else has already entered a different result for this table, so yours wasn’t "
        "saved. Check theirs, and if it’s wrong, use “Correct…” next to it."
    )
    return redirect_saying(request, words, "table", table.public_id, level=messages.WARNING)


def _redirect_after_sealing(request: HttpRequest, table: Table) -> HttpResponse:
    open_tables = Table.objects.filter(stage_round=table.stage_round_id, finished=False)
    counts = open_tables.aggregate(count=Count("pk"), own=Count("pk", filter=Q(pk=table.pk)))
    count = counts["count"]
    words = ngettext(
        "The result is in. %(count)d table of this round has none yet.",
        "The result is in. %(count)d tables of this round have none yet.",
        count,
    )
    if not count:
        words = gettext("The result is in: every table of this round has one.")
    messages.success(request, words % {"count": count})

    event = table.stage_round.stage.event
    if counts["own"]:
        return redirect("table-result", table.public_id)
    if not request.user.has_perm("league.enter_event", event):
        return redirect("table", table.public_id)
    next_table = _next_open_table(table) if request.POST.get("sure") == "next" else None
    if next_table is not None:
        return redirect("table-result", next_table.public_id)
    return redirect("desk-event", event.club.slug, event.slug)
