"""Hooks: how lower wings call higher ones."""

import pytest

from league.core.hooks import Hook


def test_a_hook_calls_every_function_in_order_and_returns_their_answers() -> None:
    tables_drawn = Hook[[int], str]()
    tables_drawn.add(lambda number: f"hall {number}")
    tables_drawn.add(lambda number: f"screen {number}")
    assert tables_drawn(3) == ["hall 3", "screen 3"]


def test_a_hook_without_functions_has_no_answers() -> None:
    assert Hook[[], int]()() == []


def test_add_leaves_a_decorated_function_as_it_is() -> None:
    counted = Hook[[int], int]()

    @counted.add
    def double(number: int) -> int:
        return 2 * number

    assert double(4) == 8
    assert counted(4) == [8]


def test_the_caller_hears_of_what_goes_wrong() -> None:
    game_voided = Hook[[], object]()
    game_voided.add(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        game_voided()
