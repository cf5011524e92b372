"""Lower bounds of a round's cost, where they can be computed without drawing."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain
from math import comb

from engine.pairing.cost import PairOfIds, spread
from engine.pairing.draw_input import DrawInput
from engine.pairing.sizes import SizeMix


def bounds(draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]) -> dict[str, int]:
    """Return lower bounds by criterion: `byes`, `short`, `repeats`, and `spread` if all tables have
    the same size.

    The bounds of `byes` and `short` can each be reached, though not necessarily both at once.
    `met`: the input's meetings.
    """
    lower_bounds = {
        "byes": _sum_of_lowest([player.byes for player in draw_input.participants], mix.byes),
        "short": _sum_of_lowest(
            [player.short for player in draw_input.participants],
            sum(size for size in mix.tables if size < draw_input.sizes[0]),
        ),
        "repeats": repeats_bound(draw_input, mix, met),
    }
    if len(set(mix.tables)) == 1 and not mix.byes:
        lower_bounds["spread"] = _least_spread(draw_input, mix.tables[0])
    return lower_bounds


def _sum_of_lowest(counts: list[int], number: int) -> int:
    """Add up the `number` lowest counts, less the lowest of all for each of them."""
    return sum(sorted(counts)[:number]) - number * min(counts)


def repeats_bound(draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]) -> int:
    """Return a lower bound of the repeated meetings in the planned rounds.

    Each player needs a number of meetings, and has a number of opponents not met yet; half of what
    is missing, added up over all players, is the bound. With tables of several sizes, or byes, it
    isn't known where anybody will sit, so all players count as if at the smallest table."""
    rounds = 1
    if draw_input.rounds is not None:
        rounds = draw_input.rounds - len(draw_input.played)
    fewest_opponents = 0 if mix.byes else mix.tables[-1] - 1
    needed = rounds * fewest_opponents

    opponents_met = Counter(player_id for pair in met for player_id in pair)
    opponents = len(draw_input.participants) - 1
    repeats = 0
    for player in draw_input.participants:
        unmet = opponents - opponents_met[player.player_id]
        repeats += max(0, needed - unmet)
    # Half of them, rounded up: a repeated meeting is counted for both of its players.
    return -(-repeats // 2)


def fewest_again(rounds: Sequence[Sequence[Sequence[Hashable]]]) -> int:
    """Return a lower bound of the repeated meetings in any draw of rounds with these tables.

    `rounds`: the rounds, each a list of tables, each a list of players. The bound is the larger of
    two. The first is half of the meetings that players have beyond one with each opponent. The
    second counts, for each table, the pairs that must come from one table of the round before,
    because that round had fewer tables than this table has seats. Players who weren't in the round
    before come from no table."""
    meetings: Counter[Hashable] = Counter()
    crowded = 0
    tables_before: Sequence[Sequence[Hashable]] = ()
    for tables in rounds:
        seated = set(chain(*tables))
        seated_before = set(chain(*tables_before))
        newcomers = len(seated - seated_before)
        for table in tables:
            meetings.update(dict.fromkeys(table, len(table) - 1))
            if tables_before:
                origins = len(tables_before) + newcomers
                crowded += _fewest_pairs_of_one_origin(len(table), origins)
        tables_before = tables
    opponents = len(meetings) - 1
    beyond = sum([max(0, count - opponents) for count in meetings.values()])
    half_rounded_up = -(-beyond // 2)
    return max(half_rounded_up, crowded)


def _fewest_pairs_of_one_origin(size: int, origins: int) -> int:
    """Return how many pairs among a table's `size` players share an origin, if players spread
    evenly.

    An origin is a table of the round before, or being a newcomer, who shares it with nobody."""
    players_of_each, origins_with_one_more = divmod(size, origins)
    other_origins = origins - origins_with_one_more
    pairs_in_larger = origins_with_one_more * comb(players_of_each + 1, 2)
    return pairs_in_larger + other_origins * comb(players_of_each, 2)


def _least_spread(draw_input: DrawInput, size: int) -> int:
    scores = sorted(player.score for player in draw_input.participants)
    return sum(spread(scores[i : i + size]) for i in range(0, len(scores), size))
