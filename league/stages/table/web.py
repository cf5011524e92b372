"""A table: its number, who sits there, who opens, when, why, and what came of it."""

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
    """A published table; whoever may enter its result finds the way there. One of a round that was
    taken back says so."""
    viewer = viewer_of(request)
    stage = table.stage_round.stage
    facts = round_facts(table.stage_round)
    row = row_of(facts, table)
    retraction = retraction_of(table.stage_round)
    may_enter = not row.finished and may_enter_result(viewer, table)
    return club_page(
        request,
        stage.event.club,
        "league/stages/table/table.html",
        event=stage.event,
        stage=stage,
        round=table.stage_round,
        row=row,
        seated=seated_with_reasons(facts, row),
        retraction=retraction,
        draw=draw_of(facts, row.round_number, row.group),
        may_play=stage.event.online and not row.finished and may_play(viewer, table),
        may_enter=may_enter,
        may_write=may_enter or (not row.finished and may_write(viewer, table)),
        may_correct=retraction is None
        and request.user.has_perm("league.correct_games", stage.event.club),
        level=level_words(facts, row),
        left=[
            open_table
            for open_table in facts.open_tables
            if retraction is None
            and open_table.round_number == row.round_number
            and open_table.pk != row.pk
        ],
        left_alone=may_be_given(facts, row),
        manages=retraction is None and request.user.has_perm("league.manage_event", stage.event),
        crumbs=table_crumbs(table),
    )


def row_of(facts: StageFacts, table: Table) -> StageTable:
    """The table as the facts of its stage have it."""
    return next(row for row in facts.tables if row.pk == table.pk)


def table_crumbs(table: Table, *, deeper: bool = False) -> list[tuple[str, str]]:
    """The way to a table's page, or to a page below it."""
    way = club_crumbs(table.stage_round.stage.event.club)
    if deeper:
        way.append((table_name(number_of(table)), reverse("table", args=[table.public_id])))
    return way
