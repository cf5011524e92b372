"""A free table: whoever is there and has time sits down together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from engine.grouping import lists_by_key
from league.core.frame.forms import offer
from league.core.frame.name_key import name_key
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.confirmation import done, posted
from league.core.viewer.web.viewer import page_of
from league.events.event.desk.page import desk_event_crumbs, event_desk_page
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import stage_for_scorer
from league.stages.stage.queries.facts import stage_facts
from league.stages.stage.queries.latecomer import late_plan
from league.stages.table.services.table import table_set_up


class FreeTableForm(forms.Form):
    """Who sits down together, of those who don't sit at a table already."""

    players = forms.MultipleChoiceField(
        label=gettext_lazy("Who sits down?"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Tap who sits down at the table.")},
    )

    def __init__(self, waiting: Sequence[tuple[str, str]], data: Any) -> None:
        super().__init__(data)
        offer(self, "players", waiting)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_scorer)
def free_table_page(request: HttpRequest, stage_row: Stage) -> HttpResponse:
    """Set up a table of a stage of free tables, and see those that are played."""
    facts = stage_facts(stage_row)
    if not stage_row.format_rules.free or not facts.groups:
        raise Http404
    waiting = _waiting(facts)
    form = FreeTableForm(waiting, posted(request))
    if form.is_valid() and done(
        request,
        form,
        lambda cleaned, actor: table_set_up(
            stage=stage_row, players=_in_seats(facts, cleaned["players"]), actor=actor
        ),
    ):
        return redirect_saying(request, gettext("The table is set up."), request.path)
    return event_desk_page(
        request,
        stage_row.event,
        "league/stages/table/desk/free_table.html",
        crumbs=desk_event_crumbs(stage_row.event, deeper=True),
        stage=stage_row,
        form=form,
        queue=_queue(facts, waiting) if len(waiting) > 1 else [],
        tables=[
            (table, [facts.members[entry].name for entry in table.entries])
            for table in facts.open_tables
        ],
    )


def _waiting(facts: StageFacts) -> list[tuple[str, str]]:
    """The ids and names of those who are there and sit at no table, in the order of names; who came
    late, too."""
    busy = {entry for table in facts.open_tables for entry in table.entries}
    members = [row for row in facts.members.values() if row.plays and row.entry not in busy]
    plan = late_plan(facts.stage.event)
    late = plan.entries if plan and plan.stage == facts.stage else []
    people = [(row.entry_id, row.name) for row in members] + [
        (row.public_id, row.player.name) for row in late
    ]
    return sorted(people, key=lambda person: (name_key(person[1]), person[0]))


def _queue(facts: StageFacts, waiting: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Of those who wait the next for a table of the wanted size: who has sat at the fewest tables,
    of these whose last one was the earliest."""
    played = facts.played_tables(facts.groups[0].pk)
    tables = lists_by_key(
        (entry_id, table.number) for table in played for entry_id in facts.ids(table)
    )
    order = sorted(waiting, key=lambda person: (len(tables[person[0]]), tables[person[0]][-1:]))
    return order[: facts.stage.sizes[0]]


def _in_seats(facts: StageFacts, ids: Sequence[str]) -> list[str]:
    """Seat those who sit down so that whoever has opened least often opens."""
    opened = Counter(facts.ids(table)[0] for table in facts.played_tables(facts.groups[0].pk))
    return sorted(ids, key=lambda entry_id: opened[entry_id])
