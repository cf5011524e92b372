from collections.abc import Sequence
from itertools import islice
from math import inf, nan
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rating.history import History
from engine.rating.plackett_luce import rate
from engine.rating.rating import Rating
from engine.rating.waves import Batch, Succession, arrange, rate_games

PLAYERS = "abcdefghijkl"

Seating = tuple[Sequence[str], Sequence[int]]
Row = tuple[str, float, float, float, float]


def rated(games: Sequence[Seating], ratings: dict[str, Rating]) -> History[str]:
    """The history of games, each given by its players and their ranks in seat order."""
    sizes = [len(players) for players, _ in games]
    players = [player for seats, _ in games for player in seats]
    return rate_games(sizes, players, [rank for _, ranks in games for rank in ranks], ratings)


def rows_of(history: History[str]) -> list[Row]:
    columns = (history.players, history.mu_before, history.sigma_before, history.mu, history.sigma)
    return list(zip(*columns, strict=True))


@st.composite
def one_season(draw: st.DrawFn) -> list[Seating]:
    """Up to 25 games of two to eight of twelve players, with shared ranks."""
    games: list[Seating] = []
    for _ in range(draw(st.integers(0, 25))):
        players = draw(st.permutations(PLAYERS))[: draw(st.integers(2, 8))]
        places = [draw(st.integers(1, len(players))) for _ in players]
        games.append((players, [1 + sum(other < place for other in places) for place in places]))
    return games


def in_portions(games: Sequence[Seating], size: int) -> tuple[list[Row], dict[str, Rating]]:
    """The rows of all games and the last ratings, when they are delivered `size` games at a
    time."""
    rows: list[Row] = []
    ratings: dict[str, Rating] = {}
    for start in range(0, len(games), size):
        history = rated(games[start : start + size], ratings)
        rows.extend(rows_of(history))
        ratings |= history.ratings()
    return rows, ratings


@given(one_season(), st.integers(1, 7))
def test_a_rebuild_meets_single_games_and_portions_to_the_last_digit(
    games: list[Seating], size: int
) -> None:
    rebuilt = rated(games, {})
    assert (
        in_portions(games, 1) == in_portions(games, size) == (rows_of(rebuilt), rebuilt.ratings())
    )


@given(one_season())
def test_waves_rate_as_one_game_after_the_other_to_the_last_digit(games: list[Seating]) -> None:
    now = dict.fromkeys(PLAYERS, Rating())
    rows = iter(rows_of(rated(games, {})))
    for players, ranks in games:
        before = [now[player] for player in players]
        after = [Rating(*state) for state in rate(before, ranks)]
        now |= dict(zip(players, after, strict=True))
        assert list(islice(rows, len(players))) == [
            (player, *old, *new) for player, old, new in zip(players, before, after, strict=True)
        ]
    assert next(rows, None) is None


def test_entries_come_in_order_of_play_then_of_seats() -> None:
    history = rated([("ab", [1, 2]), ("bc", [1, 2]), ("de", [2, 1])], {})
    assert "".join(history.players) == "abbcde"
    assert history.mu_before[2:4] == [history.mu[1], Rating().mu]
    assert (history.mu[0] > history.mu[1], history.mu[4] < history.mu[5]) == (True, True)


def test_ratings_given_are_where_players_start_and_stay_untouched() -> None:
    known = {"a": Rating(31.5, 4.0)}
    history = rated([("ab", [1, 2])], known)
    assert list(zip(history.mu_before, history.sigma_before, strict=True)) == [
        (31.5, 4.0),
        Rating(),
    ]
    assert known == {"a": Rating(31.5, 4.0)}


def test_rankings_rebuilt_together_do_not_touch_each_other() -> None:
    spring: list[Seating] = [("abc", [1, 2, 3]), ("ab", [2, 1])]
    autumn: list[Seating] = [("cab", [1, 1, 3]), ("cb", [1, 2])]
    players = [
        (name, player)
        for name, games in (("spring", spring), ("autumn", autumn))
        for who, _ in games
        for player in who
    ]
    ranks = [rank for _, places in (*spring, *autumn) for rank in places]
    ratings = rate_games([3, 2, 3, 2], players, ranks, {}).ratings()
    assert {who: ratings["spring", who] for who in "abc"} == rated(spring, {}).ratings()
    assert {who: ratings["autumn", who] for who in "abc"} == rated(autumn, {}).ratings()


def test_no_games_have_no_history() -> None:
    assert rated([], {"a": Rating()}).ratings() == {}


@pytest.mark.parametrize(("players", "ranks"), [("a", [1]), ("aa", [1, 2]), ("", [])])
def test_a_game_seats_two_or_more_different_players(players: str, ranks: list[int]) -> None:
    with pytest.raises(ValueError, match="game 1 needs two or more different players"):
        rated([("ab", [1, 2]), (players, ranks)], {})


@pytest.mark.parametrize(
    ("sizes", "players", "ranks"), [([2], "ab", [1]), ([2], "abc", [1, 2]), ([3], "ab", [1, 2])]
)
def test_columns_of_unlike_length_are_refused(
    sizes: list[int], players: str, ranks: list[int]
) -> None:
    with pytest.raises(ValueError, match="as many players and ranks"):
        rate_games(sizes, players, ranks, {})


@pytest.mark.parametrize(
    "rating", [Rating(nan, 8), Rating(inf, 8), Rating(25, 0), Rating(25, -1), Rating(25, nan)]
)
def test_ratings_that_are_none_are_refused(rating: Rating) -> None:
    with pytest.raises(ValueError, match="finite"):
        rated([("ab", [1, 2])], {"a": rating})


def test_ratings_too_far_out_to_be_computed_are_refused_rather_than_not_a_number() -> None:
    with pytest.raises(ValueError, match="finite"):
        rated([("ab", [1, 2])], {"a": Rating(1e300, 1.0)})


def wide_season(tables: int) -> list[Seating]:
    """Four evenings of many tables of two to six, at the end of which the same three play once
    more."""
    dice = Random(tables)
    games: list[Seating] = []
    for _ in range(4):
        players = dice.sample(range(6 * tables), 6 * tables)
        for table in range(tables):
            seats = [str(player) for player in players[6 * table :][: dice.randint(2, 6)]]
            games.append((seats, [dice.randint(1, len(seats)) for _ in seats]))
        games.append((["0", "1", "2"], [1, 2, 2]))
    return games


def test_wide_and_narrow_waves_rate_as_one_game_after_the_other_to_the_last_digit() -> None:
    games = wide_season(60)
    waves = arrange(
        [len(players) for players, _ in games],
        [player for players, _ in games for player in players],
    )
    assert {type(part) for part in waves.parts} == {Batch, Succession}
    history = waves.rate([rank for _, ranks in games for rank in ranks], {})
    assert in_portions(games, 1) == (rows_of(history), history.ratings())


def test_waves_once_arranged_rate_other_results_from_other_ratings() -> None:
    waves = arrange([2, 2], "abbc")
    first = waves.rate([1, 2, 1, 2], {})
    second = waves.rate([2, 1, 1, 1], first.ratings())
    assert rows_of(first) == rows_of(rated([("ab", [1, 2]), ("bc", [1, 2])], {}))
    assert rows_of(second) == rows_of(rated([("ab", [2, 1]), ("bc", [1, 1])], first.ratings()))
