"""Why somebody has a place in a knock-out, in sentences."""

import pytest

from engine.pairing.bracket import BracketPlace
from engine.pairing.bracket_reasons import between_places, explain_place

NAMES = {"a": "Anna", "b": "Ben"}


@pytest.mark.parametrize(
    ("place", "over", "sentence"),
    [
        (BracketPlace("a", 1, None), True, "Anna has won the knock-out"),
        (BracketPlace("a", 1, None), False, "Anna is still in it"),
        (BracketPlace("a", 5, "W1.2"), False, "Anna went out (table W1.2): place 5"),
        (BracketPlace("x", 5, "W1.2"), False, "x went out (table W1.2): place 5"),
    ],
)
def test_a_place_says_how_it_was_come_to(place: BracketPlace, over: bool, sentence: str) -> None:
    assert str(explain_place(place, NAMES, over=over)) == sentence


@pytest.mark.parametrize(
    ("above", "below", "sentence"),
    [
        ((1, None), (1, None), "Anna and Ben are both still in it"),
        ((1, None), (2, "final"), "Ben went out (final), Anna did not"),
        ((3, "final"), (4, "final"), "Anna finished ahead of Ben (final)"),
        ((1, None), (2, "reset"), "Ben went out (second final), Anna did not"),
        ((5, "W1.1"), (5, "W1.2"), "Anna and Ben got equally far: both have place 5"),
        ((3, "W2.1"), (5, "W1.2"), "Anna went out later (table W2.1) than Ben (table W1.2), or with a better place"),
    ],
)
def test_of_two_neighbours_it_is_said_why_the_one_is_ahead(
    above: tuple[int, str | None], below: tuple[int, str | None], sentence: str
) -> None:
    assert str(between_places(BracketPlace("a", *above), BracketPlace("b", *below), NAMES)) == sentence
