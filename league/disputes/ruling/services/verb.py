"""The verbs of a ruling. One object in `VERBS` knows what a verb asks for, what it would change,
and how to carry it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeVar

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.domain.correction import GameChanges
from games.models import Game
from league.core.log.services import Actor
from league.disputes.adjustment.services import (
    AdjustmentPreview,
    absent_preview,
    lift_preview,
    order_preview,
    penalty_preview,
)
from league.disputes.correction.queries.event import EventEffect
from league.disputes.correction.queries.ranking import RankingEffect
from league.disputes.correction.services import correction_preview, game_correct
from league.disputes.objection.models import ObjectionEnd
from league.disputes.play_again.queries import PlayAgainPreview, play_again_preview
from league.disputes.play_again.services import game_play_again, round_void
from league.disputes.ruling.domain import RulingDecision
from league.disputes.ruling.models import Ruling
from league.disputes.void.queries import VoidPreview, void_preview
from league.stages.adjustment.services.lift import adjustments_lift
from league.stages.adjustment.services.order import absent_put_last, order_set
from league.stages.adjustment.services.penalty import penalty_add
from league.stages.result.services.void import game_restore, game_void_add


@dataclass(frozen=True, slots=True)
class RulingPreview:
    """The changes that a ruling would make to the game, to each ranking that counts it, and to the
    event at whose table it was played.

    `new_players`: the handles of players whom the club doesn't know yet. `again`: the rounds that
    would be undone if the game is played again."""

    effects: tuple[RankingEffect, ...] = ()
    event: EventEffect | None = None
    changes: GameChanges | None = None
    new_players: tuple[str, ...] = ()
    again: PlayAgainPreview | None = None


class VerbGroup(TextChoices):
    """What becomes of the result. Pages offer the verbs in these groups."""

    STAYS = "stays", _("The result stays")
    CHANGES = "changes", _("The result changes")
    GOES = "goes", _("The game no longer counts, or is played again")


@dataclass(frozen=True, slots=True)
class VerbRules:
    """The rules of one verb.

    `offer`: the label of the choice. `effect`: a sentence about the effect of the verb. `preview`:
    returns the changes that the verb would make, and writes nothing. `carry_out`: makes the changes
    in the caller's transaction, in a role, and returns the revision that counts afterwards. Both
    raise `Refused`. `way`: how the open objections end. `group`: what becomes of the result.
    `asks`: the fields of a `RulingDecision` that the verb needs. `of_void`: True for a verb on void
    games, False for one on games that count, None for both."""

    verb: Ruling.Verb
    offer: str | Promise
    effect: str | Promise
    preview: Callable[[Game, RulingDecision], RulingPreview]
    carry_out: Callable[[Game, RulingDecision, Actor, str], Game]
    way: ObjectionEnd.Way = ObjectionEnd.Way.RULED
    group: VerbGroup = VerbGroup.CHANGES
    asks: tuple[str, ...] = ()
    of_void: bool | None = False


LAST_ALREADY: Final[Message] = say(
    "this player is already last, so nothing would change: let the result stand, or warn the player"
)

Field = TypeVar("Field")


def _asked(field: Field | None) -> Field:
    if field is None:
        raise ValueError("the decision lacks a field for which its verb asks")
    return field


def _effects_alone(preview: AdjustmentPreview | VoidPreview) -> RulingPreview:
    return RulingPreview(effects=preview.effects, event=preview.event)


def _preview_nothing(game: Game, decision: RulingDecision) -> RulingPreview:
    """Return a preview without changes; the parameters are those of every `VerbRules.preview`."""
    return RulingPreview()


def _change_nothing(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    """Return the game as it is; the parameters are those of every `VerbRules.carry_out`."""
    return game


def _preview_correction(game: Game, decision: RulingDecision) -> RulingPreview:
    preview = correction_preview(game=game, line=_asked(decision.line))
    return RulingPreview(
        effects=preview.effects,
        event=preview.event,
        changes=preview.changes,
        new_players=preview.new_players,
    )


def _correct(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    return game_correct(
        game=game,
        line=_asked(decision.line),
        reason=actor.reason,
        entered_by_id=actor.account_id,
        role=role,
    )


def _preview_void(game: Game, decision: RulingDecision) -> RulingPreview:
    return _effects_alone(void_preview(game=game, stands=True))


def _void(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    return game_void_add(game=game, actor=actor, role=role).game


def _preview_restored(game: Game, decision: RulingDecision) -> RulingPreview:
    return _effects_alone(void_preview(game=game, stands=False))


def _restore(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    return game_restore(game=game, actor=actor, role=role).game


def _preview_play_again(game: Game, decision: RulingDecision) -> RulingPreview:
    again = play_again_preview(
        game=game,
        round_number=_asked(decision.round_number),
        voids_round=decision.verb == Ruling.Verb.ROUND_VOIDED,
    )
    return RulingPreview(effects=again.void.effects, event=again.void.event, again=again)


def _play_again(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    round_number = _asked(decision.round_number)
    game_play_again(game=game, round_number=round_number, actor=actor, role=role)
    return game


def _void_round(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    round_void(game=game, round_number=_asked(decision.round_number), actor=actor, role=role)
    return game


def _preview_order(game: Game, decision: RulingDecision) -> RulingPreview:
    return _effects_alone(order_preview(game=game, ranks=_asked(decision.ranks)))


def _set_order(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    return order_set(game=game, ranks=_asked(decision.ranks), actor=actor, role=role).game


def _preview_penalty(game: Game, decision: RulingDecision) -> RulingPreview:
    seat = _asked(decision.seat)
    points = _asked(decision.points)
    return _effects_alone(penalty_preview(game=game, seat=seat, points=points))


def _penalise(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    seat = _asked(decision.seat)
    points = _asked(decision.points)
    return penalty_add(game=game, seat=seat, points=points, actor=actor, role=role).game


def _preview_put_last(game: Game, decision: RulingDecision) -> RulingPreview:
    seats = [_asked(decision.seat)]
    try:
        return _effects_alone(absent_preview(game=game, seats=seats))
    except Refused as refused:
        if refused.illegal.code != "order_unchanged":
            raise
        raise Refused(Illegal(refused.illegal.code, LAST_ALREADY)) from refused


def _put_last(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    seats = [_asked(decision.seat)]
    return absent_put_last(game=game, seats=seats, actor=actor, role=role).game


def _preview_lifted(game: Game, decision: RulingDecision) -> RulingPreview:
    return _effects_alone(lift_preview(game=game))


def _lift(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    adjustments_lift(game=game, actor=actor, role=role)
    return game


ALL_VERBS: Final = (
    VerbRules(
        Ruling.Verb.STANDS,
        offer=_("Let the result stand"),
        effect=_("Nothing changes. The result is no longer provisional."),
        preview=_preview_nothing,
        carry_out=_change_nothing,
        way=ObjectionEnd.Way.STANDS,
        group=VerbGroup.STAYS,
        of_void=None,
    ),
    VerbRules(
        Ruling.Verb.CORRECTED,
        offer=_("Correct the game"),
        effect=_("You say what was really played. That counts, and the original stays readable."),
        preview=_preview_correction,
        carry_out=_correct,
        way=ObjectionEnd.Way.CORRECTED,
        asks=("line",),
    ),
    VerbRules(
        Ruling.Verb.VOIDED,
        offer=_("Void the game"),
        effect=_("The game stays readable, but doesn’t count."),
        preview=_preview_void,
        carry_out=_void,
        way=ObjectionEnd.Way.VOIDED,
        group=VerbGroup.GOES,
    ),
    VerbRules(
        Ruling.Verb.RESTORED,
        offer=_("Let the game count again"),
        effect=_("The game counts as if it had never been void."),
        preview=_preview_restored,
        carry_out=_restore,
        of_void=True,
    ),
    VerbRules(
        Ruling.Verb.REPLAYED,
        offer=_("Play again from a round"),
        effect=_(
            "The table plays on from that round, on a new sheet. Everything played from there "
            "on is dropped."
        ),
        preview=_preview_play_again,
        carry_out=_play_again,
        way=ObjectionEnd.Way.VOIDED,
        group=VerbGroup.GOES,
        asks=("round_number",),
    ),
    VerbRules(
        Ruling.Verb.ROUND_VOIDED,
        offer=_("Void a round"),
        effect=_("Nobody loses a die in that round. It is played again, with everything after it."),
        preview=_preview_play_again,
        carry_out=_void_round,
        way=ObjectionEnd.Way.VOIDED,
        group=VerbGroup.GOES,
        asks=("round_number",),
    ),
    VerbRules(
        Ruling.Verb.ORDERED,
        offer=_("Set another order"),
        effect=_("The places count as you set them. The dice stay as they were played."),
        preview=_preview_order,
        carry_out=_set_order,
        asks=("ranks",),
    ),
    VerbRules(
        Ruling.Verb.PENALISED,
        offer=_("Deduct penalty points"),
        effect=_(
            "A player loses points in the event and in the season’s table. Places and ratings stay."
        ),
        preview=_preview_penalty,
        carry_out=_penalise,
        asks=("seat", "points"),
    ),
    VerbRules(
        Ruling.Verb.NO_SHOW,
        offer=_("Put a no-show last"),
        effect=_("For a player who didn’t come. The others keep their order."),
        preview=_preview_put_last,
        carry_out=_put_last,
        asks=("seat",),
    ),
    VerbRules(
        Ruling.Verb.LIFTED,
        offer=_("Lift penalties and the set order"),
        effect=_(
            "All penalty points of this game are given back, "
            "and it counts in the order that was played."
        ),
        preview=_preview_lifted,
        carry_out=_lift,
    ),
    VerbRules(
        Ruling.Verb.WARNED,
        offer=_("Warn a player"),
        effect=_("The result stands. The warning is in the list of rulings."),
        preview=_preview_nothing,
        carry_out=_change_nothing,
        group=VerbGroup.STAYS,
        asks=("seat",),
        of_void=None,
    ),
)
"""All verbs, in the order in which pages offer them."""
VERBS: Final[Mapping[str, VerbRules]] = MappingProxyType(
    {rules.verb.value: rules for rules in ALL_VERBS}
)
"""All verbs by name."""


def verbs_for(*, is_void: bool, is_adjusted: bool) -> list[VerbRules]:
    """Return the verbs that fit a game, group by group. `is_adjusted`: the game has a penalty or a
    set order that can be lifted."""
    verbs = []
    for group in VerbGroup:
        for rules in ALL_VERBS:
            if rules.group != group or rules.of_void not in (None, is_void):
                continue
            if rules.verb == Ruling.Verb.LIFTED and not is_adjusted:
                continue
            verbs.append(rules)
    return verbs


def changed_rows(effects: Sequence[RankingEffect], season_ranking: int) -> list[dict[str, Any]]:
    """Return the changed rows of rankings as `Ruling.changed` stores them, without names.
    `season_ranking`: the row id of the season's ranking."""
    rows = []
    for effect in effects:
        ranking = "season" if effect.ranking_id == season_ranking else "all-time"
        for row in effect.rows:
            if not row.changed:
                continue
            change = {
                "ranking": ranking,
                "player": row.player,
                "rank": [row.rank_before, row.rank_after],
                "points": [row.points_before, row.points_after],
            }
            rows.append(change)
    return rows
