"""The player of Lügen-Kniffel that goes by the odds: of its own rolls, and of an announcement to be
true.

Points are weighed against what the field would otherwise bring: an open field is worth the expected
points of a turn that aims at it. A field is used up whether its points are noted or a strike is
taken for it.
"""

from functools import cache
from typing import NamedTuple

from engine.analysis.kniffel import doubt
from engine.kniffel.combinations import ANNOUNCEABLE, Announcement, Dice, score
from engine.kniffel.rolls import ROLLS
from engine.players.kniffel.view import TurnMove, TurnView


class RollerOption(NamedTuple):
    """A move of the roller, and the points that it is worth beyond the expected points of its
    field."""

    worth: float
    move: Announcement | Dice


class TurnsByOdds:
    """A player that aims at the option of the greatest worth, true or not, and doubts if that is
    worth more than to believe."""

    def choose(self, view: TurnView) -> TurnMove:
        """Return the move that is worth most.

        The others are assumed to believe by the odds of a roller who aims at the announcement."""
        if view.announcement is not None:
            return worth_of_doubt(view, view.announcement) > 0
        # NumPy is only loaded to play, not to list the players.
        from engine.analysis.aim import HANDS, KEEPS, parts, worth_of_keeps

        lies = [best_lie(view, rolls) for rolls in ROLLS]
        fields = [true_options(combination) for combination in view.open_fields]
        truths: list[RollerOption] = [max(options) for options in zip(*fields, strict=True)]

        ends = [[max(lie, truth).worth for truth in truths] for lie in lies[view.rolls :]]
        worths = worth_of_keeps(ends)
        options = [lies[view.rolls - 1], truths[HANDS[view.dice]]]
        for part in parts(view.rolled):
            keep = tuple(sorted(view.locked + part))
            options.append(RollerOption(float(worths[KEEPS[keep]]), part))
        return max(options, key=lambda option: option.worth).move


@cache
def true_options(combination: str) -> list[RollerOption]:
    """Return the true announcement of a combination with each of `HANDS`.

    It may be of zero points, which can't be announced (Ruling K2): any lie is worth more.
    """
    from engine.analysis.aim import HANDS

    truths = [Announcement(combination, score(combination, hand)) for hand in HANDS]
    return [RollerOption(truth.points - par(combination), truth) for truth in truths]


def best_lie(view: TurnView, rolls: int) -> RollerOption:
    """Return the lie of the greatest worth to a roller.

    The others are assumed to believe it as often as it is true for a roller who aims at it with
    that many rolls."""
    options = []
    for lie in view.announcements:
        worth = chance(lie, rolls) * lie.points - par(lie.combination)
        options.append(RollerOption(worth, lie))
    return max(options)


def worth_of_doubt(view: TurnView, announcement: Announcement) -> float:
    """Return the points that a doubt is worth, including what the analysis leaves out.

    If the announcement is a lie, the roller doesn't get its points, of which each of the others
    gains a share; and the seat's own field is used up if it is open."""
    combination, points = announcement
    truth = chance(announcement, view.rolls)
    value = doubt(view.seat, view.sheet, announcement, truth, doubted=False).value
    share = points / (len(view.playing) - 1)
    field_worth = 0 if view.sheet[combination].filled else par(combination)
    return value + (1 - truth) * share - field_worth


@cache
def par(combination: str) -> float:
    """Return the points that an open field is worth: those of the best aim at it, times the
    chance to reach it in a turn."""
    return max(
        points * chance(Announcement(combination, points), ROLLS[-1])
        for points in ANNOUNCEABLE[combination]
    )


def chance(announcement: Announcement, rolls: int) -> float:
    """Return the chance that a roller who aims at an announcement scores at least its points.

    It is the same under both settings of the ruleset (Ruling K3: the points must be exact, or “at
    least”): rollers who score more announce more, so exact points reveal no less about them.
    """
    from engine.analysis.aim import reached

    return reached(announcement, rolls, "at_least")
