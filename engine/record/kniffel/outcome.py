"""The end of a game of Lügen-Kniffel by its outcome alone."""

from collections.abc import Sequence
from itertools import chain

from engine.clock import CLOCK, ONE_LEFT, not_by_clock
from engine.illegal import Illegal
from engine.kniffel.combinations import Ruleset
from engine.kniffel.sheet import MOST
from engine.messages import say
from engine.ranks import ranks
from engine.record.kniffel.settle import TableEnding
from engine.record.outcome import KnownEnd, mismatch, wrong_leavers, wrong_rank


def known_end(rules: Ruleset, outcome: KnownEnd) -> TableEnding | Illegal:
    """Return the end of the game, or the fault of its outcome.

    `rules` aren't used: totals don't depend on them."""
    totals = outcome.points
    wrong = wrong_rank(outcome.rank) or wrong_leavers(outcome) or _wrong_end(outcome)
    if wrong is not None:
        return wrong
    if totals is not None:
        wrong = _wrong_totals(outcome, totals)
        if wrong is not None:
            return wrong
    return TableEnding(over=True, rank=outcome.rank, points=totals, totals=totals)


def _wrong_totals(outcome: KnownEnd, totals: Sequence[int]) -> Illegal | None:
    """Return the fault of totals that no sheet has, or that don't lead to the ranks (Ruling
    K13)."""
    for total in totals:
        if not 0 <= total <= MOST:
            return mismatch(
                "points", say("a sheet has from 0 to {most}, not {total}", most=MOST, total=total)
            )
    for seat in outcome.stayed:
        better = sum(totals[rival] > totals[seat] for rival in outcome.stayed)
        if outcome.rank[seat] != 1 + better:
            return mismatch("points", say("the highest total wins, and equal ones share the rank"))
    return None


def _wrong_end(outcome: KnownEnd) -> Illegal | None:
    """Return the fault of who left, or of the end by the clock.

    Seats that left are ranked behind all who stayed (Ruling K15)."""
    if outcome.dice is not None:
        return mismatch("dice", say("belongs only to a game in which dice are lost"))
    for seat in outcome.forfeit:
        if outcome.rank[seat] <= len(outcome.stayed):
            return mismatch(
                "rank", say("seat {seat} left, so it is ranked behind all who stayed", seat=seat)
            )
    if outcome.ended is not None and len(outcome.stayed) == 1:
        return not_by_clock(ONE_LEFT, "outcome.ended")
    return None


def impossible_end(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    """Return None, whatever the arguments: `known_end` refuses every impossible end."""
    return None


def points_bounds(rules: Ruleset, outcome: KnownEnd) -> tuple[range, ...]:
    """Return the totals that each sheet can have: the same for all. `rules` aren't used."""
    return tuple([range(MOST + 1)] * len(outcome.rank))


def clock_end(
    rules: Ruleset,
    totals: Sequence[int],
    out: Sequence[Sequence[int]] = (),
    forfeit: Sequence[int] = (),
) -> KnownEnd:
    """Return the outcome of a game that the clock ended, from the total of each seat.

    `out` are the seats that left, in order, with one entry for those that left together; `forfeit`
    are the same seats one by one. Raise ValueError if they aren't the same. `rules` aren't used.
    """
    if sorted(chain.from_iterable(out)) != sorted(forfeit):
        raise ValueError("who is out are the seats that left, each once")
    stayed = [seat for seat in range(len(totals)) if seat not in forfeit]
    return KnownEnd(
        rank=tuple(ranks(totals, stayed, out)),
        points=tuple(totals),
        forfeit=tuple(forfeit),
        ended=CLOCK,
    )
