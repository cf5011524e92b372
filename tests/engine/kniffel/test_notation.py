"""How announcements and rolls are written."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.kniffel.combinations import ANNOUNCEABLE, Announcement
from engine.kniffel.notation import (
    announcement_text,
    dice_text,
    parse_announcement,
    parse_dice,
    parse_roll,
    roll_text,
)
from engine.kniffel.rolls import Roll

DICE = st.lists(st.integers(1, 6), max_size=5).map(sorted).map(tuple)


def code(answer: object) -> str:
    assert isinstance(answer, Illegal)
    return answer.code


def test_the_worked_example_of_the_record_format() -> None:
    assert parse_announcement("fours=12") == ("fours", 12)
    assert parse_roll("44425") == ((), (2, 4, 4, 4, 5))
    assert parse_roll("44>466") == ((4, 4), (4, 6, 6))
    assert parse_roll("4>15") == ((4,), (1, 5))


@pytest.mark.parametrize(
    "text", ["", "fours", "fours=", "=12", "fours=012", "fours=-4", "fours=123", "Four=5"]
)
def test_what_is_no_announcement(text: str) -> None:
    assert code(parse_announcement(text)) == "no_such_announcement"


@pytest.mark.parametrize("text", ["fours= 12", "fours=12 ", "fours=12\n", "fours=١٢", "fours==12"])
def test_an_announcement_is_written_in_one_way(text: str) -> None:
    assert code(parse_announcement(text)) == "no_such_announcement"


@pytest.mark.parametrize(
    "text", ["4442*", "44427", "0", "44 25", "4>4>466", "*>466", "44>46x", "٤٤٤٤٤"]
)
def test_dice_show_one_to_six(text: str) -> None:
    assert code(parse_roll(text)) == "bad_face"


def test_a_roll_that_keeps_nothing_is_written_without_a_sign() -> None:
    assert parse_roll(">44425") == parse_roll("44425") == Roll((), (2, 4, 4, 4, 5))
    assert roll_text(Roll((), (4, 2))) == "24"


@given(DICE, DICE)
def test_a_roll_reads_as_it_is_written(kept: tuple[int, ...], new: tuple[int, ...]) -> None:
    assert parse_roll(roll_text(Roll(kept, new))) == Roll(kept, new)


@given(DICE, st.randoms(use_true_random=False))
def test_the_order_of_dice_has_no_meaning(dice: tuple[int, ...], random: Random) -> None:
    text = list(dice_text(dice))
    random.shuffle(text)
    assert parse_dice("".join(text)) == dice


@given(st.sampled_from(sorted(ANNOUNCEABLE)), st.integers(0, 50))
def test_an_announcement_reads_as_it_is_written(combination: str, points: int) -> None:
    said = Announcement(combination, points)
    assert parse_announcement(announcement_text(said)) == said
