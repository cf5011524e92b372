"""Tables of any size for one round, considering the rounds that are still planned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from engine.arrays import Ints
from engine.pairing.bounds import repeats_bound
from engine.pairing.cost import Cost, PairOfIds, cost_of, criteria
from engine.pairing.designs.designs import LOOK_AHEAD, DesignRound
from engine.pairing.draw_input import DrawInput, TableIds
from engine.pairing.pods.annealing import Plans, places
from engine.pairing.pods.balance import evened
from engine.pairing.pods.cooling import cooled
from engine.pairing.pods.roster import MUST, OUT, SHORT, SPREAD, Roster, pairs_of, roster_of
from engine.pairing.pods.sweeps import swept
from engine.pairing.sizes import SizeMix

CHAINS: Final = 16
"""How many plans one annealing improves side by side."""
STEPS: Final = 256
"""Steps of a chain for each player and each remaining round."""
MOST_STEPS: Final = 8192
"""The most steps of a chain: a budget of steps, not of time, so results don't depend on the
clock."""
HOT: Final = 0.35
"""The first temperature, in repeated meetings. Measured: it takes the fewest steps to plans
without any."""
COLD: Final = (0.1, 0.15, 0.15)
"""The last temperature of each attempt: the first attempt considers points to the end, the
others meetings."""
LAID_OUT: Final = 4
"""The factor by which fewer steps are taken if only the rounds to come are planned."""

EASY: Final = CHAINS // 2
"""Planning counts as easy if at least this many chains find a plan without avoidable repeats.

Only then is the round of least spread taken, or a known design left: for the draws of later rounds
must find such plans, too.

Measured: with a quarter of the chains, one of a hundred tournaments of 28 players and six rounds
had a repeated meeting.
"""


class Pods(NamedTuple):
    """The tables, the byes, and the repeated meetings that the rounds to come then can't avoid."""

    tables: tuple[TableIds, ...]
    bye: TableIds
    later: int


def pods(
    draw_input: DrawInput,
    mix: SizeMix,
    met: Mapping[PairOfIds, int],
    designed: Sequence[DesignRound] = (),
) -> Pods:
    """Return the best tables found for a settled input.

    `met`: the meetings in it. `designed`: the rounds of a design without a repeated meeting, enough
    for all that are planned."""
    roster = roster_of(draw_input, mix.tables[0])
    kind = np.array([int(size < draw_input.sizes[0]) for size in mix.tables] + [OUT] * mix.byes)
    seed = int(draw_input.seed, 16) % (1 << 128)

    def least_spread(order: Ints, roster: Roster) -> Ints:
        """Return the tables of least spread found, starting with this order of the places."""
        return cooled(swept(_tables(order, mix), kind, roster), kind, roster, seed)

    tables = least_spread(_first_order(draw_input, mix), roster)
    later = np.zeros((0, roster.nobody), np.int64)
    matters_later = bool(met) or draw_input.keeps_apart
    if roster.nobody <= LOOK_AHEAD and matters_later and len(kind) > 1:
        order = tables[tables < roster.nobody]
        order, later = _planned(draw_input, mix, met, order, designed)
        planned_tables = [_tables(row, mix) for row in (order, *later)]
        roster = roster.planned(np.concatenate(planned_tables)[len(kind) :])
        tables = least_spread(order, roster)
    return _with_ids(draw_input, mix, evened(tables, kind, roster), later)


def _with_ids(draw_input: DrawInput, mix: SizeMix, tables: Ints, later: Ints) -> Pods:
    """Put the players' ids in place of their numbers.

    `later`: the later rounds of a plan, one in each row, whose repeated meetings are counted."""
    ids = [player.player_id for player in draw_input.participants]
    # The number after the last player's stands for nobody.
    seated = [
        tuple([ids[player] for player in np.sort(table) if player < len(ids)]) for table in tables
    ]
    later_repeats = 0
    if len(later):
        # `MUST` is added to the meetings of players who must stay apart; it isn't a meeting.
        met = pairs_of(draw_input).met % MUST
        _add_meetings(met, tables)
        later_repeats = sum([_add_meetings(met, _tables(row, mix)) for row in later])
    byes = tuple([player_id for (player_id,) in seated[len(mix.tables) :]])
    return Pods(tuple(seated[: len(mix.tables)]), byes, later_repeats)


