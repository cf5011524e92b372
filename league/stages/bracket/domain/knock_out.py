"""A knock-out stage as the engine’s bracket."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketInput, BracketRound, bracket_round
from league.stages.round.domain.reason import plan_version
from league.stages.stage.domain.facts import StageDraw, StageFacts, StageTable
from league.stages.table.domain.level import lot_at, places_at


def bracket_input(facts: StageFacts, group: int, seed: str = "") -> BracketInput:
    """Return a knock-out with its finished rounds, from which its next round can be drawn.

    The rounds before the last draw are as they were at that draw, even if a result has been
    corrected since: a bracket goes on from the results that were drawn from. (What the correction
    would change is shown by `league.disputes.otherwise`.) The round of the last draw has its
    results of today; while it is in play it is left out. The bracket keeps the plan with which it
    began. `seed` decides the seats, and is needed only to draw the next round.
    """
    stage = facts.stage
    members = facts.group_members(group)
    absent_now = frozenset(member.entry_id for member in members if member.withdrawn)
    without_rounds = BracketInput(
        size=stage.sizes[0],
        advance=stage.advance,
        kind=stage.format_rules.bracket or "single",
        seed=seed,
        participants=tuple(member.entry_id for member in members),
        absent=absent_now,
        third=stage.third,
    )
    last_draw = max(
        (draw for draw in facts.draws if draw.group == group),
        key=lambda draw: draw.round_number,
        default=None,
    )
    if last_draw is None:
        return without_rounds

    bracket = replace(
        without_rounds,
        finished=finished_at_draw(last_draw),
        absent=absent_then(last_draw),
        version=plan_version(last_draw.answer),
    )
    last_tables = [
        table for table in facts.group_tables(group) if table.round_number == last_draw.round_number
    ]
    if all(table.finished for table in last_tables):
        orders = tuple(order_of_finish(facts, table) for table in last_tables)
        bracket = with_round(bracket, orders)
    return replace(bracket, absent=absent_now)


def orders_so_far(facts: StageFacts, group: int) -> tuple[tuple[str, ...], ...]:
    """Return the orders of finish of the finished tables of a round in play; empty once all tables
    are finished, because `bracket_input` includes the round then."""
    last_round = max((draw.round_number for draw in facts.draws if draw.group == group), default=0)
    tables = [table for table in facts.group_tables(group) if table.round_number == last_round]
    if all(table.finished for table in tables):
        return ()
    return tuple(order_of_finish(facts, table) for table in tables if table.finished)


def finished_at_draw(draw: StageDraw) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the orders of finish, round by round, of a knock-out at the time of a draw."""
    rounds = json.loads(draw.input_text).get("finished", ())
    return tuple(tuple(tuple(ids) for ids in tables) for tables in rounds)


def absent_then(draw: StageDraw) -> frozenset[str]:
    """Return the ids of the entries that had withdrawn at the time of a draw of a knock-out."""
    return frozenset(json.loads(draw.input_text).get("absent", ()))


def seed_then(draw: StageDraw) -> str:
    """Return the seed of a draw of a knock-out."""
    return str(json.loads(draw.input_text)["seed"])


def is_over(facts: StageFacts, group: int) -> bool:
    """Return True if a knock-out has its winner."""
    _, next_round = next_of_bracket(bracket_input(facts, group))
    return not isinstance(next_round, Illegal) and next_round.over


def next_of_bracket(bracket: BracketInput) -> tuple[BracketInput, BracketRound | Illegal]:
    """Return a knock-out and its next round that has a table to play. The returned bracket includes
    the rounds before that one in which every table was a walkover."""
    next_round = bracket_round(bracket)
    while not isinstance(next_round, Illegal) and not next_round.tables and not next_round.over:
        bracket = with_round(bracket, ())
        next_round = bracket_round(bracket)
    return bracket, next_round


def with_round(bracket: BracketInput, played_orders: tuple[tuple[str, ...], ...]) -> BracketInput:
    """Return a bracket with one more finished round: the orders of its played tables, and its
    walkovers. Rounds before it in which every table was a walkover are added, too."""
    while True:
        next_round = bracket_round(bracket)
        if isinstance(next_round, Illegal) or next_round.over:
            return bracket
        walkovers = tuple(table.ids for table in next_round.walkovers)
        if next_round.tables:
            return replace(bracket, finished=(*bracket.finished, (*played_orders, *walkovers)))
        bracket = replace(bracket, finished=(*bracket.finished, walkovers))


def order_of_finish(facts: StageFacts, table: StageTable) -> tuple[str, ...]:
    """Return the ids of the players of a finished table, the best first. Lots separate players who
    share a place; in older stages, planned without that setting, the order of seats does.

    At a table given without play, the players who were present come first, in the order of their
    seeding.
    """
    ids = {entry: facts.members[entry].entry_id for entry in table.entries}
    if table.walkover:
        absent = table.walkover.absent
        order = sorted(
            table.entries, key=lambda entry: (entry in absent, facts.members[entry].seed)
        )
        return tuple(ids[entry] for entry in order)

    places = places_at(facts.stage, table.games)
    order = [entry for entry in table.entries if entry in places]
    if facts.stage.separation:
        order.sort(key=lambda entry: lot_at(facts.stage, table.public_id, ids[entry]))
    order.sort(key=lambda entry: places[entry])
    return tuple(ids[entry] for entry in order)
