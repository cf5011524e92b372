"""The rules of a stage's ranking: its scoring, its tie-breaks, and the points of a bye."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class StageScoring(StrEnum):
    """The points of a table.

    In an `adjusted` stage, a table smaller or larger than the wanted size counts as one of that
    size, except by totals.

    `cntdice`: the dice scores of all games (ruling B13), times the wanted size, divided by the
    seats. So the winner of a game always has five times the wanted size.

    `totals`: the unchanged totals of the sheets of all games (ruling K13), whatever the size.

    `placement`: in each game the seats left behind (ruling B12), times the wanted size less one,
    divided by the seats less one. So the winner always has one less than the wanted size, and the
    last always 0.

    `win_draw_loss`: in each game 2 for a sole winner, 1 for shared winners, 0 for the others.

    `best_of`: a table plays up to a number of games, and its places are decided by games won, then
    by seats left behind in all games; a place gives its points by `placement`, once.

    `strikes`: in each game 1 for all but the last, who have a strike. If players are out after a
    number of strikes, those who are out later have more.
    """

    CNTDICE = "cntdice"
    TOTALS = "totals"
    PLACEMENT = "placement"
    WIN_DRAW_LOSS = "win_draw_loss"
    BEST_OF = "best_of"
    STRIKES = "strikes"


class StageTieBreak(StrEnum):
    """The names of tie-breaks, as files write them; see `engine.scoring.stage.registry`."""

    HEAD_TO_HEAD = "head_to_head"
    WINS = "wins"
    GAMES_WON = "games_won"
    POINTS_SHARE = "points_share"
    OPPONENTS_SCORE = "opponents_score"
    LAST_TABLE = "last_table"
    BEST_GAME = "best_game"
    SEEDING = "seeding"
    LOTS = "lots"


@dataclass(frozen=True, slots=True)
class StageRules:
    """The settings that an organiser chooses before the stage starts.

    `size`: the wanted number of seats at a table, 2 to 8. `tie_breaks`: each at most once, in
    order; players equal in all of them share the rank. `seed`: the event's text from which lots are
    drawn. `games`: the most games that a table plays in a round.

    `bye`: the points of a round without a table. None is a win's points in a stage of duels, and
    half of them in a stage of larger tables, where a win is one of several places; by totals it is
    half of what a sheet can hold. `free`: each table is a round of its own, because people choose
    their tables; reasons call it a table. `label_best`: how many players of each label, such as a
    club or a town, add up to its points; None if labels aren't ranked. `adjusted`: a table smaller
    or larger than the wanted size counts as one of that size; else it counts as it is, as in the
    table of a season.
    """

    scoring: StageScoring
    size: int
    tie_breaks: tuple[StageTieBreak, ...]
    seed: str
    games: int = 1
    bye: Fraction | None = None
    free: bool = False
    label_best: int | None = None
    adjusted: bool = True
