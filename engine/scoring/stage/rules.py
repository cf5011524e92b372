"""The rules by which a stage is ranked: its scoring, the order of its tie-breaks, and what a bye
brings."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class StageScoring(StrEnum):
    """The points that a table brings. In an `adjusted` stage a table smaller or larger than the
    wanted size counts as one of that size, but by totals.

    `cntdice`: the dice scores of all games (ruling B13), times the wanted size, by the seats. So
    the winner of a game always has five times the wanted size.

    `totals`: the totals of the sheets of all games (ruling K13), as they are, whatever the size.

    `placement`: in each game the seats left behind (ruling B12), times the wanted size less one, by
    the seats less one. So the winner always has one less than the wanted size, who is last always
    0.

    `win_draw_loss`: in each game 2 for who is first alone, 1 for those who are first together, 0
    for the others.

    `best_of`: a table plays up to so many games, and its places are those by games won, then by
    seats left behind in all games; a place brings what it brings by `placement`, once.

    `strikes`: in each game 1 for everybody but those who are last, who have a strike. Where
    everybody plays until so many strikes, who is out later has more."""

    CNTDICE = "cntdice"
    TOTALS = "totals"
    PLACEMENT = "placement"
    WIN_DRAW_LOSS = "win_draw_loss"
    BEST_OF = "best_of"
    STRIKES = "strikes"


class StageTieBreak(StrEnum):
    """The names of tie-breaks, as files write them; `engine.scoring.stage.registry` has all else of
    each."""

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

    `size`: the wanted number of seats at a table, 2 to 8. `tie_breaks`: each at most once, the
    first one first; who is equal in all of them shares the rank. `seed`: the event's text from
    which lots are drawn. `games`: the most games that a table plays in a round. `bye`: the points
    of a round without a table; None is the same as what a winner gets in a stage of duels, and half
    of it in a stage of larger tables, where a win is one of several places; by totals it is half of
    what a sheet can hold. `free`: each table is a round of its own, because people sit down as they
    like; reasons call it a table. `label_best`: so many of each label, such as a club or a town,
    add up to its points; None where labels aren't ranked. `adjusted`: a table smaller or larger
    than the wanted size counts as one of it; else as it is, as in the table of a season."""

    scoring: StageScoring
    size: int
    tie_breaks: tuple[StageTieBreak, ...]
    seed: str
    games: int = 1
    bye: Fraction | None = None
    free: bool = False
    label_best: int | None = None
    adjusted: bool = True
