"""All that a game of Lügen-Kniffel has come to of which only the end is known."""

from typing import Final

from engine.illegal import Illegal
from engine.kniffel.combinations import ANNOUNCEABLE, Ruleset
from engine.kniffel.sheet import BONUS
from engine.messages import say
from engine.record.kniffel.settle import TableEnding
from engine.record.outcome import KnownEnd, mismatch, wrong_rank

MOST: Final = sum(map(max, ANNOUNCEABLE.values())) + BONUS
"""The points of a sheet on which every field has the most that can be announced, and the bonus. Rulings K2, K12 (K)."""


def known_end(rules: Ruleset, outcome: KnownEnd) -> TableEnding | Illegal:
    """Return what the game has come to, or what can't be of its outcome. Rulings K12, K13 (K)."""
    rank, totals = outcome
    wrong = wrong_rank(rank)
    if wrong is not None:
        return wrong
    for total in totals or ():
        if not 0 <= total <= MOST:
            return mismatch("points", say("a sheet has from 0 to {most}, not {total}", most=MOST, total=total))
    if totals is not None and list(rank) != [1 + sum(rival > own for rival in totals) for own in totals]:
        return mismatch("points", say("the highest total wins, and equal ones share the rank"))
    return TableEnding(True, rank, totals, None, totals)
