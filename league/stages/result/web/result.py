"""Entering what came of a table: who finished where, in a few taps; or the record of the whole
game."""

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
from league.stages.table.domain.table import points_asked, seated, uncounted_words
from league.stages.table.models import Table
from league.stages.table.queries.access import table_for_result
from league.stages.table.queries.table import level_at_table, sitting_at
from league.stages.table.web import table_crumbs
from league.standings.season.models import Notes


class RecordForm(GameTextForm):
    """The record of a whole game."""

    text = forms.CharField(
        label=gettext_lazy("The game"),
        help_text=gettext_lazy("A record as JSON, in one line or many, or the text notation."),
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
    """Enter a game of a table: choose, look at what will be sealed, confirm. Sent twice it is one
    game."""
    stage = table.stage_round.stage
    sitting = sitting_at(table)
    if table.finished and request.method != "POST":
        if sitting.walkover:
            messages.info(request, gettext("This table was given without play."))
        else:
            words = gettext(
                "All games of this table are in. A wrong one is corrected with “Correct…” "
                "beside it."
            )
            messages.info(request, words)
        return redirect("table", table.public_id)
    level = level_at_table(table, sitting.games)
    members = [sitter for sitter in sitting.players if not level or sitter.entry in level]
    number = sitting.next_number
    by_record = "text" in request.POST
    form = ResultForm(
        [Sitter(member.entry_id, member.handle, member.name) for member in members],
        None if by_record else request.POST or None,
        season=stage.event.season,
        number=number,
        with_points=points_asked(table),
        played_at=moment_of_play(table, number, timezone.now()),
    )
    record = RecordForm(request.POST, request.FILES) if by_record else RecordForm()
    context: dict[str, Any] = {"form": form, "record": record}
    if request.method == "POST":
        answer = (
            _by_record(request, table, record) if by_record else _by_places(request, table, form)
        )
        if isinstance(answer, HttpResponse):
            return answer
        context |= answer
    following = (
        _next_open(table) if request.user.has_perm("league.enter_event", stage.event) else None
    )
    facts = table_facts(table)
    (row,) = facts.tables
    context |= {
        "then": table_name(number_of(following)) if following else "",
        "at_once": not form.with_points and not level,
        "table": table,
        "row": row,
        "event": stage.event,
        "stage": stage,
        "number": number,
        "level": [member.name for member in members] if level else [],
        "rounds_first": stage.event.season.notes == Notes.ROUNDS,
        "seated": seated(facts, row, []),
        "manages": request.user.has_perm("league.manage_event", stage.event),
        "crumbs": table_crumbs(table, deeper=True),
    }
    return club_page(request, stage.event.club, "league/stages/result/result.html", **context)


def _next_open(table: Table) -> Table | None:
    """The next table of the round without a result; None without one."""
    tables = Table.objects.select_related("stage_round__stage").filter(
        stage_round=table.stage_round_id, finished=False
    )
    behind = Case(When(number__gt=table.number, then=0), default=1)
    return tables.exclude(pk=table.pk).order_by(behind, "number").first()


def _by_places(
    request: HttpRequest, table: Table, form: ResultForm
) -> HttpResponse | dict[str, Any]:
    """Seal what was chosen once it is confirmed; before that, what the page shows of it."""
    if not form.is_valid() or "change" in request.POST:
        return {}
    chosen = {name: form.cleaned_data[name] for name in ("ranks", "points", "number", "broken_off")}
    if "sure" not in request.POST:
        fault = outcome_fault(table=table, **chosen)
        if fault is not None:
            form.refuse(fault)
            return {}
        return {
            "sealing": form.sealing,
            "notes": sealing_notes(form, uncounted(table, chosen["points"])),
        }
    played_at = form.cleaned_data["played_at"]
    try:
        table_outcome_enter(
            table=table, **chosen, played_at=played_at, actor=Actor(request.user.pk)
        )
    except Refused as refused:
        if refused.illegal.code == "conflict":
            return _other_result(request, table)
        form.refuse(refused.illegal)
        return {}
    return _entered(request, table)


def sealing_notes(form: ResultForm, uncounted_words: Sequence[str]) -> list[str]:
    """What a page says of a result beside the places, before it is sealed; the form is valid."""
    notes = list(uncounted_words)
    if missing := form.cleaned_data["incomplete"]:
        words = gettext(
            "Points are sealed for everybody or for nobody: those of %(names)s are missing, so "
            "the places "
            "alone will be."
        )
        notes.insert(0, words % {"names": ", ".join(missing)})
    if form.cleaned_data["broken_off"].by_clock:
        notes.insert(
            0,
            gettext(
                "Time was up: who still had dice is ranked by them, and equal ones share the place."
            ),
        )
    return notes


def uncounted(table: Table, points: Mapping[str, int] | None) -> list[str]:
    """Sentences on where a game of a table doesn't count without its points."""
    return uncounted_words(table.stage_round.stage.event.season, points, table.stage_round.stage)


def _by_record(
    request: HttpRequest, table: Table, form: RecordForm
) -> HttpResponse | dict[str, Any]:
    """Seal a record once it is confirmed; before that, who finished where in it, or what is wrong
    with it."""
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
            return _other_result(request, table)
        fault: Fault = fault_in(pasted.text, refused.illegal)
        return {"fault": fault}
    return _entered(request, table)


def _other_result(request: HttpRequest, table: Table) -> HttpResponse:
    """Lead to the table, which has another result since the form was opened."""
    words = gettext(
        "Somebody else has entered another result of this table. It stands, yours was not stored: "
        "look at it, and if "
        "it is wrong, correct it with “Correct…” beside it."
    )
    return redirect_saying(request, words, "table", table.public_id, level=messages.WARNING)


def _entered(request: HttpRequest, table: Table) -> HttpResponse:
    """Back to what is missing: organisers to the cockpit, or on to the next table (`sure=next`),
    others to the table."""
    count, own = (
        Table.objects.filter(stage_round=table.stage_round_id, finished=False)
        .aggregate(count=Count("pk"), own=Count("pk", filter=Q(pk=table.pk)))
        .values()
    )
    words = ngettext(
        "The result is in. %(count)d table of this round has none yet.",
        "The result is in. %(count)d tables of this round have none yet.",
        count,
    )
    if not count:
        words = gettext("The result is in: every table of this round has one.")
    messages.success(request, words % {"count": count})
    event = table.stage_round.stage.event
    if own:
        return redirect("table-result", table.public_id)
    if not request.user.has_perm("league.enter_event", event):
        return redirect("table", table.public_id)
    then = _next_open(table) if request.POST.get("sure") == "next" else None
    if then is not None:
        return redirect("table-result", then.public_id)
    return redirect("desk-event", event.club.slug, event.slug)
