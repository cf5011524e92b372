"""All that a game of Bluff has come to of which only the end is known."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
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
    """Return what the game has come to, or what can't be of its outcome. Rulings B11 to B13 (R, S,
    B), B17, B20.

    Points that no game brings, but a sealed one may have, are for `impossible_end`.
    """
    rank, points = outcome.rank, outcome.points
    wrong = wrong_rank(rank) or _wrong_end(rules, outcome)
    if wrong is not None:
        return wrong
    if rules.scoring == "cntdice":
        following = _cntdice_of_all(rules, outcome)
        wrong = _wrong_cntdice(rules, outcome)
        return wrong or Ending(True, rank, points or following, points or following)
    if points not in (None, rank):
        return mismatch("points", say("by placement they are the ranks, {ranks}", ranks=list(rank)))
    return Ending(True, rank, rank)


def _wrong_end(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    """Return what can't be of who was left and who went before. Rulings B11, B12 (R, S), B17,
    B20."""
    if outcome.ended is None and outcome.rank.count(1) > 1:
        return mismatch("rank", say("one seat alone can win: the game ends when one is left"))
    wrong = wrong_leavers(outcome)
    if wrong is not None:
        return wrong
    for seat in outcome.forfeit:
        if outcome.rank[seat] == 1:
            return mismatch(
                "forfeit", say("seat {seat} is ranked first, so it didn't leave", seat=seat)
            )
        if any(outcome.rank[stayer] == outcome.rank[seat] for stayer in outcome.stayed):
            return mismatch(
                "forfeit",
                say(
                    "seat {seat} left, so it shares its rank only with who left together with it",
                    seat=seat,
                ),
            )
    return None if outcome.ended is None else _wrong_clock(rules, outcome)


def _wrong_clock(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    """Return what can't be of the dice that were left when time was up, and of the ranks by them.
    Ruling B20."""
    rank, dice = outcome.rank, outcome.dice
    if len(outcome.stayed) == 1:
        return not_by_clock(ONE_LEFT, CLOCK_PATH)
    if dice is None:
        if rules.scoring == "cntdice" and outcome.points is not None:
            return mismatch("dice", say("is missing: the points of who was left follow from it"))
        return None
    for seat, number in enumerate(dice):
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
    owners = [number for number in dice if number]
    if not owners:
        return mismatch("dice", say("somebody owns dice until the end"))
    if len(owners) == 1:
        return not_by_clock(ONE_LEFT, CLOCK_PATH)
    for place, number in zip(rank, dice, strict=True):
        by_dice = 1 + sum(rival > number for rival in owners)
        if (number and place != by_dice) or (not number and place <= len(owners)):
            return mismatch(
                "rank",
                say(
                    "who is left is ranked by dice, {dice}, ahead of who went out", dice=list(dice)
                ),
            )
    return None


def _wrong_cntdice(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    """Return what can't be of the points; nothing where they aren't told. Rulings B13 (B), B20."""
    dice = rules.dice * len(outcome.rank)
    points = outcome.points or ()
    for seat, score in enumerate(points):
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
                    "who isn't the winner has from 0 to {most}, not {score}",
                    most=dice - 1,
                    score=score,
                ),
            )
    return _wrong_order(sorted(zip(outcome.rank, points, strict=False)))


def _wrong_order(seats: Sequence[tuple[int, int]]) -> Illegal | None:
    """Return what can't be of ranks and their points, best rank first. Ruling B13 (B)."""
    for (place, score), (behind, next_score) in pairwise(seats):
        if place == behind and next_score != score:
            return mismatch(
                "points",
                say(
                    "seats of one rank have the same, not {score} and {other}",
                    score=score,
                    other=next_score,
                ),
            )
        if next_score > score:
            return mismatch(
                "points",
                say(
                    (
                        "who went out later never has fewer: not {score} on rank {place}, and "
                        "{other} on rank {behind}"
                    ),
                    score=score,
                    place=place,
                    other=next_score,
                    behind=behind,
                ),
            )
    return None


def cntdice_of_left(rules: Ruleset, dice: Sequence[int], seat: int) -> int:
    """The points of a seat that owned dice when time was up: those that left the game and its own.
    Ruling B20."""
    return rules.dice * len(dice) - sum(dice) + dice[seat]


def _cntdice_of_all(rules: Ruleset, outcome: KnownEnd) -> tuple[int, ...] | None:
    """The points of every seat, where nobody was out when time was up; else None. Ruling B20."""
    if outcome.dice is None or not all(outcome.dice):
        return None
    return tuple([cntdice_of_left(rules, outcome.dice, seat) for seat in range(len(outcome.dice))])


class _Exit(NamedTuple):
    """Seats that went out together: the fewest and the most dice that can have left the game then;
    `step`: so many more than at the exit before, at least."""

    seats: tuple[int, ...]
    least: int
    most: int
    step: int


