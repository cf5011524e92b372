"""A round of a stage for its organisers: look at its tables, publish it, take it back."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.events.models import Stage, StageRound
from league.events.queries.access import event_for_organiser, round_of, stage_of
from league.events.queries.reasons import cost_lines
from league.events.queries.stage import stage_facts
from league.events.queries.tables import round_tables
from league.events.services.otherwise import course_take_back
from league.events.services.round import round_publish
from league.rankings.web.viewer import club_page, or_404, viewer_of
from league.site.web.confirmation import Confirmation, ReasonForm, posted, take
from league.site.web.desk.event_otherwise import set_back_effects
from league.site.web.desk.event_way import cockpit_url, stage_crumbs

Status = StageRound.Status


def round_for(request: HttpRequest, club: str, event: str, stage: int, number: int) -> StageRound:
    """A round for the organisers of its club; 404 for others."""
    found = or_404(event_for_organiser, viewer_of(request), club, event)
    return or_404(round_of, or_404(stage_of, found, stage), number, organiser=True)


@login_required
@require_safe
def round_page(request: HttpRequest, club: str, event: str, stage: int, number: int) -> HttpResponse:
    """The tables of a round with the reasons for each, and what can be done with them."""
    found = round_for(request, club, event, stage, number)
    stage_row = found.stage
    facts = stage_facts(stage_row)
    groups = round_tables(facts, found)
    played = any(table.table.games for group in groups for table in group.tables)
    context = {
        "event": stage_row.event,
        "stage": stage_row,
        "round": found,
        "groups": [(group, cost_lines(group.draw.answer) if group.draw else []) for group in groups],
        "drawn": found.status == Status.DRAWN,
        "changeable": found.status in (Status.DRAWN, Status.PUBLISHED) and not played,
        "last": max((row.number for row in facts.rounds), default=0) == found.number,
        "running": stage_row.status == Stage.Status.RUNNING,
        "here": "events",
        "crumbs": stage_crumbs(stage_row),
    }
    return club_page(request, stage_row.event.club, "league/desk/round.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def round_publish_page(request: HttpRequest, club: str, event: str, stage: int, number: int) -> HttpResponse:
    """Let everybody see a round."""
    found = round_for(request, club, event, stage, number)
    step = Confirmation(
        title=gettext("Publish round %(number)d") % {"number": found.number},
        effects=[
            gettext("Everybody who may see the event sees the tables."),
            gettext("Results can be entered."),
            gettext("The draw can still be changed by hand until the first result is in."),
        ],
        button=gettext("Publish the round"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: round_publish(stage_round=found, actor=actor),
        done=gettext("The round is published."),
    )
    back = cockpit_url(found.stage.event)
    return take(request, found.stage.event.club, step, here="events", back=back, crumbs=stage_crumbs(found.stage))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def round_take_back_page(request: HttpRequest, club: str, event: str, stage: int, number: int) -> HttpResponse:
    """Take a round back, and all that were drawn after it."""
    found = round_for(request, club, event, stage, number)
    facts = stage_facts(found.stage)
    later = [row.number for row in facts.rounds if row.number > found.number]
    games = sum(len(table.games) for table in facts.tables if table.round >= found.number)
    step = Confirmation(
        title=gettext("Take round %(number)d back") % {"number": found.number},
        effects=[*_effects(found, later, games), *_later_stages(found.stage)],
        button=gettext("Take it back"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: course_take_back(stage_round=found, actor=actor),
        done=gettext("The round is taken back."),
        danger=True,
    )
    back = cockpit_url(found.stage.event)
    return take(request, found.stage.event.club, step, here="events", back=back, crumbs=stage_crumbs(found.stage))


def _later_stages(stage: Stage) -> list[str]:
    """What becomes of the stages after the one of a round that is taken back."""
    later = Stage.objects.filter(event=stage.event, number=stage.number + 1).first()
    if later is None or later.status == Stage.Status.PLANNED:
        return []
    later.event = stage.event
    return set_back_effects(later)


def _effects(stage_round: StageRound, later: list[int], games: int) -> list[str]:
    """What taking a round back means, in sentences."""
    effects = [gettext("Its tables are gone from the event; the draw stays in the record, marked as taken back.")]
    if later:
        words = ngettext("Round %(rounds)s goes with it.", "Rounds %(rounds)s go with it.", len(later))
        effects.append(words % {"rounds": ", ".join(map(str, later))})
    if games:
        words = ngettext(
            "%(count)d game was played there: it stays sealed and counts in the season, but no longer in this stage.",
            "%(count)d games were played there: they stay sealed and count in the season, but no longer in this stage.",
            games,
        )
        effects.append(words % {"count": games})
    effects.append(gettext("Drawn again with nothing changed, the round comes out the same."))
    return effects
