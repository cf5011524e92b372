from functools import reduce
from operator import add
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.tally import MOST, Tally, tally_of_game, tally_of_games


def test_a_penalty_takes_points_off_and_leaves_the_best_game_as_it_was() -> None:
    assert tally_of_game(1, 20, 5) + tally_of_game(3, 7, 9) == Tally(
        games=2, wins=1, points=13, rank_sum=4, best=20
    )
    assert tally_of_games([1, 3], [20, 7], 14) == Tally(
        games=2, wins=1, points=13, rank_sum=4, best=20
    )
    assert tally_of_game(4, 0, 2).points == -2
    with pytest.raises(ValueError, match="takes nothing off"):
        tally_of_game(1, 20, -1)


many = st.lists(st.builds(tally_of_game, st.integers(1, 8), st.integers(0, 400)), max_size=12)


def tally(games: list[Tally]) -> Tally:
    return reduce(add, games, Tally())


def test_k13_a_shared_first_rank_is_a_win_for_both() -> None:
    assert [tally_of_game(rank, 210).wins for rank in (1, 1, 3)] == [1, 1, 0]


def test_a_tally_adds_up_what_the_games_brought() -> None:
    assert tally_of_game(1, 20) + tally_of_game(3, 7) == Tally(
        games=2, wins=1, points=27, rank_sum=4, best=20
    )


def test_no_game_is_the_empty_tally() -> None:
    assert Tally() == Tally(games=0, wins=0, points=0, rank_sum=0, best=0)


@given(many, st.randoms(use_true_random=False))
def test_the_order_of_games_changes_nothing(games: list[Tally], random: Random) -> None:
    assert tally(random.sample(games, len(games))) == tally(games)


@given(many, many, many)
def test_tallies_of_parts_add_up_to_the_tally_of_all(
    a: list[Tally], b: list[Tally], c: list[Tally]
) -> None:
    one, two, three = tally(a), tally(b), tally(c)
    assert tally(a + b + c) == (one + two) + three == one + (two + three) == three + two + one
    assert one + Tally() == one


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(0, 400)), min_size=1, max_size=12))
def test_several_games_are_added_up_as_one_after_the_other(ends: list[tuple[int, int]]) -> None:
    ranks, points = zip(*ends, strict=True)
    assert tally_of_games(ranks, points) == tally([tally_of_game(*end) for end in ends])


@pytest.mark.parametrize(("rank", "points"), [(0, 5), (1, -1), (MOST, 5), (1, MOST)])
def test_no_game_ends_so(rank: int, points: int) -> None:
    with pytest.raises(ValueError, match="no game ends"):
        tally_of_game(rank, points)
    with pytest.raises(ValueError, match="no game ends"):
        tally_of_games([1, rank, 2], [1, points, 2])
