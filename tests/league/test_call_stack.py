"""Calls that have room for their frames touch no new memory, however deep they lie."""

import resource

import pytest

from league.call_stack import with_room

CALLS = 1_000


def leaf(number: int) -> int:
    """A call with a frame of some size: it holds a few values at once."""
    return max(number, number + 1, number + 2, number + 3, number + 4, number + 5, number + 6, number + 7)


def faults_at(depth: int) -> int:
    """The page faults of a loop of calls that stands so deep."""
    if depth:
        return faults_at(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for number in range(CALLS):
        leaf(number)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def test_with_room_no_loop_of_calls_takes_new_memory_each_time() -> None:
    for depth in range(300):
        with_room(faults_at, depth)
        assert with_room(faults_at, depth) < CALLS / 10, depth


def test_with_room_a_call_gets_its_arguments_and_gives_its_answer_and_its_error_back() -> None:
    assert with_room(int, "11", base=2) == 3
    with pytest.raises(ValueError, match="invalid literal"):
        with_room(int, "x")
