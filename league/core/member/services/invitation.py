"""Invitations: a link gives somebody a role in a club, and an account if they have none."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.core.account.models import User
from league.core.account.services import account_create
from league.core.club.models import Club
from league.core.frame.letter_link import digest_of, new_token
from league.core.log.services import Actor, club_journal
from league.core.member.actions import MemberAction
from league.core.member.models.invitation import GOOD_FOR, Invitation
from league.core.member.models.member import Membership, Role
from league.core.member.services.member import invitations_end, role_give


def invitation_create(
    *, club: Club, email: str, role: Role, invited_by: User
) -> tuple[Invitation, str]:
    """Invite the owner of an email address. Return the invitation and its token, which isn't
    stored.

    An earlier invitation of the same address to the same role is withdrawn. The log doesn't have
    the address.
    """
    token = new_token()
    with club_journal(club.pk, Actor(invited_by.pk)) as journal:
        invitations_end(
            journal, Invitation.objects.filter(club=club, email__iexact=email, role=role)
        )
        invitation = Invitation.objects.create(
            club=club, email=email, role=role, digest=digest_of(token), invited_by=invited_by
        )
        journal.add(MemberAction.INVITED, invitation.public_id, {"role": role})
    return invitation, token


def invitation_withdraw(*, invitation: Invitation, actor: Actor) -> bool:
    """Withdraw an invitation; return False if it was already withdrawn or accepted."""
    with club_journal(invitation.club_id, actor) as journal:
        return bool(invitations_end(journal, Invitation.objects.filter(pk=invitation.pk)))


def invitation_accept(*, invitation: Invitation, user: User) -> Membership:
    """Accept an invitation with the account that has the invited address.

    Raise `ValidationError` if the account has another address, and `Invitation.DoesNotExist` if the
    invitation was accepted or withdrawn meanwhile.
    """
    with club_journal(invitation.club_id, Actor(user.pk)) as journal:
        locked_invitation = (
            Invitation.objects.select_for_update(of=("self",))
            .select_related("club")
            .get(pk=invitation.pk)
        )
        if not locked_invitation.is_for(user):
            raise ValidationError(
                _("This invitation is for a different email address from your account’s.")
            )
        locked_invitation.delete()
        return role_give(
            journal,
            locked_invitation.club,
            user,
            Role(locked_invitation.role),
            invitation=invitation.public_id,
        )


def invitation_join(*, invitation: Invitation, name: str, password: str) -> User:
    """Create an account with the invitation's address, and accept the invitation.

    Raise `ValidationError` with the field if another account has the name or the address, and
    `Invitation.DoesNotExist` if the invitation was accepted or withdrawn meanwhile.
    """
    with club_journal(invitation.club_id):
        # The request of a second click waits here, and then finds no invitation.
        Invitation.objects.select_for_update().get(pk=invitation.pk)
        user = account_create(name=name, email=invitation.email, password=password)
        invitation_accept(invitation=invitation, user=user)
    return user


def invitations_forget() -> None:
    """Delete expired invitations."""
    Invitation.objects.filter(created_at__lt=Now() - GOOD_FOR).delete()
