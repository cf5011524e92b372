"""Ruling on a game. A ruling is one transaction, and only a further ruling undoes it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game, Seat
from games.queries.void import game_void
from games.services.void import play_again_hold
from league.core.log.services import Actor, Journal, club_journal
from league.disputes.arbiter.queries import bar_to_ruling
from league.disputes.objection.models import ObjectionEnd
from league.disputes.objection.services import game_acting_role, objections_close
from league.disputes.reminder.services import reminder_end
from league.disputes.ruling.actions import RulingAction
from league.disputes.ruling.domain import Finding, RulingDecision
from league.disputes.ruling.models import LONGEST_FINDING, RULING, Ruling
from league.disputes.ruling.queries import OpenDispute, is_ruled_by_arbiter, open_dispute
from league.disputes.ruling.services.verb import VERBS, RulingPreview, changed_rows
from league.records.game.services import sealing_hold
from league.stages.result.services.result import result_hold

MESSAGES: Final[dict[str, Message]] = {
    "conflict": say("this game was corrected: rule on its newest revision instead"),
    "not_disputed": say(
        "nothing is waiting for a ruling here: somebody has already ruled, or the objection was "
        "withdrawn"
    ),
    "appealed": say("somebody appealed: others have to rule on that"),
    "wrong_verb": say("this decision isn't possible: check whether the game is void"),
    "no_seat": say("this game has no such seat"),
    "findings_needed": say("say which facts you found"),
    "findings_too_long": say("the facts can have at most {most} characters", most=LONGEST_FINDING),
    "ruling_needed": say(
        "this game is disputed, or an arbiter has ruled on it: only a ruling changes it"
    ),
    "field_needed": say("something is missing from this decision: say what it is about"),
}


def ruling_make(
    *,
    game: Game,
    decision: RulingDecision,
    finding: Finding,
    actor: Actor,
    key: UUID,
    drafted_by_id: int | None = None,
    ruled_by: Collection[int] = (),
    appeal: bool = False,
) -> Ruling:
    """Rule on the newest revision of a game, loaded with its season: carry the decision out, and
    end the objections, the hearing or the appeal. The same `key` again returns the same ruling.

    `appeal`: the ruling decides the open appeal, and none of the accounts `ruled_by` may make it.
    `drafted_by_id`: the first arbiter, with whose draft the actor agrees.

    Raise `Refused` with `at_the_table`, `entered_it`, `conflict`, `not_disputed`, `appealed`,
    `wrong_verb`, `no_seat`, `field_needed`, `findings_needed`, `findings_too_long`,
    `reason_needed`, `reason_too_long`, and if the service that carries out the verb refuses the
    decision."""
    actor = actor.with_reason(finding.reason)
    season = game.season_game.season
    rules = VERBS[decision.verb.value]
    with transaction.atomic():
        play_again_hold(game)
        result_hold(game=game)
        with club_journal(season.club_id, actor) as journal:
            sealing_hold(journal)
            earlier_ruling = Ruling.objects.filter(key=key, game=game).first()
            if earlier_ruling is not None:
                return earlier_ruling
            dispute = _dispute_to_end(game, decision, finding, actor, ruled_by, appeal=appeal)
            preview = rules.preview(game, decision)

        role = game_acting_role(game, actor.account_id)
        outcome = rules.carry_out(game, decision, actor, role)

        ruling = Ruling(
            game=game,
            outcome=outcome,
            hearing=dispute.hearing,
            standard=dispute.standard,
            changed=changed_rows(preview.effects, season.ranking_id),
            key=key,
            role=role,
            ruled_by_id=drafted_by_id or actor.account_id,
            seconded_by_id=actor.account_id if drafted_by_id else None,
            reason=actor.reason,
            **_columns(decision, finding),
        )
        with club_journal(season.club_id, actor) as journal:
            _store_and_end_dispute(journal, ruling, rules.way)
    return ruling


def _columns(decision: RulingDecision, finding: Finding) -> dict[str, Any]:
    return {
        "verb": decision.verb,
        "seat": decision.seat,
        "points": decision.points,
        "ranks": list(decision.ranks) if decision.ranks else None,
        "round_number": decision.round_number,
        "rule": finding.rule,
        "findings": finding.findings,
        "close_to": list(finding.close_to),
        "named": finding.named,
    }


def _store_and_end_dispute(journal: Journal, ruling: Ruling, way: ObjectionEnd.Way) -> None:
    journal.lock()
    ruling.club_id = journal.club_id
    ruling.number = Ruling.objects.filter(club=journal.club_id).count() + 1
    ruling.ruled_at = journal.at
    ruling.save(force_insert=True)
    details = {
        "ruling": ruling.public_id,
        "number": ruling.number,
        "verb": ruling.verb,
        "role": ruling.role,
    }
    journal.add(RulingAction.MADE, ruling.outcome.public_id, details)
    journal.state(RULING, [ruling])

    if ruling.hearing is not None:
        reminder_end(case=ruling.hearing)
    objections_close(journal=journal, game=ruling.game, way=way, role=ruling.role)


def ruling_preview(*, game: Game, decision: RulingDecision) -> RulingPreview:
    """Return what a ruling on a game, loaded with its season, would change; write nothing.

    Raise `Refused` if the decision doesn't fit the game, or can't be carried out."""
    _refuse_decision(game, decision)
    return VERBS[decision.verb.value].preview(game, decision)


def ruling_text_remove(journal: Journal, ruling: Ruling, text: str) -> None:
    """Remove the `findings` or the `reason` of a ruling, loaded with its outcome."""
    Ruling.objects.filter(pk=ruling.pk).update(**{text: ""})
    details = {"ruling": ruling.public_id, "text": text}
    journal.add(RulingAction.TEXT_REMOVED, ruling.outcome.public_id, details)
    journal.state(RULING, [ruling], [text])


def _dispute_to_end(
    game: Game,
    decision: RulingDecision,
    finding: Finding,
    actor: Actor,
    ruled_by: Collection[int],
    *,
    appeal: bool,
) -> OpenDispute:
    bar = bar_to_ruling(game, actor.account_id, ruled_by)
    if bar is not None:
        raise Refused(bar)
    refuse_unfit(game, decision, finding)
    dispute = open_dispute(game)
    if dispute is None:
        raise refusal("not_disputed")
    if (dispute.appeal is not None) != appeal:
        raise refusal("appealed" if dispute.appeal else "not_disputed")
    return dispute


def refuse_ruled(game: Game) -> None:
    """Raise `Refused` with `ruling_needed` if only a ruling may change this game."""
    if is_ruled_by_arbiter(game):
        raise refusal("ruling_needed")


def refuse_unfit(game: Game, decision: RulingDecision, finding: Finding) -> None:
    """Raise `Refused` if a decision doesn't fit the game, or if the findings are missing or too
    long."""
    _refuse_decision(game, decision)
    if not finding.findings.strip():
        raise refusal("findings_needed")
    if len(finding.findings) > LONGEST_FINDING:
        raise refusal("findings_too_long")


def _refuse_decision(game: Game, decision: RulingDecision) -> None:
    if Game.objects.filter(replaces=game).exists():
        raise refusal("conflict")
    rules = VERBS[decision.verb.value]
    is_void = game_void(game) is not None
    if rules.of_void not in (None, is_void):
        raise refusal("wrong_verb")
    if any(getattr(decision, field) is None for field in rules.asks):
        raise refusal("field_needed")
    if decision.seat is not None:
        seats = Seat.objects.filter(game=game, number=decision.seat)
        if not seats.exists():
            raise refusal("no_seat")


def refusal(code: str) -> Refused:
    """Return the exception for a ruling that can't be made, by its code."""
    return Refused(Illegal(code, MESSAGES[code]))
