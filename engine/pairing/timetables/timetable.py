"""When and where each table is played: the best timetable, with the proof that it is, or why there
is none.

First the times are found, by booleans "this table at this time" and a count of the places that are
large enough; then, for these times, the places. OR-Tools' CP-SAT searches, with one worker, a fixed
seed and a limit that counts its work, not seconds: the same input gives the same timetable. Another
version of OR-Tools may find another one of the same cost, so a timetable is stored, and never
worked out again."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from ortools.sat.python import cp_model

from engine.grouping import lists_by_key
from engine.illegal import Illegal
from engine.messages import Message, say
from engine.pairing.timetables.timetable_cost import timetable_cost
from engine.pairing.timetables.timetable_input import (
    Assignment,
    TimetableInput,
    UntimedTable,
    Wish,
    timetable_fault,
)
from engine.pairing.timetables.timetable_needs import Need, needs, plainly_impossible

EFFORT: Final = 3.0
"""How much work each search may take, in CP-SAT's deterministic time: about a second each."""

Booleans: TypeAlias = dict[str, list[cp_model.IntVar]]
"""For each table a boolean a slot: whether it is played then."""


@dataclass(frozen=True, slots=True)
class Timetable:
    """Slot and place of each table, by their ids.

    `cost` says how much each wish isn't met, the most important wish first; `bound` what it costs
    at least wherever the wishes before it are met as well as here, and `moves` with these times.
    """

    assignment: Assignment
    cost: dict[Wish, int]
    bound: dict[Wish, int]

    @property
    def proven(self) -> bool:
        """True if no timetable is better: cost and bound are equal."""
        return self.cost == self.bound


@dataclass(frozen=True, slots=True)
class Impossible:
    """No timetable: a few sentences that can't all be true together, or each of which is impossible
    by itself.

    `proven` is False if the search ended before it knew.
    """

    reasons: tuple[Message, ...]
    proven: bool = True


def timetable(
    timetable_input: TimetableInput, effort: float = EFFORT
) -> Timetable | Impossible | Illegal:
    """The best timetable, by the wishes in their order; why there is none; or what is wrong with
    the input."""
    if fault := timetable_fault(timetable_input):
        return fault
    if reasons := plainly_impossible(timetable_input):
        return Impossible(reasons)
    times = _Times(timetable_input, effort)
    status = times.search.solve()
    if status == cp_model.INFEASIBLE:
        return Impossible(_disagreement(timetable_input, effort))
    if status == cp_model.UNKNOWN:
        return Impossible(
            (say("the search for a timetable ended before one was found"),), proven=False
        )
    bound: dict[Wish, int] = {
        wish: times.least(wish) for wish in timetable_input.wishes if wish != "moves"
    }
    times.tidy()
    slots = times.slots()
    places, moves = _places(timetable_input, slots, effort)
    assignment = {
        table: (timetable_input.slots[slots[table]].id, places[table]) for table in sorted(slots)
    }
    cost = timetable_cost(timetable_input, assignment)
    return Timetable(assignment, cost, {wish: bound.get(wish, moves) for wish in cost})


class _Search:
    """A model that is solved again and again, each time from the solution before."""

    def __init__(self, effort: float) -> None:
        self.model = cp_model.CpModel()
        self.solver = cp_model.CpSolver()
        self.solver.parameters.num_workers = 1
        self.solver.parameters.random_seed = 1
        self.solver.parameters.linearization_level = (
            2  # proves sums over slots that it doesn't without
        )
        self.solver.parameters.max_deterministic_time = effort
        self.values: dict[int, int] = {}

    def solve(self) -> cp_model.CpSolverStatus:
        """Search, and keep the solution if there is one; the status of CP-SAT."""
        status = self.solver.solve(self.model)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.values = dict(enumerate(self.solver.response_proto.solution))
            self.model.clear_hints()  # type: ignore[no-untyped-call]
            for index, value in self.values.items():
                self.model.add_hint(self.model.get_int_var_from_proto_index(index), value)
        return status

    def core(self, assumed: list[int]) -> list[int]:
        """Some of the assumed booleans, by their indices, that can't all be true; none if they can,
        or if the solver doesn't know."""
        self.model.clear_assumptions()
        self.model.add_assumptions(
            [self.model.get_bool_var_from_proto_index(index) for index in assumed]
        )
        if self.solver.solve(self.model) != cp_model.INFEASIBLE:
            return []
        return sorted(self.solver.sufficient_assumptions_for_infeasibility())

    def value(self, variable: cp_model.IntVar) -> int:
        """Return what the last solution gives a variable."""
        return self.values[variable.index]

    def minimise(self, cost: cp_model.LinearExprT, present: int) -> int:
        """The least cost that is known to be possible at most; from now on no solution costs more
        than the one found.

        `present` is what the last solution costs. Returns a lower bound.
        """
        if present == 0:
            self.model.add(cost <= 0)
            return 0
        self.model.minimize(cost)
        status = self.solve()
        self.model.clear_objective()  # type: ignore[no-untyped-call]
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.model.add(cost <= present)
            return 0
        self.model.add(cost <= round(self.solver.objective_value))
        return max(0, round(self.solver.best_objective_bound))


