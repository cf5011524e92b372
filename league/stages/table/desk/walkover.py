"""The desk page that gives a table without play, or undoes it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from league.core.viewer.web.confirmation import Confirmation, ReasonForm, posted
from league.core.viewer.web.viewer import page_of
from league.events.entry.models import Entry
from league.events.event.desk.page import desk_event_crumbs, take_event_step
from league.stages.stage.domain.facts import StageFacts, StageTable
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.domain.walkover import (
    entries_without_share,
    has_too_few_left,
    may_be_given,
)
from league.stages.table.models import Table
from league.stages.table.queries.access import table_for_organiser
from league.stages.table.services.walkover import walkover_give, walkover_undo
from league.stages.table.web import row_of


class WalkoverForm(forms.Form):
    """The reason why a table isn't played."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everybody can read it on the table’s page, so leave out names."),
        max_length=500,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(table_for_organiser)
def walkover_page(request: HttpRequest, table: Table) -> HttpResponse:
    """Give a table without play to the players who are left there, or undo that."""
    event = table.stage_round.stage.event
    facts = stage_facts(table.stage_round.stage)
    row = row_of(facts, table)
    if not row.walkover and not may_be_given(facts, row):
        raise Http404
    if row.walkover:
        step = _undo_step(request, row)
        service = walkover_undo
    else:
        step = _walkover_step(request, facts, row)
        service = walkover_give
    confirmation = Confirmation(**step, do=lambda cleaned, actor: service(table=table, actor=actor))
    return take_event_step(
        request, event, confirmation, crumbs=desk_event_crumbs(event, deeper=True)
    )


def _walkover_step(request: HttpRequest, facts: StageFacts, row: StageTable) -> dict[str, Any]:
    if facts.stage.format_rules.free:
        return _take_back_free_table_step(request, row)
    effects = [_effect_on_players(facts, row)]
    if row.games:
        effects.append(
            gettext(
                "Games that were played there stay sealed and count in the season, but not here."
            )
        )
    effects.append(
        gettext(
            "Everybody can see it, with the reason. You can undo it until the next round is drawn."
        )
    )
    return {
        "title": gettext("Award %(table)s without play") % {"table": row.name},
        "effects": effects,
        "button": gettext("Award it without play"),
        "form": WalkoverForm(posted(request), initial={"reason": _likely_reason(facts, row)}),
        "done": gettext("The table is awarded without play."),
    }


def _effect_on_players(facts: StageFacts, row: StageTable) -> str:
    absent = entries_without_share(facts, row)
    names = ", ".join(facts.members[entry].name for entry in row.entries if entry not in absent)
    if names and facts.stage.knock_out:
        return gettext("Going on without play: %(names)s.") % {"names": names}
    if names:
        words = gettext("%(names)s: the same as for a bye, as if there had been no table.")
        return words % {"names": names}
    if has_too_few_left(facts, row):
        return gettext("Nobody is left there, so nobody gets anything for the round.")
    return gettext(
        "What was played there is void and won’t be played again, so nobody gets anything for the "
        "round."
    )


def _take_back_free_table_step(request: HttpRequest, row: StageTable) -> dict[str, Any]:
    effects = [
        gettext("Nobody gets anything for it. It stays in the list, marked, and keeps its number.")
    ]
    if row.games:
        effects.append(
            gettext(
                "What was played there is voided. It no longer counts anywhere, but can still be "
                "read."
            )
        )
    effects.append(
        gettext(
            "Everybody can see it, with the reason. You can undo it until the stage is finished."
        )
    )
    return {
        "title": gettext("Take %(table)s back") % {"table": row.name},
        "effects": effects,
        "button": gettext("Take it back"),
        "form": WalkoverForm(posted(request)),
        "done": gettext("The table is taken back."),
    }


def _likely_reason(facts: StageFacts, row: StageTable) -> str:
    if not has_too_few_left(facts, row):
        return ""
    status = Entry.objects.get(pk=entries_without_share(facts, row)[0]).status
    if status == Entry.Status.NO_SHOW:
        return gettext("Didn’t come")
    return gettext("Has left")


def _undo_step(request: HttpRequest, row: StageTable) -> dict[str, Any]:
    return {
        "title": gettext("%(table)s is played after all") % {"table": row.name},
        "effects": [gettext("The table is waiting for a result again.")],
        "button": gettext("Play it after all"),
        "form": ReasonForm(posted(request)),
        "done": gettext("The table is played after all."),
    }
