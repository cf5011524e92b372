"""Entering what came of a table: who finished where, in a few taps; or the record of the whole game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from engine.record.write import write
from games.domain.text import Fault, PastedGame, fault_in
from league.clubs.web.viewer import club_page, or_404, viewer_of
from league.log.services import Actor
from league.records.web.text import GameTextForm
from league.tables.domain.stage import Member
from league.tables.domain.table import points_count, seated
from league.tables.models import Table
from league.tables.queries.access import table_for_result
from league.tables.queries.stage import table_facts
from league.tables.services.result import NoResult, outcome_fault, table_game_enter, table_outcome_enter
from league.tables.web.table import table_crumbs

AWAY = ""
"""Chosen for somebody who didn't play."""


class ResultForm(forms.Form):
    """The place of everybody who played, and the points where they count: fields `place_<id>` and `points_<id>`.

    Equal places are shared. `number` is that of the game at the table: the same twice is one game.
    """

    number = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, members: Sequence[Member], data: Any, *, number: int, with_points: bool) -> None:
        super().__init__(data, initial={"number": number})
        self.members, self.with_points = members, with_points
        places = [(str(place), str(place)) for place in range(1, len(members) + 1)]
        for member in members:
            self.fields[f"place_{member.entry_id}"] = forms.ChoiceField(
                label=member.name, choices=[(AWAY, gettext("did not play")), *places], required=False
            )
            if with_points:
                self.fields[f"points_{member.entry_id}"] = forms.IntegerField(
                    label=gettext("Points of %(name)s") % {"name": member.name},
                    required=False,
                    min_value=-9999,
                    max_value=9999,
                    widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
                )

    @property
    def rows(self) -> list[tuple[Member, forms.BoundField, forms.BoundField | None]]:
        """Everybody at the table with the fields of place and points."""
        return [
            (member, self[f"place_{member.entry_id}"], self[f"points_{member.entry_id}"] if self.with_points else None)
            for member in self.members
        ]

    def clean(self) -> dict[str, Any]:
        """The `ranks` by id, counted from the places that were chosen, and the `points` (None: not told)."""
        cleaned = super().clean() or {}
        choices = {member.entry_id: cleaned.get(f"place_{member.entry_id}") or AWAY for member in self.members}
        playing = {entry_id: int(place) for entry_id, place in choices.items() if place != AWAY}
        if len(playing) < 2:
            raise forms.ValidationError(gettext("Say for at least two players where they finished."))
        ranks = {
            entry_id: 1 + sum(other_place < place for other_place in playing.values())
            for entry_id, place in playing.items()
        }
        points = {entry_id: cleaned.get(f"points_{entry_id}") for entry_id in playing} if self.with_points else {}
        if self.with_points and None in points.values():
            missing = [member.name for member in self.members if points.get(member.entry_id, 0) is None]
            words = gettext("The points count here: say those of %(names)s too.")
            raise forms.ValidationError(words % {"names": ", ".join(missing)})
        return {**cleaned, "ranks": ranks, "points": points or None}


class RecordForm(GameTextForm):
    """The record of a whole game."""

    text = forms.CharField(
        label=gettext_lazy("The game"),
        help_text=gettext_lazy("A record as JSON, in one line or many, or the text notation."),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocapitalize": "off", "class": "code"}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def result_page(request: HttpRequest, table_id: str) -> HttpResponse:
    """Enter a game of a table: choose, look at what will be sealed, confirm. Sent twice it is one game."""
    table = or_404(table_for_result, viewer_of(request), table_id)
    stage = table.stage_round.stage
    facts = table_facts(table)
    (row,) = facts.tables
    if row.finished and request.method != "POST":
        if row.walkover:
            messages.info(request, gettext("This table was given without play."))
        else:
            words = gettext("All games of this table are in. A wrong one is corrected from its own page.")
            messages.info(request, words)
        return redirect("table", table.public_id)
    members = [facts.members[entry] for entry in row.entries]
    number = row.next_number
    by_record = "text" in request.POST
    form = ResultForm(
        members, None if by_record else request.POST or None, number=number, with_points=points_count(table)
    )
    record = RecordForm(request.POST, request.FILES) if by_record else RecordForm()
    context: dict[str, Any] = {"form": form, "record": record}
    if request.method == "POST":
        answer = _by_record(request, table, record) if by_record else _by_places(request, table, form)
        if isinstance(answer, HttpResponse):
            return answer
        context |= answer
    context |= {
        "table": table,
        "row": row,
        "event": stage.event,
        "stage": stage,
        "number": number,
        "seated": seated(facts, row, []),
        "crumbs": table_crumbs(table, deeper=True),
    }
    return club_page(request, stage.event.club, "league/tables/result.html", context)


def _by_places(request: HttpRequest, table: Table, form: ResultForm) -> HttpResponse | dict[str, Any]:
    """Seal what was chosen once it is confirmed; before that, what the page shows of it."""
    if not form.is_valid():
        return {}
    ranks, points, number = (form.cleaned_data[name] for name in ("ranks", "points", "number"))
    if fault := outcome_fault(table=table, ranks=ranks, points=points, number=number):
        form.add_error(None, fault.message.translated(gettext))
        return {}
    if "sure" not in request.POST:
        ordered = sorted(form.members, key=lambda member: ranks.get(member.entry_id, len(ranks) + 1))
        rows = [
            (ranks[member.entry_id], member, (points or {}).get(member.entry_id))
            for member in ordered
            if member.entry_id in ranks
        ]
        return {"sealing": rows, "away": [member for member in form.members if member.entry_id not in ranks]}
    try:
        table_outcome_enter(
            table=table,
            ranks=ranks,
            points=points,
            number=number,
            actor=Actor(request.user.pk),
        )
    except NoResult as refused:
        form.add_error(None, refused.illegal.message.translated(gettext))
        return {}
    return _entered(request, table)


def _by_record(request: HttpRequest, table: Table, form: RecordForm) -> HttpResponse | dict[str, Any]:
    """Seal a record once it is confirmed; before that, who finished where in it, or what is wrong with it."""
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
        table_game_enter(table=table, line=write(pasted.record).encode(), actor=Actor(request.user.pk))
    except NoResult as refused:
        fault: Fault = fault_in(pasted.text, refused.illegal)
        return {"fault": fault}
    return _entered(request, table)


def _entered(request: HttpRequest, table: Table) -> HttpResponse:
    """Back to what is missing: organisers to the cockpit, others to the table."""
    count = Table.objects.filter(stage_round=table.stage_round_id, finished=False).count()
    words = ngettext(
        "The result is in. %(count)d table of this round has none yet.",
        "The result is in. %(count)d tables of this round have none yet.",
        count,
    )
    if not count:
        words = gettext("The result is in: every table of this round has one.")
    messages.success(request, words % {"count": count})
    event = table.stage_round.stage.event
    table.refresh_from_db(fields=["finished"])
    if not table.finished:
        return redirect("table-result", table.public_id)
    if request.user.has_perm("league.enter_event", event):
        return redirect("desk-event", event.club.slug, event.slug)
    return redirect("table", table.public_id)
