"""Helpers: giving roles for one event, also by a link or a code, and ending them."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext

from league.core.account.models import User
from league.core.account.services import account_create
from league.core.frame.letter_link import digest_of, new_code, new_token
from league.core.log.services import Actor, Journal, club_journal
from league.core.member.models.invitation import GOOD_FOR
from league.core.member.models.member import Role
from league.events.event.models import Event
from league.events.event.services import event_hold, refuse_over
from league.events.helper.actions import HelperAction
from league.events.helper.models import CODE_LENGTH, HELPER, HELPER_ROLES, Helper, HelperInvitation


def helper_add(*, event: Event, user: User, role: Role, actor: Actor) -> Helper:
    """Give an account a role for one event. Idempotent.

    Raise `ValidationError` once the event is over, and for a role that can't be given for one
    event.
    """
    with club_journal(event.club_id, actor) as journal:
        _lock_event_for_role(event, role)
        return _give_role(journal, event, user, role)


def helper_remove(*, helper: Helper, actor: Actor) -> bool:
    """End a role for one event. Return False if it had ended before."""
    with club_journal(helper.event.club_id, actor) as journal:
        return bool(_end_roles(journal, Helper.objects.filter(pk=helper.pk)))


def helper_invite(
    *, event: Event, role: Role, invited_by: User, email: str = ""
) -> tuple[HelperInvitation, str]:
    """Invite the owner of an address to a role for one event or, without an address, the first
    person who brings the code. Return the invitation, and the token of its link, which isn't
    stored, or its code.

    This withdraws an earlier invitation of the same address to the same role. The log contains
    neither address nor code. Raise `ValidationError` once the event is over, and for a role that
    can't be given for one event.
    """
    with club_journal(event.club_id, Actor(invited_by.pk)) as journal:
        _lock_event_for_role(event, role)
        invitation = HelperInvitation(event=event, role=role, invited_by=invited_by)
        if email:
            earlier = HelperInvitation.objects.filter(event=event, email__iexact=email, role=role)
            _withdraw_invitations(journal, earlier)
            secret = new_token()
            invitation.email = email
            invitation.digest = digest_of(secret)
            way = "link"
        else:
            secret = new_code(CODE_LENGTH)
            invitation.code = secret
            way = "code"
        invitation.save(force_insert=True)
        payload = _invitation_payload(event, role, way)
        journal.add(HelperAction.INVITED, invitation.public_id, payload)
    return invitation, secret


def helper_invitation_withdraw(*, invitation: HelperInvitation, actor: Actor) -> bool:
    """Withdraw an invitation, so that its link or code no longer works. Return False if it was
    withdrawn or accepted before.
    """
    with club_journal(invitation.event.club_id, actor) as journal:
        return bool(
            _withdraw_invitations(journal, HelperInvitation.objects.filter(pk=invitation.pk))
        )


def helper_invitation_bind(*, invitation: HelperInvitation, email: str) -> str:
    """Turn an invitation with a code into one for an address, for a person who brings the code and
    has no account. Return the token of its link, which is known only now. The code no longer works.

    Raise `HelperInvitation.DoesNotExist` if it was accepted, bound or withdrawn meanwhile.
    """
    token = new_token()
    with club_journal(invitation.event.club_id) as journal:
        row = HelperInvitation.objects.select_for_update().get(pk=invitation.pk, email="")
        row.email = email
        row.digest = digest_of(token)
        row.code = None
        row.save(update_fields=["email", "digest", "code"])
        payload = _invitation_payload(invitation.event, Role(row.role), "link")
        journal.add(HelperAction.INVITED, row.public_id, payload)
    return token


def helper_invitation_accept(*, invitation: HelperInvitation, user: User) -> Helper:
    """Accept an invitation, with the account that has the invited address or the code.

    Raise `ValidationError` for another account or once the event is over, and
    `HelperInvitation.DoesNotExist` if the invitation was accepted or withdrawn meanwhile.
    """
    event = invitation.event
    with club_journal(event.club_id, Actor(user.pk)) as journal:
        _lock_event_for_role(event, Role(invitation.role))
        row = HelperInvitation.objects.select_for_update().get(pk=invitation.pk)
        if row.email and not row.is_for(user):
            raise ValidationError(
                gettext("This invitation is for a different email address from your account’s.")
            )
        row.delete()
        return _give_role(journal, event, user, Role(row.role), invitation=row.public_id)


def helper_invitation_join(*, invitation: HelperInvitation, name: str, password: str) -> User:
    """Create an account with the invitation's address, and accept the invitation with it.

    Raise `ValidationError` with messages by field for a name or an address that another account
    has, and `HelperInvitation.DoesNotExist`.
    """
    with club_journal(invitation.event.club_id):
        # A second click waits here, and then finds no invitation.
        HelperInvitation.objects.select_for_update().get(pk=invitation.pk)
        user = account_create(name=name, email=invitation.email, password=password)
        helper_invitation_accept(invitation=invitation, user=user)
    return user


def helper_invitations_forget() -> None:
    """Delete the invitations that weren't accepted in time."""
    HelperInvitation.objects.filter(created_at__lt=Now() - GOOD_FOR).delete()


def helpers_end(
    journal: Journal, helpers: QuerySet[Helper], invitations: QuerySet[HelperInvitation]
) -> None:
    """End roles for events and withdraw invitations to such roles, as part of a larger action."""
    _end_roles(journal, helpers)
    _withdraw_invitations(journal, invitations)


def _invitation_payload(event: Event, role: Role, way: str) -> dict[str, str]:
    return {"event": event.public_id, "role": role, "way": way}


def _lock_event_for_role(event: Event, role: Role) -> None:
    if role not in dict(HELPER_ROLES):
        raise ValidationError({"role": gettext("This role can’t be given for a single event.")})
    refuse_over(event_hold(event))


def _give_role(journal: Journal, event: Event, user: User, role: Role, **details: str) -> Helper:
    helper, is_new = Helper.objects.get_or_create(event=event, user=user, role=role)
    if is_new or helper.ended_at:
        Helper.objects.filter(pk=helper.pk).update(ended_at=None)
        helper.ended_at = None
        payload = {"event": event.public_id, "role": role, **details}
        journal.add(HelperAction.ADDED, user.public_id, payload)
        journal.record(HELPER, [helper])
    return helper


def _end_roles(journal: Journal, helpers: QuerySet[Helper]) -> int:
    current = helpers.filter(ended_at=None).select_related("event", "user").order_by("pk")
    rows = list(current.select_for_update(of=("self",)))
    Helper.objects.filter(pk__in=[helper.pk for helper in rows]).update(ended_at=journal.at)
    for helper in rows:
        payload = {"event": helper.event.public_id, "role": helper.role}
        journal.add(HelperAction.REMOVED, helper.user.public_id, payload)
        journal.record(HELPER, [helper], ["ended_at"])
    return len(rows)


def _withdraw_invitations(journal: Journal, invitations: QuerySet[HelperInvitation]) -> int:
    rows = list(invitations.select_related("event").order_by("pk").select_for_update(of=("self",)))
    HelperInvitation.objects.filter(pk__in=[invitation.pk for invitation in rows]).delete()
    for invitation in rows:
        payload = {"event": invitation.event.public_id, "role": invitation.role}
        journal.add(HelperAction.INVITATION_WITHDRAWN, invitation.public_id, payload)
    return len(rows)
