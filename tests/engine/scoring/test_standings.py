from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.points import placement
from engine.scoring.standings import LAST, Criterion, Standing, decided_by, sort_key, table
from engine.scoring.tally import MOST, Tally, tally_of_game

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
season_long = st.integers(1, 2**20).flatmap(
    lambda games: st.builds(
        Tally,
        games=st.just(games),
        wins=st.integers(0, games),
        points=st.integers(0, games * (MOST - 1)),
        rank_sum=st.integers(games, games * 8),
        best=st.integers(0, MOST - 1),
    )
)
fields = st.dictionaries(st.sampled_from("abcdefgh"), st.just(Tally()) | tallies | season_long)
orders = st.lists(st.sampled_from(Criterion), unique=True, min_size=1)


def figures(tally: Tally, order: list[Criterion]) -> list[Fraction]:
    """What the criteria compare, in exact fractions, the smaller the better; behind them all who
    has no game."""
    if not tally.games:
        return [Fraction(1)]
    exact = {
        POINTS: -Fraction(tally.points),
        WINS: -Fraction(tally.wins),
        GAMES: -Fraction(tally.games),
        PER_GAME: -Fraction(tally.points, tally.games),
        AVERAGE_RANK: Fraction(tally.rank_sum, tally.games),
        BEST_GAME: -Fraction(tally.best),
    }
    return [Fraction(0), *[exact[criterion] for criterion in order]]


def ranked(lines: list[Standing[str]]) -> list[tuple[int, str, Criterion | None]]:
    return [(standing.rank, standing.player, standing.decided_by) for standing in lines]


def test_most_points_are_ahead() -> None:
    lines = table({"vera": Tally(1, points=3), "ben": Tally(1, points=5)}, [POINTS, WINS])
    assert ranked(lines) == [(1, "ben", None), (2, "vera", None)]


def test_shared_ranks_count_1_2_2_4() -> None:
    points = {"vera": 9, "karla": 7, "ben": 7, "xenia": 2}
    lines = table({name: Tally(1, points=n) for name, n in points.items()}, [POINTS, WINS])
    assert ranked(lines) == [
        (1, "vera", None),
        (2, "ben", None),
        (2, "karla", None),
        (4, "xenia", None),
    ]


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
    assert ranked(lines) == [
        (1, "vera", None),
        (2, "karla", WINS),
        (3, "ben", BEST_GAME),
        (4, "xenia", None),
    ]


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
    assert [standing.player for standing in table({"a": behind, "b": ahead}, [criterion])] == [
        "b",
        "a",
    ]


def test_averages_are_compared_exactly_up_to_a_million_games() -> None:
    many = 2**20
    less, more = Tally(many - 1, points=many - 2), Tally(many, points=many - 1)
    assert [standing.player for standing in table({"a": less, "b": more}, [PER_GAME])] == ["b", "a"]
    sixths = table({"a": Tally(6, points=2), "b": Tally(3, points=1)}, [PER_GAME])
    assert [standing.rank for standing in sixths] == [1, 1]


@pytest.mark.parametrize("criterion", Criterion)
def test_who_has_not_played_is_behind_the_worst(criterion: Criterion) -> None:
    worst = Tally(1, points=0, rank_sum=MOST - 1, best=0)
    assert [
        standing.player for standing in table({"absent": Tally(), "worst": worst}, [criterion])
    ] == [
        "worst",
        "absent",
    ]


@given(season_long, orders)
def test_a_sort_key_fits_signed_integers_of_64_bits(tally: Tally, order: list[Criterion]) -> None:
    assert all(LAST < figure < 2**63 for figure in sort_key(tally, order))
    assert sort_key(Tally(), order) == (LAST,) * len(order)


@given(
    season_long,
    st.integers(1, 2**20),
    st.integers(-1, 1),
    st.sampled_from([PER_GAME, AVERAGE_RANK]),
)
def test_averages_that_are_next_to_each_other_compare_as_exact_fractions_do(
    one: Tally, games: int, more: int, criterion: Criterion
) -> None:
    other = Tally(
        games,
        points=one.points * games // one.games + more,
        rank_sum=one.rank_sum * games // one.games + more,
    )
    exact, nearby = figures(one, [criterion]), figures(other, [criterion])
    assert (sort_key(one, [criterion]) > sort_key(other, [criterion])) == (exact < nearby)
    assert (sort_key(one, [criterion]) == sort_key(other, [criterion])) == (exact == nearby)


@given(fields, orders, st.randoms(use_true_random=False))
def test_the_same_tallies_give_the_same_table(
    field: dict[str, Tally], order: list[Criterion], random: Random
) -> None:
    shuffled = dict(random.sample(sorted(field.items(), key=lambda item: item[0]), len(field)))
    assert table(shuffled, order) == table(field, order)


@given(fields, orders)
def test_the_table_is_that_of_exact_fractions(
    field: dict[str, Tally], order: list[Criterion]
) -> None:
    exact = {player: figures(tally, order) for player, tally in field.items()}
    standings = table(field, order)
    assert [standing.player for standing in standings] == sorted(
        field, key=lambda player: (exact[player], player)
    )
    for standing in standings:
        assert standing.rank == 1 + sum(other < exact[standing.player] for other in exact.values())


@given(fields, orders)
def test_the_named_tie_break_is_the_first_that_differs(
    field: dict[str, Tally], order: list[Criterion]
) -> None:
    for above, own in pairwise(table(field, order)):
        one, other = figures(above.tally, order), figures(own.tally, order)
        first = next(
            (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0
        )
        named = order[first - 1] if first > 1 else None
        assert own.decided_by == named
        assert decided_by(sort_key(above.tally, order), sort_key(own.tally, order), order) == named


games = st.lists(
    st.permutations("abcdef").flatmap(lambda who: st.integers(2, 6).map(lambda n: who[:n])),
    max_size=10,
)


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
