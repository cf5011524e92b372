"""Who moves between divisions when a season closes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.scoring.divisions import (
    DivisionLine,
    DivisionMove,
    DivisionPlan,
    DivisionResult,
    TieAtLine,
    division_moves,
    explain_division_move,
    explain_tie,
)


def division(id: str, ranking: str) -> DivisionResult:
    """A division by its final ranking; those in one word share the rank."""
    rows, rank = [], 1
    for word in ranking.split():
        rows += [(player, rank) for player in word]
        rank += len(word)
    return DivisionResult(id, f"division {id}", tuple(rows))


def plan(
    *divisions: DivisionResult, lines: list[DivisionLine], chosen: dict[str, str] | None = None
) -> DivisionPlan:
    made = division_moves(divisions, lines, chosen or {})
    assert isinstance(made, DivisionPlan)
    return made


TOP, MIDDLE, LOW = division("1", "a b c d"), division("2", "e f g h"), division("3", "i j k l")


def test_the_last_go_down_and_the_first_go_up() -> None:
    assert plan(
        TOP, MIDDLE, LOW, lines=[DivisionLine(up=1, down=1), DivisionLine(up=2, down=1)]
    ).moves == (
        DivisionMove("d", 4, "1", "2"),
        DivisionMove("e", 1, "2", "1"),
        DivisionMove("h", 4, "2", "3"),
        DivisionMove("i", 1, "3", "2"),
        DivisionMove("j", 2, "3", "2"),
    )


def test_a_tie_that_is_not_at_the_line_decides_nothing() -> None:
    made = plan(division("1", "ab cd"), MIDDLE, lines=[DivisionLine(up=1, down=2)])
    assert made.open_ties == ()
    assert [move.player for move in made.moves] == ["c", "d", "e"]


def test_a_tie_at_the_line_is_named_and_moves_nobody_of_it() -> None:
    made = plan(division("1", "a bcd z"), MIDDLE, lines=[DivisionLine(up=0, down=3)])
    assert made.moves == (DivisionMove("z", 5, "1", "2"),)
    assert made.open_ties == (TieAtLine("1", "2", 2, ("b", "c", "d"), 2),)
    assert str(
        explain_tie(made.open_ties[0], {"1": "division 1", "2": "division 2"}, {"b": "Ben"})
    ) == (
        "Ben, c and d share rank 2 in division 1; the organiser decides who goes to division "
        "2 (places: 2)"
    )


def test_the_organiser_decides_a_tie_at_the_line() -> None:
    tied = division("1", "a bcd z")
    made = plan(tied, MIDDLE, lines=[DivisionLine(up=0, down=3)], chosen={"b": "2", "d": "2"})
    assert [move.player for move in made.moves] == ["z", "b", "d"]
    assert made.open_ties == ()


@pytest.mark.parametrize(
    "chosen",
    [{"b": "2"}, {"b": "2", "c": "2", "d": "2"}, {"b": "1", "d": "2"}, {"a": "2", "b": "2"}],
)
def test_a_decision_of_too_many_or_too_few_leaves_the_tie_open(chosen: dict[str, str]) -> None:
    made = plan(division("1", "a bcd z"), MIDDLE, lines=[DivisionLine(up=0, down=3)], chosen=chosen)
    assert [move.player for move in made.moves] == ["z"]
    assert len(made.open_ties) == 1


def test_where_all_share_the_rank_each_is_sent_to_one_side_at_most() -> None:
    made = plan(
        TOP,
        division("2", "efgh"),
        LOW,
        lines=[DivisionLine(1, 0), DivisionLine(0, 1)],
        chosen={"e": "1", "h": "3"},
    )
    assert [(move.player, move.after) for move in made.moves] == [("e", "1"), ("h", "3")]


@pytest.mark.parametrize(
    ("divisions", "lines"),
    [
        ((TOP, MIDDLE), []),
        ((TOP,), [DivisionLine(1, 1)]),
        ((TOP, MIDDLE), [DivisionLine(5, 0)]),
        ((TOP, MIDDLE), [DivisionLine(0, 5)]),
        ((TOP, MIDDLE, LOW), [DivisionLine(3, 0), DivisionLine(0, 2)]),
        ((TOP, MIDDLE), [DivisionLine(-1, 1)]),
        ((TOP, division("2", "e a")), [DivisionLine(1, 1)]),
    ],
)
def test_a_plan_that_can_not_be_is_refused(
    divisions: tuple[DivisionResult, ...], lines: list[DivisionLine]
) -> None:
    fault = division_moves(divisions, lines)
    assert isinstance(fault, Illegal)
    assert fault.code == "bad_plan"


def test_a_season_without_divisions_moves_nobody() -> None:
    assert plan(lines=[]) == plan(TOP, lines=[]) == DivisionPlan((), ())


def test_a_move_says_why() -> None:
    down, up = plan(TOP, MIDDLE, lines=[DivisionLine(1, 1)]).moves
    names, divisions = {"d": "Dora", "e": "Eva"}, {"1": "division 1", "2": "division 2"}
    assert str(explain_division_move(down, divisions, names)) == (
        "Dora has rank 4 in division 1 and goes down to division 2"
    )
    assert (
        str(explain_division_move(up, divisions, names))
        == "Eva has rank 1 in division 2 and goes up to division 1"
    )


@given(
    st.lists(st.lists(st.integers(1, 3), min_size=2, max_size=5), min_size=1, max_size=4),
    st.integers(0, 1),
    st.integers(0, 1),
)
def test_nobody_moves_twice_and_the_order_of_rows_changes_nothing(
    strengths: list[list[int]], up: int, down: int
) -> None:
    results = [
        DivisionResult(
            str(number),
            str(number),
            tuple(
                [
                    (f"{number}{seat}", 1 + sum(other > own for other in own_division))
                    for seat, own in enumerate(own_division)
                ]
            ),
        )
        for number, own_division in enumerate(strengths)
    ]
    lines = [DivisionLine(up, down)] * (len(results) - 1)
    made = division_moves(results, lines)
    turned = [DivisionResult(one.division_id, one.name, one.rows[::-1]) for one in results]
    assert made == division_moves(turned, lines)
    assert isinstance(made, DivisionPlan)
    movers = [move.player for move in made.moves]
    assert len(movers) == len(set(movers))
    assert len(movers) + sum(tie.places for tie in made.open_ties) == (up + down) * len(lines)
