"""Tables of any size for one round, with a look at the rounds that are still planned."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from engine.arrays import Ints
from engine.pairing.bounds import repeats_bound
from engine.pairing.cost import Cost, PairOfIds, cost_of, criteria
from engine.pairing.designs.designs import LOOK_AHEAD, DesignRound
from engine.pairing.draw_input import DrawInput, TableIds
from engine.pairing.pods.annealing import Plans, places
from engine.pairing.pods.balance import evened
from engine.pairing.pods.cooling import cooled
from engine.pairing.pods.roster import MUST, OUT, SPREAD, Roster, pairs_of, roster_of
from engine.pairing.pods.sweeps import swept
from engine.pairing.sizes import SizeMix

CHAINS: Final = 16
"""Plans that one annealing makes side by side."""
STEPS: Final = 256
"""Steps of a chain for each player and each round that is left."""
MOST_STEPS: Final = 8192
"""Steps of a chain however many rounds are left: a budget of steps, not of time, so that results
know no clock."""
HOT: Final = 0.35
"""The first temperature, in meetings again. Measured: with it the fewest steps lead to plans
without any."""
COLD: Final = (0.1, 0.15, 0.15)
"""The last temperature of each attempt: the first one looks at points to the end, the others at
meetings."""
LAID_OUT: Final = 4
"""By how much fewer steps the rounds to come are laid out around a round that stays as it is."""

EASY: Final = CHAINS // 2
"""How many chains must find a plan without repeats for a known design to be left, or the round of
least spread taken: later rounds must find one, too.

