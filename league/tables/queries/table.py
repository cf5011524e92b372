"""One table: who sits there, and what came of it."""

from __future__ import annotations

from typing import NamedTuple

from league.stages.models import Stage
from league.tables.domain.retraction import Retraction
from league.tables.domain.stage import StageTable
from league.tables.domain.table import SeatedTable, draw_of, seated, table_why
from league.tables.models import Table
from league.tables.queries.retraction import retraction_of
from league.tables.queries.stage import round_facts, table_facts


class TableOfStage(NamedTuple):
    """A table, its stage, the number of its group, the id of its draw, None where it has none, and, where its round was
    taken back, when and why."""

    seated: SeatedTable
    stage: Stage
    group: int
    draw: str | None = None
    retraction: Retraction | None = None

    @property
    def table(self) -> StageTable:
        """The table as the stage has it."""
        return self.seated.table


def drawn_table(table: Table) -> TableOfStage:
    """A table as it is stored now, with the reasons of its draw."""
    stage = table.stage_round.stage
    facts = round_facts(table.stage_round)
    row = next(row for row in facts.tables if row.pk == table.pk)
    draw = draw_of(facts, row.round_number, row.group)
    seats = seated(facts, row, table_why(facts, row))
    retraction = retraction_of(table.stage_round)
    return TableOfStage(seats, stage, table.group.number, draw.public_id if draw else None, retraction)


def played_table(table: Table) -> TableOfStage:
    """A table and what has come of it by now: as quickly in a large stage as in a small one."""
    stage = table.stage_round.stage
    facts = table_facts(table)
    seats = seated(facts, facts.tables[0], [])
    return TableOfStage(seats, stage, table.group.number)
