"""A knock-out as the engine’s bracket reads it."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketInput, BracketRound, bracket_round
from league.stages.round.domain.reason import plan_version
from league.stages.stage.domain.facts import StageDraw, StageFacts, StageTable
from league.stages.table.domain.level import lot_at, places_at


def bracket_input(facts: StageFacts, group: int, seed: str = "") -> BracketInput:
    """A knock-out with the rounds that are finished: those behind the last draw as it was drawn
    from them, the last one as it has ended by now. So the bracket goes on from what was played,
    though a result of an earlier round may have been corrected since (`otherwise` says then what
    would be others).

    It is played to its end by the plan with which it began, whatever is planned today. A round that
    is still being played isn't in it. Only whoever draws the next one needs its `seed`, for the
    seats."""
    stage = facts.stage
    members = facts.group_members(group)
    begun_bracket = BracketInput(
        size=stage.sizes[0],
        advance=stage.advance,
        kind=stage.format_rules.bracket or "single",
        seed=seed,
        participants=tuple(member.entry_id for member in members),
        absent=frozenset(member.entry_id for member in members if member.withdrawn),
        third=stage.third,
    )
    last = max(
        (draw for draw in facts.draws if draw.group == group),
        key=lambda draw: draw.round_number,
        default=None,
    )
    if last is None:
        return begun_bracket
    bracket_then = replace(
        begun_bracket,
        finished=finished_then(last),
        absent=absent_then(last),
        version=plan_version(last.answer),
    )
    last_tables = [
        table for table in facts.group_tables(group) if table.round_number == last.round_number
    ]
    if all(table.finished for table in last_tables):
        bracket_then = with_round(
            bracket_then, tuple(order_of_finish(facts, table) for table in last_tables)
        )
    return replace(bracket_then, absent=begun_bracket.absent)


def orders_so_far(facts: StageFacts, group: int) -> tuple[tuple[str, ...], ...]:
    """The orders of finish of the tables that are finished in a round which is still being played;
    nothing once all of them are, as `bracket_input` has the round then."""
    last = max((draw.round_number for draw in facts.draws if draw.group == group), default=0)
    tables = [table for table in facts.group_tables(group) if table.round_number == last]
    if all(table.finished for table in tables):
        return ()
    return tuple(order_of_finish(facts, table) for table in tables if table.finished)


def finished_then(draw: StageDraw) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The rounds of a knock-out that were finished when a round of it was drawn, each with its
    orders of finish."""
    rounds = json.loads(draw.input_text).get("finished", ())
    return tuple(tuple(tuple(ids) for ids in tables) for tables in rounds)


def absent_then(draw: StageDraw) -> frozenset[str]:
    """Tell who had withdrawn when a round of a knock-out was drawn."""
    return frozenset(json.loads(draw.input_text).get("absent", ()))


def seed_then(draw: StageDraw) -> str:
    """The seed with which a round of a knock-out was drawn."""
    return str(json.loads(draw.input_text)["seed"])


def is_over(facts: StageFacts, group: int) -> bool:
    """True if a knock-out has its winner."""
    _, next_round = next_of_bracket(bracket_input(facts, group))
    return not isinstance(next_round, Illegal) and next_round.over


def next_of_bracket(bracket: BracketInput) -> tuple[BracketInput, BracketRound | Illegal]:
    """The next round of a knock-out that has a table; rounds of walkovers alone are passed over,
    and in the input."""
    next_round = bracket_round(bracket)
    while not isinstance(next_round, Illegal) and not next_round.tables and not next_round.over:
        bracket = with_round(bracket, ())
        next_round = bracket_round(bracket)
    return bracket, next_round


def with_round(bracket: BracketInput, played: tuple[tuple[str, ...], ...]) -> BracketInput:
    """The knock-out with one more finished round: its played tables, and the walkovers before and
    beside them."""
    while True:
        next_round = bracket_round(bracket)
        if isinstance(next_round, Illegal) or next_round.over:
            return bracket
        walkovers = tuple(table.ids for table in next_round.walkovers)
        if next_round.tables:
            return replace(bracket, finished=(*bracket.finished, (*played, *walkovers)))
        bracket = replace(bracket, finished=(*bracket.finished, walkovers))


def order_of_finish(facts: StageFacts, table: StageTable) -> tuple[str, ...]:
    """The ids of those who played at a finished table, the best first; lots separate those who
    share a place, in a stage of before there was a choice the order of seats.

    At one that was given without play, those who were there come first, the best seeded of them
    ahead."""
    if table.walkover:
        seeded = sorted(table.entries, key=lambda entry: facts.members[entry].seed)
        return tuple(
            facts.members[entry].entry_id
            for entry in sorted(seeded, key=table.walkover.absent.__contains__)
        )
    places = places_at(facts.stage, table.games)
    ids = {entry: facts.members[entry].entry_id for entry in table.entries}
    order = [entry for entry in table.entries if entry in places]
    if facts.stage.separation:
        order.sort(key=lambda entry: lot_at(facts.stage, table.public_id, ids[entry]))
    return tuple(ids[entry] for entry in sorted(order, key=places.__getitem__))
