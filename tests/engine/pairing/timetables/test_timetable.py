"""A timetable keeps to what it must, is the best there is by the wishes, and says why there is
none."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.pairing.timetables.timetable import Impossible, Timetable, timetable
from engine.pairing.timetables.timetable_cost import conflicts, timetable_cost
from engine.pairing.timetables.timetable_input import (
    WISHES,
    Assignment,
    Away,
    HallPlace,
    Slot,
    TimetableInput,
    UntimedTable,
    Wish,
)

TEN = tuple(Slot(f"{9 + hour}:00") for hour in range(10))


def hall(*sizes: int) -> tuple[HallPlace, ...]:
    return tuple(HallPlace(f"place {number}", number, size) for number, size in enumerate(sizes, 1))


def at(*players: str, id: str = "", group: str | None = None, round: int = 0) -> UntimedTable:
    return UntimedTable(id or "".join(players), len(players), players, group, round)


def planned(wanted: TimetableInput) -> Timetable:
    found = timetable(wanted)
    assert isinstance(found, Timetable), found
    return found


def reasons(wanted: TimetableInput) -> tuple[str, ...]:
    found = timetable(wanted)
    assert isinstance(found, Impossible), found
    assert found.proven
    return found.reasons


@st.composite
def inputs(draw: st.DrawFn) -> TimetableInput:
    """Small ones, so that every timetable can be looked at; some have none."""
    slots = tuple(
        Slot(f"s{index}", pause=draw(st.booleans())) for index in range(draw(st.integers(1, 3)))
    )
    some = st.lists(st.sampled_from([slot.id for slot in slots]), max_size=1).map(tuple)
    places = tuple(
        HallPlace(f"P{index}", draw(st.integers(0, 2)), draw(st.integers(2, 3)), draw(some))
        for index in range(draw(st.integers(1, 2)))
    )
    tables = tuple(
        UntimedTable(
            f"t{index}",
            draw(st.integers(2, 3)),
            tuple(draw(st.sets(st.sampled_from("abcd"), max_size=2))),
            draw(st.sampled_from([None, "g"])),
            draw(st.integers(0, 2)),
            draw(some),
        )
        for index in range(draw(st.integers(1, 4)))
    )
    players = sorted({player for table in tables for player in table.players})
    away = tuple(
        Away(player, draw(some), draw(st.booleans())) for player in players if draw(st.booleans())
    )
    return TimetableInput(tables, places, slots, away, tuple(draw(st.permutations(WISHES))))


def all_assignments(wanted: TimetableInput) -> Iterator[Assignment]:
    """Every assignment that breaks nothing but wishes."""
    strict = replace(wanted, away=tuple(away for away in wanted.away if away.must))
    cells = list(product([slot.id for slot in wanted.slots], [place.id for place in wanted.places]))
    for chosen in product(cells, repeat=len(wanted.tables)):
        assignment = dict(zip([table.id for table in wanted.tables], chosen, strict=True))
        if not conflicts(strict, assignment):
            yield assignment


def times_first(cost: dict[Wish, int]) -> list[int]:
    return [amount for wish, amount in cost.items() if wish != "moves"]


@settings(max_examples=60)
@given(inputs())
def test_it_is_the_best_of_all_timetables(wanted: TimetableInput) -> None:
    possible = list(all_assignments(wanted))
    found = timetable(wanted)
    if isinstance(found, Timetable):
        assert found.assignment in possible
        assert found.proven
        assert found.cost == timetable_cost(wanted, found.assignment)
        assert times_first(found.cost) == min(
            times_first(timetable_cost(wanted, other)) for other in possible
        )
        times = [slot for slot, _ in found.assignment.values()]
        alike = [
            other for other in possible if [other[table][0] for table in found.assignment] == times
        ]
        assert found.cost["moves"] == min(timetable_cost(wanted, other)["moves"] for other in alike)
    else:
        assert isinstance(found, Impossible)
        assert not possible
        assert found.reasons
        assert found.proven


@settings(max_examples=20)
@given(inputs(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(wanted: TimetableInput, random: Random) -> None:
    shuffled = replace(
        wanted,
        tables=tuple(
            replace(table, players=tuple(random.sample(table.players, len(table.players))))
            for table in random.sample(wanted.tables, len(wanted.tables))
        ),
        places=tuple(random.sample(wanted.places, len(wanted.places))),
        away=tuple(random.sample(wanted.away, len(wanted.away))),
    )
    assert timetable(shuffled) == timetable(wanted)


def groups(
    seed: int, names: str = "ABC", places: int = 8, slots: tuple[Slot, ...] = TEN
) -> TimetableInput:
    """Groups of sixteen in five rounds, twenty tables of four each, and who can't when, or would
    rather not."""
    random = Random(seed)
    tables = []
    for group, round in product(names, range(5)):
        players = random.sample([f"{group}{number}" for number in range(16)], 16)
        tables += [
            at(*players[table : table + 4], id=f"{group} {round}.{table}", group=group, round=round)
            for table in range(0, 16, 4)
        ]
    away = tuple(
        Away(f"{group}{number}", (random.choice(slots).id,), must=random.random() < 0.4)
        for group, number in product(names, range(0, 16, 2))
    )
    closed = tuple(
        replace(place, closed=(random.choice(slots).id,)) for place in hall(*[4] * places)
    )
    return TimetableInput(tuple(tables), closed, slots, away)


@pytest.mark.parametrize("seed", range(3))
def test_sixty_tables_with_availability_are_proven(seed: int) -> None:
    wanted = groups(seed)
    found = planned(wanted)
    assert found.proven
    assert not [
        sentence for sentence in conflicts(wanted, found.assignment) if "rather" not in sentence
    ]
    assert planned(wanted) == found
    seats = Counter(where for where in found.assignment.values())
    assert len(found.assignment) == 60
    assert max(seats.values()) == 1


def test_low_numbers_come_first_and_early_slots_too() -> None:
    wanted = TimetableInput((at("Ana", "Ben"), at("Cy", "Dee")), hall(4, 4, 4), TEN)
    assert planned(wanted).assignment == {
        "AnaBen": ("9:00", "place 1"),
        "CyDee": ("9:00", "place 2"),
    }


def test_a_large_table_gets_the_only_large_place() -> None:
    wanted = TimetableInput((at("a", "b"), at("c", "d"), at(*"efghij")), hall(6, 4, 2), TEN[:1])
    assert planned(wanted).assignment["efghij"] == ("9:00", "place 1")


def test_tables_whose_players_nobody_knows_yet_get_a_time() -> None:
    tables = (at("Ana", "Ben", group="cup"), UntimedTable("final", 2, group="cup", round=1))
    assert planned(TimetableInput(tables, hall(4), TEN)).assignment["final"] == ("10:00", "place 1")


def test_the_wishes_count_in_their_order() -> None:
    tables = (at("Ana", "Ben", id="1"), at("Ana", "Cy", id="2"))
    wanted = TimetableInput(tables, hall(4), TEN[:3], wishes=("breaks", "end"))
    assert planned(wanted).cost == {"breaks": 0, "end": 2}
    assert planned(replace(wanted, wishes=("end", "breaks"))).cost == {"end": 1, "breaks": 1}
    lunch = (Slot("11:00", pause=True), *TEN[3:5])
    assert planned(replace(wanted, slots=lunch)).cost == {"breaks": 0, "end": 1}


def test_players_stay_where_they_are() -> None:
    tables = tuple(
        at(*pair, id=f"{round}{pair}", group="g", round=round)
        for round, pair in product(range(3), ("ab", "cd"))
    )
    closed = (replace(hall(2)[0], closed=("9:00",)), *hall(2, 2, 2)[1:])
    found = planned(TimetableInput(tables, closed, TEN, wishes=("end", "moves")))
    assert found.proven
    assert found.cost == {"end": 2, "moves": 0}


def test_without_enough_work_it_says_that_it_does_not_know() -> None:
    wanted = groups(1)
    found = timetable(wanted, effort=1e-9)
    assert isinstance(found, Impossible)
    assert not found.proven
    assert found.reasons == ("the search for a timetable ended before one was found",)


def test_what_is_not_proven_says_so_and_has_a_bound() -> None:
    random = Random(5)
    tables = tuple(
        at(*random.sample([f"p{n}" for n in range(30)], 4), id=str(number)) for number in range(40)
    )
    wanted = TimetableInput(
        tables, hall(*[4] * 6), (*TEN, Slot("19:00")), wishes=("late", "breaks", "moves")
    )
    found = timetable(wanted, effort=0.02)
    assert isinstance(found, Timetable)
    assert not found.proven
    assert all(found.bound[wish] <= found.cost[wish] for wish in wanted.wishes)
    assert not conflicts(wanted, found.assignment)


ANA_TWICE = (at("Ana", "Ben", id="table 3"), at("Ana", "Cy", id="table 4"))
IMPOSSIBLE = {
    (
        "Ana is at more tables (2) than slots are left to play in (1): table 3, table 4"
    ): TimetableInput(ANA_TWICE, hall(4, 4), TEN[:1]),
    (
        "more tables need a spot with 2 seats or more (12) than there are such spots in all "
        "slots together (8)"
    ): TimetableInput(
        tuple(UntimedTable(str(number), 2) for number in range(12)), hall(*[4] * 8), TEN[:1]
    ),
    "abc needs 3 seats, and no spot has more than 2": TimetableInput((at(*"abc"),), hall(2), TEN),
    "cup has more rounds, one after the other (2), than there are slots (1)": TimetableInput(
        (at("a", "b", group="cup"), at("c", "d", group="cup", round=4)), hall(2, 2), TEN[:1]
    ),
    (
        "there is no time for ab: a can’t play at 9:00; b can’t play at 10:00; it can’t be "
        "played at 11:00"
    ): TimetableInput(
        (replace(at("a", "b"), away=("11:00",)),),
        hall(2),
        TEN[:3],
        (Away("a", ("9:00",)), Away("b", ("10:00",))),
    ),
}


IMPOSSIBLE["there is no time for ab: a can’t play at 9:00"] = replace(
    IMPOSSIBLE["abc needs 3 seats, and no spot has more than 2"],
    tables=(at("a", "b"),),
    slots=TEN[:1],
    away=(Away("a", ("9:00",)),),
)


@pytest.mark.parametrize("reason", IMPOSSIBLE)
def test_what_counting_shows_to_be_impossible_is_named(reason: str) -> None:
    assert reason in reasons(IMPOSSIBLE[reason])


def test_what_cannot_be_together_is_named_and_nothing_else() -> None:
    tables = (
        *ANA_TWICE,
        at("Dee", "Eve"),
        at("Fay", "Gus", group="cup"),
        at("Hal", "Ida", group="cup", round=1),
    )
    away = (Away("Ben", ("9:00",)), Away("Cy", ("9:00",)), Away("Dee", ("10:00",)))
    wanted = TimetableInput(tables, hall(4, 4, 4), TEN[:2], away, names={"Ben": "Benno"})
    assert sorted(reasons(wanted)) == [
        "Ana plays at one table at a time: table 3, table 4",
        "Benno can’t play at 9:00",
        "Cy can’t play at 9:00",
    ]


def test_everybody_who_is_named_is_in_the_way() -> None:
    """Four places that are always open: only who can't when, and the order of the rounds, can be in
    the way."""
    wanted = replace(groups(4, "A", 4, TEN[:6]), places=hall(4, 4, 4, 4))
    found = reasons(wanted)
    named = tuple(
        away
        for away in wanted.away
        if any(reason.startswith(f"{away.player} can’t") for reason in found)
    )
    assert 0 < len(named) < len(wanted.away)
    assert reasons(replace(wanted, away=named))
    for one in named:
        assert isinstance(
            timetable(replace(wanted, away=tuple(away for away in named if away != one))), Timetable
        )


def test_too_few_places_at_the_right_time_are_named() -> None:
    tables = tuple(replace(at(player, "x" + player), away=("10:00",)) for player in "abc")
    found = reasons(TimetableInput(tables, hall(2, 2), TEN[:2]))
    assert "at 9:00, 10:00, spots available with 2 seats or more: 2" in found
    assert "axa can’t be played at 10:00" in found


def test_rounds_that_do_not_fit_are_named() -> None:
    tables = (at("a", "b", group="cup"), at("c", "d", group="cup", round=2))
    away = (Away("a", ("9:00",)), Away("c", ("10:00",)))
    assert "cup: round 0 is over before round 2 begins" in reasons(
        TimetableInput(tables, hall(2, 2), TEN[:2], away)
    )


FINE = TimetableInput(ANA_TWICE, hall(4), TEN)
FAULTY = {
    "too_few tables": replace(FINE, tables=()),
    "too_few places": replace(FINE, places=()),
    "too_few slots": replace(FINE, slots=()),
    "too_many tables": replace(FINE, tables=FINE.tables * 50_000),
    "too_many slots": replace(FINE, slots=TEN * 100),
    "bad_timetable tables[1]": replace(FINE, tables=(at("a"), at("a"))),
    "bad_timetable places[1]": replace(FINE, places=hall(4) * 2),
    "bad_timetable slots[1]": replace(FINE, slots=TEN[:1] * 2),
    "bad_timetable places[0].size": replace(FINE, places=hall(0)),
    "bad_timetable places[0].number": replace(FINE, places=(HallPlace("p", -1, 4),)),
    "bad_timetable places[0].closed": replace(FINE, places=(HallPlace("p", 1, 4, ("never",)),)),
    "bad_timetable tables[0].size": replace(FINE, tables=(UntimedTable("t", -4),)),
    "bad_timetable tables[0].players": replace(FINE, tables=(UntimedTable("t", 1, ("a", "b")),)),
    "bad_timetable tables[0].round": replace(FINE, tables=(at("a", "b", round=-1),)),
    "bad_timetable tables[0].away": replace(FINE, tables=(UntimedTable("t", 4, away=("never",)),)),
    "bad_timetable away[0].player": replace(FINE, away=(Away("Zed", ()),)),
    "bad_timetable away[0].slots": replace(FINE, away=(Away("Ana", ("never",)),)),
    "bad_timetable wishes[1]": replace(FINE, wishes=("end", "end")),
    "bad_timetable wishes[0]": replace(FINE, wishes=("luck",)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("fault", FAULTY)
def test_bad_input_is_a_fault_with_its_path(fault: str) -> None:
    found = timetable(FAULTY[fault])
    assert isinstance(found, Illegal)
    assert f"{found.code} {found.path}" == fault


def test_a_player_twice_at_a_table_and_more_cells_than_can_be_are_faults() -> None:
    twice = timetable(replace(FINE, tables=(at("a", "a"),)))
    assert isinstance(twice, Illegal)
    assert twice.message == "a player sits there twice"
    tables = tuple(UntimedTable(str(number), 2) for number in range(1_000))
    large = timetable(
        replace(FINE, tables=tables, slots=tuple(Slot(str(number)) for number in range(101)))
    )
    assert isinstance(large, Illegal)
    assert large.code == "too_many"
