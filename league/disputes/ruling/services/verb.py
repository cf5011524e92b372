"""The verbs of a ruling: one object in `VERBS` has what a verb asks for, what it would change, and how it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.domain.correction import GameChanges
from games.models import Game
from league.core.log.services import Actor
from league.disputes.correction.queries.event import EventEffect
from league.disputes.correction.queries.ranking import RankingEffect
from league.disputes.correction.services import correction_preview, game_correct
from league.disputes.objection.models import ObjectionEnd
from league.disputes.ruling.domain import Decision
from league.disputes.ruling.models import Ruling
from league.disputes.void.queries import void_preview
from league.stages.result.services.void import game_restore, game_void_add


@dataclass(frozen=True, slots=True)
class RulingPreview:
    """All that a ruling would change: the game, each ranking that counts it, and the event at whose table it was
    played. `new_players`: the handles of people who would be new in the club."""

    effects: tuple[RankingEffect, ...] = ()
    event: EventEffect | None = None
    changes: GameChanges | None = None
    new_players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VerbRules:
    """All that is special about a verb.

    `asks`: the fields of a `Decision` that it needs. `offer`, `effect`: the words of the choice, and of what it does.
    `way`: how it ends objections. `preview`: what it would change, nothing is written; `carry_out`: the change itself,
    in the caller's transaction and in a role, which returns the revision that counts then. Both raise `Refused`.
    `of_void`: it is for games that are void, or (False) for those that aren't; None: for both.
    """

    verb: Ruling.Verb
    offer: str | Promise
    effect: str | Promise
    way: ObjectionEnd.Way
    preview: Callable[[Game, Decision], RulingPreview]
    carry_out: Callable[[Game, Decision, Actor, str], Game]
    asks: tuple[str, ...] = ()
    of_void: bool | None = False


def _nothing_changes(game: Game, decision: Decision) -> RulingPreview:
    return RulingPreview()


def _leave(game: Game, decision: Decision, actor: Actor, role: str) -> Game:
    return game


def _correction_preview(game: Game, decision: Decision) -> RulingPreview:
    preview = correction_preview(game=game, line=decision.line or b"")
    return RulingPreview(preview.effects, preview.event, preview.changes, preview.new_players)


def _correct(game: Game, decision: Decision, actor: Actor, role: str) -> Game:
    line = decision.line or b""
    return game_correct(game=game, line=line, reason=actor.reason, entered_by_id=actor.account_id, role=role)


def _void_preview(game: Game, decision: Decision) -> RulingPreview:
    preview = void_preview(game=game, stands=decision.verb == Ruling.Verb.VOIDED)
    return RulingPreview(preview.effects, preview.event)


def _void(game: Game, decision: Decision, actor: Actor, role: str) -> Game:
    return game_void_add(game=game, actor=actor, role=role).game


def _restore(game: Game, decision: Decision, actor: Actor, role: str) -> Game:
    return game_restore(game=game, actor=actor, role=role).game


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
                of_void=None,
            ),
            VerbRules(
                Ruling.Verb.CORRECTED,
                offer=_("Correct the game"),
                effect=_("A new revision counts. The old one stays readable."),
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
                Ruling.Verb.WARNED,
                offer=_("Warn a player"),
                effect=_("The result stands. The warning is in the list of rulings."),
                way=ObjectionEnd.Way.RULED,
                preview=_nothing_changes,
                carry_out=_leave,
                asks=("seat",),
                of_void=None,
            ),
        )
    }
)
"""All verbs by name, in the order in which they are offered."""


def verbs_for(*, is_void: bool) -> list[VerbRules]:
    """Return the verbs that can be chosen for a game that is void, or isn't."""
    return [rules for rules in VERBS.values() if rules.of_void in (None, is_void)]


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
