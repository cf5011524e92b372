"""The verbs of a ruling: one object in `VERBS` has what a verb asks for, what it would change, and
how it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.domain.correction import GameChanges
from games.models import Game
from league.core.log.services import Actor
from league.disputes.adjustment.services import (
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
from league.disputes.void.queries import void_preview
from league.stages.adjustment.services.lift import adjustments_lift
from league.stages.adjustment.services.order import absent_put_last, order_set
from league.stages.adjustment.services.penalty import penalty_add
from league.stages.result.services.void import game_restore, game_void_add


@dataclass(frozen=True, slots=True)
class RulingPreview:
    """All that a ruling would change: the game, each ranking that counts it, and the event at whose
    table it was played. `new_players`: the handles of people who would be new in the club. `again`:
    the rounds that go where the game is played again."""

    effects: tuple[RankingEffect, ...] = ()
    event: EventEffect | None = None
    changes: GameChanges | None = None
    new_players: tuple[str, ...] = ()
    again: PlayAgainPreview | None = None


class VerbGroup(TextChoices):
    """What becomes of the result: verbs are offered in these groups."""

    STAYS = "stays", _("The result stays")
    CHANGES = "changes", _("The result changes")
    GOES = "goes", _("The game counts no more, or is played again")


@dataclass(frozen=True, slots=True)
class VerbRules:
    """All that is special about a verb.

    `group`: what becomes of the result. `asks`: the fields of a `RulingDecision` that it needs.
    `offer`, `effect`: the words of the choice, and of what it does. `way`: how it ends objections.
    `preview`: what it would change, nothing is written; `carry_out`: the change itself, in the
    caller's transaction and in a role, which returns the revision that counts then. Both raise
    `Refused`. `of_void`: it is for games that are void, or (False) for those that aren't; None: for
    both."""

    verb: Ruling.Verb
    offer: str | Promise
    effect: str | Promise
    way: ObjectionEnd.Way
    preview: Callable[[Game, RulingDecision], RulingPreview]
    carry_out: Callable[[Game, RulingDecision, Actor, str], Game]
    group: VerbGroup = VerbGroup.CHANGES
    asks: tuple[str, ...] = ()
    of_void: bool | None = False


LAST_ALREADY: Final[Message] = say(
    "this player is last already, so nothing would change: let the result stand, or warn the player"
)


def _nothing_changes(game: Game, decision: RulingDecision) -> RulingPreview:
    return RulingPreview()


def _leave(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    return game


def _correction_preview(game: Game, decision: RulingDecision) -> RulingPreview:
    preview = correction_preview(game=game, line=decision.line or b"")
    return RulingPreview(preview.effects, preview.event, preview.changes, preview.new_players)


def _correct(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    line = decision.line or b""
    return game_correct(
        game=game, line=line, reason=actor.reason, entered_by_id=actor.account_id, role=role
    )


def _void_preview(game: Game, decision: RulingDecision) -> RulingPreview:
    preview = void_preview(game=game, stands=decision.verb == Ruling.Verb.VOIDED)
    return RulingPreview(preview.effects, preview.event)


def _void(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    return game_void_add(game=game, actor=actor, role=role).game


def _restore(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    return game_restore(game=game, actor=actor, role=role).game


def _play_again_preview(game: Game, decision: RulingDecision) -> RulingPreview:
    again = play_again_preview(
        game=game,
        round_number=decision.round_number or 0,
        voids_round=decision.verb == Ruling.Verb.ROUND_VOIDED,
    )
    return RulingPreview(again.void.effects, again.void.event, again=again)


def _play_again(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    service = round_void if decision.verb == Ruling.Verb.ROUND_VOIDED else game_play_again
    service(game=game, round_number=decision.round_number or 0, actor=actor, role=role)
    return game


def _order_preview(game: Game, decision: RulingDecision) -> RulingPreview:
    preview = order_preview(game=game, ranks=decision.ranks or ())
    return RulingPreview(preview.effects, preview.event)


def _order(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    return order_set(game=game, ranks=decision.ranks or (), actor=actor, role=role).game


def _penalty_preview(game: Game, decision: RulingDecision) -> RulingPreview:
    preview = penalty_preview(game=game, seat=decision.seat or 0, points=decision.points or 0)
    return RulingPreview(preview.effects, preview.event)


def _penalise(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    points = decision.points or 0
    return penalty_add(
        game=game, seat=decision.seat or 0, points=points, actor=actor, role=role
    ).game


def _absent_preview(game: Game, decision: RulingDecision) -> RulingPreview:
    seats = [decision.seat or 0]
    try:
        preview = absent_preview(game=game, seats=seats)
    except Refused as refused:
        if refused.illegal.code != "order_unchanged":
            raise
        raise Refused(Illegal(refused.illegal.code, LAST_ALREADY)) from refused
    return RulingPreview(preview.effects, preview.event)


def _put_last(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    return absent_put_last(game=game, seats=[decision.seat or 0], actor=actor, role=role).game


def _lift_preview(game: Game, decision: RulingDecision) -> RulingPreview:
    preview = lift_preview(game=game)
    return RulingPreview(preview.effects, preview.event)


def _lift(game: Game, decision: RulingDecision, actor: Actor, role: str) -> Game:
    adjustments_lift(game=game, actor=actor, role=role)
    return game


VERBS: Final[Mapping[str, VerbRules]] = MappingProxyType(
    {
        rules.verb.value: rules
        for rules in (
            VerbRules(
                Ruling.Verb.STANDS,
                offer=_("Let the result stand"),
                effect=_("Nothing changes. The result isn’t provisional any more."),
                way=ObjectionEnd.Way.STANDS,
                preview=_nothing_changes,
                carry_out=_leave,
                group=VerbGroup.STAYS,
                of_void=None,
            ),
            VerbRules(
                Ruling.Verb.CORRECTED,
                offer=_("Correct the game"),
                effect=_(
                    "You say what was really played. That counts, and the old version stays readable."
                ),
                way=ObjectionEnd.Way.CORRECTED,
                preview=_correction_preview,
                carry_out=_correct,
                asks=("line",),
            ),
            VerbRules(
                Ruling.Verb.VOIDED,
                offer=_("Void the game"),
                effect=_("The game stays readable, and counts for nothing."),
                way=ObjectionEnd.Way.VOIDED,
                preview=_void_preview,
                carry_out=_void,
                group=VerbGroup.GOES,
            ),
            VerbRules(
                Ruling.Verb.RESTORED,
                offer=_("Let the game count again"),
                effect=_("The game counts as if it had never been void."),
                way=ObjectionEnd.Way.RULED,
                preview=_void_preview,
                carry_out=_restore,
                of_void=True,
            ),
            VerbRules(
                Ruling.Verb.REPLAYED,
                offer=_("Play again from a round"),
                effect=_(
                    "The table plays on from that round, on a new sheet. What was played from there on goes."
                ),
                way=ObjectionEnd.Way.VOIDED,
                preview=_play_again_preview,
                carry_out=_play_again,
                group=VerbGroup.GOES,
                asks=("round_number",),
            ),
            VerbRules(
                Ruling.Verb.ROUND_VOIDED,
                offer=_("Void a round"),
                effect=_(
                    "Nobody loses a die in that round. It and what followed are played again."
                ),
                way=ObjectionEnd.Way.VOIDED,
                preview=_play_again_preview,
                carry_out=_play_again,
                group=VerbGroup.GOES,
                asks=("round_number",),
            ),
            VerbRules(
                Ruling.Verb.ORDERED,
                offer=_("Set another order"),
                effect=_("The places count as you set them. The dice stay as they were played."),
                way=ObjectionEnd.Way.RULED,
                preview=_order_preview,
                carry_out=_order,
                asks=("ranks",),
            ),
            VerbRules(
                Ruling.Verb.PENALISED,
                offer=_("Take penalty points"),
                effect=_(
                    "A player loses points in the event and in the season’s table. Places and ratings stay."
                ),
                way=ObjectionEnd.Way.RULED,
                preview=_penalty_preview,
                carry_out=_penalise,
                asks=("seat", "points"),
            ),
            VerbRules(
                Ruling.Verb.NO_SHOW,
                offer=_("Put somebody last who didn’t come"),
                effect=_("For a no-show. The others keep their order."),
                way=ObjectionEnd.Way.RULED,
                preview=_absent_preview,
                carry_out=_put_last,
                asks=("seat",),
            ),
            VerbRules(
                Ruling.Verb.LIFTED,
                offer=_("Lift penalties and the set order"),
                effect=_(
                    "All penalty points of this game are given back, and it counts in the "
                    "order that was played."
                ),
                way=ObjectionEnd.Way.RULED,
                preview=_lift_preview,
                carry_out=_lift,
            ),
            VerbRules(
                Ruling.Verb.WARNED,
                offer=_("Warn a player"),
                effect=_("The result stands. The warning is in the list of rulings."),
                way=ObjectionEnd.Way.RULED,
                preview=_nothing_changes,
                carry_out=_leave,
                group=VerbGroup.STAYS,
                asks=("seat",),
                of_void=None,
            ),
        )
    }
)
"""All verbs by name, in the order in which they are offered."""


def verbs_for(*, is_void: bool, is_adjusted: bool) -> list[VerbRules]:
    """Return the verbs that can be chosen for a game that is void, or isn't, and in which something
    was adjusted that can be lifted, or wasn't; group by group."""
    fitting = [rules for rules in VERBS.values() if rules.of_void in (None, is_void)]
    if not is_adjusted:
        fitting = [rules for rules in fitting if rules.verb != Ruling.Verb.LIFTED]
    groups = list(VerbGroup)
    return sorted(fitting, key=lambda rules: groups.index(rules.group))


def changed_rows(effects: Sequence[RankingEffect], season_ranking: int) -> list[dict[str, Any]]:
    """Return the rows of rankings that become others, without a name, as a ruling keeps them."""
    return [
        {
            "ranking": "season" if effect.ranking_id == season_ranking else "all-time",
            "player": row.player,
            "rank": [row.rank_before, row.rank_after],
            "points": [row.points_before, row.points_after],
        }
        for effect in effects
        for row in effect.rows
        if row.changed
    ]
