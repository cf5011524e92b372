"""The score of each seat at a table, whatever its size, in whole parts of a point."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.kniffel.sheet import MOST
from engine.scoring.points import placement
from engine.scoring.stage.results import DICE, PARTS, GameResult, TableResult
from engine.scoring.stage.rules import StageRules, StageScoring

WIN: Final = 2
DRAW: Final = 1


def tells_points(rules: StageRules, game: GameResult) -> bool:
    """Return True if the points of a game that the stage's scoring counts are known."""
    match rules.scoring:
        case StageScoring.CNTDICE:
            return game.cntdice is not None
        case StageScoring.TOTALS:
            return game.totals is not None
    return True


def game_scores(rules: StageRules, game: GameResult) -> tuple[int, ...]:
    """Return the score of each seat in one game by the stage's scoring, in parts of a point.

    In a best-of stage, the game is scored by `placement`. Raise ValueError if the scoring needs
    dice scores or totals and there are none.
    """
    match rules.scoring:
        case StageScoring.CNTDICE:
            if game.cntdice is None:
                raise ValueError("this game tells no dice scores")
            size = counted_size(rules, len(game.rank))
            return tuple([dice * size * PARTS // len(game.rank) for dice in game.cntdice])
        case StageScoring.TOTALS:
            if game.totals is None:
                raise ValueError("this game tells no totals")
            return tuple([total * PARTS for total in game.totals])
        case StageScoring.WIN_DRAW_LOSS:
            points_of_first = WIN if game.rank.count(1) == 1 else DRAW
            return tuple([points_of_first * PARTS if rank == 1 else 0 for rank in game.rank])
        case StageScoring.STRIKES:
            last = max(game.rank)
            return tuple([PARTS if rank < last or last == 1 else 0 for rank in game.rank])
    return _placed(counted_size(rules, len(game.rank)), game.rank)


def counted_size(rules: StageRules, seats: int) -> int:
    """Return the table size for which a table with this number of seats is scored."""
    if rules.adjusted and rules.scoring != StageScoring.TOTALS:
        return rules.size
    return seats


@lru_cache(maxsize=1 << 14)
def _placed(size: int, rank: tuple[int, ...]) -> tuple[int, ...]:
    """Return the score of each seat by `placement`, as if at a table of this size."""
    return tuple([behind * (size - 1) * PARTS // (len(rank) - 1) for behind in placement(rank)])


def table_scores(rules: StageRules, table: TableResult) -> tuple[int, ...]:
    """Return the score of each seat at a table; 0 while it isn't over."""
    if not table.games:
        return (0,) * len(table.players)
    if rules.scoring == StageScoring.BEST_OF:
        return _placed(counted_size(rules, len(table.players)), best_of_places(table.games))
    return _sums_by_seat([game_scores(rules, game) for game in table.games])


def most_score(rules: StageRules, games: int, seats: int | None = None) -> int:
    """Return the score of a player who wins all games of a table.

    `seats`: those of the table; None: the wanted size. By totals, it is as much as a sheet can
    hold.
    """
    size = rules.size if seats is None else counted_size(rules, seats)
    match rules.scoring:
        case StageScoring.CNTDICE:
            return DICE * size * games * PARTS
        case StageScoring.TOTALS:
            return MOST * games * PARTS
        case StageScoring.PLACEMENT:
            return (size - 1) * games * PARTS
        case StageScoring.WIN_DRAW_LOSS:
            return WIN * games * PARTS
        case StageScoring.STRIKES:
            return games * PARTS
    return (size - 1) * PARTS


def middle_score(rules: StageRules) -> int:
    """Return half of the highest score that a player can reach in a round, in parts of a point.

    It is the score of most byes. Tie-breaks count it for each round after an opponent left.
    """
    return most_score(rules, rules.games) // 2


def bye_score(rules: StageRules) -> int:
    """Return the score of a round without a table; see `StageRules.bye`."""
    if rules.bye is not None:
        return int(rules.bye * PARTS)
    is_duel = rules.size == 2 and rules.scoring != StageScoring.TOTALS
    if is_duel or rules.scoring == StageScoring.STRIKES:
        return most_score(rules, rules.games)
    return middle_score(rules)


def best_of_places(games: Sequence[GameResult]) -> tuple[int, ...]:
    """Return the places at a table of a best-of stage.

    Games won decide, including shared wins, then seats left behind in all games.
    """
    if len(games) == 1:
        return games[0].rank
    return _ranked(list(zip(_wins(games), _seats_behind(games), strict=True)))


def table_places(rules: StageRules, table: TableResult) -> tuple[int, ...]:
    """Return the places at a table that is over, ties shared.

    If there was only one game, the places are its ranks; else the scores decide, then the seats
    left behind in all games.
    """
    if len(table.games) == 1:
        return table.games[0].rank
    return _ranked(list(zip(table_scores(rules, table), _seats_behind(table.games), strict=True)))


def best_of_over(games: Sequence[GameResult], most: int) -> bool:
    """Return True if a table of up to `most` games is decided: all games are played, or nobody can
    catch the leader.
    """
    games_left = most - len(games)
    if not games or games_left <= 0:
        return games_left <= 0
    leader, runner_up, *_ = sorted(_wins(games), reverse=True)
    return leader - runner_up > games_left


def _wins(games: Sequence[GameResult]) -> tuple[int, ...]:
    return _sums_by_seat([tuple([int(rank == 1) for rank in game.rank]) for game in games])


def _seats_behind(games: Sequence[GameResult]) -> tuple[int, ...]:
    return _sums_by_seat([placement(game.rank) for game in games])


def _sums_by_seat(rows: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def _ranked(keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple([1 + sum(rival > key for rival in keys) for key in keys])
