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

    Points that no game can bring, but that count if they were sealed, are left to
    `impossible_end`. Rulings B11 to B13, B17, B20: finishing order, dice scores, forfeit, time is
    up.
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
        return Ending(over=True, rank=rank, points=points, cntdice=points)
    if points not in (None, rank):
        return mismatch("points", say("by placement they are the ranks, {ranks}", ranks=list(rank)))
    return Ending(over=True, rank=rank, points=rank)


def _wrong_end(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    """Return the fault of who won (Rulings B11, B12), of who left (Ruling B17), or of the end by
    the clock (Ruling B20)."""
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
    """Return the fault of the dice left, or of ranks that don't follow from them (Ruling B20)."""
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
    """Return the fault of the dice scores, if they are recorded (Ruling B13)."""
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
    """Return the fault of pairs of rank and points, best rank first (Ruling B13)."""
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
    """Return the points of a seat that owned dice when time was up (Ruling B20).

    They are its own dice, and all dice out of the game.
    """
    return rules.dice * len(dice) - sum(dice) + dice[seat]


def _cntdice_of_all(rules: Ruleset, outcome: KnownEnd) -> tuple[int, ...] | None:
    """Return the dice scores that follow from the dice left when time was up (Ruling B20); None
    unless every seat still owned dice."""
    if outcome.dice is None or not all(outcome.dice):
        return None
    return tuple([cntdice_of_left(rules, outcome.dice, seat) for seat in range(len(outcome.dice))])


class _Exit(NamedTuple):
    """Seats that went out together, and how many dice had left the game by then.

    They are `least_gone` to `most_gone`, at least `least_since` of them since the exit before.
    """

    seats: tuple[int, ...]
    least_gone: int
    most_gone: int
    least_since: int


def _exits(rules: Ruleset, outcome: KnownEnd) -> Iterator[_Exit]:
    """Yield the exits in playing order, with the numbers of dice that the rules allow.

    `outcome` must pass `known_end`. By Ruling B9 a challenge takes several seats out only at an
    exact hit under the rule `all`: each of them loses its last die, and each seat that stays,
    except for the bidder, loses one, too. Under the rule `giveaway` a seat that goes out may have
    given its last die away: no die then leaves the game."""
    all_dice = rules.dice * len(outcome.rank)
    out = [seat for seat in range(len(outcome.rank)) if outcome.rank[seat] > 1]
    if outcome.dice is not None:
        out = [seat for seat in out if not outcome.dice[seat]]
    exact_hits = 0
    for place in sorted({outcome.rank[seat] for seat in out}, reverse=True):
        seats = tuple([seat for seat in out if outcome.rank[seat] == place])
        seats_in = place - 1
        is_forfeit = seats[0] in outcome.forfeit
        least_since = len(seats)
        if not is_forfeit and rules.exact == "giveaway":
            least_since = 0
        elif not is_forfeit and rules.exact == "all" and len(seats) > 1:
            exact_hits += 1
            least_since += seats_in - 1
        most_left = seats_in * rules.dice - exact_hits * (seats_in - 1)
        fewest_left = max(seats_in, sum(outcome.dice or ()))
        yield _Exit(
            seats,
            least_gone=all_dice - most_left,
            most_gone=all_dice - fewest_left,
            least_since=least_since,
        )


def cntdice_bounds(rules: Ruleset, outcome: KnownEnd) -> tuple[range, ...]:
    """Return the dice scores that each seat can have by ranks, leavers and dice left.

    The range of a seat is empty if no score is possible. `outcome` must pass `known_end`; its
    points are ignored. Ruling B13: a seat that goes out scores the dice that have left the game.
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
    # From the first exit on: each takes at least its own dice more out of the game.
    least: list[int] = []
    for group in exits:
        fewest = group.least_gone
        if least:
            fewest = max(fewest, least[-1] + group.least_since)
        least.append(fewest)
    # From the last exit back: each leaves enough dice for the exits after it.
    most = dice
    for number, group in reversed(list(enumerate(exits))):
        most = min(group.most_gone, most)
        for seat in group.seats:
            scores[seat] = range(least[number], most + 1)
        most -= group.least_since
    return tuple(scores)


def impossible_end(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    """Return why no game can have this outcome, though it passes `known_end`; None if one can.

    New outcomes with such a fault are refused; outcomes that were sealed earlier still count.
    Rulings B9, B13: the exact hit, dice scores.
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
    """Return the fault of more dice left than the exact hits allow.

    `together`: the exits of several seats by one challenge."""
    exact_hits = len(together) if rules.exact == "all" else 0
    most = rules.dice - exact_hits
    not_lost = sum(max(0, number - most) for number in outcome.dice or ())
    if not_lost > exact_hits:
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
    """Return the fault of two exits between which more dice left the game than the points say."""
    for before, group in pairwise(exits):
        score_before = points[before.seats[0]]
        score = points[group.seats[0]]
        if score - score_before < group.least_since:
            return mismatch(
                "points",
                say(
                    "a seat that went out later has at least {number} more: not {score} on rank "
                    "{place}, and {other} on rank {behind}",
                    number=group.least_since,
                    score=score,
                    place=outcome.rank[group.seats[0]],
                    other=score_before,
                    behind=outcome.rank[before.seats[0]],
                ),
            )
    return None


def points_bounds(rules: Ruleset, outcome: KnownEnd) -> tuple[range, ...]:
    """Return the points that each seat can have by the ruleset's scoring.

    `outcome` must pass `known_end`; its points are ignored. Rulings B12, B13: the finishing order,
    dice scores.
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
    Raise ValueError unless `out` has exactly the seats without dice. Rulings B12, B20: the
    finishing order, time is up.
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
