"""The time and place of each table: the best timetable, with the proof that it is, or why there is
none.

First the times are found, with a boolean for each table at each time and the number of places that
are large enough; then the places for these times. OR-Tools' CP-SAT searches with one worker, a
fixed seed and a limit that counts work, not seconds: the same input gives the same timetable.
Another version of OR-Tools may find another one of the same cost, so a timetable is stored, and
never computed again.
"""

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
"""For each table a boolean per slot: whether it is played then."""


@dataclass(frozen=True, slots=True)
class Timetable:
    """The slot and place of each table, by their ids.

    `cost` says how far each wish isn't met, the most important wish first. `bound` says what each
    wish costs at least if the wishes before it are met as well as in this timetable; for `moves`,
    if the times are those of this timetable.
    """

    assignment: Assignment
    cost: dict[Wish, int]
    bound: dict[Wish, int]

    @property
    def proven(self) -> bool:
        """Return True if no timetable is better: cost and bound are equal."""
        return self.cost == self.bound


@dataclass(frozen=True, slots=True)
class Impossible:
    """No timetable: sentences that can't all be true together, or each of which is impossible by
    itself.

    `proven` is False if the search ended before it knew.
    """

    reasons: tuple[Message, ...]
    proven: bool = True


def timetable(
    timetable_input: TimetableInput, effort: float = EFFORT
) -> Timetable | Impossible | Illegal:
    """Return the best timetable by the wishes in their order, or why there is none.

    Returns `Illegal` if the input is wrong."""
    fault = timetable_fault(timetable_input)
    if fault:
        return fault
    reasons = plainly_impossible(timetable_input)
    if reasons:
        return Impossible(reasons)
    times = _Times(timetable_input, effort)
    status = times.search.solve()
    if status == cp_model.INFEASIBLE:
        return Impossible(_minimal_conflict(timetable_input, effort))
    if status == cp_model.UNKNOWN:
        return Impossible(
            (say("the search for a timetable ended before one was found"),), proven=False
        )

    bound: dict[Wish, int] = {}
    for wish in timetable_input.wishes:
        if wish != "moves":
            bound[wish] = times.least(wish)
    times.tidy()
    slots = times.slots()
    places, moves = _places(timetable_input, slots, effort)
    assignment = {
        table: (timetable_input.slots[slots[table]].id, places[table]) for table in sorted(slots)
    }
    cost = timetable_cost(timetable_input, assignment)
    return Timetable(assignment, cost, {wish: bound.get(wish, moves) for wish in cost})


class _Search:
    """A CP-SAT model, its solver, and the last solution: `values` by the index of a variable."""

    def __init__(self, effort: float) -> None:
        self.model = cp_model.CpModel()
        self.solver = cp_model.CpSolver()
        self.solver.parameters.num_workers = 1
        self.solver.parameters.random_seed = 1
        # Level 2 proves sums over slots that others don't.
        self.solver.parameters.linearization_level = 2
        self.solver.parameters.max_deterministic_time = effort
        self.values: dict[int, int] = {}

    def solve(self) -> cp_model.CpSolverStatus:
        """Search, keep the solution if there is one, and return CP-SAT's status."""
        status = self.solver.solve(self.model)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.values = dict(enumerate(self.solver.response_proto.solution))
            self.model.clear_hints()  # type: ignore[no-untyped-call]
            for index, value in self.values.items():
                self.model.add_hint(self.model.get_int_var_from_proto_index(index), value)
        return status

    def core(self, assumed: list[int]) -> list[int]:
        """Return some of the assumed booleans, by index, that can't all be true.

        Empty if they can, or if the solver doesn't know.
        """
        self.model.clear_assumptions()
        self.model.add_assumptions(
            [self.model.get_bool_var_from_proto_index(index) for index in assumed]
        )
        if self.solver.solve(self.model) != cp_model.INFEASIBLE:
            return []
        return sorted(self.solver.sufficient_assumptions_for_infeasibility())

    def value(self, variable: cp_model.IntVar) -> int:
        """Return a variable's value in the last solution."""
        return self.values[variable.index]

    def minimise(self, cost: cp_model.LinearExprT, current_cost: int) -> int:
        """Minimise a cost, and add the constraint that later solutions cost no more than the one
        found. Return a lower bound of the cost.

        `current_cost`: that of the last solution.
        """
        if current_cost == 0:
            self.model.add(cost <= 0)
            return 0
        self.model.minimize(cost)
        status = self.solve()
        self.model.clear_objective()  # type: ignore[no-untyped-call]
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.model.add(cost <= current_cost)
            return 0
        self.model.add(cost <= round(self.solver.objective_value))
        return max(0, round(self.solver.best_objective_bound))


