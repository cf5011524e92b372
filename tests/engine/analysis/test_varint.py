"""Whole numbers in few bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.varint import read_varints, unzigzag, varint, zigzag


def test_numbers_are_folded_by_their_size() -> None:
    assert [zigzag(number) for number in (0, -1, 1, -2, 2)] == [0, 1, 2, 3, 4]


@given(st.integers())
def test_folded_numbers_unfold(number: int) -> None:
    assert zigzag(number) >= 0
    assert unzigzag(zigzag(number)) == number


@given(st.lists(st.integers(min_value=0)))
def test_numbers_written_one_after_the_other_are_read_again(numbers: list[int]) -> None:
    assert list(read_varints(b"".join(map(varint, numbers)))) == numbers


def test_numbers_take_a_byte_for_seven_bits() -> None:
    assert [len(varint(number)) for number in (0, 127, 128, 2**14 - 1, 2**14)] == [1, 1, 2, 2, 3]
    assert varint(300) == b"\xac\x02"  # the worked example of Protocol Buffers


def test_a_number_that_is_cut_off_is_an_error() -> None:
    with pytest.raises(ValueError, match="cut off"):
        list(read_varints(b"\xac"))
