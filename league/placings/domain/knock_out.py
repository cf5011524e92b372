"""A knock-out as the engine’s bracket reads it."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketInput, BracketRound, bracket_round
from engine.scoring.stage.table_points import table_places
from league.stages.models import Format
from league.tables.domain.result import stage_rules, table_result
from league.tables.domain.stage import StageDraw, StageFacts, StageTable


def bracket_input(facts: StageFacts, group: int) -> BracketInput:
    """A knock-out with the rounds that are finished: those behind the last draw as it was drawn from them, the last one
    as it has ended by now. So the bracket goes on from what was played, though a result of an earlier round may have
    been corrected since (`otherwise` says then what would be others).

    A round that is still being played isn't in it.
    """
    stage = facts.stage
    members = facts.group_members(group)
    given = BracketInput(
        size=stage.sizes[0],
        advance=stage.advance,
        kind="double" if stage.format == Format.DOUBLE else "single",
        seed=stage.seed,
        participants=tuple(member.id for member in members),
        absent=frozenset(member.id for member in members if member.withdrawn),
        third=stage.third,
    )
    last = max((draw for draw in facts.draws if draw.group == group), key=lambda draw: draw.round, default=None)
    if last is None:
        return given
    drawn = replace(given, finished=finished_then(last), absent=absent_then(last))
    here = [table for table in facts.group_tables(group) if table.round == last.round]
    if all(table.finished for table in here):
        drawn = with_round(drawn, tuple(order_of_finish(facts, table) for table in here))
    return replace(drawn, absent=given.absent)


def finished_then(draw: StageDraw) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The rounds of a knock-out that were finished when a round of it was drawn, each with its orders of finish."""
    rounds = json.loads(draw.input).get("finished", ())
    return tuple(tuple(tuple(ids) for ids in tables) for tables in rounds)


def absent_then(draw: StageDraw) -> frozenset[str]:
    """Who had withdrawn when a round of a knock-out was drawn."""
    return frozenset(json.loads(draw.input).get("absent", ()))


def is_over(facts: StageFacts, group: int) -> bool:
    """Whether a knock-out has its winner."""
    _, drawn = next_of_bracket(bracket_input(facts, group))
    return not isinstance(drawn, Illegal) and drawn.over


def next_of_bracket(given: BracketInput) -> tuple[BracketInput, BracketRound | Illegal]:
    """The next round of a knock-out that has a table; rounds of walkovers alone are passed over, and in the input."""
    drawn = bracket_round(given)
    while not isinstance(drawn, Illegal) and not drawn.tables and not drawn.over:
        given = with_round(given, ())
        drawn = bracket_round(given)
    return given, drawn


def with_round(given: BracketInput, played: tuple[tuple[str, ...], ...]) -> BracketInput:
    """The knock-out with one more finished round: its played tables, and the walkovers before and beside them."""
    while True:
        drawn = bracket_round(given)
        if isinstance(drawn, Illegal) or drawn.over:
            return given
        walkovers = tuple(table.ids for table in drawn.walkovers)
        if drawn.tables:
            return replace(given, finished=(*given.finished, (*played, *walkovers)))
        given = replace(given, finished=(*given.finished, walkovers))


def order_of_finish(facts: StageFacts, table: StageTable) -> tuple[str, ...]:
    """The ids of those who played at a finished table, the best first; who shares a place stands in seat order.

    At one that was given without play, those who were there come first, the best seeded of them ahead.
    """
    if table.walkover:
        seeded = sorted(table.entries, key=lambda entry: facts.members[entry].seed)
        return tuple(facts.members[entry].id for entry in sorted(seeded, key=table.walkover.absent.__contains__))
    result = table_result(facts, table)
    places = table_places(stage_rules(facts.stage), result)
    return tuple(id for _, id in sorted(zip(places, result.players, strict=True), key=lambda pair: pair[0]))
