from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.standings import Criterion, Line, table, value
from engine.scoring.tally import Tally, placement, tally_of_game

POINTS, WINS, PER_GAME = Criterion.POINTS, Criterion.WINS, Criterion.POINTS_PER_GAME
AVERAGE_RANK, BEST_GAME, GAMES = Criterion.AVERAGE_RANK, Criterion.BEST_GAME, Criterion.GAMES

tallies = st.builds(
    Tally,
    games=st.integers(1, 3),
    wins=st.integers(0, 1),
    points=st.integers(0, 3),
    rank_sum=st.integers(3, 6),
    best=st.integers(0, 1),
)
fields = st.dictionaries(st.sampled_from("abcdefgh"), st.just(Tally()) | tallies)
orders = st.lists(st.sampled_from(Criterion), unique=True, min_size=1)


def ranked(lines: list[Line[str]]) -> list[tuple[int, str, Criterion | None]]:
    return [(line.rank, line.player, line.decided_by) for line in lines]


def test_most_points_are_ahead() -> None:
    lines = table({"vera": Tally(1, points=3), "ben": Tally(1, points=5)}, [POINTS, WINS])
    assert ranked(lines) == [(1, "ben", None), (2, "vera", None)]


def test_shared_ranks_count_1_2_2_4() -> None:
    points = {"vera": 9, "karla": 7, "ben": 7, "xenia": 2}
    lines = table({name: Tally(1, points=n) for name, n in points.items()}, [POINTS, WINS])
    assert ranked(lines) == [(1, "vera", None), (2, "ben", None), (2, "karla", None), (4, "xenia", None)]


def test_the_row_behind_names_the_tie_break_that_put_it_there() -> None:
    lines = table(
        {
            "ben": Tally(3, wins=1, points=9, best=4),
            "vera": Tally(3, wins=2, points=9, best=3),
            "karla": Tally(3, wins=1, points=9, best=5),
            "xenia": Tally(3, wins=0, points=4, best=5),
        },
        [POINTS, WINS, BEST_GAME],
    )
    assert ranked(lines) == [(1, "vera", None), (2, "karla", WINS), (3, "ben", BEST_GAME), (4, "xenia", None)]


@pytest.mark.parametrize(
    ("criterion", "ahead", "behind"),
    [
        (POINTS, Tally(3, points=8), Tally(1, points=7)),
        (WINS, Tally(3, wins=2), Tally(1, wins=1)),
        (PER_GAME, Tally(1, points=7), Tally(2, points=13)),
        (AVERAGE_RANK, Tally(3, rank_sum=4), Tally(2, rank_sum=3)),
        (BEST_GAME, Tally(3, best=8), Tally(3, best=7)),
        (GAMES, Tally(3), Tally(2)),
    ],
)
def test_who_is_ahead_by_each_criterion(criterion: Criterion, ahead: Tally, behind: Tally) -> None:
    assert [line.player for line in table({"a": behind, "b": ahead}, [criterion])] == ["b", "a"]


def test_averages_are_compared_exactly() -> None:
    third, nearly = Tally(3 * 10**17, points=10**17), Tally(3 * 10**17 - 1, points=10**17)
    assert third.points / third.games == nearly.points / nearly.games
    assert [line.rank for line in table({"a": third, "b": nearly}, [PER_GAME])] == [1, 2]
    sixths = table({"a": Tally(6, points=2), "b": Tally(3, points=1)}, [PER_GAME])
    assert [line.rank for line in sixths] == [1, 1]


@pytest.mark.parametrize("criterion", [PER_GAME, AVERAGE_RANK, BEST_GAME])
def test_who_has_not_played_is_behind_the_worst(criterion: Criterion) -> None:
    worst = Tally(1, points=0, rank_sum=8, best=0)
    assert value(criterion, Tally()) is None
    assert [line.player for line in table({"absent": Tally(), "worst": worst}, [criterion])] == [
        "worst",
        "absent",
    ]


def test_the_figure_of_a_criterion_is_exact() -> None:
    assert value(PER_GAME, Tally(3, points=10)) == Fraction(10, 3)
    assert value(AVERAGE_RANK, Tally(4, rank_sum=10)) == Fraction(5, 2)


@given(fields, orders, st.randoms(use_true_random=False))
def test_the_same_tallies_give_the_same_table(field: dict[str, Tally], order: list[Criterion], random: Random) -> None:
    shuffled = dict(random.sample(sorted(field.items(), key=lambda item: item[0]), len(field)))
    assert table(shuffled, order) == table(field, order)


@given(fields, orders)
def test_a_rank_is_one_more_than_the_players_strictly_ahead(field: dict[str, Tally], order: list[Criterion]) -> None:
    lines = table(field, order)
    assert sorted(line.player for line in lines) == sorted(field)
    for above, line in pairwise(lines):
        tied = all(value(each, above.tally) == value(each, line.tally) for each in order)
        assert (line.rank == above.rank) == tied
        assert line.rank == 1 + sum(other.rank < line.rank for other in lines)


@given(fields, orders)
def test_the_named_tie_break_is_the_first_that_differs(field: dict[str, Tally], order: list[Criterion]) -> None:
    for above, line in pairwise(table(field, order)):
        differing = [each for each in order if value(each, above.tally) != value(each, line.tally)]
        named = None if not differing or differing[0] == order[0] else differing[0]
        assert line.decided_by == named


games = st.lists(st.permutations("abcdef").flatmap(lambda who: st.integers(2, 6).map(lambda n: who[:n])), max_size=10)


@given(games, orders, st.randoms(use_true_random=False))
def test_games_in_any_order_and_in_parts_give_the_same_table(
    games: list[list[str]], order: list[Criterion], random: Random
) -> None:
    def brought(played: list[list[str]]) -> dict[str, Tally]:
        found = dict.fromkeys("abcdef", Tally())
        for players in played:
            ranks = list(range(1, len(players) + 1))
            for player, rank, points in zip(players, ranks, placement(ranks), strict=True):
                found[player] += tally_of_game(rank, points)
        return found

    whole = brought(games)
    late = random.sample(games, len(games))
    cut = random.randint(0, len(games))
    first, second = brought(late[:cut]), brought(late[cut:])
    parts = {name: first[name] + second[name] for name in first}
    assert table(parts, order) == table(whole, order)
