"""Changing a draw by hand: two players swap seats, or one moves to another table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from league.core.frame.forms import offer
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import add_errors, done, posted
from league.core.viewer.web.viewer import page_of
from league.events.event.desk.page import event_desk_page
from league.stages.round.desk.round import round_url
from league.stages.round.domain.reason import draw_cost
from league.stages.round.models import StageRound
from league.stages.round.services import (
    answer_by_hand,
    refuse_seating,
    refuse_settled,
    round_change,
)
from league.stages.stage.desk.stage import desk_stage_crumbs
from league.stages.stage.domain.facts import StageDraw, StageFacts, StageTable
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.queries.access import round_for_organiser

TO_TABLE: Final = "table-"
Seating = list[list[str]]


class ChangeForm(forms.Form):
    """The player to move, where to, and why. `known` are the ids of the draws that the page
    showed."""

    who = forms.ChoiceField(label=gettext_lazy("Who"))
    where = forms.ChoiceField(
        label=gettext_lazy("Where to"),
        help_text=gettext_lazy("Swap seats with somebody, or take the last seat at another table."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everybody who sees the tables can read it, so leave out names."),
        max_length=500,
        error_messages={
            "required": gettext_lazy("Say why you’re changing the draw. Everybody can read it.")
        },
    )
    known = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self, facts: StageFacts, rows: Sequence[StageTable], data: Any, draws_seen: str
    ) -> None:
        super().__init__(data, initial={"known": draws_seen})
        self.labels = [row.name for row in rows]
        self.names: dict[str, str] = {}
        people = []
        swaps = []
        for row in rows:
            members = [facts.members[entry] for entry in row.entries]
            choices = [(member.entry_id, member.name) for member in members]
            self.names.update(choices)
            people.append((row.name, choices))
            swaps.append((gettext("Swap with: %(table)s") % {"table": row.name}, choices))
        tables = [(f"{TO_TABLE}{place}", row.name) for place, row in enumerate(rows)]
        offer(self, "who", people)
        offer(self, "where", [*swaps, (gettext("Move to"), tables)])

    def summary(self) -> str:
        """Return the chosen change in a sentence."""
        name = self.names[self.cleaned_data["who"]]
        where = self.cleaned_data["where"]
        if where in self.names:
            words = gettext("%(who)s and %(other)s swap seats.")
            return words % {"who": name, "other": self.names[where]}
        place = int(where.removeprefix(TO_TABLE))
        return gettext("%(who)s moves to %(table)s.") % {"who": name, "table": self.labels[place]}


def moved(seating: Seating, who: str, where: str) -> Seating:
    """Return the seating after a player (`who`) took the last seat of another table (`where` is
    `table-<place>`), or swapped seats with another player (`where` is their id)."""
    new_seating = [list(ids) for ids in seating]
    first_table = next(ids for ids in new_seating if who in ids)
    if where.startswith(TO_TABLE):
        first_table.remove(who)
        new_seating[int(where.removeprefix(TO_TABLE))].append(who)
        return new_seating
    second_table = next(ids for ids in new_seating if where in ids)
    first_seat = first_table.index(who)
    second_seat = second_table.index(where)
    first_table[first_seat] = where
    second_table[second_seat] = who
    return new_seating


@dataclass(frozen=True, slots=True)
class CostChange:
    """The cost of one criterion before and after a change."""

    label: str
    before: int
    after: int

    @property
    def worse(self) -> bool:
        """Return True if the change costs more."""
        return self.after > self.before


def effects(
    draws: Sequence[StageDraw], rows: Sequence[StageTable], after: Seating
) -> list[CostChange]:
    """Return the costs, by criterion and over all groups, that differ once the draws have the
    seating `after`."""
    costs_before: Counter[str] = Counter()
    costs_after: Counter[str] = Counter()
    for draw in draws:
        seats = [
            tuple(ids) for row, ids in zip(rows, after, strict=True) if row.group == draw.group
        ]
        for line in draw_cost(draw.input_text, draw.answer).lines:
            costs_before[line.label] += line.cost
        for line in draw_cost(draw.input_text, answer_by_hand(draw, seats)).lines:
            costs_after[line.label] += line.cost
    return [
        CostChange(label, cost, costs_after[label])
        for label, cost in costs_before.items()
        if cost != costs_after[label]
    ]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(round_for_organiser)
def round_change_page(request: HttpRequest, stage_round: StageRound) -> HttpResponse:
    """Choose a change of a draw, see its cost, and confirm it. A change based on an outdated draw
    is refused."""
    facts = stage_facts(stage_round.stage)
    rows = [table for table in facts.tables if table.round_number == stage_round.number]
    draws = [draw for draw in facts.draws if draw.round_number == stage_round.number]
    form = ChangeForm(facts, rows, posted(request), ",".join(draw.public_id for draw in draws))
    preview: list[CostChange] | None = None
    if request.method == "POST" and form.is_valid():
        after = moved(
            [list(facts.ids(row)) for row in rows],
            form.cleaned_data["who"],
            form.cleaned_data["where"],
        )

        def change(cleaned: dict[str, Any], actor: Actor) -> None:
            round_change(
                stage_round=stage_round,
                tables=after,
                draws_seen=cleaned["known"].split(","),
                actor=actor,
            )

        if "sure" in request.POST:
            if done(request, form, change):
                words = gettext("The draw is changed, and marked as changed.")
                return redirect_saying(request, words, round_url(stage_round))
        elif _check_or_add_error(form, stage_round, facts, rows, after):
            preview = effects(draws, rows, after)
    return event_desk_page(
        request,
        stage_round.stage.event,
        "league/stages/round/desk/round_change.html",
        crumbs=desk_stage_crumbs(stage_round.stage),
        stage=stage_round.stage,
        round=stage_round,
        form=form,
        previewed=preview is not None,
        summary=form.summary() if preview is not None else "",
        effects=preview or [],
        back=round_url(stage_round),
    )


def _check_or_add_error(
    form: ChangeForm,
    stage_round: StageRound,
    facts: StageFacts,
    rows: Sequence[StageTable],
    after: Seating,
) -> bool:
    try:
        refuse_settled(stage_round)
        refuse_seating(facts, rows, after)
    except ValidationError as error:
        add_errors(form, error)
        return False
    return True
