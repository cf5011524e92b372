"""Lower bounds of a round's cost, as far as they can be computed without drawing."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain
from math import comb

from engine.pairing.cost import PairOfIds, spread
from engine.pairing.draw_input import DrawInput
from engine.pairing.sizes import SizeMix


def bounds(draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]) -> dict[str, int]:
    """Lower bounds by criterion: `byes`, `short`, `repeats`, and `spread` where all tables have one
    size.

    `byes` and `short` can be reached each for itself. `met`: the input's meetings.
    """
    lower_bounds = {
        "byes": _least([player.byes for player in draw_input.participants], mix.byes),
        "short": _least(
            [player.short for player in draw_input.participants],
            sum(size for size in mix.tables if size < draw_input.sizes[0]),
        ),
        "repeats": repeats_bound(draw_input, mix, met),
    }
    if len(set(mix.tables)) == 1 and not mix.byes:
        lower_bounds["spread"] = _spread(draw_input, mix.tables[0])
    return lower_bounds


def _least(counts: list[int], number: int) -> int:
    """Add up the `number` lowest counts, each less the lowest of all."""
    return sum(sorted(counts)[:number]) - number * min(counts)


def repeats_bound(draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]) -> int:
    """Half the meetings that everybody has in the planned rounds beyond those with somebody new.

    With tables of several sizes or byes nobody knows who will sit where, so everybody counts as if
    at the smallest."""
    rounds = 1 if draw_input.rounds is None else draw_input.rounds - len(draw_input.played)
    least = 0 if mix.byes else mix.tables[-1] - 1
    opponents_met = Counter(player_id for pair in met for player_id in pair)
    opponents = len(draw_input.participants) - 1
    repeats = [
        max(0, rounds * least - (opponents - opponents_met[player.player_id]))
        for player in draw_input.participants
    ]
    return -(-sum(repeats) // 2)


def fewest_again(rounds: Sequence[Sequence[Sequence[Hashable]]]) -> int:
    """Than how many meetings again no draw of these rounds has fewer, each with its tables, of
    those who sat there.

    Half of what everybody has beyond one meeting with each other; or, if that is more, the pairs of
    each table who can't all come from other tables of the round before, as it had fewer. Who wasn't
    there before comes from nowhere."""
    meetings: Counter[Hashable] = Counter()
    crowded = 0
    before: Sequence[Sequence[Hashable]] = ()
    for tables in rounds:
        seated, seated_before = set(chain(*tables)), set(chain(*before))
        for table in tables:
            meetings.update(dict.fromkeys(table, len(table) - 1))
            if before:
                crowded += _crowded(len(table), len(before) + len(seated - seated_before))
        before = tables
    beyond = sum([max(0, count - (len(meetings) - 1)) for count in meetings.values()])
    return max(-(-beyond // 2), crowded)


def _crowded(size: int, origins: int) -> int:
    """Tell how many pairs of a table have one origin at least, if there are so many."""
    least, more = divmod(size, origins)
    return more * comb(least + 1, 2) + (origins - more) * comb(least, 2)


def _spread(draw_input: DrawInput, size: int) -> int:
    """The spread of tables cut from the list in the order of the scores; no other tables of that
    size have less."""
    scores = sorted(player.score for player in draw_input.participants)
    return sum(spread(scores[i : i + size]) for i in range(0, len(scores), size))
