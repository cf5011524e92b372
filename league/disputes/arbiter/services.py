"""Agreeing on an arbiter from outside. A seat makes a link for one disputed game; somebody accepts
it and declares to which seats they are close; every seat has to say yes before they can rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game, Seat
from league.core.account.models import User
from league.core.frame.letter_link import digest_of, new_token
from league.core.log.services import Actor, Journal, club_journal
from league.core.member.models.member import Role
from league.disputes.arbiter.actions import ArbiterAction
from league.disputes.arbiter.models import (
    ARBITER_ACCEPTANCE,
    ARBITER_ASSENT,
    ARBITER_INVITATION,
    LASTS,
    ArbiterAcceptance,
    ArbiterAssent,
    ArbiterInvitation,
    ArbiterInvitationEnd,
)
from league.disputes.arbiter.permissions import agreed_invitations
from league.disputes.arbiter.queries import bar_to_ruling
from league.disputes.objection.queries.objection import own_seat_of
from league.disputes.objection.services import game_acting_role, seat_acting_role
from league.standings.ranked_game.queries.provisional import result_is_provisional

MOST_INVITATIONS: Final = 20
ARBITER: Final = "arbiter"
"""The role of an account that gives up the invitation it has accepted."""
MESSAGES: Final[dict[str, Message]] = {
    "conflict": say("this game was corrected: look at its newest revision"),
    "not_disputed": say("nobody objects to this result any more: no arbiter is needed"),
    "arbiter_agreed": say("all players have already agreed on an arbiter"),
    "invitation_accepted": say("somebody has accepted your invitation: withdraw that one first"),
    "too_many_invitations": say(
        "a game has at most {most} invitations to rule on it", most=MOST_INVITATIONS
    ),
    "invitation_ended": say("this invitation has ended"),
    "invitation_too_old": say("this invitation has expired: make a new one"),
    "accepted_by_another": say("somebody else has already accepted this invitation"),
    "own_invitation": say("you made this invitation: somebody else has to accept it"),
    "no_person": say("a phone or a program can’t rule: sign in with your own account"),
    "no_seat": say("this game has no such seat"),
    "not_accepted": say("nobody has accepted this invitation yet"),
    "arbiter_involved": say("this account took part in the game: agree on somebody else"),
    "seat_assented": say("this player has already agreed"),
}


def arbiter_invite(*, game: Game, actor: Actor) -> tuple[ArbiterInvitation, str]:
    """Make a link that invites somebody to rule on a disputed game, loaded with its season. Return
    the invitation and the token of its link, which is stored nowhere.

    Take back an earlier invitation of the same account that nobody has accepted. Raise `Refused`
    with `conflict`, `not_disputed`, `arbiter_agreed`, `invitation_accepted` or
    `too_many_invitations`."""
    token = new_token()
    role = _role_in_game(game, actor)
    with club_journal(game.season_game.season.club_id, actor, lock_at_once=True) as journal:
        _refuse_closed(game)
        _refuse_agreed(game)
        earlier = _open_invitations(game).filter(made_by=actor.account_id)
        if any(hasattr(invitation, "acceptance") for invitation in earlier):
            raise _refusal("invitation_accepted")
        count = ArbiterInvitation.objects.filter(game=game).count()
        if count >= MOST_INVITATIONS:
            raise _refusal("too_many_invitations")
        _end_all(journal, earlier, ArbiterInvitationEnd.Way.WITHDRAWN, role)
        invitation = ArbiterInvitation.objects.create(
            game=game,
            number=count + 1,
            digest=digest_of(token),
            role=role,
            made_at=journal.at,
            made_by_id=actor.account_id,
        )
        details = {"invitation": invitation.public_id, "number": invitation.number, "role": role}
        journal.add(ArbiterAction.INVITED, game.public_id, details)
        journal.record(ARBITER_INVITATION, [invitation])
    return invitation, token


def arbiter_accept(
    *, invitation: ArbiterInvitation, user: User, close_to: Collection[int], actor: Actor
) -> ArbiterAcceptance:
    """Accept an invitation as the account that will rule, and declare the seats to which this
    account is close. If it has accepted before, nothing changes.

    Raise `Refused` with `invitation_ended`, `invitation_too_old`, `conflict`, `not_disputed`,
    `accepted_by_another`, `own_invitation`, `no_person`, `no_seat`, `at_the_table` or
    `entered_it`."""
    game = invitation.game
    with club_journal(game.season_game.season.club_id, actor, lock_at_once=True) as journal:
        earlier = ArbiterAcceptance.objects.filter(invitation=invitation).first()
        _refuse_ended(invitation)
        if earlier is not None and earlier.arbiter_id == user.pk:
            return earlier
        if earlier is not None:
            raise _refusal("accepted_by_another")
        _refuse_closed(game)
        _refuse_arbiter(invitation, user)
        close_seats = sorted(set(close_to))
        if not set(close_seats) <= set(_seats(game)):
            raise _refusal("no_seat")
        acceptance = ArbiterAcceptance.objects.create(
            invitation=invitation, arbiter=user, close_to=close_seats, accepted_at=journal.at
        )
        details = {
            "invitation": invitation.public_id,
            "arbiter": user.public_id,
            "close_to": close_seats,
        }
        journal.add(ArbiterAction.ACCEPTED, game.public_id, details)
        journal.record(ARBITER_ACCEPTANCE, [acceptance])
    return acceptance


def arbiter_assent(*, invitation: ArbiterInvitation, seat: int, actor: Actor) -> bool:
    """Say yes, for a seat of the game, to the arbiter who accepted: for the actor's own seat, or
    for a player without an account. Return True if now all seats agree, so the arbiter can rule.

    Raise `Refused` with `invitation_ended`, `invitation_too_old`, `conflict`, `not_disputed`,
    `arbiter_agreed`, `not_accepted`, `no_seat`, `seat_assented` or `arbiter_involved` (the arbiter
    took a seat meanwhile)."""
    game = invitation.game
    role = seat_acting_role(game, seat, actor.account_id)
    with club_journal(game.season_game.season.club_id, actor, lock_at_once=True) as journal:
        acceptance = _answerable_acceptance(invitation)
        _refuse_closed(game)
        _refuse_agreed(game)
        if bar_to_ruling(game, acceptance.arbiter_id) is not None:
            raise _refusal("arbiter_involved")
        _refuse_answered(game, acceptance, seat)
        assent = ArbiterAssent.objects.create(
            acceptance=acceptance,
            seat=seat,
            role=role,
            assented_at=journal.at,
            assented_by_id=actor.account_id,
        )
        details = {"invitation": invitation.public_id, "seat": seat, "role": role}
        journal.add(ArbiterAction.ASSENTED, game.public_id, details)
        journal.record(ARBITER_ASSENT, [assent])
        is_agreed = agreed_invitations().filter(pk=invitation.pk).exists()
        if is_agreed:
            journal.add(ArbiterAction.AGREED, game.public_id, {"invitation": invitation.public_id})
            others = _open_invitations(game).exclude(pk=invitation.pk)
            _end_all(journal, others, ArbiterInvitationEnd.Way.OTHER, role)
    return is_agreed


def arbiter_decline(
    *, invitation: ArbiterInvitation, seat: int, actor: Actor
) -> ArbiterInvitationEnd:
    """Say no, for a seat of the game, to the arbiter who accepted. This ends the invitation.

    Raise `Refused` with `invitation_ended`, `invitation_too_old`, `not_accepted`, `no_seat` or
    `seat_assented`."""
    game = invitation.game
    role = seat_acting_role(game, seat, actor.account_id)
    with club_journal(game.season_game.season.club_id, actor, lock_at_once=True) as journal:
        _refuse_answered(game, _answerable_acceptance(invitation), seat)
        return _end(journal, invitation, ArbiterInvitationEnd.Way.DECLINED, role, seat)


def arbiter_withdraw(*, invitation: ArbiterInvitation, actor: Actor) -> ArbiterInvitationEnd:
    """Take an invitation back, as the account that made it or as one that corrects the game; or
    give it up, as the account that accepted.

    Once all seats have agreed, only the arbiter can give it up. Raise `Refused` with
    `invitation_ended` or `arbiter_agreed`."""
    game = invitation.game
    with club_journal(game.season_game.season.club_id, actor, lock_at_once=True) as journal:
        if ArbiterInvitationEnd.objects.filter(invitation=invitation).exists():
            raise _refusal("invitation_ended")
        accepted = ArbiterAcceptance.objects.filter(invitation=invitation, arbiter=actor.account_id)
        if accepted.exists():
            return _end(journal, invitation, ArbiterInvitationEnd.Way.GIVEN_UP, ARBITER)
        if agreed_invitations().filter(pk=invitation.pk).exists():
            raise _refusal("arbiter_agreed")
        role = _role_in_game(game, actor)
        return _end(journal, invitation, ArbiterInvitationEnd.Way.WITHDRAWN, role)


def arbiter_leave(*, user: User, actor: Actor) -> None:
    """Give up all invitations that an account has accepted, because the account is deleted."""
    accepted = ArbiterInvitation.objects.filter(acceptance__arbiter=user.pk, end=None)
    for invitation in accepted.select_related("game__season_game__season").order_by("pk"):
        arbiter_withdraw(invitation=invitation, actor=actor)


def _role_in_game(game: Game, actor: Actor) -> str:
    if own_seat_of(game, actor.account_id) is not None:
        return Role.PLAYER.value
    return game_acting_role(game, actor.account_id)


def _refuse_closed(game: Game) -> None:
    if Game.objects.filter(replaces=game).exists():
        raise _refusal("conflict")
    if not result_is_provisional(game):
        raise _refusal("not_disputed")


def _refuse_agreed(game: Game) -> None:
    if agreed_invitations().filter(game=game).exists():
        raise _refusal("arbiter_agreed")


def _refuse_ended(invitation: ArbiterInvitation) -> None:
    if ArbiterInvitationEnd.objects.filter(invitation=invitation).exists():
        raise _refusal("invitation_ended")
    if timezone.now() - LASTS >= invitation.made_at:
        raise _refusal("invitation_too_old")


def _refuse_arbiter(invitation: ArbiterInvitation, user: User) -> None:
    if invitation.made_by_id == user.pk:
        raise _refusal("own_invitation")
    if user.is_phone or user.is_program:
        raise _refusal("no_person")
    bar = bar_to_ruling(invitation.game, user.pk)
    if bar is not None:
        raise Refused(bar)


def _answerable_acceptance(invitation: ArbiterInvitation) -> ArbiterAcceptance:
    _refuse_ended(invitation)
    acceptance = ArbiterAcceptance.objects.filter(invitation=invitation).first()
    if acceptance is None:
        raise _refusal("not_accepted")
    return acceptance


def _refuse_answered(game: Game, acceptance: ArbiterAcceptance, seat: int) -> None:
    if seat not in _seats(game):
        raise _refusal("no_seat")
    if ArbiterAssent.objects.filter(acceptance=acceptance, seat=seat).exists():
        raise _refusal("seat_assented")


def _seats(game: Game) -> list[int]:
    return list(Seat.objects.filter(game=game).values_list("number", flat=True))


def _open_invitations(game: Game) -> QuerySet[ArbiterInvitation]:
    oldest = timezone.now() - LASTS
    invitations = ArbiterInvitation.objects.filter(game=game, end=None, made_at__gt=oldest)
    return invitations.select_related("acceptance")


def _end_all(
    journal: Journal,
    invitations: Iterable[ArbiterInvitation],
    way: ArbiterInvitationEnd.Way,
    role: str,
) -> None:
    for invitation in list(invitations):
        _end(journal, invitation, way, role)


def _end(
    journal: Journal,
    invitation: ArbiterInvitation,
    way: ArbiterInvitationEnd.Way,
    role: str,
    seat: int | None = None,
) -> ArbiterInvitationEnd:
    """End an invitation and log it. `seat`: the seat that said no."""
    end = ArbiterInvitationEnd.objects.create(
        invitation=invitation,
        way=way,
        seat=seat,
        role=role,
        ended_at=journal.at,
        ended_by_id=journal.actor.account_id,
    )
    details: dict[str, Any] = {"invitation": invitation.public_id, "way": way, "role": role}
    if seat is not None:
        details["seat"] = seat
    journal.add(ArbiterAction.ENDED, invitation.game.public_id, details)
    journal.record(ARBITER_INVITATION, [invitation], ARBITER_INVITATION.more)
    return end


def _refusal(code: str) -> Refused:
    return Refused(Illegal(code, MESSAGES[code]))
