from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rating.history import Change, Rating
from engine.rating.plackett_luce import rate
from engine.rating.waves import Game, rate_games

PLAYERS = "abcdefghijkl"


@st.composite
def one_season(draw: st.DrawFn) -> list[Game[int, str]]:
    """Up to 25 games of two to eight of twelve players, with shared ranks."""
    games = []
    for number in range(draw(st.integers(0, 25))):
        players = draw(st.permutations(PLAYERS))[: draw(st.integers(2, 8))]
        places = [draw(st.integers(1, len(players))) for _ in players]
        games.append(Game(number, players, [1 + sum(other < place for other in places) for place in places]))
    return games


def in_portions(games: Sequence[Game[int, str]], size: int) -> tuple[list[Change[int, str]], dict[str, Rating]]:
    """The changes of all games and the last ratings, when they are delivered `size` games at a time."""
    changes: list[Change[int, str]] = []
    ratings: dict[str, Rating] = {}
    for start in range(0, len(games), size):
        history = rate_games(games[start : start + size], ratings)
        changes.extend(history)
        ratings |= history.ratings()
    return changes, ratings


@given(one_season(), st.integers(1, 7))
def test_a_rebuild_meets_single_games_and_portions_to_the_last_digit(games: list[Game[int, str]], size: int) -> None:
    rebuilt = rate_games(games, {})
    assert in_portions(games, 1) == in_portions(games, size) == (list(rebuilt), rebuilt.ratings())


@given(one_season())
def test_waves_rate_as_one_game_after_the_other(games: list[Game[int, str]]) -> None:
    states = {player: Rating()[:2] for player in PLAYERS}
    for game in games:
        after = rate([states[player] for player in game.players], game.ranks)
        states |= dict(zip(game.players, after, strict=True))
    for player, rating in rate_games(games, {}).ratings().items():
        assert rating[:2] == states[player]


@given(one_season())
def test_no_player_appears_twice_in_a_wave_and_each_plays_in_order(games: list[Game[int, str]]) -> None:
    last: dict[str, Rating] = {}
    for change in rate_games(games, {}):
        assert change.before == last.get(change.player, Rating())
        assert change.after.wave > change.before.wave
        last[change.player] = change.after


def test_a_games_wave_is_one_more_than_the_last_of_its_players() -> None:
    games = [
        Game("1", "ab", [1, 2]),
        Game("2", "cd", [1, 2]),
        Game("3", "bc", [1, 2]),
        Game("4", "ae", [1, 2]),
    ]
    waves = {change.game: change.after.wave for change in rate_games(games, {})}
    assert waves == {"1": 1, "2": 1, "3": 2, "4": 2}


def test_changes_come_in_order_of_play_then_of_seats() -> None:
    games = [Game(1, "ab", [1, 2]), Game(2, "bc", [1, 2]), Game(3, "de", [2, 1])]
    history = rate_games(games, {})
    assert [(change.game, change.player) for change in history] == [
        (1, "a"), (1, "b"), (2, "b"), (2, "c"), (3, "d"), (3, "e"),
    ]  # fmt: skip
    assert len(history) == 6


def test_ratings_given_are_where_players_start_and_stay_untouched() -> None:
    known = {"a": Rating(31.5, 4.0, wave=7)}
    winner, newcomer = rate_games([Game(1, "ab", [1, 2])], known)
    assert (winner.before, newcomer.before) == (Rating(31.5, 4.0, 7), Rating())
    assert winner.after.wave == newcomer.after.wave == 8
    assert known == {"a": Rating(31.5, 4.0, 7)}


def test_seasons_rebuilt_together_do_not_touch_each_other() -> None:
    spring = [Game(1, "abc", [1, 2, 3]), Game(2, "ab", [2, 1])]
    autumn = [Game(3, "cab", [1, 1, 3]), Game(4, "cb", [1, 2])]
    together = [
        Game(game.id, [(season, player) for player in game.players], game.ranks)
        for season, games in (("spring", spring), ("autumn", autumn))
        for game in games
    ]
    ratings = rate_games(together, {}).ratings()
    assert {who: ratings["spring", who] for who in "abc"} == rate_games(spring, {}).ratings()
    assert {who: ratings["autumn", who] for who in "abc"} == rate_games(autumn, {}).ratings()


@pytest.mark.parametrize(("players", "ranks"), [("a", [1]), ("aa", [1, 2]), ("ab", [1]), ("", [])])
def test_a_game_seats_two_or_more_different_players_with_a_rank_each(players: str, ranks: list[int]) -> None:
    with pytest.raises(ValueError, match="two or more different players"):
        Game(1, players, ranks)
