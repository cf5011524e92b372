"""All that a game of Bluff has come to of which only the end is known."""

from collections.abc import Sequence
from itertools import pairwise

from engine.bluff.ruleset import Ruleset
from engine.illegal import Illegal
from engine.messages import say
from engine.record.kind import Ending
from engine.record.outcome import KnownEnd, mismatch, wrong_rank


def known_end(rules: Ruleset, outcome: KnownEnd) -> Ending | Illegal:
    """Return what the game has come to, or what can't be of its outcome. Rulings B11 to B13 (R, S, B)."""
    rank, points = outcome
    wrong = wrong_rank(rank)
    if wrong is not None:
        return wrong
    if rank.count(1) > 1:
        return mismatch("rank", say("one seat alone can win: the game ends when one is left"))
    if rules.scoring == "cntdice":
        wrong = _wrong_cntdice(rules.dice * len(rank), rank, points or ())
        return wrong or Ending(True, rank, points, points)
    if points not in (None, rank):
        return mismatch("points", say("by placement they are the ranks, {ranks}", ranks=list(rank)))
    return Ending(True, rank, rank)


def _wrong_cntdice(dice: int, rank: Sequence[int], points: Sequence[int]) -> Illegal | None:
    """Return what can't be of the points in a game with so many dice; nothing where they aren't told. Ruling B13
    (B)."""
    seats = sorted(zip(rank, points, strict=False))
    for place, score in seats:
        if place == 1 and score != dice:
            return mismatch("points", say("the winner has all {dice} dice, not {score}", dice=dice, score=score))
        if place > 1 and score not in range(dice):
            message = say("who isn't the winner has from 0 to {most}, not {score}", most=dice - 1, score=score)
            return mismatch("points", message)
    for (place, score), (behind, next_score) in pairwise(seats):
        if place == behind and next_score != score:
            message = say("seats of one rank have the same, not {score} and {other}", score=score, other=next_score)
            return mismatch("points", message)
        if next_score > score:
            message = say(
                "who went out later never has fewer: not {score} on rank {place}, and {other} on rank {behind}",
                score=score,
                place=place,
                other=next_score,
                behind=behind,
            )
            return mismatch("points", message)
    return None
