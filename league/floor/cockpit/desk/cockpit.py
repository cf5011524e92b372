"""The cockpit of an event: its phases, the next step and its obstacles, and undoing the last one."""

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
from league.stages.result.domain.result import lacks_counted_points
from league.stages.round.desk.round import round_url
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN, StageTable
from league.stages.stage.models import Stage
from league.stages.stage.queries.stage import unplanned_dates

MOST_DEBTORS: Final = 12
"""The most names that are listed of players who haven't paid."""
PhaseState = Literal["done", "now", "next"]


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of an event, as the row of phases shows it."""

    label: str
    state: PhaseState
    url: str = ""


@login_required
@require_safe
@page_of(event_for_worker)
def event_cockpit(request: HttpRequest, event: Event) -> HttpResponse:
    """Show an event with its next step to organisers, and its tables to scorers and arbiters. While
    a round is being drawn, the organisers' page is loaded again every half second."""
    state = cockpit(event)
    roles = roles_of(request.user, event.club)
    if Role.ORGANISER not in roles and not request.user.has_perm("league.manage_event", event):
        return _helper_page(request, state, roles)
    owing_entries = list(owing(event)) if event.fee is not None else []
    all_checked_in = event.over or state.counts.there == state.counts.entered
    missing_players = [] if all_checked_in else missing_names([event])[event.pk]
    return event_desk_page(
        request,
        event,
        "league/floor/cockpit/desk/event.html",
        crumbs=desk_event_crumbs(event),
        owing=owing_entries[:MOST_DEBTORS],
        owing_more=len(owing_entries[MOST_DEBTORS:]),
        cockpit=state,
        tiles=tiles(state),
        missing=missing_players[:LISTED],
        more=max(0, len(missing_players) - LISTED),
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


def _helper_page(request: HttpRequest, state: Cockpit, roles: Collection[str]) -> HttpResponse:
    scores = request.user.has_perm("league.score_event", state.event)
    is_public = state.played is not None and state.played.status in DRAWN
    helper_tiles: list[Tile] = []
    if is_public:
        helper_tiles = [
            tile._replace(url=_helper_url(tile, scores=scores)) for tile in tiles(state)
        ]
    return event_desk_page(
        request,
        state.event,
        "league/floor/cockpit/desk/event_help.html",
        crumbs=desk_event_crumbs(state.event),
        round=state.played if is_public else None,
        tiles=helper_tiles,
        scores=scores,
        rules=request.user.has_perm("league.rule_event", state.event),
        stage=state.stage,
        sets_up=scores and state.facts is not None and state.facts.stage.format_rules.free,
        roles_here=roles,
    )


def _helper_url(tile: Tile, *, scores: bool) -> str:
    if tile.sheet and tile.sheet.waiting:
        return tile.url
    may_enter = scores and not tile.table.finished
    return reverse("table-result" if may_enter else "table", args=[tile.table.public_id])


class Tile(NamedTuple):
    """A table of the round in play: the names of its players, a note on its state, the page where
    one goes on with it, and its sheet, if a game of it is being written down."""

    table: StageTable
    names: tuple[str, ...]
    note: str
    url: str
    sheet: SheetState | None

    @property
    def name(self) -> str:
        """Return the table's name."""
        return self.table.name

    @property
    def where(self) -> str:
        """Return where the table stands, in words; empty if its number says enough."""
        return self.table.where


def tiles(state: Cockpit) -> list[Tile]:
    """Return the tables of the round in play, those without a result first."""
    facts = state.facts
    if facts is None:
        return []
    deserted_tables = state.deserted_tables
    sheets = newest_sheet_states([table.public_id for table in state.open_tables])
    shown_tiles = []
    for table in sorted(state.tables, key=lambda table: table.finished):
        sheet = sheets.get(table.public_id)
        note, url = _note_and_url(state, table, deserted_tables, sheet)
        names = tuple(facts.members[entry].name for entry in table.entries)
        shown_tiles.append(Tile(table, names, note, url, sheet))
    return shown_tiles


def _note_and_url(
    state: Cockpit,
    table: StageTable,
    deserted_tables: Sequence[StageTable],
    sheet: SheetState | None,
) -> tuple[str, str]:
    if state.played is not None and state.played.status == StageRound.Status.DRAWN:
        return gettext("not published"), ""
    if table.finished:
        note = gettext("without play") if table.walkover else gettext("finished")
        if state.stage is not None and lacks_counted_points(state.stage, table):
            note = gettext("over, points unknown")
        return note, reverse("table", args=[table.public_id])
    if table in deserted_tables:
        return gettext("too few players left"), reverse("table-walkover", args=[table.public_id])
    if sheet and sheet.waiting:
        return gettext("waiting for confirmation"), reverse("open-game", args=[sheet.waiting])
    note = gettext("enter a result")
    if table.voided and state.played is not None and table.round_number != state.played.number:
        note = gettext("round %(number)d: void") % {"number": table.round_number}
    elif table.voided:
        note = gettext("void: play again")
    return note, reverse("table-result", args=[table.public_id])


def phases(state: Cockpit) -> list[Phase]:
    """Return the phases of an event in order: planning, entries, stages, end."""
    event = state.event
    is_running = event.status == Event.Status.RUNNING
    has_begun = is_running or event.status == Event.Status.FINISHED
    entries = _phase_state(has_begun, event.status == Event.Status.OPEN)
    planning: PhaseState = "now" if event.status == Event.Status.DRAFT else "done"
    steps = [
        Phase(gettext("Plan"), planning),
        Phase(gettext("Players"), entries, desk_url(event, "desk-entries")),
    ]
    for stage in state.stages:
        is_over = stage.status == Stage.Status.FINISHED
        is_current = is_running and stage == state.stage
        url = desk_url(event, "desk-stage", stage.number)
        steps.append(Phase(stage.name, _phase_state(is_over, is_current), url))
    finished = event.status == Event.Status.FINISHED
    end = _phase_state(finished, state.next_step == EventStep.FINISH)
    return [*steps, Phase(gettext("End"), end)]


def _phase_state(is_over: bool, is_now: bool) -> PhaseState:
    if is_over:
        return "done"
    return "now" if is_now else "next"


def undo_link(state: Cockpit) -> tuple[str, str] | None:
    """Return the text and the address of the link that undoes the last step; None if nothing can be
    undone."""
    if state.undo is None:
        return None
    if state.undo == EventStep.TAKE_BACK:
        assert state.played is not None
        text = gettext("Take round %(number)d back") % {"number": state.played.number}
        if state.played.stage.format_rules.free:
            text = gettext("Take all tables back")
        return text, round_url(state.played, "desk-round-take-back")
    return str(EVENT_STEPS[state.undo].button), step_url(state.event, state.undo)
