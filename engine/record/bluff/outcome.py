"""The end of a game of Bluff by its outcome alone."""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from engine.bluff.ruleset import Ruleset
from engine.clock import CLOCK, ONE_LEFT, not_by_clock
from engine.illegal import Illegal
from engine.messages import say
from engine.ranks import ranks
from engine.record.kind import Ending
from engine.record.outcome import KnownEnd, mismatch, wrong_leavers, wrong_rank

CLOCK_PATH: Final = "outcome.ended"


def known_end(rules: Ruleset, outcome: KnownEnd) -> Ending | Illegal:
    """Return the end of the game, or the fault of its outcome.

    Points that only a sealed game may have are left to `impossible_end`. Rulings B11 to B13 (R, S,
    B), B17, B20.
    """
    rank = outcome.rank
    points = outcome.points
    wrong = wrong_rank(rank) or _wrong_end(rules, outcome)
    if wrong is not None:
        return wrong

    if rules.scoring == "cntdice":
        wrong = _wrong_cntdice(rules, outcome)
        if wrong is not None:
            return wrong
        points = points or _cntdice_of_all(rules, outcome)
        return Ending(True, rank, points, points)
    if points not in (None, rank):
        return mismatch("points", say("by placement they are the ranks, {ranks}", ranks=list(rank)))
    return Ending(True, rank, rank)