def _add_meetings(met: Ints, tables: Ints) -> int:
    """Add the meetings at these tables to `met`, and return the sum of these pairs' earlier
    meetings.

    `met`: how often every two players met; its last row and column stand for nobody."""
    nobody = len(met) - 1
    earlier_meetings = 0
    for table in tables:
        present = table[table < nobody]
        pairs = np.ix_(present, present)
        # Each pair is there twice, once in either order.
        earlier_meetings += int(met[pairs].sum()) // 2
        met[pairs] += 1 - np.eye(len(present), dtype=np.int64)
    return earlier_meetings


def _tables(order: Ints, mix: SizeMix) -> Ints:
    """Return the players on each place, shape (tables, largest), padded with nobody.

    Players who sit out are at a table alone."""
    tables = np.full((len(mix.tables) + mix.byes, mix.tables[0]), len(order))
    size = np.array([*mix.tables, *[1] * mix.byes])
    tables[np.arange(mix.tables[0]) < size[:, None]] = order
    return tables


def _first_order(draw_input: DrawInput, mix: SizeMix) -> Ints:
    """Return the players in the order of places: those at full tables, then those whose turn it is
    to sit at short ones, both by their points; then those whose turn it is to sit out."""
    players = draw_input.participants
    standing = sorted(range(len(players)), key=lambda number: players[number].score)
    out = sorted(standing, key=lambda number: players[number].byes)[: mix.byes]
    sits_out = set(out)
    present = [number for number in standing if number not in sits_out]
    short_places = sum(size for size in mix.tables if size < draw_input.sizes[0])
    short = set(sorted(present, key=lambda number: players[number].short)[:short_places])
    present.sort(key=lambda number: (number in short, -players[number].score))
    return np.array([*present, *out])


_CostedPlans: TypeAlias = list[tuple[Cost, Ints]]
"""Plans, shape (rounds, places), each with the cost of this round."""