class _Times:
    """The search for the slots of all tables."""

    def __init__(self, timetable_input: TimetableInput, effort: float) -> None:
        self.wanted = timetable_input
        self.search = _Search(effort)
        self.played_at = _slot_booleans(self.search.model, timetable_input)
        for need in needs(timetable_input):
            _add_need(self.search.model, self.played_at, need, only_if=[])

    def slots(self) -> dict[str, int]:
        """Return each table's slot in the last solution, by its position."""
        return {
            table: next(slot for slot, is_played in enumerate(row) if self.search.value(is_played))
            for table, row in self.played_at.items()
        }

    def least(self, wish: Wish) -> int:
        """Meet a wish as well as possible, never worse from then on; return a lower bound of its
        cost."""
        slots = self.slots().items()
        # The cost of these wishes doesn't depend on the places, which aren't found yet.
        assignment = {table: (self.wanted.slots[slot].id, "") for table, slot in slots}
        current_cost = timetable_cost(self.wanted, assignment)[wish]
        return self.search.minimise(sum(self._cost_terms(wish)), current_cost)

    def _cost_terms(self, wish: Wish) -> Iterator[cp_model.LinearExprT]:
        if wish == "absent":
            return self._tables_at_unwanted_slots()
        if wish == "end":
            return self._last_slot()
        if wish == "late":
            return self._slot_of_each_table()
        assert wish == "breaks", wish
        return self._consecutive_slots()

    def tidy(self) -> None:
        """Move tables to earlier slots if that costs nothing, as far as a short search can."""
        if "late" not in self.wanted.wishes:
            self.search.solver.parameters.max_deterministic_time /= 20
            self.search.minimise(sum(self._slot_of_each_table()), sum(self.slots().values()))

    def _last_slot(self) -> Iterator[cp_model.LinearExprT]:
        end = self.search.model.new_int_var(0, len(self.wanted.slots) - 1, "")
        for row in self.played_at.values():
            for slot, is_played in enumerate(row):
                self.search.model.add(end >= slot).only_enforce_if(is_played)
        yield end

    def _tables_at_unwanted_slots(self) -> Iterator[cp_model.LinearExprT]:
        players = self.wanted.players()
        for player, slots in self.wanted.absences(must=False).items():
            for index, slot in enumerate(self.wanted.slots):
                if slot.id in slots:
                    yield from (self.played_at[table.id][index] for table in players[player])

    def _slot_of_each_table(self) -> Iterator[cp_model.LinearExprT]:
        for row in self.played_at.values():
            yield from (slot * is_played for slot, is_played in enumerate(row))

    def _consecutive_slots(self) -> Iterator[cp_model.LinearExprT]:
        for tables in self.wanted.players().values():
            if len(tables) < 2:
                continue
            plays = [
                sum(self.played_at[table.id][slot] for table in tables)
                for slot in range(len(self.wanted.slots))
            ]
            for slot, (plays_now, plays_next) in enumerate(pairwise(plays)):
                if not self.wanted.slots[slot].pause:
                    lacks_break = self.search.model.new_bool_var("")
                    self.search.model.add(plays_now + plays_next <= 1 + lacks_break)
                    yield lacks_break


def _slot_booleans(model: cp_model.CpModel, timetable_input: TimetableInput) -> Booleans:
    played_at = {
        table.id: [model.new_bool_var("") for _ in timetable_input.slots]
        for table in _by_id(timetable_input)
    }
    for row in played_at.values():
        model.add_exactly_one(row)
    return played_at


def _by_id(timetable_input: TimetableInput) -> list[UntimedTable]:
    return sorted(timetable_input.tables, key=lambda table: table.id)


def _add_need(
    model: cp_model.CpModel, played_at: Booleans, need: Need, only_if: list[cp_model.IntVar]
) -> None:
    """Add the constraints of a need to the model. They hold only if all of `only_if` are true."""
    for cells, most in need.rows:
        tables_played = sum(played_at[table][slot] for table, slot in cells)
        model.add(tables_played <= most).only_enforce_if(only_if)
    earlier, later = need.order
    if earlier:
        # For each slot: whether the earlier round is over before it.
        over = [model.new_bool_var("") for _ in played_at[earlier[0]]]
        for table in earlier:
            for slot, is_played in enumerate(played_at[table]):
                model.add_bool_or(~is_played, ~over[slot]).only_enforce_if(only_if)
        for table in later:
            for slot, is_played in enumerate(played_at[table]):
                model.add_bool_or(~is_played, over[slot]).only_enforce_if(only_if)
        for over_now, over_next in pairwise(over):
            model.add_implication(over_now, over_next)


