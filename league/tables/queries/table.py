"""One table: who sits there, and what came of it."""

from __future__ import annotations

from typing import NamedTuple

from league.stages.models import Participant, SharedPlace, Stage
from league.tables.domain.level import is_played_out, level_entries
from league.tables.domain.retraction import Retraction
from league.tables.domain.stage import PlayedGame, StageFacts, StageTable
from league.tables.domain.table import SeatedTable, draw_of, round_tables, seated, table_why
from league.tables.models import StageRound, Table, TableScore
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


def tables_of_round(facts: StageFacts, stage_round: StageRound) -> list[TableOfStage]:
    """The tables of a round of a stage as a reader may see it, in order; none of a round that could not be drawn."""
    if stage_round.status == StageRound.Status.FAILED:
        return []
    retraction = retraction_of(stage_round)
    return [
        TableOfStage(table, facts.stage, group.number, part.draw.public_id if part.draw else None, retraction)
        for group, part in zip(facts.groups, round_tables(facts, stage_round), strict=True)
        for table in part.tables
    ]


def played_table(table: Table) -> TableOfStage:
    """A table and what has come of it by now: as quickly in a large stage as in a small one."""
    stage = table.stage_round.stage
    facts = table_facts(table)
    seats = seated(facts, facts.tables[0], [])
    return TableOfStage(seats, stage, table.group.number)


def table_games(table: Table) -> list[PlayedGame]:
    """The games of a table as they are stored, in order."""
    rows = TableScore.objects.filter(table=table).order_by("number")
    columns = rows.values_list("number", "game__public_id", "entries", "ranks", "points")
    return [
        PlayedGame(number, game, tuple(entries), tuple(ranks) if ranks else None, tuple(points) if points else None)
        for number, game, entries, ranks, points in columns
    ]


def level_at_table(table: Table) -> tuple[int, ...]:
    """The entries that play another game at a table, as they share the last place that goes on; nobody elsewhere."""
    stage = table.stage_round.stage
    if stage.separation != SharedPlace.GAME:
        return ()
    return level_entries(stage, table.label, table_games(table), _count(stage))


def plays_no_more(table: Table) -> bool:
    """True if all games of a table are in, another one to separate who is level, too."""
    stage = table.stage_round.stage
    return is_played_out(stage, table.label, table_games(table), _count(stage))


def _count(stage: Stage) -> int:
    """How many take part in a knock-out; of another stage nobody asks."""
    return Participant.objects.filter(stage=stage).count() if stage.knock_out else 0