@dataclass(frozen=True, slots=True)
class _Planning:
    """The search for plans of this round and the planned ones.

    `order`: the players on each place of the round of least spread. `bound`: how many repeated
    meetings no plan can avoid."""

    draw_input: DrawInput
    mix: SizeMix
    met: Mapping[PairOfIds, int]
    order: Ints
    rounds: int
    bound: int

    def annealed(self, attempt: int, cold: float, *, keep_first: bool = False) -> _CostedPlans:
        """Return the plans of an annealing, each with the cost of this round.

        `keep_first`: keep this round, and plan only the rounds to come."""
        draw_input = self.draw_input
        plans = Plans(
            places(self.mix.tables, self.mix.byes, draw_input.sizes[0]),
            first=np.tile(self.order, (CHAINS, 1)),
            rounds=self.rounds,
            # Each attempt considers points only an eighth as much as the one before.
            pairs=pairs_of(draw_input, SPREAD >> (3 * attempt)),
            turns=self._turns(),
            seed=(int(draw_input.seed, 16) + attempt) % (1 << 128),
            meetings_first=draw_input.meetings_first,
        )
        if self.rounds > 1 or not keep_first:
            steps = min(STEPS * len(self.order) * self.rounds, MOST_STEPS)
            if keep_first:
                steps //= LAID_OUT
            plans.anneal(steps, HOT, cold, keep_first=keep_first)
        return [self.costed(plan) for plan in plans.seated[:, :, :-1]]

    def drawn_together(self, known: _CostedPlans) -> _CostedPlans:
        """Return plans of all rounds, from attempts until one finds plans without avoidable
        repeats.

        An attempt that finds few of these, and no better ones than are `known`, ends the search and
        is left out."""
        drawn: _CostedPlans = []
        for attempt, cold in enumerate(COLD):
            plans = self.annealed(attempt, cold)
            good_count = self.count_good(plans)
            if known and good_count < EASY and not self._is_better(plans, known):
                break
            drawn += plans
            if good_count:
                break
        return drawn

    def _is_better(self, plans: _CostedPlans, known: _CostedPlans) -> bool:
        """Return True if the best of the plans is better by the criteria that come before
        meetings."""
        return self._cost_before_meetings(plans) < self._cost_before_meetings(known)

    def _turns(self) -> Ints:
        players = self.draw_input.participants
        turns = np.zeros((3, len(players) + 1), np.int64)
        turns[SHORT, :-1] = [player.short for player in players]
        turns[OUT, :-1] = [player.byes for player in players]
        return turns

    def costed(self, plan: Ints) -> tuple[Cost, Ints]:
        """Return the cost of this round in a plan, and the plan."""
        tables, bye, later = _with_ids(
            self.draw_input, self.mix, _tables(plan[0], self.mix), plan[1:]
        )
        return cost_of(self.draw_input, tables, bye, later, self.met), plan

    def count_good(self, plans: _CostedPlans) -> int:
        """Count the plans without avoidable repeats."""
        return sum(cost.repeats <= self.bound for cost, _ in plans)

    def _cost_before_meetings(self, plans: _CostedPlans) -> tuple[int, ...]:
        names = criteria(meetings_first=self.draw_input.meetings_first)
        best = min([cost.ranked(self.draw_input) for cost, _ in plans])
        return best[: names.index("repeats")]


def _planned(
    draw_input: DrawInput,
    mix: SizeMix,
    met: Mapping[PairOfIds, int],
    order: Ints,
    designed: Sequence[DesignRound],
) -> tuple[Ints, Ints]:
    """Return the best plan found: the players on each place of this round, and of each later one.

    `order` is the round of least spread, in which the points at each table are closest. Plans that
    begin with it are tried first. They are enough if it is easy (see `EASY`) to find one without
    avoidable repeats, and no players sit together who should stay apart. Otherwise, plans that
    begin with a round of the design, and plans drawn as a whole, are tried, too; the plans that
    begin with `order` still compete, unless it was hard to find good ones."""
    rounds = 1 if draw_input.rounds is None else draw_input.rounds - len(draw_input.played)
    bound = repeats_bound(draw_input, mix, met)
    planning = _Planning(draw_input, mix, met, order, rounds, bound)
    candidates = planning.annealed(attempt=0, cold=COLD[-1], keep_first=True)
    good_count = planning.count_good(candidates)
    is_easy = rounds == 1 or good_count >= EASY
    keeps_apart = not any(cost.must or cost.apart for cost, _ in candidates)
    least_spread_will_do = is_easy and good_count > 0 and keeps_apart
    if not least_spread_will_do:
        known = [planning.costed(plan) for plan in _known_plans(draw_input, designed)]
        if not is_easy:
            candidates = []
        candidates += known
        candidates += planning.drawn_together(known)
    _, best = min(candidates, key=lambda candidate: candidate[0].ranked(draw_input))
    return best[0], best[1:]


def _known_plans(draw_input: DrawInput, designed: Sequence[DesignRound]) -> list[Ints]:
    """Return the plans, shape (rounds, places), that begin with each of the known rounds and go on
    with all others.

    So no swap for the sake of seats leaves the design, even if it has more rounds than planned."""
    number = {player.player_id: number for number, player in enumerate(draw_input.participants)}
    rows: list[list[int]] = []
    for tables, bye in designed:
        ids = chain(*sorted(tables, key=len, reverse=True), bye)
        rows.append([number[player_id] for player_id in ids])
    plans = []
    for row in rows:
        others = [other for other in rows if other is not row]
        plans.append(np.array([row, *others]))
    return plans
