"""Penalty points: an arbiter takes points off a seat of a game, or gives them back."""

from __future__ import annotations

from typing import Final

from django.db.models import Sum

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from engine.scoring.points import MOST_PENALTY
from games.models import Game, Seat
from league.core.log.services import Actor
from league.stages.adjustment.services.adjusting import adjusting, refuse_unadjustable
from league.standings.adjustment.models import PENALTY, Penalty
from league.standings.ranked_game.actions import GameAction

MESSAGES: Final[dict[str, Message]] = {
    "no_seat": say("this game has no such seat"),
    "bad_penalty": say(
        "a penalty is a whole number of points, from 1 to {most}", most=MOST_PENALTY
    ),
    "penalty_too_high": say("a player loses at most {most} points in a game", most=MOST_PENALTY),
    "penalty_lifted": say("these points have already been given back"),
}


def penalty_add(*, game: Game, seat: int, points: int, actor: Actor, role: str = "") -> Penalty:
    """Take points off a seat (from 0) of a game, in its stage and in every ranking that counts it.
    Ranks of the game and ratings don't change.

    `points` is a whole number from 1 to `MOST_PENALTY`, which is also the most that a seat can lose
    in all. `role` is the role in which it is decided, if it isn't one in the club. Raise `Refused`
    with `conflict`, `voided`, `not_over`, `no_seat`, `bad_penalty` or `penalty_too_high`.
    """
    with adjusting(game, actor, role) as (journal, role_taken):
        refuse_penalty(game, seat, points)
        penalty = Penalty.objects.create(
            game=game,
            number=1 + Penalty.objects.filter(game=game).count(),
            seat=seat,
            points=points,
            role=role_taken,
            made_at=journal.at,
            made_by_id=actor.account_id,
        )
        details = {"penalty": penalty.public_id, "seat": seat, "points": points, "role": role_taken}
        journal.add(GameAction.PENALIZED, game.public_id, details)
        journal.record(PENALTY, [penalty])
    return penalty


def penalty_lift(*, penalty: Penalty, actor: Actor, role: str = "") -> Penalty:
    """Give the points of a penalty back; return the new fact.

    Raise `Refused` with `conflict`, `voided` or `penalty_lifted`.
    """
    game = penalty.game
    with adjusting(game, actor, role) as (journal, role_taken):
        refuse_lift(penalty)
        lift = Penalty.objects.create(
            game=game,
            number=1 + Penalty.objects.filter(game=game).count(),
            seat=penalty.seat,
            points=-penalty.points,
            lifts=penalty,
            role=role_taken,
            made_at=journal.at,
            made_by_id=actor.account_id,
        )
        details = {
            "penalty": penalty.public_id,
            "seat": penalty.seat,
            "points": penalty.points,
            "role": role_taken,
        }
        journal.add(GameAction.PENALTY_LIFTED, game.public_id, details)
        journal.record(PENALTY, [lift])
    return lift


def refuse_penalty(game: Game, seat: int, points: int) -> None:
    """Raise `Refused` (`conflict`, `voided`, `not_over`, `no_seat`, `bad_penalty`,
    `penalty_too_high`) if this penalty can't be given."""
    refuse_unadjustable(game)
    if not Seat.objects.filter(game=game, number=seat).exists():
        raise _refusal("no_seat", "seat")
    if not 0 < points <= MOST_PENALTY:
        raise _refusal("bad_penalty", "points")
    points_lost = (
        Penalty.objects.filter(game=game, seat=seat).aggregate(lost=Sum("points"))["lost"] or 0
    )
    if points_lost + points > MOST_PENALTY:
        raise _refusal("penalty_too_high", "points")


def refuse_lift(penalty: Penalty) -> None:
    """Raise `Refused` (`conflict`, `voided`, `not_over`, `penalty_lifted`) if a penalty can't be
    lifted."""
    refuse_unadjustable(penalty.game)
    if penalty.lifts_id is not None or Penalty.objects.filter(lifts=penalty).exists():
        raise _refusal("penalty_lifted")


def _refusal(code: str, path: str | None = None) -> Refused:
    return Refused(Illegal(code, MESSAGES[code], path=path))
