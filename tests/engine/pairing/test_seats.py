"""Who sits where at a table."""

from collections import Counter
from itertools import permutations, product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.draw import Draw, draw
from engine.pairing.draw_input import DrawInput, Participant, TableIds
from engine.pairing.seats import best_orders, openers, seated
from tests.engine.pairing.chances import chances


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


def test_whoever_opens_now_leaves_the_turns_to_come_to_those_who_have_none() -> None:
    players = {id: Participant(id) for id in "abc"}
    ahead = [[("a", "b")], [("a", "b")]]
    assert openers([[("a", "b", "c")], *ahead], players) == ["c"], (
        "the others have turns of their own to come"
    )
    assert seated([("a", "b", "c")], players, ahead) == (("c", "a", "b"),)


@given(st.integers(2, 8), st.sampled_from((1, 2, 1000)), chances)
def test_of_all_orders_with_the_least_cost_the_first_is_taken(
    size: int, most: int, chance: Random
) -> None:
    counts = np.array(
        [[[chance.randint(0, most) for _ in range(size)] for _ in range(size)] for _ in range(2)]
    )
    orders = np.array(list(permutations(range(size))))
    first = [orders[table[orders, np.arange(size)].sum(1).argmin()].tolist() for table in counts]
    assert best_orders(counts).tolist() == first


@st.composite
def rounds_to_come(draw: st.DrawFn) -> tuple[list[list[TableIds]], dict[str, Participant]]:
    """A few rounds of a few players, who opened so often before."""
    ids = "abcdef"[: draw(st.integers(2, 6))]
    players = {id: Participant(id, seats=(draw(st.integers(0, 2)),)) for id in ids}
    rounds = []
    for _ in range(draw(st.integers(1, 3))):
        line = draw(st.permutations(ids))
        cut = draw(st.integers(0, len(ids) - 2))
        rounds.append([tuple(part) for part in (line[:cut], line[cut:]) if len(part) > 1])
    return rounds, players


@given(rounds_to_come())
def test_no_other_openers_leave_first_turns_more_even(
    given: tuple[list[list[TableIds]], dict[str, Participant]],
) -> None:
    rounds, players = given

    def least(opening: list[str]) -> int:
        """The squared counts of first turns, if these open now and whoever suits best in the rounds
        to come."""
        further = [table for tables in rounds[1:] for table in tables]
        return min(
            sum((player.seats[0] + count[id]) ** 2 for id, player in players.items())
            for choice in product(*further)
            for count in [Counter([*opening, *choice])]
        )

    assert least(openers(rounds, players)) == min(
        least(list(opening)) for opening in product(*rounds[0])
    )


@pytest.mark.parametrize(
    ("number", "size", "rounds"), [(16, 4, 4), (28, 4, 9), (13, 2, 13), (32, 4, 8)]
)
def test_in_a_design_everybody_opens_as_often_as_others(
    number: int, size: int, rounds: int
) -> None:
    ids = [f"p{i}" for i in range(number)]
    turns: Counter[str] = Counter(dict.fromkeys(ids, 0))
    played: list[tuple[TableIds, ...]] = []
    for _ in range(rounds):
        players = tuple([Participant(id, seats=(turns[id],)) for id in ids])
        answer = draw(DrawInput((size,), "cup", players, rounds, tuple(played), bye=size == 2))
        assert isinstance(answer, Draw)
        played.append(answer.tables)
        turns.update([table[0] for table in answer.tables])
    tables = sum(len(tables) for tables in played)
    assert set(turns.values()) == {tables // number, -(-tables // number)}