def _minimal_conflict(timetable_input: TimetableInput, effort: float) -> tuple[Message, ...]:
    """Return the sentences of needs that can't all be met, though they could without any one of
    them.

    One by one, a need is left out if the others still conflict."""
    search = _Search(effort)
    played_at = _slot_booleans(search.model, timetable_input)
    sentences: dict[int, Message] = {}
    for need in needs(timetable_input):
        counts = search.model.new_bool_var("")
        sentences[counts.index] = need.sentence
        _add_need(search.model, played_at, need, only_if=[counts])

    needed: list[int] = []
    untried = search.core(list(sentences))
    while untried:
        index, *others = untried
        smaller = search.core(needed + others)
        if smaller:
            untried = [other for other in smaller if other not in needed]
        else:
            needed.append(index)
            untried = others
    return tuple(sentences[index] for index in needed)


def _places(
    timetable_input: TimetableInput, slots: dict[str, int], effort: float
) -> tuple[dict[str, str], int]:
    """Return a place for each table in its slot, and a lower bound of the changes of place.

    Among equally good places, low numbers come first."""
    places = sorted(timetable_input.places, key=lambda place: (place.number, place.id))
    slot_ids = {table: timetable_input.slots[slot].id for table, slot in slots.items()}
    fits: dict[str, list[int]] = {}
    for table in _by_id(timetable_input):
        fits[table.id] = [
            index
            for index, place in enumerate(places)
            if place.size >= table.size and slot_ids[table.id] not in place.closed
        ]
    place_of = _first_free_places(slots, fits)
    assignment = {table: (slot_ids[table], str(place_of[table])) for table in slots}
    moves = timetable_cost(timetable_input, assignment).get("moves", 0)
    bound = 0
    if moves:
        search = _Search(effort)
        variables = {}
        for table_id in slots:
            domain = cp_model.Domain.from_values(fits[table_id])
            variables[table_id] = search.model.new_int_var_from_domain(domain, "")
        for table_id, variable in variables.items():
            search.model.add_hint(variable, place_of[table_id])
        cost = _moves(search.model, timetable_input, slots, variables)
        bound = search.minimise(cost, moves)
        # Without a solution, the first free places stay.
        if search.values:
            place_of = {table: search.value(variable) for table, variable in variables.items()}
    return {table: places[index].id for table, index in place_of.items()}, bound


def _first_free_places(slots: dict[str, int], fits: dict[str, list[int]]) -> dict[str, int]:
    places_taken: set[tuple[int, int]] = set()
    places_by_table = {}
    # Tables with the least choice come first: tables with more choice fit wherever they do.
    for table in sorted(fits, key=lambda table: (len(fits[table]), table)):
        slot = slots[table]
        place = next(place for place in fits[table] if (slot, place) not in places_taken)
        places_by_table[table] = place
        places_taken.add((slot, place))
    return places_by_table


def _moves(
    model: cp_model.CpModel,
    timetable_input: TimetableInput,
    slots: dict[str, int],
    place_of: dict[str, cp_model.IntVar],
) -> cp_model.LinearExprT:
    """Return how many players change places between two of their tables, as a term of the model.

    Add the constraints that a place has one table at a time and that, of the tables in one slot, at
    most one has the place that a certain table has in another slot: without the latter, the solver
    finds no good bound."""
    places_by_slot = lists_by_key((slot, place_of[table]) for table, slot in slots.items())
    for places in places_by_slot.values():
        model.add_all_different(places)
    players: Counter[tuple[str, str]] = Counter()
    for tables in timetable_input.players().values():
        in_order = sorted((table.id for table in tables), key=slots.__getitem__)
        players.update(pairwise(in_order))
    stays = {pair: model.new_bool_var("") for pair in sorted(players)}
    rivals = defaultdict(list)
    for (before, after), stay in stays.items():
        model.add(place_of[before] == place_of[after]).only_enforce_if(stay)
        rivals[before, slots[after]].append(stay)
        rivals[after, slots[before]].append(stay)
    for alternatives in rivals.values():
        model.add_at_most_one(alternatives)
    return sum(count * (1 - stays[pair]) for pair, count in players.items())
