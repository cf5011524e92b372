"""The desk page that sets up a challenge of a ladder."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import posted, run_action
from league.core.viewer.web.viewer import page_of
from league.events.event.desk.page import cockpit_url, event_desk_page
from league.stages.placing.domain.place import ladder_of
from league.stages.stage.desk.stage import desk_stage_crumbs
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import stage_for_organiser
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.services.table import table_set_up


class ChallengeForm(forms.Form):
    """The challenger, and one or more challenged players."""

    def __init__(self, ladder_choices: list[tuple[str, str]], seats: int, data: Any) -> None:
        super().__init__(data)
        for seat in range(1, seats + 1):
            label = gettext("Challenger") if seat == 1 else gettext("Challenged player")
            self.fields[f"player_{seat}"] = forms.ChoiceField(
                label=label, choices=[("", "–"), *ladder_choices], required=seat <= 2
            )

    def players(self) -> list[str]:
        """Return the ids of the chosen entries, in seat order."""
        return [entry_id for entry_id in self.cleaned_data.values() if entry_id]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_organiser)
def challenge_page(request: HttpRequest, stage_row: Stage) -> HttpResponse:
    """Set up a table of a ladder."""
    event = stage_row.event
    facts = stage_facts(stage_row)
    if not stage_row.format_rules.ladder or not facts.groups:
        raise Http404
    names = {member.entry_id: member.name for member in facts.members.values()}
    order = ladder_of(facts, facts.groups[0].pk).order
    ladder_choices = [
        (entry_id, f"{place}. {names[entry_id]}") for place, entry_id in enumerate(order, start=1)
    ]
    form = ChallengeForm(ladder_choices, stage_row.sizes[0], posted(request))

    def set_up(_: Any, actor: Actor) -> None:
        table_set_up(stage=stage_row, players=form.players(), actor=actor)

    if form.is_valid() and run_action(request, form, set_up):
        return redirect_saying(request, gettext("The table is set up."), cockpit_url(event))
    return event_desk_page(
        request,
        event,
        "league/stages/table/desk/challenge.html",
        crumbs=desk_stage_crumbs(stage_row),
        stage=stage_row,
        form=form,
    )
