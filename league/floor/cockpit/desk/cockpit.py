"""The cockpit of an event: what is done, what comes next, what that waits for, and the way back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from league.core.member.models.member import Role
from league.core.viewer.permissions import roles_of
from league.core.viewer.web.viewer import page_of
from league.events.event.desk.page import desk_event_crumbs, desk_url, event_desk_page
from league.events.event.models import Event
from league.events.event.queries.access import event_for_worker
from league.events.fee.queries import owing
from league.events.wall_list.desk import wall_address
from league.events.wall_list.queries import requests_waiting
from league.floor.cockpit.desk.step_panel import step_url
from league.floor.cockpit.desk.step_rules import EVENT_STEPS, panel_of
from league.floor.cockpit.domain.cockpit import Cockpit, EventStep
from league.floor.cockpit.queries.cockpit import cockpit, disputed_games
from league.floor.cockpit.queries.duty import LISTED, missing_names
from league.floor.event_page.web import podium_places
from league.sheets.watching.queries.watch import SheetState, newest_sheet_states
from league.stages.result.domain.result import brings_nothing
from league.stages.round.desk.round import round_url
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN, StageTable
from league.stages.stage.models import Stage
from league.stages.stage.queries.stage import unplanned_dates

NAMES: Final = 12
"""So many of those who haven't paid are named."""
PhaseState = Literal["done", "now", "next"]


@dataclass(frozen=True, slots=True)
class Phase:
    """One of the steps of an event, as the stepper shows it."""

    label: str
    state: PhaseState
    url: str = ""


@login_required
@require_safe
@page_of(event_for_worker)
def event_cockpit(request: HttpRequest, event: Event) -> HttpResponse:
    """Show an event as its organisers run it, or all who have something to do there see it; while a
    round is being drawn the organisers' page asks again every half second."""
    state = cockpit(event)
    roles = roles_of(request.user, event.club)
    if Role.ORGANISER not in roles and not request.user.has_perm("league.manage_event", event):
        return _for_helper(request, state, roles)
    owing_entries = list(owing(event)) if event.fee is not None else []
    all_there = event.over or state.counts.there == state.counts.entered
    missing = [] if all_there else missing_names([event])[event.pk]
    return event_desk_page(
        request,
        event,
        "league/floor/cockpit/desk/event.html",
        crumbs=desk_event_crumbs(event),
        owing=owing_entries[:NAMES],
        owing_more=len(owing_entries[NAMES:]),
        cockpit=state,
        tiles=tiles(state),
        missing=missing[:LISTED],
        more=max(0, len(missing) - LISTED),
        phases=phases(state),
        podium=podium_places(event, state.stages),
        provisional=event.over and disputed_games(event) > 0,
        next=panel_of(state),
        waiting=state.next_step == EventStep.WAIT,
        undo=undo_link(state),
        roles_here=roles,
        gives_roles=Role.ORGANISER in roles,
        unplanned=len(unplanned_dates(event)) if state.stages and event.series_id else 0,
        phones_waiting=0 if event.over else requests_waiting(event).count(),
        wall="" if event.over else wall_address(event),
        may_cancel=event.status not in (Event.Status.FINISHED, Event.Status.CANCELLED),
    )


def _for_helper(request: HttpRequest, state: Cockpit, roles: Collection[str]) -> HttpResponse:
    """Show an event as scorers and arbiters see it: the tables, and what they may do there."""
    scores = request.user.has_perm("league.score_event", state.event)
    is_public = state.played is not None and state.played.status in DRAWN
    return event_desk_page(
        request,
        state.event,
        "league/floor/cockpit/desk/event_help.html",
        crumbs=desk_event_crumbs(state.event),
        round=state.played if is_public else None,
        tiles=[tile._replace(url=_help_url(tile, scores=scores)) for tile in tiles(state)]
        if is_public
        else [],
        scores=scores,
        rules=request.user.has_perm("league.rule_event", state.event),
        stage=state.stage,
        sets_up=scores and state.facts is not None and state.facts.stage.format_rules.free,
        roles_here=roles,
    )


