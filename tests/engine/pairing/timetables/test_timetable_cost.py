"""What a timetable that was made by hand breaks is said, a sentence for each thing."""

from dataclasses import replace

from engine.pairing.timetables.timetable_cost import conflicts, timetable_cost
from engine.pairing.timetables.timetable_input import (
    WISHES,
    Away,
    HallPlace,
    Slot,
    TimetableInput,
    UntimedTable,
)

WANTED = TimetableInput(
    tables=(
        UntimedTable("1", 2, ("Ana", "Ben"), "cup", 0, away=("20:00",)),
        UntimedTable("2", 4, ("Ana", "Cy", "Dee"), "cup", 1),
        UntimedTable("3", 2, ("Ben", "Cy"), "cup", 2),
    ),
    places=(HallPlace("door", 1, 2, closed=("19:00",)), HallPlace("stage", 2, 4)),
    slots=(Slot("18:00"), Slot("19:00", pause=True), Slot("20:00")),
    away=(Away("Ben", ("20:00",)), Away("Ana", ("19:00",), must=False)),
    wishes=WISHES,
    names={"1": "table 1", "2": "table 2", "3": "table 3", "stage": "the stage"},
)
GOOD = {"1": ("18:00", "stage"), "2": ("19:00", "stage"), "3": ("20:00", "stage")}


def test_a_good_timetable_breaks_wishes_at_most() -> None:
    wanted = replace(WANTED, away=())
    assert conflicts(wanted, GOOD) == ()
    assert conflicts(WANTED, GOOD) == (
        "Ben can’t play at 20:00, when table 3 is played",
        "Ana would rather not play at 19:00, when table 2 is played",
    )


def test_a_table_at_a_wrong_place_or_time_is_named() -> None:
    found = conflicts(
        WANTED, {"1": ("20:00", "stage"), "2": ("19:00", "door"), "3": ("20:00", "stage")}
    )
    assert found[:4] == (
        "table 1 can’t be played at 20:00",
        "table 2 needs 4 seats, door has 2",
        "door isn’t available at 19:00, when table 2 is to be played",
        "table 1, table 3 are at the stage at once, at 20:00",
    )
    assert "Ben is at table 1, table 3 at once, at 20:00" in found


def test_a_round_before_an_earlier_one_is_named_even_if_the_one_between_has_no_time() -> None:
    found = conflicts(replace(WANTED, away=()), {"1": ("19:00", "stage"), "3": ("18:00", "stage")})
    assert found == (
        "table 2 has no time and place yet",
        "table 3 begins at 18:00, before table 1 of an earlier round of cup is over",
    )


def test_what_nobody_knows_is_named_and_breaks_nothing_else() -> None:
    found = conflicts(WANTED, GOOD | {"1": ("18:00", "cellar"), "9": ("18:00", "stage")})
    assert found[:2] == (
        "table 1 at 18:00, cellar: not all of these are known",
        "9 at 18:00, the stage: not all of these are known",
    )


def test_an_empty_timetable_costs_nothing_and_lacks_everything() -> None:
    assert len(conflicts(WANTED, {})) == 3
    assert timetable_cost(WANTED, {}) == dict.fromkeys(WISHES, 0)


def test_each_wish_is_counted() -> None:
    here = {"1": ("18:00", "stage"), "2": ("19:00", "stage"), "3": ("20:00", "door")}
    # Ana plays right after table 1, where she would rather not; Ben and Cy go to the door, after
    # pauses.
    assert timetable_cost(WANTED, here) == {
        "absent": 1,
        "end": 2,
        "late": 3,
        "breaks": 1,
        "moves": 2,
    }


def test_long_lists_of_names_are_cut_and_hostile_ones_can_be_printed() -> None:
    assert WANTED.listed(map(str, range(20))).endswith("10, 11, …")
    assert WANTED.name("a\nb") == "a\\nb"
