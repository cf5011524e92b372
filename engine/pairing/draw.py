"""The draw of a round: the players at each table, their seats, and the reasons.

It is the entry point for all formats but knock-outs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.illegal import Illegal
from engine.pairing.answer import Draw
from engine.pairing.bounds import bounds
from engine.pairing.cost import PairOfIds, cost_of, meetings
from engine.pairing.designs.designs import LOOK_AHEAD, next_round, rounds_without_repeats
from engine.pairing.draw_input import DrawInput, Participant, TableIds
from engine.pairing.duels.duels import duels
from engine.pairing.lots import settled
from engine.pairing.pods.pods import pods
from engine.pairing.seats import seated
from engine.pairing.sizes import SizeMix, size_mix
from engine.pairing.why import why

__all__ = ["Draw", "draw"]


def draw(draw_input: DrawInput) -> Draw | Illegal:
    """Return the best tables found for the next round, by the order of `engine.pairing.cost`.

    The same input gives the same draw: it depends neither on the order in which the input is
    written, nor on the clock, nor on the players who have withdrawn. Errors: `too_few`,
    `no_such_sizes`."""
    mix = size_mix(len(draw_input.participants), draw_input.sizes, bye=draw_input.bye)
    if isinstance(mix, Illegal):
        return mix
    unsettled_input = draw_input
    draw_input = settled(unsettled_input)
    players = {player.player_id: player for player in draw_input.participants}
    met = meetings(draw_input)
    tables, bye, later, tables_ahead = _draw_tables(unsettled_input, draw_input, mix, met)
    tables = seated(_by_standing(tables, players), players, tables_ahead)

    bound = bounds(draw_input, mix, met)
    cost = cost_of(draw_input, tables, bye, later, met)
    # If the planned rounds weren't searched, they can still not go below the bound.
    cost = replace(cost, repeats=max(cost.repeats, bound["repeats"]))

    price = None
    has_short_table = mix.tables[-1] < draw_input.sizes[0]
    if has_short_table and not draw_input.meetings_first and cost.repeats > bound["repeats"]:
        # What would the draw repeat if turns at short tables came after meetings?
        draw_without_turns = draw(replace(unsettled_input, meetings_first=True))
        assert isinstance(draw_without_turns, Draw)
        price = max(0, cost.repeats - draw_without_turns.cost.repeats)
    return Draw(tables, bye, cost, bound, why(draw_input, tables, met), price)


def _draw_tables(
    unsettled_input: DrawInput, draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]
) -> tuple[Sequence[TableIds], TableIds, int, list[tuple[TableIds, ...]]]:
    """Draw tables by the method that fits; seats don't count yet.

    Return the tables, the byes, the repeated meetings that the planned rounds can't avoid, and the
    tables of these rounds if they come from a design. `draw_input` is `unsettled_input` with
    another seed."""
    look_ahead = len(draw_input.participants) <= LOOK_AHEAD
    # The numbers of a design come from the seed of its first round.
    numbered = replace(draw_input, seed=unsettled_input.design or unsettled_input.seed)
    rounds_unmet = rounds_without_repeats(numbered, mix, met) if look_ahead else ()
    design_round = next_round(numbered, mix, met, look_ahead=look_ahead)
    if design_round:
        rounds_to_come = (draw_input.rounds or 0) - len(draw_input.played)
        tables_ahead = [further.tables for further in rounds_unmet[1:rounds_to_come]]
        later_repeats = 0
        return design_round.tables, design_round.bye, later_repeats, tables_ahead
    if set(mix.tables) == {2} and draw_input.sizes[0] == 2:
        return *duels(draw_input), []
    return *pods(draw_input, mix, met, rounds_unmet), []


def _by_standing(
    tables: Sequence[TableIds], players: dict[str, Participant]
) -> tuple[TableIds, ...]:
    """Sort the tables, and the players of each, by standing.

    `players` are in the order of their lots, which decide between equal scores."""
    lots = {player_id: place for place, player_id in enumerate(players)}

    def standing(player_id: str) -> tuple[int, int]:
        return -players[player_id].score, lots[player_id]

    ordered = [tuple(sorted(table, key=standing)) for table in tables]
    return tuple(sorted(ordered, key=lambda table: list(map(standing, table))))
