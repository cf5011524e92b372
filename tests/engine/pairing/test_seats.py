"""Who sits where at a table."""

from engine.pairing.draw_input import Participant
from engine.pairing.seats import seated


def test_everybody_gets_the_seat_that_they_had_least_often() -> None:
    players = {
        "a": Participant("a", seats=(2, 0, 1)),
        "b": Participant("b", seats=(0, 2, 1)),
        "c": Participant("c", seats=(1, 1, 0)),
    }
    assert seated([("a", "b", "c")], players) == (("b", "a", "c"),)


def test_among_equals_the_order_stays() -> None:
    players = {id: Participant(id) for id in "dcbaxy"}
    assert seated([("d", "c", "b", "a"), ("y", "x")], players) == (("d", "c", "b", "a"), ("y", "x"))


def test_a_first_turn_weighs_more_than_any_other_seat() -> None:
    players = {"a": Participant("a", seats=(1, 2)), "b": Participant("b", seats=(0, 0))}
    assert seated([("a", "b")], players) == (("b", "a"),)
