"""The player of Lügen-Kniffel that goes by the odds: of its own rolls, and of a roller to say the
truth.

Points are weighed against those that the field would bring else: an open field is worth what a turn
that aims at it is to be expected to bring. A field is used up whether its points are noted or a
strike is taken for it."""

from functools import cache
from typing import NamedTuple

from engine.analysis.kniffel import doubt
from engine.kniffel.combinations import ANNOUNCEABLE, Announcement, Dice, score
from engine.kniffel.rolls import ROLLS
from engine.players.kniffel.view import TurnMove, TurnView


class RollerOption(NamedTuple):
    """A move of the roller, and the points that it is worth beyond what its field would bring
    else."""

    worth: float
    move: Announcement | Dice


class TurnsByOdds:
    """Aims at what is worth most, true or not, and doubts where that is worth more than to
    believe."""

    def choose(self, view: TurnView) -> TurnMove:
        """The move that is worth most, if the others believe by the odds of a roller who aims at
        what it announces."""
        if view.announcement is not None:
            return worth_of_doubt(view, view.announcement) > 0
        # NumPy is for who plays, not for who only knows the players by name.
        from engine.analysis.aim import HANDS, KEEPS, parts, worth_of_keeps

        lies = [best_lie(view, rolls) for rolls in ROLLS]
        fields = (true_options(combination) for combination in view.open_fields)
        truths: list[RollerOption] = [max(options) for options in zip(*fields, strict=True)]
        worths = worth_of_keeps(
            [[max(lie, truth).worth for truth in truths] for lie in lies[view.rolls :]]
        )
        keeps = [
            RollerOption(float(worths[KEEPS[tuple(sorted(view.locked + part))]]), part)
            for part in parts(view.fresh)
        ]
        return max(
            lies[view.rolls - 1], truths[HANDS[view.dice]], *keeps, key=lambda option: option.worth
        ).move


@cache
def true_options(combination: str) -> list[RollerOption]:
    """The true announcement in an open field with each of `HANDS`. Zero is among them: any lie is
    worth more.

    Rulings K2 to K4 (K).
    """
    from engine.analysis.aim import HANDS

    truths = [Announcement(combination, score(combination, hand)) for hand in HANDS]
    return [RollerOption(truth.points - par(combination), truth) for truth in truths]


def best_lie(view: TurnView, rolls: int) -> RollerOption:
    """The announcement of the greatest worth to a roller who made none true with so many rolls.

    The others are taken to believe it as often as it is true of who aims at it.
    """
    return max(
        [
            RollerOption(chance(lie, rolls) * lie.points - par(lie.combination), lie)
            for lie in view.announcements
        ]
    )


def worth_of_doubt(view: TurnView, announcement: Announcement) -> float:
    """Points that a doubt is worth, by the analysis and by what that leaves out.

    The roller of a lie doesn't get its points, of which each of the others has a share; and an open
    field is used up."""
    combination, points = announcement
    truth = chance(announcement, view.rolls)
    value = doubt(view.seat, view.sheet, announcement, truth, doubted=False).value
    share = points / (len(view.playing) - 1)
    return value + (1 - truth) * share - (0 if view.sheet[combination].filled else par(combination))


@cache
def par(combination: str) -> float:
    """Points that an open field is worth: those of the best aim at it, times the chance to reach it
    in a turn."""
    return max(
        points * chance(Announcement(combination, points), ROLLS[-1])
        for points in ANNOUNCEABLE[combination]
    )


def chance(announcement: Announcement, rolls: int) -> float:
    """The chance of a roller who aims at it to score at least so much, whatever the ruleset calls
    true.

    Whoever scores more announces that, so exact points say no less of the roller than at least so
    many. Ruling K3."""
    from engine.analysis.aim import reached

    return reached(announcement, rolls, "at_least")