Measured: with a quarter of them, one of a hundred tournaments of 28 players and six rounds had a
meeting again."""


class Found(NamedTuple):
    """Who sits together and who sits out, and how many meetings again the rounds to come then can't
    avoid."""

    tables: tuple[TableIds, ...]
    bye: TableIds
    later: int


def pods(
    draw_input: DrawInput,
    mix: SizeMix,
    met: Mapping[PairOfIds, int],
    designed: Sequence[DesignRound] = (),
) -> Found:
    """The best tables found for a settled input, and the meetings in it; `designed`: rounds in
    which nobody would meet again, of which all that are planned can be played."""
    roster = roster_of(draw_input, mix.tables[0])
    kind = np.array([*[int(size < draw_input.sizes[0]) for size in mix.tables], *[OUT] * mix.byes])
    seed = int(draw_input.seed, 16) % (1 << 128)

    def best_round(order: Ints, roster: Roster) -> Ints:
        """The tables of least spread found from such an order of the places."""
        return cooled(swept(_tables(order, mix), kind, roster), kind, roster, seed)

    tables, later = (
        best_round(_first(draw_input, mix), roster),
        np.zeros((0, roster.nobody), np.int64),
    )
    if roster.nobody <= LOOK_AHEAD and (met or draw_input.keeps_apart) and len(kind) > 1:
        order = tables[tables < roster.nobody]
        order, later = _planned(draw_input, mix, met, order, designed)
        roster = roster.planned(
            np.concatenate([_tables(row, mix) for row in (order, *later)])[len(kind) :]
        )
        tables = best_round(order, roster)
    return _found(draw_input, mix, evened(tables, kind, roster), later)


def _found(draw_input: DrawInput, mix: SizeMix, tables: Ints, later: Ints) -> Found:
    """The tables of an array by their ids, with what they cost in the later rounds of a plan, one
    in each row."""
    ids = [player.player_id for player in draw_input.participants]
    seated = [
        tuple([ids[player] for player in np.sort(table) if player < len(ids)]) for table in tables
    ]
    again = 0
    if len(later):
        met = pairs_of(draw_input).met % MUST
        _meet(met, tables)
        again = sum([_meet(met, _tables(row, mix)) for row in later])
    out = tuple([player_id for (player_id,) in seated[len(mix.tables) :]])
    return Found(tuple(seated[: len(mix.tables)]), out, again)


def _meet(met: Ints, tables: Ints) -> int:
    """The meetings again at tables, which are added to how often every two met."""
    again = 0
    for table in tables:
        present = table[table < len(met) - 1]
        again += int(met[np.ix_(present, present)].sum()) // 2
        met[np.ix_(present, present)] += 1 - np.eye(len(present), dtype=np.int64)
    return again


def _tables(order: Ints, mix: SizeMix) -> Ints:
    """Tell who has which place as an array (tables, largest), those who sit out at one alone,
    filled up with nobody."""
    tables = np.full((len(mix.tables) + mix.byes, mix.tables[0]), len(order))
    size = np.array([*mix.tables, *[1] * mix.byes])
    tables[np.arange(mix.tables[0]) < size[:, None]] = order
    return tables


def _first(draw_input: DrawInput, mix: SizeMix) -> Ints:
    """Tell who begins on each place: those whose turn it is sit out and sit short, all others by
    their scores."""
    players = draw_input.participants
    standing = sorted(range(len(players)), key=lambda number: players[number].score)
    out = sorted(standing, key=lambda number: players[number].byes)[: mix.byes]
    present = [number for number in standing if number not in set(out)] if out else standing
    number = sum(size for size in mix.tables if size < draw_input.sizes[0])
    short = set(sorted(present, key=lambda number: players[number].short)[:number])
    present.sort(key=lambda number: (number in short, -players[number].score))
    return np.array([*present, *out])


def _planned(
    draw_input: DrawInput,
    mix: SizeMix,
    met: Mapping[PairOfIds, int],
    order: Ints,
    designed: Sequence[DesignRound],
) -> tuple[Ints, Ints]:
    """Tell who has each place of this round in the best plan found, and the same for its later
    rounds.

    Where the rounds to come can easily be laid out around `order`, the round of least spread,
    without anything that counts more, that is the plan. Else all rounds are drawn together."""
    rounds = 1 if draw_input.rounds is None else draw_input.rounds - len(draw_input.played)
    room, bound = (
        places(mix.tables, mix.byes, draw_input.sizes[0]),
        repeats_bound(draw_input, mix, met),
    )
    turns = np.zeros((3, len(order) + 1), np.int64)
    turns[1:, :-1] = [
        [player.short for player in draw_input.participants],
        [player.byes for player in draw_input.participants],
    ]

    def annealed(attempt: int, cold: float, *, keep_first: bool = False) -> list[tuple[Cost, Ints]]:
        """The plans of an annealing, and what this round costs in each."""
        seed = (int(draw_input.seed, 16) + attempt) % (1 << 128)
        pairs = pairs_of(draw_input, SPREAD >> (3 * attempt))
        first = np.tile(order, (CHAINS, 1))
        plans = Plans(
            room, first, rounds, pairs, turns, seed, meetings_first=draw_input.meetings_first
        )
        if rounds > 1 or not keep_first:
            steps = min(STEPS * len(order) * rounds, MOST_STEPS)
            plans.anneal(
                steps // LAID_OUT if keep_first else steps, HOT, cold, keep_first=keep_first
            )
        return [_costed(draw_input, mix, met, plan) for plan in plans.seated[:, :, :-1]]

    def count_good(plans: list[tuple[Cost, Ints]]) -> int:
        return sum(cost.repeats <= bound for cost, _ in plans)

    def turns_of(plans: list[tuple[Cost, Ints]]) -> tuple[int, ...]:
        """What the best of some plans costs by all that counts before meetings."""
        before_meetings = criteria(meetings_first=draw_input.meetings_first).index("repeats")
        return min([cost.ranked(draw_input) for cost, _ in plans])[:before_meetings]

    candidates = annealed(0, COLD[-1], keep_first=True)
    is_easy = rounds == 1 or count_good(candidates) >= EASY
    if (
        not is_easy
        or not count_good(candidates)
        or any(cost.must or cost.apart for cost, _ in candidates)
    ):
        known = [_costed(draw_input, mix, met, plan) for plan in _known_plans(draw_input, designed)]
        candidates = [*(candidates if is_easy else ()), *known]
        for attempt, cold in enumerate(COLD):
            plans = annealed(attempt, cold)
            if known and count_good(plans) < EASY and turns_of(known) <= turns_of(plans):
                break
            candidates += plans
            if count_good(plans):
                break
    best = min(candidates, key=lambda candidate: candidate[0].ranked(draw_input))[1]
    return best[0], best[1:]


def _known_plans(draw_input: DrawInput, designed: Sequence[DesignRound]) -> list[Ints]:
    """The plans, shape (rounds, places), that begin with one of the known rounds and go on with all
    others of them.

    So no swap for the sake of seats leaves the design, even where it has more rounds than are
    planned."""
    number = {player.player_id: number for number, player in enumerate(draw_input.participants)}
    rows = [
        [
            number[player_id]
            for table in (*sorted(tables, key=len, reverse=True), bye)
            for player_id in table
        ]
        for tables, bye in designed
    ]
    return [np.array([row, *[further for further in rows if further is not row]]) for row in rows]


def _costed(
    draw_input: DrawInput, mix: SizeMix, met: Mapping[PairOfIds, int], plan: Ints
) -> tuple[Cost, Ints]:
    """Return what this round costs in a plan, and the plan."""
    tables, bye, later = _found(draw_input, mix, _tables(plan[0], mix), plan[1:])
    return cost_of(draw_input, tables, bye, later, met), plan
