"""After a correction: what today's results would have made otherwise in a stage, to be kept as played or taken back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from league.clubs.web.confirmation import Confirmation, ReasonForm, done, posted, take
from league.clubs.web.viewer import club_page, or_404, viewer_of
from league.events.models import Event
from league.events.queries.access import event_for_organiser
from league.events.web.desk.crumbs import cockpit_url
from league.log.services import Actor
from league.rulings.domain.stage import StageOtherwise, event_otherwise
from league.rulings.services.stage import played_keep, stage_set_back
from league.stages.models import Stage
from league.stages.queries.access import stage_of
from league.tables.queries.stage import started_stages
from league.tables.web.desk.crumbs import round_url, stage_crumbs


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def otherwise_page(request: HttpRequest, club: str, event: str, stage: int) -> HttpResponse:
    """What would be otherwise, and the choice: keep what was played, or take it back from where it differs on."""
    stored = _stage(request, club, event, stage)
    found = stored.event
    row = next((row for row in event_otherwise(started_stages(found)) if row.stage.pk == stored.pk), None)
    if row is None:
        messages.info(
            request, gettext("There is nothing to decide: the rounds are as today’s results would draw them.")
        )
        return redirect(cockpit_url(found))
    form = ReasonForm(posted(request))

    def keep(cleaned: dict[str, Any], actor: Actor) -> None:
        played_keep(stage=stored, actor=actor)

    if request.method == "POST" and form.is_valid() and done(request, form, keep):
        messages.success(request, gettext("The rounds stay as they were played."))
        return redirect(cockpit_url(found))
    context = {
        "event": found,
        "stage": stored,
        "row": row,
        "form": form,
        "running": found.status == Event.Status.RUNNING,
        "take_back": _way_back(row),
        "first": row.rounds[0].round.number if row.rounds else 0,
        "here": "events",
        "crumbs": stage_crumbs(stored),
    }
    return club_page(request, found.club, "league/desk/otherwise.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def stage_set_back_page(request: HttpRequest, club: str, event: str, stage: int) -> HttpResponse:
    """Set a stage and all after it back to before their start."""
    stored = _stage(request, club, event, stage)
    step = Confirmation(
        title=gettext("Set “%(stage)s” back") % {"stage": stored.name},
        effects=set_back_effects(stored),
        button=gettext("Set it back"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: stage_set_back(stage=stored, actor=actor),
        done=gettext("It is set back. Start the stage anew."),
        danger=True,
    )
    back = cockpit_url(stored.event)
    return take(request, stored.event.club, step, here="events", back=back, crumbs=stage_crumbs(stored))


def set_back_effects(stage: Stage) -> list[str]:
    """What setting a stage and all after it back means, in sentences."""
    later = [facts for facts in started_stages(stage.event) if facts.stage.number >= stage.number]
    names = ", ".join(facts.stage.name for facts in later)
    games = sum(len(table.games) for facts in later for table in facts.tables)
    effects = [gettext("All rounds of these are taken back, and who is in them: %(stages)s.") % {"stages": names}]
    if games:
        words = ngettext(
            "%(count)d game of them stays sealed and counts in the season, but no longer in these stages.",
            "%(count)d games of them stay sealed and count in the season, but no longer in these stages.",
            games,
        )
        effects.append(words % {"count": games})
    return [*effects, gettext("Started anew, the stage takes those whom today’s results bring there.")]


def _stage(request: HttpRequest, club: str, event: str, number: int) -> Stage:
    found = or_404(event_for_organiser, viewer_of(request), club, event)
    return or_404(stage_of, found, number)


def _way_back(row: StageOtherwise) -> str:
    """Where what would be otherwise is taken back."""
    stage = row.stage
    if row.made:
        return reverse("desk-stage-set-back", args=[stage.event.club.slug, stage.event.slug, stage.number])
    first = row.rounds[0].round
    first.stage = stage
    return round_url(first, "desk-round-take-back")