def _exits(rules: Ruleset, outcome: KnownEnd) -> Iterator[_Exit]:
    """The exits of a game that is ok, in playing order.

    With `ahead` seats still in, each of them owns from one die to the starting number. Several
    seats go out by one challenge only at an exact hit in a game with `all`: each loses its last
    die, and each seat that stays, but for the bidder, loses one, too. Who goes out by giving the
    last die away takes none out of the game. Rulings B8, B9 (R, S, B), B11, B13 (B), B17."""
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
        fewest = max(ahead, sum(outcome.dice or ()))
        yield _Exit(
            seats, dice - ahead * rules.dice + exact_hits * (ahead - 1), dice - fewest, step
        )


def cntdice_bounds(rules: Ruleset, outcome: KnownEnd) -> tuple[range, ...]:
    """The dice scores that each seat can have by the ranks, who left, and the dice left; empty if
    there is none.

    The outcome is ok; its points aren't asked. Rulings B9, B13 (B), B17, B20.
    """
    dice = rules.dice * len(outcome.rank)
    scores = [range(dice, dice + 1)] * len(outcome.rank)
    if outcome.ended is not None and outcome.dice is None:
        return tuple([range(dice + 1)] * len(outcome.rank))
    for seat, number in enumerate(outcome.dice or ()):
        if number and outcome.dice is not None:
            score_by_dice = cntdice_of_left(rules, outcome.dice, seat)
            scores[seat] = range(score_by_dice, score_by_dice + 1)
    exits = list(_exits(rules, outcome))
    least: list[int] = []
    for number, leaver in enumerate(exits):
        least.append(max(leaver.least, least[-1] + leaver.step) if number else leaver.least)
    most = dice
    for number, leaver in reversed(list(enumerate(exits))):
        most = min(leaver.most, most)
        for seat in leaver.seats:
            scores[seat] = range(least[number], most + 1)
        most -= leaver.step
    return tuple(scores)


def impossible_end(rules: Ruleset, outcome: KnownEnd) -> Illegal | None:
    """Return what no game can end with, of an outcome that is ok by `known_end`. Rulings B9, B13
    (B), B17, B20.

    It is refused where it comes in; what was sealed before counts as it did.
    """
    exits = (
        list(_exits(rules, outcome)) if outcome.ended is None or outcome.dice is not None else []
    )
    exact_hits = sum(
        rules.exact == "all" and len(leaver.seats) > 1
        for leaver in exits
        if not _left(leaver, outcome)
    )
    spare = sum(max(0, number - rules.dice + exact_hits) for number in outcome.dice or ())
    if spare > exact_hits:
        return mismatch(
            "dice",
            say("at {number} exact hits every seat but the bidder lost a die", number=exact_hits),
        )
    if rules.scoring != "cntdice" or outcome.points is None:
        return None
    together = [leaver for leaver in exits if len(leaver.seats) > 1 and not _left(leaver, outcome)]
    if together and rules.exact != "all":
        return mismatch(
            "points",
            say(
                "by the exact rule {exact} one challenge takes one seat out alone",
                exact=rules.exact,
            ),
        )
    for seat, scores in enumerate(cntdice_bounds(rules, outcome)):
        score = outcome.points[seat]
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
    for before, leaver in pairwise(exits):
        score, later = outcome.points[before.seats[0]], outcome.points[leaver.seats[0]]
        if later - score < leaver.step:
            return mismatch(
                "points",
                say(
                    "who went out later has at least {number} more: not {score} on rank {place}, "
                    "and {other} on rank"
                    " {behind}",
                    number=leaver.step,
                    score=later,
                    place=outcome.rank[leaver.seats[0]],
                    other=score,
                    behind=outcome.rank[before.seats[0]],
                ),
            )
    return None


def _left(leaver: _Exit, outcome: KnownEnd) -> bool:
    return leaver.seats[0] in outcome.forfeit


def points_bounds(rules: Ruleset, outcome: KnownEnd) -> tuple[range, ...]:
    """The points that each seat can have by the ruleset's scoring, in an outcome that is ok; its
    own aren't asked.

    Where one alone is left the points follow. Rulings B12 (R, S), B13 (B), B20.
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
    """The outcome of a game that the clock ended, with its ranks, and with its points where all of
    them follow.

    `dice`: those of each seat, 0 for one that is out. `out`: the seats that are out, in order;
    those who went out together are one entry. `forfeit`: which of these left, in that order.
    ValueError if `out` has other seats than those without dice. Rulings B12 (R, S), B20."""
    if sorted(seat for seats in out for seat in seats) != [
        seat for seat, number in enumerate(dice) if not number
    ]:
        raise ValueError("who is out are the seats without dice, each once")
    end = KnownEnd(
        tuple(ranks(dice, range(len(dice)), out)), None, tuple(dice), tuple(forfeit), CLOCK
    )
    bounds = points_bounds(rules, end)
    follow = all(len(scores) == 1 for scores in bounds)
    return end._replace(points=tuple([scores[0] for scores in bounds])) if follow else end
