"""The stored form of a turn of Lügen-Kniffel."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import CLOCK
from engine.illegal import Illegal
from engine.kniffel.combinations import COMBINATIONS, Announcement
from engine.kniffel.rolls import Roll, dice_shown
from engine.record.kniffel.compact import pack_turn, unpack_turn
from engine.record.kniffel.turn import TurnRecord

FACES = st.integers(1, 6)


def dice(number: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(FACES, min_size=number, max_size=number).map(sorted).map(tuple)


def leavers(least: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.sets(st.integers(0, 7), min_size=least, max_size=7).map(sorted).map(tuple)


@st.composite
def rolls(draw: st.DrawFn) -> tuple[tuple[Roll, ...], tuple[int, ...]]:
    """One to three rolls, and the dice after them."""
    rolls = [Roll((), draw(dice(5)))]
    for _ in range(draw(st.integers(0, 2))):
        fresh = draw(st.permutations(rolls[-1].new))
        kept = tuple(sorted(fresh[: draw(st.integers(0, len(fresh) - 1))]))
        rolls.append(Roll(kept, draw(dice(len(fresh) - len(kept)))))
    shown = dice_shown(rolls)
    assert not isinstance(shown, Illegal)
    return tuple(rolls), shown


@st.composite
def turns(draw: st.DrawFn) -> TurnRecord:
    entry = draw(st.sampled_from(["turn", "turn", "turn", "void", "forfeit", "clock"]))
    if entry == "clock":
        return TurnRecord(None, ended=CLOCK)
    if entry == "forfeit":
        return TurnRecord(None, forfeit=draw(leavers(1)))
    announcement = Announcement(draw(st.sampled_from(COMBINATIONS)), draw(st.integers(0, 50)))
    if entry == "void":
        rolled = draw(rolls() | st.just(((), None)))
        voided = draw(st.sampled_from([announcement, None]))
        return TurnRecord(voided, (), rolled[0], rolled[1], draw(leavers(0)), void=True)
    doubters = tuple(sorted(draw(st.sets(st.integers(0, 7), max_size=7))))
    detail = draw(st.sampled_from(["none", "dice", "rolls"]))
    if detail != "rolls":
        return TurnRecord(announcement, doubters, (), draw(dice(5)) if detail == "dice" else None)
    return TurnRecord(announcement, doubters, *draw(rolls()))


EXAMPLE = TurnRecord(
    Announcement("fours", 12),
    (1,),
    (Roll((), (2, 4, 4, 4, 5)), Roll((4, 4), (4, 6, 6)), Roll((4,), (1, 5))),
    (1, 4, 4, 4, 5),
)


def test_the_worked_example_of_the_record_format_takes_eight_bytes() -> None:
    assert len(pack_turn(EXAMPLE)) == 8
    assert unpack_turn(pack_turn(EXAMPLE)) == EXAMPLE


def test_a_turn_that_nobody_doubted_takes_two_bytes() -> None:
    assert len(pack_turn(TurnRecord(Announcement("chance", 30)))) == 2


def test_a_doubted_turn_takes_four_bytes() -> None:
    shown = TurnRecord(Announcement("chance", 30), (0, 7), (), (1, 2, 3, 4, 5))
    assert len(pack_turn(shown)) == 4


@given(turns())
def test_what_was_packed_is_unpacked(turn: TurnRecord) -> None:
    assert unpack_turn(pack_turn(turn)) == turn


@given(turns(), turns())
def test_different_turns_have_different_bytes(one: TurnRecord, other: TurnRecord) -> None:
    assert (pack_turn(one) == pack_turn(other)) == (one == other)


@given(st.binary(max_size=9))
def test_any_bytes_are_a_turn_or_none(data: bytes) -> None:
    try:
        turn = unpack_turn(data)
    except ValueError:
        return
    assert unpack_turn(pack_turn(turn)) == turn


@pytest.mark.parametrize(
    "data", [b"\x0e\x00", b"\x40\x01\x00"], ids=["nobody leaves", "nobody doubts"]
)
def test_bytes_that_name_no_seat_are_no_turn(data: bytes) -> None:
    with pytest.raises(ValueError, match="no turn of Lügen-Kniffel"):
        unpack_turn(data)


@given(turns())
def test_bytes_that_are_cut_off_or_too_many_are_no_turn(turn: TurnRecord) -> None:
    data = pack_turn(turn)
    with pytest.raises(ValueError, match="turn of Lügen-Kniffel"):
        unpack_turn(data[:-1])
    with pytest.raises(ValueError, match="turn of Lügen-Kniffel"):
        unpack_turn(data + b"\0")


def test_dice_that_were_not_rolled_cannot_have_been_kept() -> None:
    bad_keep = EXAMPLE._replace(rolls=(Roll((), (1, 1, 1, 1, 1)), Roll((6,), (1, 1, 1, 1))))
    with pytest.raises(ValueError, match="roll just before"):
        unpack_turn(pack_turn(bad_keep))
