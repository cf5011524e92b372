"""The draw of a round: who sits at which table, in which seat, and why. The one way in for all but
knock-out rounds."""

from dataclasses import replace

from engine.illegal import Illegal
from engine.pairing.answer import Draw
from engine.pairing.bounds import bounds
from engine.pairing.cost import cost_of, meetings
from engine.pairing.designs.designs import LOOK_AHEAD, next_round, rounds_left
from engine.pairing.draw_input import DrawInput, Participant, TableIds
from engine.pairing.duels.duels import duels
from engine.pairing.lots import settled
from engine.pairing.pods.pods import pods
from engine.pairing.seats import seated
from engine.pairing.sizes import size_mix
from engine.pairing.why import why

__all__ = ["Draw", "draw"]


def draw(draw_input: DrawInput) -> Draw | Illegal:
    """The best tables found for the next round, by the order of `engine.pairing.cost`: the same for
    the same input.

    Nothing in it depends on the order in which the input is written, on the clock, or on who has
    withdrawn. Faults: `too_few`, `no_such_sizes`."""
    mix = size_mix(len(draw_input.participants), draw_input.sizes, bye=draw_input.bye)
    if isinstance(mix, Illegal):
        return mix
    given, draw_input = draw_input, settled(draw_input)
    met, look_ahead = meetings(draw_input), len(draw_input.participants) <= LOOK_AHEAD
    numbered = replace(
        draw_input, seed=given.design or given.seed
    )  # a design's is that of its first round
    players = {player.player_id: player for player in draw_input.participants}
    rounds_unmet = rounds_left(numbered, mix, met) if look_ahead else ()
    ahead: list[tuple[TableIds, ...]] = []
    if design_round := next_round(numbered, mix, met, look_ahead=look_ahead):
        (tables, bye), later = design_round, 0
        ahead = [
            further
            for further, _ in rounds_unmet[1 : (draw_input.rounds or 0) - len(draw_input.played)]
        ]
    elif set(mix.tables) == {2} and draw_input.sizes[0] == 2:
        tables, bye, later = duels(draw_input)
    else:
        tables, bye, later = pods(draw_input, mix, met, rounds_unmet)
    tables = seated(_by_standing(tables, players), players, ahead)
    cost, least = cost_of(draw_input, tables, bye, later, met), bounds(draw_input, mix, met)
    # Where the rounds to come weren't searched, they can't avoid what no draw can.
    cost = replace(cost, repeats=max(cost.repeats, least["repeats"]))
    price = None
    if (
        mix.tables[-1] < draw_input.sizes[0]
        and not draw_input.meetings_first
        and cost.repeats > least["repeats"]
    ):
        free = draw(replace(given, meetings_first=True))
        assert isinstance(free, Draw)
        price = max(0, cost.repeats - free.cost.repeats)
    return Draw(tables, bye, cost, least, why(draw_input, tables, met), price)


def _by_standing(
    tables: tuple[TableIds, ...], players: dict[str, Participant]
) -> tuple[TableIds, ...]:
    """The tables with the highest scores first, and at each those with the highest; among equals
    the first lots."""
    lots = {player_id: place for place, player_id in enumerate(players)}

    def standing(player_id: str) -> tuple[int, int]:
        return -players[player_id].score, lots[player_id]

    ordered = [sorted(table, key=standing) for table in tables]
    return tuple(sorted(map(tuple, ordered), key=lambda table: list(map(standing, table))))
