"""Stages as their public pages show them: rankings with reasons, and rounds."""

from __future__ import annotations

from typing import NamedTuple

from engine.messages import Message
from engine.scoring.stage.ranking import StageRow
from engine.scoring.stage.reasons import NAMES, between, explain_row, figure_text
from engine.scoring.stage.rules import StageTieBreak
from engine.scoring.wording import written
from league.events.queries.access import DRAWN
from league.events.queries.places import stage_places
from league.events.queries.stage import Member, StageFacts, group_ranking


class ShownRow(NamedTuple):
    """A row of a stage's ranking: `above` says why it stands behind the row above it, `why` what its points are."""

    rank: int
    member: Member
    points: str
    figures: tuple[str, ...]
    why: tuple[Message, ...]
    above: Message | None


class ShownGroup(NamedTuple):
    """The ranking of a group; `tie_breaks` are the heads of the figures."""

    name: str
    tie_breaks: tuple[Message, ...]
    rows: tuple[ShownRow, ...]


def shown_groups(facts: StageFacts) -> list[ShownGroup]:
    """The rankings of all groups of a stage; those of a knock-out or a ladder are in the order of its places."""
    members = {member.id: member for member in facts.members.values()}
    heads = tuple(NAMES[StageTieBreak(name)] for name in facts.stage.tie_breaks)
    found = []
    for group in facts.groups:
        rows = group_ranking(facts, group.pk)
        found.append(ShownGroup(group.name, heads, tuple(_rows(rows, members))))
    if facts.stage.by_place and found:
        found[0] = found[0]._replace(rows=_by_places(facts, found[0].rows))
    return found


def _rows(rows: tuple[StageRow, ...], members: dict[str, Member]) -> list[ShownRow]:
    shown = []
    for place, row in enumerate(rows):
        figures = tuple(figure_text(name, figure) for name, figure in row.figures.items())
        above = between(rows[place - 1], row) if place else None
        member = members[row.participant.id]
        shown.append(ShownRow(row.rank, member, written(row.points), figures, explain_row(row), above))
    return shown


def _by_places(facts: StageFacts, rows: tuple[ShownRow, ...]) -> tuple[ShownRow, ...]:
    """The rows with the places of the bracket or the ladder, which decides who is ahead of whom."""
    by_entry = {row.member.entry: row for row in rows}
    return tuple(
        by_entry[placed.entry]._replace(rank=placed.place, above=None)
        for placed in stage_places(facts)
        if placed.entry in by_entry
    )


def published(facts: StageFacts) -> StageFacts:
    """The stage as everybody may see it: without rounds that aren't published yet."""
    seen = {stage_round.number for stage_round in facts.rounds if stage_round.status in DRAWN}
    return StageFacts(
        stage=facts.stage,
        groups=facts.groups,
        members=facts.members,
        rounds=tuple(stage_round for stage_round in facts.rounds if stage_round.number in seen),
        tables=tuple(table for table in facts.tables if table.round in seen),
        draws=tuple(draw for draw in facts.draws if draw.round in seen),
    )