class _Times:
    """The slots of all tables."""

    def __init__(self, timetable_input: TimetableInput, effort: float) -> None:
        self.wanted = timetable_input
        self.search = _Search(effort)
        self.at = _at(self.search.model, timetable_input)
        for need in needs(timetable_input):
            _hold(self.search.model, self.at, need, [])

    def slots(self) -> dict[str, int]:
        """Each table's slot in the last solution, by its position."""
        return {
            table: next(slot for slot, is_played in enumerate(row) if self.search.value(is_played))
            for table, row in self.at.items()
        }

    def least(self, wish: Wish) -> int:
        """Meet a wish as well as can be, and keep it so; a lower bound of what it costs."""
        kinds = {
            "absent": self._absent,
            "end": self._end,
            "late": self._late,
            "breaks": self._breaks,
        }
        places = {table: (self.wanted.slots[slot].id, "") for table, slot in self.slots().items()}
        return self.search.minimise(sum(kinds[wish]()), timetable_cost(self.wanted, places)[wish])

    def tidy(self) -> None:
        """Bring tables forward where that costs nothing, as far as a short search can."""
        if "late" not in self.wanted.wishes:
            self.search.solver.parameters.max_deterministic_time /= 20
            self.search.minimise(sum(self._late()), sum(self.slots().values()))

    def _end(self) -> Iterator[cp_model.LinearExprT]:
        """The last slot in use, from 0."""
        end = self.search.model.new_int_var(0, len(self.wanted.slots) - 1, "")
        for row in self.at.values():
            for slot, is_played in enumerate(row):
                self.search.model.add(end >= slot).only_enforce_if(is_played)
        yield end

    def _absent(self) -> Iterator[cp_model.LinearExprT]:
        """Each table at each slot at which one of its players would rather not play."""
        players = self.wanted.players()
        for player, slots in self.wanted.absences(must=False).items():
            for index, slot in enumerate(self.wanted.slots):
                if slot.id in slots:
                    yield from (self.at[table.id][index] for table in players[player])

    def _late(self) -> Iterator[cp_model.LinearExprT]:
        """The slot of each table, from 0."""
        for row in self.at.values():
            yield from (slot * is_played for slot, is_played in enumerate(row))

    def _breaks(self) -> Iterator[cp_model.LinearExprT]:
        """Each player in each two slots of which one follows right after the other: 1 for tables at
        both."""
        for tables in self.wanted.players().values():
            plays = [
                sum(self.at[table.id][slot] for table in tables)
                for slot in range(len(self.wanted.slots))
            ]
            for slot, (plays_now, then) in enumerate(pairwise(plays)):
                if len(tables) > 1 and not self.wanted.slots[slot].pause:
                    has_break = self.search.model.new_bool_var("")
                    self.search.model.add(plays_now + then <= 1 + has_break)
                    yield has_break


def _at(model: cp_model.CpModel, timetable_input: TimetableInput) -> Booleans:
    """For each table a boolean a slot, of which one is true."""
    at = {
        table.id: [model.new_bool_var("") for _ in timetable_input.slots]
        for table in _by_id(timetable_input)
    }
    for row in at.values():
        model.add_exactly_one(row)
    return at


def _by_id(timetable_input: TimetableInput) -> list[UntimedTable]:
    return sorted(timetable_input.tables, key=lambda table: table.id)


