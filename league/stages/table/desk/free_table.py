"""The desk page that sets up free tables, at which players sit down as they like."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from league.core.frame.forms import offer
from league.core.frame.name_key import name_key
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
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
    """The players who sit down together, from those who aren't at a table."""

    players = forms.MultipleChoiceField(
        label=gettext_lazy("Who sits down?"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Tap the players who sit down at the table.")},
    )

    def __init__(self, waiting: Sequence[tuple[str, str]], data: Any) -> None:
        super().__init__(data)
        offer(self, "players", waiting)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_scorer)
def free_table_page(request: HttpRequest, stage_row: Stage) -> HttpResponse:
    """Set up a table in a stage of free tables, and show the tables in play."""
    facts = stage_facts(stage_row)
    if not stage_row.format_rules.free or not facts.groups:
        raise Http404
    waiting = _waiting_players(facts)
    form = FreeTableForm(waiting, posted(request))

    def set_up(cleaned: dict[str, Any], actor: Actor) -> None:
        players = _in_seat_order(facts, cleaned["players"])
        table_set_up(stage=stage_row, players=players, actor=actor)

    if form.is_valid() and done(request, form, set_up):
        return redirect_saying(request, gettext("The table is set up."), request.path)
    return event_desk_page(
        request,
        stage_row.event,
        "league/stages/table/desk/free_table.html",
        crumbs=desk_event_crumbs(stage_row.event, deeper=True),
        stage=stage_row,
        form=form,
        queue=_next_players(facts, waiting) if len(waiting) > 1 else [],
        tables=[
            (table, [facts.members[entry].name for entry in table.entries])
            for table in facts.open_tables
        ],
    )


def _waiting_players(facts: StageFacts) -> list[tuple[str, str]]:
    busy = {entry for table in facts.open_tables for entry in table.entries}
    people = [
        (member.entry_id, member.name)
        for member in facts.members.values()
        if member.plays and member.entry not in busy
    ]
    plan = late_plan(facts.stage.event)
    if plan and plan.stage == facts.stage:
        people += [(entry.public_id, entry.player.name) for entry in plan.entries]
    return sorted(people, key=lambda person: (name_key(person[1]), person[0]))


def _next_players(facts: StageFacts, waiting: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the next players for a table of the preferred size: those who have sat at the fewest
    tables and, among these, whose last table was the earliest."""
    tables_by_player: defaultdict[str, list[int]] = defaultdict(list)
    for table in facts.played_tables(facts.groups[0].pk):
        for entry_id in facts.ids(table):
            tables_by_player[entry_id].append(table.number)
    order = sorted(
        waiting,
        key=lambda person: (len(tables_by_player[person[0]]), tables_by_player[person[0]][-1:]),
    )
    return order[: facts.stage.sizes[0]]


def _in_seat_order(facts: StageFacts, ids: Sequence[str]) -> list[str]:
    """Return the players in seat order: the one who has opened least often opens."""
    opened = Counter(facts.ids(table)[0] for table in facts.played_tables(facts.groups[0].pk))
    return sorted(ids, key=lambda entry_id: opened[entry_id])
