"""Why somebody has a place in a knock-out, in sentences."""

import pytest

from engine.messages import say
from engine.pairing.brackets.bracket import BracketPlace
from engine.pairing.brackets.bracket_reasons import between_places, explain_place, numbered, numbered_table

Reached = tuple[int, str | None, str | None]
NAMES = {"a": "Anna", "b": "Ben"}


@pytest.mark.parametrize(
    ("place", "over", "sentence"),
    [
        (BracketPlace("a", 1, None, None), True, "Anna has won the knock-out"),
        (BracketPlace("a", 1, None, None), False, "Anna has not gone out yet"),
        (BracketPlace("a", 5, "W1.2", "W1.2"), False, "Anna went out (table W1.2): place 5"),
        (BracketPlace("x", 5, "W1.2", "W1.2"), False, "x went out (table W1.2): place 5"),
    ],
)
def test_a_place_says_how_it_was_come_to(place: BracketPlace, over: bool, sentence: str) -> None:
    assert str(explain_place(place, NAMES, over=over)) == sentence


@pytest.mark.parametrize(
    ("above", "below", "sentence"),
    [
        ((3, "W1.1", "third"), (4, "W1.2", "third"), "Anna finished ahead of Ben (third place)"),
        ((1, None, None), (1, None, None), "neither Anna nor Ben has gone out yet"),
        ((1, None, None), (2, "final", "final"), "Ben went out (final), Anna did not"),
        ((3, "final", "final"), (4, "final", "final"), "Anna finished ahead of Ben (final)"),
        ((1, None, None), (2, "reset", "reset"), "Ben went out (second final), Anna did not"),
        ((5, "W1.1", "W1.1"), (5, "W1.2", "W1.2"), "Anna and Ben got equally far: both have place 5"),
        ((3, "W2.1", "W2.1"), (5, "W1.2", "W1.2"), "Anna went out later (table W2.1) than Ben (table W1.2)"),
        ((3, "final", "final"), (5, "L3.1", "L3.1"), "Anna went out later (final) than Ben (table L3.1)"),
        (
            (5, "W1.1", "W1.1"),
            (7, "W1.2", "W1.2"),
            "Anna went out with a better place (table W1.1) than Ben (table W1.2)",
        ),
    ],
)
def test_of_two_neighbours_it_is_said_why_the_one_is_ahead(above: Reached, below: Reached, sentence: str) -> None:
    assert str(between_places(BracketPlace("a", *above), BracketPlace("b", *below), NAMES)) == sentence


def test_tables_can_go_by_their_numbers_instead_of_their_labels() -> None:
    tables = {"W1.2": numbered_table(2, 1), "W2.1": numbered_table(1, 2)}
    out = explain_place(BracketPlace("a", 5, "W1.2", "W1.2"), NAMES, over=False)
    assert str(numbered(out, tables)) == "Anna went out (table 2 of round 1): place 5"
    why = say("{first} meets {second}", first=say("seed 1"), second=say("the winner of {table}", table="W2.1"))
    assert str(numbered(why, tables)) == "seed 1 meets the winner of table 1 of round 2"
    assert str(numbered(say("table {label}", label="L1.1"), tables)) == "table L1.1"