def _help_url(tile: Tile, *, scores: bool) -> str:
    """Tell where a game is confirmed, where scorers enter a result, and where everybody else looks
    at a table."""
    table = tile.table
    if tile.sheet and tile.sheet.waiting:
        return tile.url
    return reverse(
        "table-result" if scores and not table.finished else "table", args=[table.public_id]
    )


class Tile(NamedTuple):
    """A table of the round that is played: who sits there, how it stands, the page where one goes
    on with it, and its sheet, if a game of it is being written down."""

    table: StageTable
    names: tuple[str, ...]
    note: str
    url: str
    sheet: SheetState | None

    @property
    def name(self) -> str:
        """What everybody calls the table."""
        return self.table.name

    @property
    def where(self) -> str:
        """Where it stands, in words; empty where its number says it all."""
        return self.table.where


def tiles(state: Cockpit) -> list[Tile]:
    """Return the tables of the round that is played, those without a result first."""
    facts = state.facts
    if facts is None:
        return []
    forsaken = state.left_tables
    tables = sorted(state.tables, key=lambda table: table.finished)
    sheets = newest_sheet_states([table.public_id for table in state.open_tables])
    rows = [
        (table, tuple(facts.members[entry].name for entry in table.entries)) for table in tables
    ]
    return [
        Tile(
            *row,
            *_way_on(state, row[0], forsaken, sheets.get(row[0].public_id)),
            sheets.get(row[0].public_id),
        )
        for row in rows
    ]


def _way_on(
    state: Cockpit, table: StageTable, forsaken: Sequence[StageTable], sheet: SheetState | None
) -> tuple[str, str]:
    """How a table stands, and the page where one goes on with it; no page while its round isn't
    published."""
    if state.played is not None and state.played.status == StageRound.Status.DRAWN:
        return gettext("not published"), ""
    if table.finished:
        words = gettext("without play") if table.walkover else gettext("finished")
        if state.stage is not None and brings_nothing(state.stage, table):
            words = gettext("over, points unknown")
        return words, reverse("table", args=[table.public_id])
    if table in forsaken:
        return gettext("too few are left"), reverse("table-walkover", args=[table.public_id])
    if sheet and sheet.waiting:
        return gettext("waits for confirmation"), reverse("open-game", args=[sheet.waiting])
    words = gettext("enter a result")
    if table.voided and state.played is not None and table.round_number != state.played.number:
        words = gettext("round %(number)d: void") % {"number": table.round_number}
    elif table.voided:
        words = gettext("void: play again")
    return words, reverse("table-result", args=[table.public_id])


def phases(state: Cockpit) -> list[Phase]:
    """Return the phases of an event in order: its entries, its stages, its end."""
    event = state.event
    running = event.status == Event.Status.RUNNING
    begun = running or event.status == Event.Status.FINISHED
    entries = _phase_state(begun, event.status == Event.Status.OPEN)
    first: PhaseState = "now" if event.status == Event.Status.DRAFT else "done"
    steps = [
        Phase(gettext("Plan"), first),
        Phase(gettext("Players"), entries, desk_url(event, "desk-entries")),
    ]
    for stage in state.stages:
        over = stage.status == Stage.Status.FINISHED
        now = running and stage == state.stage
        url = desk_url(event, "desk-stage", stage.number)
        steps.append(Phase(stage.name, _phase_state(over, now), url))
    finished = event.status == Event.Status.FINISHED
    closing = _phase_state(finished, state.next_step == EventStep.FINISH)
    return [*steps, Phase(gettext("End"), closing)]


def _phase_state(is_over: bool, is_now: bool) -> PhaseState:
    if is_over:
        return "done"
    return "now" if is_now else "next"


def undo_link(state: Cockpit) -> tuple[str, str] | None:
    """Return what the last step's undo is called, and where."""
    if state.undo is None:
        return None
    if state.undo == EventStep.TAKE_BACK:
        assert state.played is not None
        words = gettext("Take round %(number)d back") % {"number": state.played.number}
        if state.played.stage.format_rules.free:
            words = gettext("Take all tables back")
        return words, round_url(state.played, "desk-round-take-back")
    return str(EVENT_STEPS[state.undo].button), step_url(state.event, state.undo)
