"""The public page of a table: its players, the reasons of the draw, and its games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.core.frame.kept import shared_key
from league.core.viewer.queries.access import Viewer
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import club_page, page_of, viewer_of
from league.events.event.queries.access import rights_of
from league.events.event.queries.event import event_versions
from league.stages.round.models import StageRound
from league.stages.round.queries import retraction_of
from league.stages.stage.domain.facts import StageDraw, StageFacts, StageTable
from league.stages.stage.domain.table_name import number_of, table_name
from league.stages.stage.queries.facts import round_facts
from league.stages.table.domain.level import level_words
from league.stages.table.domain.table import SeatedTable, draw_of, seated_with_reasons
from league.stages.table.domain.walkover import may_be_given
from league.stages.table.models import Table
from league.stages.table.queries.access import may_enter_result, may_play, may_write, table_for


@require_safe
@page_of(table_for)
def table_page(request: HttpRequest, table: Table) -> HttpResponse:
    """Show a published table, also one of a round that was taken back; with links for viewers who
    may enter its result. What all readers with the same rights see is rendered once for them."""
    viewer = viewer_of(request)
    stage = table.stage_round.stage
    event = stage.event
    is_open = not table.finished
    may_enter = is_open and may_enter_result(viewer, table)
    rights = rights_of(viewer, event.club)
    return club_page(
        request,
        event.club,
        "league/stages/table/table.html",
        event=event,
        stage=stage,
        round=table.stage_round,
        table=table,
        name=table_name(number_of(table)),
        retraction=retraction_of(table.stage_round),
        may_play=event.online and is_open and may_play(viewer, table),
        may_enter=may_enter,
        may_write=may_enter or (is_open and may_write(viewer, table)),
        shown=ShownTable(table, viewer),
        shared_key=shared_key(request, (*event_versions(event), rights)),
        crumbs=table_crumbs(table),
    )


@dataclass(frozen=True)
class ShownTable:
    """What a table's page shows to all readers with the same rights. It is read only when a part of
    the page is rendered: while the part is cached, nothing is."""

    table: Table
    viewer: Viewer

    @cached_property
    def facts(self) -> StageFacts:
        """Return the facts of the table's round."""
        return round_facts(self.table.stage_round)

    @cached_property
    def row(self) -> StageTable:
        """Return the table among these facts."""
        return row_of(self.facts, self.table)

    @cached_property
    def stands(self) -> bool:
        """Return True if the table's round wasn't taken back."""
        return self.table.stage_round.status != StageRound.Status.TAKEN_BACK

    @cached_property
    def seated(self) -> SeatedTable:
        """Return the players, the reasons of the draw, and the games."""
        return seated_with_reasons(self.facts, self.row)

    @cached_property
    def draw(self) -> StageDraw | None:
        """Return the draw that the table comes from, if it was drawn."""
        return draw_of(self.facts, self.row.round_number, self.row.group)

    @cached_property
    def level(self) -> list[str]:
        """Return sentences on who shares the last place that goes on."""
        return level_words(self.facts, self.row)

    @cached_property
    def left(self) -> list[StageTable]:
        """Return the round's other tables without a result."""
        if not self.stands:
            return []
        return [
            table
            for table in self.facts.open_tables
            if table.round_number == self.row.round_number and table.pk != self.row.pk
        ]

    @cached_property
    def left_alone(self) -> bool:
        """Return True if too few players are left at the table to play."""
        return may_be_given(self.facts, self.row)

    @cached_property
    def may_correct(self) -> bool:
        """Return True if the viewer may correct the table's games."""
        club = self.table.stage_round.stage.event.club
        return self.stands and self.viewer.user.has_perm("league.correct_games", club)

    @cached_property
    def manages(self) -> bool:
        """Return True if the viewer organises the event."""
        event = self.table.stage_round.stage.event
        return self.stands and self.viewer.user.has_perm("league.manage_event", event)


def row_of(facts: StageFacts, table: Table) -> StageTable:
    """Return a table as it is in the facts of its stage."""
    return next(row for row in facts.tables if row.pk == table.pk)


def table_crumbs(table: Table, *, deeper: bool = False) -> list[tuple[str, str]]:
    """Return the breadcrumbs of a table's page or, if `deeper`, of a page below it."""
    crumbs = club_crumbs(table.stage_round.stage.event.club)
    if deeper:
        crumbs.append((table_name(number_of(table)), reverse("table", args=[table.public_id])))
    return crumbs
