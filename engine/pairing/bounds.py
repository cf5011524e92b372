"""What no draw of a round can cost less than, as far as that is known without drawing."""

from collections import Counter
from collections.abc import Mapping

from engine.pairing.cost import PairOfIds, spread
from engine.pairing.draw_input import DrawInput
from engine.pairing.sizes import SizeMix


def bounds(input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]) -> dict[str, int]:
    """Lower bounds by criterion: `byes`, `short`, `repeats`, and `spread` where all tables have one size.

    `byes` and `short` can be reached each for itself. `met`: the input's meetings.
    """
    found = {
        "byes": _least([player.byes for player in input.participants], mix.byes),
        "short": _least(
            [player.short for player in input.participants], sum(size for size in mix.tables if size < input.sizes[0])
        ),
        "repeats": repeats_bound(input, mix, met),
    }
    if len(set(mix.tables)) == 1 and not mix.byes:
        found["spread"] = _spread(input, mix.tables[0])
    return found


def _least(counts: list[int], number: int) -> int:
    """What it costs that those of so many whose turn it is have theirs."""
    return sum(sorted(counts)[:number]) - number * min(counts)


def repeats_bound(input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int]) -> int:
    """Half the meetings that everybody has in the planned rounds beyond those with somebody new.

    With tables of several sizes or byes nobody knows who will sit where, so everybody counts as if at the smallest.
    """
    rounds = 1 if input.rounds is None else input.rounds - len(input.played)
    least = 0 if mix.byes else mix.tables[-1] - 1
    others_met = Counter(id for pair in met for id in pair)
    others = len(input.participants) - 1
    return -(-sum(max(0, rounds * least - (others - others_met[player.id])) for player in input.participants) // 2)


def _spread(input: DrawInput, size: int) -> int:
    """What cutting the list into tables of one size costs, in the order of the scores: no cut of it costs less."""
    scores = sorted(player.score for player in input.participants)
    return sum(spread(scores[i : i + size]) for i in range(0, len(scores), size))