def _hold(model: cp_model.CpModel, at: Booleans, need: Need, only: list[cp_model.IntVar]) -> None:
    """Make the model keep to a need, `only` if all of these are true."""
    for cells, most in need.rows:
        model.add(sum(at[table][slot] for table, slot in cells) <= most).only_enforce_if(only)
    earlier, later = need.order
    if earlier:
        over = [model.new_bool_var("") for _ in at[earlier[0]]]  # before this slot
        for table in earlier:
            for slot, is_played in enumerate(at[table]):
                model.add_bool_or(~is_played, ~over[slot]).only_enforce_if(only)
        for table in later:
            for slot, is_played in enumerate(at[table]):
                model.add_bool_or(~is_played, over[slot]).only_enforce_if(only)
        for plays_now, then in pairwise(over):
            model.add_implication(plays_now, then)


def _disagreement(timetable_input: TimetableInput, effort: float) -> tuple[Message, ...]:
    """Needs that can't all be met, few enough that without any one of them the others could be."""
    search = _Search(effort)
    at = _at(search.model, timetable_input)
    sentences: dict[int, Message] = {}
    for need in needs(timetable_input):
        counts = search.model.new_bool_var("")
        sentences[counts.index] = need.sentence
        _hold(search.model, at, need, [counts])
    core: list[int] = []
    rest = search.core(list(sentences))
    while rest:
        literal, *further = rest
        if smaller := search.core(core + further):
            rest = [literal_left for literal_left in smaller if literal_left not in core]
        else:
            core, rest = [*core, literal], further
    return tuple(sentences[literal] for literal in core)


def _places(
    timetable_input: TimetableInput, slots: dict[str, int], effort: float
) -> tuple[dict[str, str], int]:
    """A place for each table at its time, and a lower bound of the changes of place; low numbers
    where it's all one."""
    places = sorted(timetable_input.places, key=lambda place: (place.number, place.id))
    fits = {
        table.id: [
            index
            for index, place in enumerate(places)
            if place.size >= table.size
            and timetable_input.slots[slots[table.id]].id not in place.closed
        ]
        for table in _by_id(timetable_input)
    }
    place = _lowest(slots, fits)
    assignment = {
        table: (timetable_input.slots[slots[table]].id, str(place[table])) for table in slots
    }
    present = timetable_cost(timetable_input, assignment).get("moves", 0)
    bound = 0
    if present:
        search = _Search(effort)
        seats = {
            table: search.model.new_int_var_from_domain(
                cp_model.Domain.from_values(fits[table]), ""
            )
            for table in slots
        }
        for table, variable in seats.items():
            search.model.add_hint(variable, place[table])
        bound = search.minimise(_moves(search.model, timetable_input, slots, seats), present)
        if search.values:
            place = {table: search.value(variable) for table, variable in seats.items()}
    return {table: places[index].id for table, index in place.items()}, bound


def _lowest(slots: dict[str, int], fits: dict[str, list[int]]) -> dict[str, int]:
    """For each table the first place that it fits, those with the least choice first: whoever has
    more choice can sit wherever they can."""
    places_taken: set[tuple[int, int]] = set()
    places_by_table = {}
    for table in sorted(fits, key=lambda table: (len(fits[table]), table)):
        places_by_table[table] = next(
            place for place in fits[table] if (slots[table], place) not in places_taken
        )
        places_taken.add((slots[table], places_by_table[table]))
    return places_by_table


def _moves(
    model: cp_model.CpModel,
    timetable_input: TimetableInput,
    slots: dict[str, int],
    seats: dict[str, cp_model.IntVar],
) -> cp_model.LinearExprT:
    """Tell how many players change places between two of their tables; a place has one table at a
    time.

    Of the tables at one time, one at most stays where one at another time was: that alone gives a
    good bound."""
    for alike in lists_by_key((slot, seats[table]) for table, slot in slots.items()).values():
        model.add_all_different(alike)
    players: Counter[tuple[str, str]] = Counter()
    for tables in timetable_input.players().values():
        players.update(
            pairwise(sorted((table.id for table in tables), key=lambda player_id: slots[player_id]))
        )
    stays = {pair: model.new_bool_var("") for pair in sorted(players)}
    rivals = defaultdict(list)
    for (before, after), stay in stays.items():
        model.add(seats[before] == seats[after]).only_enforce_if(stay)
        rivals[before, slots[after]].append(stay)
        rivals[after, slots[before]].append(stay)
    for alternatives in rivals.values():
        model.add_at_most_one(alternatives)
    return sum(count * (1 - stays[pair]) for pair, count in players.items())
