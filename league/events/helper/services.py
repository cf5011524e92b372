"""Helpers: roles for one event are given, by a link or a code too, and end with it."""

from __future__ import annotations

from typing import Any

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
    """Give an account a role for one event; who has it already keeps it.

    Raises `ValidationError` once the event is over, and for a role that is never for one event."""
    with club_journal(event.club_id, actor) as journal:
        _hold(event, role)
        return _give(journal, event, user, role)


def helper_remove(*, helper: Helper, actor: Actor) -> bool:
    """End a role for one event; False: it has ended."""
    with club_journal(helper.event.club_id, actor) as journal:
        return bool(_end(journal, Helper.objects.filter(pk=helper.pk)))


def helper_invite(
    *, event: Event, role: Role, invited_by: User, email: str = ""
) -> tuple[HelperInvitation, str]:
    """Invite whoever reads letters at an address to a role for one event, or without an address
    whoever brings the code; returns the invitation and its token, the only time that it is known,
    or its code.

    An earlier invitation of the same address to the same role is withdrawn. The log tells neither
    address nor code. Raises `ValidationError` as `helper_add` does."""
    token = new_token() if email else new_code(CODE_LENGTH)
    with club_journal(event.club_id, Actor(invited_by.pk)) as journal:
        _hold(event, role)
        if email:
            _withdraw(
                journal,
                HelperInvitation.objects.filter(event=event, email__iexact=email, role=role),
            )
        way: dict[str, Any] = (
            {"email": email, "digest": digest_of(token)} if email else {"code": token}
        )
        invitation = HelperInvitation.objects.create(
            event=event, role=role, invited_by=invited_by, **way
        )
        journal.add(
            HelperAction.INVITED,
            invitation.public_id,
            _payload(event, role, "link" if email else "code"),
        )
    return invitation, token


def helper_invitation_withdraw(*, invitation: HelperInvitation, actor: Actor) -> bool:
    """Let a link or a code lead nowhere; False if it was withdrawn or accepted before."""
    with club_journal(invitation.event.club_id, actor) as journal:
        return bool(_withdraw(journal, HelperInvitation.objects.filter(pk=invitation.pk)))


def helper_invitation_bind(*, invitation: HelperInvitation, email: str) -> str:
    """Let an invitation by a code be one of an address, for somebody who brings the code and has no
    account; returns the token of its link, the only time that it is known. The code opens nothing
    more.

    Raises `HelperInvitation.DoesNotExist` for one that was accepted, bound or withdrawn meanwhile.
    """
    token = new_token()
    with club_journal(invitation.event.club_id) as journal:
        row = HelperInvitation.objects.select_for_update().get(pk=invitation.pk, email="")
        row.email, row.digest, row.code = email, digest_of(token), None
        row.save(update_fields=["email", "digest", "code"])
        journal.add(
            HelperAction.INVITED, row.public_id, _payload(invitation.event, Role(row.role), "link")
        )
    return token


def helper_invitation_accept(*, invitation: HelperInvitation, user: User) -> Helper:
    """Take the role, as the account with the address that was invited, or with the code.

    Raises `ValidationError` for another account or once the event is over, and
    `HelperInvitation.DoesNotExist` for an invitation that was accepted or withdrawn meanwhile."""
    event = invitation.event
    with club_journal(event.club_id, Actor(user.pk)) as journal:
        _hold(event, Role(invitation.role))
        row = HelperInvitation.objects.select_for_update().get(pk=invitation.pk)
        if row.email and not row.is_for(user):
            raise ValidationError(
                gettext("This invitation is for another address than that of your account.")
            )
        row.delete()
        return _give(journal, event, user, Role(row.role), invitation=row.public_id)


def helper_invitation_join(*, invitation: HelperInvitation, name: str, password: str) -> User:
    """Make an account with the invitation's address, and take the role with it.

    Raises `ValidationError` by field for a name or an address that another account has, and
    `HelperInvitation.DoesNotExist`.
    """
    with club_journal(invitation.event.club_id):
        HelperInvitation.objects.select_for_update().get(
            pk=invitation.pk
        )  # a second click waits, and finds none
        user = account_create(name=name, email=invitation.email, password=password)
        helper_invitation_accept(invitation=invitation, user=user)
    return user


def helper_invitations_forget() -> None:
    """Delete the invitations that nobody accepted in time."""
    HelperInvitation.objects.filter(created_at__lt=Now() - GOOD_FOR).delete()


def helpers_end(
    journal: Journal, helpers: QuerySet[Helper], invitations: QuerySet[HelperInvitation]
) -> None:
    """End roles for events, and let invitations to such lead nowhere, as part of a larger
    action."""
    _end(journal, helpers)
    _withdraw(journal, invitations)


def _payload(event: Event, role: Role, way: str) -> dict[str, str]:
    """What the log says of an invitation: by which way somebody comes to the role."""
    return {"event": event.public_id, "role": role, "way": way}


def _hold(event: Event, role: Role) -> None:
    """Keep an event from ending until the transaction does. Raises `ValidationError`."""
    if role not in dict(HELPER_ROLES):
        raise ValidationError({"role": gettext("This role is never for one event.")})
    refuse_over(event_hold(event))


def _give(journal: Journal, event: Event, user: User, role: Role, **details: str) -> Helper:
    """Give the role; `details` is what else the log says of it."""
    helper, is_new = Helper.objects.get_or_create(event=event, user=user, role=role)
    if is_new or helper.ended_at:
        Helper.objects.filter(pk=helper.pk).update(ended_at=None)
        helper.ended_at = None
        journal.add(
            HelperAction.ADDED, user.public_id, {"event": event.public_id, "role": role, **details}
        )
        journal.state(HELPER, [helper])
    return helper


def _end(journal: Journal, helpers: QuerySet[Helper]) -> int:
    """End the roles that are good still; returns how many."""
    rows = list(
        helpers.filter(ended_at=None)
        .select_related("event", "user")
        .order_by("pk")
        .select_for_update(of=("self",))
    )
    Helper.objects.filter(pk__in=[helper.pk for helper in rows]).update(ended_at=journal.at)
    for helper in rows:
        journal.add(
            HelperAction.REMOVED,
            helper.user.public_id,
            {"event": helper.event.public_id, "role": helper.role},
        )
        journal.state(HELPER, [helper], ["ended_at"])
    return len(rows)


def _withdraw(journal: Journal, invitations: QuerySet[HelperInvitation]) -> int:
    """Delete invitations; returns how many there were."""
    rows = list(invitations.select_related("event").order_by("pk").select_for_update(of=("self",)))
    HelperInvitation.objects.filter(pk__in=[invitation.pk for invitation in rows]).delete()
    for invitation in rows:
        payload = {"event": invitation.event.public_id, "role": invitation.role}
        journal.add(HelperAction.INVITATION_WITHDRAWN, invitation.public_id, payload)
    return len(rows)
