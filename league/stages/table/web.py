"""The public page of a table: its players, the reasons of the draw, and its games."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import club_page, page_of, viewer_of
from league.stages.round.queries import retraction_of
from league.stages.stage.domain.facts import StageFacts, StageTable
from league.stages.stage.domain.table_name import number_of, table_name
from league.stages.stage.queries.facts import round_facts
from league.stages.table.domain.level import level_words
from league.stages.table.domain.table import draw_of, seated_with_reasons
from league.stages.table.domain.walkover import may_be_given
from league.stages.table.models import Table
from league.stages.table.queries.access import may_enter_result, may_play, may_write, table_for


@require_safe
@page_of(table_for)
def table_page(request: HttpRequest, table: Table) -> HttpResponse:
    """Show a published table, also one of a round that was taken back; with links for viewers who
    may enter its result."""
    viewer = viewer_of(request)
    stage = table.stage_round.stage
    event = stage.event
    facts = round_facts(table.stage_round)
    row = row_of(facts, table)
    retraction = retraction_of(table.stage_round)
    stands = retraction is None
    is_open = not row.finished
    may_enter = is_open and may_enter_result(viewer, table)
    other_open_tables = [
        open_table
        for open_table in facts.open_tables
        if open_table.round_number == row.round_number and open_table.pk != row.pk
    ]
    return club_page(
        request,
        event.club,
        "league/stages/table/table.html",
        event=event,
        stage=stage,
        round=table.stage_round,
        row=row,
        seated=seated_with_reasons(facts, row),
        retraction=retraction,
        draw=draw_of(facts, row.round_number, row.group),
        may_play=event.online and is_open and may_play(viewer, table),
        may_enter=may_enter,
        may_write=may_enter or (is_open and may_write(viewer, table)),
        may_correct=stands and request.user.has_perm("league.correct_games", event.club),
        level=level_words(facts, row),
        left=other_open_tables if stands else [],
        left_alone=may_be_given(facts, row),
        manages=stands and request.user.has_perm("league.manage_event", event),
        crumbs=table_crumbs(table),
    )


def row_of(facts: StageFacts, table: Table) -> StageTable:
    """Return a table as it is in the facts of its stage."""
    return next(row for row in facts.tables if row.pk == table.pk)


def table_crumbs(table: Table, *, deeper: bool = False) -> list[tuple[str, str]]:
    """Return the breadcrumbs of a table's page or, if `deeper`, of a page below it."""
    crumbs = club_crumbs(table.stage_round.stage.event.club)
    if deeper:
        crumbs.append((table_name(number_of(table)), reverse("table", args=[table.public_id])))
    return crumbs