def _wrong_end(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    # Rulings B11, B12 (R, S), B17, B20.
    if outcome.ended is None and outcome.rank.count(1) > 1:
        return mismatch("rank", say("only one seat can win: the game ends when one is left"))
    wrong = wrong_leavers(outcome)
    if wrong is not None:
        return wrong
    ranks_of_stayed = {outcome.rank[seat] for seat in outcome.stayed}
    for seat in outcome.forfeit:
        if outcome.rank[seat] == 1:
            return mismatch(
                "forfeit", say("seat {seat} is ranked first, so it didn't leave", seat=seat)
            )
        if outcome.rank[seat] in ranks_of_stayed:
            return mismatch(
                "forfeit",
                say(
                    "seat {seat} left, so it can share its rank only with seats that left with it",
                    seat=seat,
                ),
            )
    if outcome.ended is None:
        return None
    return _wrong_clock(rules, outcome)


def _wrong_clock(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    # Ruling B20.
    if len(outcome.stayed) == 1:
        return not_by_clock(ONE_LEFT, CLOCK_PATH)
    if outcome.dice is None:
        if rules.scoring == "cntdice" and outcome.points is not None:
            return mismatch(
                "dice", say("is missing: the points of the seats that were left follow from it")
            )
        return None
    for seat, number in enumerate(outcome.dice):
        if number not in range(rules.dice + 1):
            return mismatch(
                "dice",
                say(
                    "a seat owns from 0 to {most} dice, not {number}",
                    most=rules.dice,
                    number=number,
                ),
            )
        if number and seat in outcome.forfeit:
            return mismatch("dice", say("seat {seat} left, so it owns no dice", seat=seat))
    return _wrong_ranks_by_dice(outcome.rank, outcome.dice)


def _wrong_ranks_by_dice(rank: Sequence[int], dice: Sequence[int]) -> Illegal | None:
    owners = [number for number in dice if number]
    if not owners:
        return mismatch("dice", say("somebody must own dice at the end"))
    if len(owners) == 1:
        return not_by_clock(ONE_LEFT, CLOCK_PATH)
    for place, number in zip(rank, dice, strict=True):
        owners_ahead = sum(rival > number for rival in owners)
        is_right = place == 1 + owners_ahead if number else place > len(owners)
        if not is_right:
            return mismatch(
                "rank",
                say(
                    "the seats that are left are ranked by dice, {dice}, ahead of those that "
                    "went out",
                    dice=list(dice),
                ),
            )
    return None


def _wrong_cntdice(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    # Rulings B13 (B), B20.
    points = outcome.points or ()
    for seat, score in enumerate(points):
        wrong = _wrong_score(rules, outcome, seat, score)
        if wrong is not None:
            return wrong
    return _wrong_order(sorted(zip(outcome.rank, points, strict=False)))


def _wrong_score(rules: Ruleset, outcome: KnownEnd, seat: int, score: int) -> Illegal | None:
    dice = rules.dice * len(outcome.rank)
    if outcome.dice is not None and outcome.dice[seat]:
        expected = cntdice_of_left(rules, outcome.dice, seat)
        if score != expected:
            return mismatch(
                "points",
                say(
                    "seat {seat} has all dice but those of the others, {own}, not {score}",
                    seat=seat,
                    own=expected,
                    score=score,
                ),
            )
    elif outcome.rank[seat] == 1 and score != dice:
        return mismatch(
            "points", say("the winner has all {dice} dice, not {score}", dice=dice, score=score)
        )
    elif outcome.rank[seat] > 1 and score not in range(dice):
        return mismatch(
            "points",
            say(
                "a seat that didn't win has from 0 to {most}, not {score}",
                most=dice - 1,
                score=score,
            ),
        )
    return None


def _wrong_order(seats: Sequence[tuple[int, int]]) -> Illegal | None:
    """Return the fault of pairs of rank and points, best rank first. Ruling B13 (B)."""
    for (place, score), (behind, next_score) in pairwise(seats):
        if place == behind and next_score != score:
            return mismatch(
                "points",
                say(
                    "seats that share a rank have the same, not {score} and {other}",
                    score=score,
                    other=next_score,
                ),
            )
        if next_score > score:
            return mismatch(
                "points",
                say(
                    "a seat that went out later never has fewer: not {score} on rank {place}, "
                    "and {other} on rank {behind}",
                    score=score,
                    place=place,
                    other=next_score,
                    behind=behind,
                ),
            )
    return None


def cntdice_of_left(rules: Ruleset, dice: Sequence[int], seat: int) -> int:
    """Return the points of a seat that owned dice when time was up. Ruling B20.

    They are its own dice, and all dice out of the game.
    """
    return rules.dice * len(dice) - sum(dice) + dice[seat]


def _cntdice_of_all(rules: Ruleset, outcome: KnownEnd) -> tuple[int, ...] | None:
    # All points follow only if no seat was out when time was up. Ruling B20.
    if outcome.dice is None or not all(outcome.dice):
        return None
    return tuple([cntdice_of_left(rules, outcome.dice, seat) for seat in range(len(outcome.dice))])


class _Exit(NamedTuple):
    """Seats that went out together.

    By then, from `least` to `most` dice had left the game, at least `step` of them since the exit
    before.
    """

    seats: tuple[int, ...]
    least: int
    most: int
    step: int


def _exits(rules: Ruleset, outcome: KnownEnd) -> Iterator[_Exit]:
    """Yield the exits of a game that is ok, in playing order.

    With `ahead` seats still in, each of them owns from one die to the starting number. One
    challenge takes several seats out only at an exact hit under the rule `all`: each of them loses
    its last die, and each seat that stays, except for the bidder, loses one, too. A seat that goes
    out by giving its last die away takes no die out of the game. Rulings B8, B9 (R, S, B), B11, B13
    (B), B17.
    """
    dice = rules.dice * len(outcome.rank)
    out = [seat for seat in range(len(outcome.rank)) if outcome.rank[seat] > 1]
    if outcome.dice is not None:
        out = [seat for seat in out if not outcome.dice[seat]]
    exact_hits = 0
    for place in sorted({outcome.rank[seat] for seat in out}, reverse=True):
        seats = tuple([seat for seat in out if outcome.rank[seat] == place])
        ahead = place - 1
        is_forfeit = seats[0] in outcome.forfeit
        step = len(seats)
        if not is_forfeit and rules.exact == "giveaway":
            step = 0
        elif not is_forfeit and rules.exact == "all" and len(seats) > 1:
            exact_hits += 1
            step += ahead - 1
        least = dice - ahead * rules.dice + exact_hits * (ahead - 1)
        fewest_left = max(ahead, sum(outcome.dice or ()))
        yield _Exit(seats, least, dice - fewest_left, step)


def cntdice_bounds(rules: Ruleset, outcome: KnownEnd) -> tuple[range, ...]:
    """Return the dice scores that each seat can have by ranks, leavers and dice left.

    The range of a seat is empty if no score is possible. The outcome is ok; its points are ignored.
    Rulings B9, B13 (B), B17, B20.
    """
    dice = rules.dice * len(outcome.rank)
    if outcome.ended is not None and outcome.dice is None:
        return tuple([range(dice + 1)] * len(outcome.rank))

    scores = [range(dice, dice + 1)] * len(outcome.rank)
    if outcome.dice is not None:
        for seat, number in enumerate(outcome.dice):
            if number:
                score = cntdice_of_left(rules, outcome.dice, seat)
                scores[seat] = range(score, score + 1)

    exits = list(_exits(rules, outcome))
    least: list[int] = []
    for group in exits:
        fewest = group.least
        if least:
            fewest = max(fewest, least[-1] + group.step)
        least.append(fewest)
    most = dice
    for number, group in reversed(list(enumerate(exits))):
        most = min(group.most, most)
        for seat in group.seats:
            scores[seat] = range(least[number], most + 1)
        most -= group.step
    return tuple(scores)


def impossible_end(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    """Return why no game can have this outcome, which is ok by `known_end`.

    New outcomes are refused for it; those sealed earlier still count. Rulings B9, B13 (B), B17,
    B20.
    """
    exits: list[_Exit] = []
    if outcome.ended is None or outcome.dice is not None:
        exits = list(_exits(rules, outcome))
    together = [group for group in exits if _went_out_together(group, outcome)]
    wrong = _impossible_dice(rules, outcome, together)
    if wrong is not None:
        return wrong
    if rules.scoring != "cntdice" or outcome.points is None:
        return None

    if together and rules.exact != "all":
        return mismatch(
            "points",
            say(
                "under the exact rule {exact}, one challenge takes only one seat out",
                exact=rules.exact,
            ),
        )
    wrong = _impossible_scores(rules, outcome, outcome.points)
    return wrong or _impossible_steps(outcome, outcome.points, exits)


def _went_out_together(group: _Exit, outcome: KnownEnd) -> bool:
    return len(group.seats) > 1 and group.seats[0] not in outcome.forfeit


def _impossible_dice(
    rules: Ruleset, outcome: KnownEnd, together: Sequence[_Exit]
) -> Illegal | None:
    exact_hits = len(together) if rules.exact == "all" else 0
    most = rules.dice - exact_hits
    spare = sum(max(0, number - most) for number in outcome.dice or ())
    if spare > exact_hits:
        return mismatch(
            "dice",
            say("at {number} exact hits, every seat but the bidder lost a die", number=exact_hits),
        )
    return None


def _impossible_scores(rules: Ruleset, outcome: KnownEnd, points: Sequence[int]) -> Illegal | None:
    for seat, scores in enumerate(cntdice_bounds(rules, outcome)):
        score = points[seat]
        if score not in scores:
            return mismatch(
                "points",
                say(
                    "seat {seat} on rank {place} has from {least} to {most}, not {score}",
                    seat=seat,
                    place=outcome.rank[seat],
                    least=scores.start,
                    most=scores.stop - 1,
                    score=score,
                ),
            )
    return None


def _impossible_steps(
    outcome: KnownEnd, points: Sequence[int], exits: Sequence[_Exit]
) -> Illegal | None:
    for before, group in pairwise(exits):
        score = points[before.seats[0]]
        later = points[group.seats[0]]
        if later - score < group.step:
            return mismatch(
                "points",
                say(
                    "a seat that went out later has at least {number} more: not {score} on rank "
                    "{place}, and {other} on rank {behind}",
                    number=group.step,
                    score=later,
                    place=outcome.rank[group.seats[0]],
                    other=score,
                    behind=outcome.rank[before.seats[0]],
                ),
            )
    return None


def points_bounds(rules: Ruleset, outcome: KnownEnd) -> tuple[range, ...]:
    """Return the points that each seat can have by the ruleset's scoring.

    The outcome is ok; its points are ignored. Rulings B12 (R, S), B13 (B), B20.
    """
    if rules.scoring == "cntdice":
        return cntdice_bounds(rules, outcome)
    return tuple([range(place, place + 1) for place in outcome.rank])


def clock_end(
    rules: Ruleset,
    dice: Sequence[int],
    out: Sequence[Sequence[int]] = (),
    forfeit: Sequence[int] = (),
) -> KnownEnd:
    """Return the outcome of a game that the clock ended, with its points if all of them follow.

    `dice` are those of each seat, 0 if it is out. `out` are the seats that are out, in order, with
    one entry for those that went out together; `forfeit` are those among them that left, in order.
    ValueError unless `out` has exactly the seats without dice. Rulings B12 (R, S), B20.
    """
    seats_out = sorted(chain.from_iterable(out))
    if seats_out != [seat for seat, number in enumerate(dice) if not number]:
        raise ValueError("who is out are the seats without dice, each once")
    end = KnownEnd(
        rank=tuple(ranks(dice, range(len(dice)), out)),
        dice=tuple(dice),
        forfeit=tuple(forfeit),
        ended=CLOCK,
    )
    bounds = points_bounds(rules, end)
    if any(len(scores) != 1 for scores in bounds):
        return end
    return end._replace(points=tuple([scores[0] for scores in bounds]))
