"""Appeals against rulings: raised once by a seat, and decided by two arbiters who didn't make the
ruling, or by one on whom all seats agreed."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from re import Pattern
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Lower

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Seat
from league.core.log.erasure import entry_texts_forget
from league.core.log.services import Actor, Journal, club_journal
from league.core.member.models.member import Role
from league.core.player.models import Handle, Player
from league.disputes.appeal.actions import AppealAction
from league.disputes.appeal.domain import draft_body, draft_read
from league.disputes.appeal.models import APPEAL, Appeal, AppealDraft, AppealEnd
from league.disputes.appeal.queries import appeal_until, earlier_rulers
from league.disputes.arbiter.permissions import agreed_on
from league.disputes.arbiter.queries import bar_to_ruling
from league.disputes.objection.services import seat_acting_role
from league.disputes.reminder.services import reminder_begin, reminder_end
from league.disputes.ruling.domain import Finding, RulingDecision
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.queries import rulings_of
from league.disputes.ruling.services.ruling import refuse_unfit, ruling_make, ruling_preview

MESSAGES: Final[dict[str, Message]] = {
    "not_the_newest": say("there is a newer ruling: only that one counts"),
    "final": say("this ruling decided an appeal: it is final"),
    "appealed": say("somebody has already appealed against this ruling"),
    "appeal_too_late": say("the time to appeal against this ruling is over"),
    "no_seat": say("this game has no such seat"),
    "ended": say("this appeal has already ended"),
    "second_needed": say(
        "two arbiters decide an appeal: somebody else has to agree with this draft"
    ),
}


def appeal_raise(*, ruling: Ruling, seat: int, word: str, actor: Actor) -> Appeal:
    """Appeal for a seat against the newest ruling on a game, and say why. The ruling must be loaded
    with its outcome, season and club.

    Raise `Refused` with `reason_needed`, `reason_too_long`, `no_seat`, `not_the_newest`, `final`,
    `appealed`, `appeal_too_late`."""
    actor = actor.with_reason(word)
    game = ruling.outcome
    with club_journal(ruling.club_id, actor, alone=True) as journal:
        _refuse_closed(ruling, seat, journal.at)
        appeal = Appeal.objects.create(
            ruling=ruling,
            seat=seat,
            word=actor.reason,
            role=seat_acting_role(game, seat, actor.account_id),
            raised_at=journal.at,
            raised_by_id=actor.account_id,
        )
        reminder_begin(case=appeal, since=appeal.raised_at)
        details = {
            "appeal": appeal.public_id,
            "seat": seat,
            "ruling": ruling.number,
            "role": appeal.role,
        }
        journal.add(AppealAction.RAISED, game.public_id, details)
        journal.state(APPEAL, [appeal])
    return appeal


def appeal_withdraw(*, appeal: Appeal, actor: Actor) -> AppealEnd:
    """Withdraw an appeal, loaded with its ruling and outcome. The ruling holds. Raise `Refused`
    with `ended`."""
    with club_journal(appeal.ruling.club_id, actor, alone=True) as journal:
        end = _end(journal, appeal, ruling=None)
        AppealDraft.objects.filter(appeal=appeal).delete()
    return end


def appeal_draft(
    *, appeal: Appeal, decision: RulingDecision, finding: Finding, author_id: int, key: UUID
) -> AppealDraft:
    """Draft the decision of an appeal for a second arbiter; replace an earlier draft of the same
    arbiter. The appeal must be loaded with its ruling, outcome and season.

    Raise `Refused` with `ended`, `at_the_table`, `entered_it`, `ruled_before`, and if no ruling
    could have this decision."""
    game = appeal.ruling.outcome
    with transaction.atomic():
        _refuse_ended(appeal)
        _refuse_barred(appeal, author_id)
        refuse_unfit(game, decision, finding)
        ruling_preview(game=game, decision=decision)  # refuses an impossible decision
        AppealDraft.objects.filter(appeal=appeal, author=author_id).delete()
        return AppealDraft.objects.create(
            appeal=appeal,
            author_id=author_id,
            body=draft_body(decision, finding),
            key=key,
        )


def appeal_decide(*, draft: AppealDraft, actor: Actor) -> Ruling:
    """Agree, as a second arbiter, with another arbiter's draft: make the further ruling, which is
    final. The arbiter on whom all seats agreed needs no second one. The draft must be loaded with
    its appeal, ruling, outcome and season.

    Raise `Refused` with `ended`, `second_needed` (the actor made the draft), `ruled_before` (one of
    the two made the appealed ruling), and if `ruling_make` refuses the ruling."""
    appeal = draft.appeal
    decision, finding = draft_read(draft.body)
    decides_alone = draft.author_id == actor.account_id
    if decides_alone and not agreed_on(draft.author, appeal.ruling.outcome):
        raise _refusal("second_needed")
    with transaction.atomic():
        with club_journal(appeal.ruling.club_id, actor, alone=True):
            _refuse_ended(appeal)
            _refuse_barred(appeal, draft.author_id)
        ruling = ruling_make(
            game=appeal.ruling.outcome,
            decision=decision,
            finding=finding,
            actor=actor,
            key=draft.key,
            drafted_by_id=None if decides_alone else draft.author_id,
            ruled_by=earlier_rulers(appeal.ruling),
            appeal=True,
        )
        with club_journal(appeal.ruling.club_id, actor) as journal:
            journal.lock()
            _end(journal, appeal, ruling)
        AppealDraft.objects.filter(appeal=appeal).delete()
    return ruling


def appeal_draft_discard(*, draft: AppealDraft) -> None:
    """Delete a draft. Nothing rests on it."""
    AppealDraft.objects.filter(pk=draft.pk).delete()


def appeal_drafts_erase(*, club_id: int, named: Pattern[str]) -> None:
    """Delete the drafts of a club that contain an erased name, which the pattern `named` matches.
    Their arbiters write new ones."""
    drafts_with_name = []
    for draft in AppealDraft.objects.filter(appeal__ruling__club=club_id):
        if named.search(json.dumps(draft.body, ensure_ascii=False)):
            drafts_with_name.append(draft.pk)
    AppealDraft.objects.filter(pk__in=drafts_with_name).delete()


def appeal_text_remove(journal: Journal, appeal: Appeal) -> None:
    """Remove the word of an appeal, loaded with its ruling and outcome."""
    Appeal.objects.filter(pk=appeal.pk).update(word="")
    details = {"appeal": appeal.public_id}
    journal.add(AppealAction.TEXT_REMOVED, appeal.ruling.outcome.public_id, details)
    journal.state(APPEAL, [appeal], ["word"])


def appeals_forget(journal: Journal, players: Collection[Player]) -> None:
    """Remove the words of the appeals that erased players raised for their own seats, here and
    in the log."""
    handles = Handle.objects.filter(player__in=players).values(lower=Lower("handle"))
    seats = Seat.objects.alias(lower=Lower("handle")).filter(
        lower__in=handles, game=OuterRef("ruling__outcome")
    )
    appeals = Appeal.objects.filter(
        Exists(seats.filter(number=OuterRef("seat"))),
        ruling__club=journal.club_id,
        role=Role.PLAYER,
    )
    rows = list(appeals.exclude(word="").select_related("ruling__outcome"))
    for appeal in rows:
        appeal_text_remove(journal, appeal)
    public_ids = [row.public_id for row in rows]
    entry_texts_forget(journal.club_id, AppealAction.RAISED, public_ids, "word")


def _refuse_closed(ruling: Ruling, seat: int, at: datetime) -> None:
    until = appeal_until(ruling)
    if not Seat.objects.filter(game=ruling.outcome, number=seat).exists():
        raise _refusal("no_seat")
    if rulings_of(ruling.game).last() != ruling:
        raise _refusal("not_the_newest")
    if until is None:
        raise _refusal("final")
    if Appeal.objects.filter(ruling=ruling).exists():
        raise _refusal("appealed")
    if at > until:
        raise _refusal("appeal_too_late")


def _refuse_barred(appeal: Appeal, account_id: int | None) -> None:
    bar = bar_to_ruling(appeal.ruling.outcome, account_id, earlier_rulers(appeal.ruling))
    if bar is not None:
        raise Refused(bar)


def _refuse_ended(appeal: Appeal) -> None:
    if AppealEnd.objects.filter(appeal=appeal).exists():
        raise _refusal("ended")


def _end(journal: Journal, appeal: Appeal, ruling: Ruling | None) -> AppealEnd:
    """End an appeal by the ruling that decides it; None if it is withdrawn."""
    _refuse_ended(appeal)
    end = AppealEnd.objects.create(
        appeal=appeal, ruling=ruling, ended_at=journal.at, ended_by_id=journal.actor.account_id
    )
    reminder_end(case=appeal)
    details = {"appeal": appeal.public_id, "decision": ruling.number if ruling else None}
    journal.add(AppealAction.ENDED, appeal.ruling.outcome.public_id, details)
    journal.state(APPEAL, [appeal], APPEAL.more)
    return end


def _refusal(code: str) -> Refused:
    return Refused(Illegal(code, MESSAGES[code]))
