"""Giving and taking roles in a club."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy

from league.core.account.models import User
from league.core.club.models import Club
from league.core.hooks import Hook
from league.core.key.actions import KeyAction
from league.core.key.models import ApiKey
from league.core.log.services import Actor, Journal, club_journal
from league.core.member.actions import MemberAction
from league.core.member.models.invitation import Invitation
from league.core.member.models.member import ROLE, Membership, Role

LAST_ORGANISER: Final = gettext_lazy(
    "The club would be left without an organiser. Make somebody else an organiser first."
)

roles_taken: Final = Hook[[Journal, Club, User, set[str]], object]()
"""Called after an account has lost roles in a club, with the roles that it still has."""


def member_add(*, club: Club, user: User, role: Role, actor: Actor) -> Membership:
    """Give an account a role in a club, if it doesn't have it yet."""
    with club_journal(club.pk, actor) as journal:
        return role_give(journal, club, user, role)


def member_change(*, club: Club, user: User, roles: Collection[Role], actor: Actor) -> bool:
    """Set an account's roles; return False if nothing changed. An account without any role is no
    longer a member, so its keys are revoked. The invitations of a former organiser are withdrawn.

    Raise `ValidationError` if no organiser would be left.
    """
    with club_journal(
        club.pk, actor, lock_at_once=True
    ) as journal:  # meanwhile nobody else loses a role
        former_roles = set(
            Membership.objects.filter(club=club, user=user).values_list("role", flat=True)
        )
        for role in sorted(roles, key=list(Role).index):
            role_give(journal, club, user, role)
        removed_roles = [role for role in Role if role in former_roles and role not in roles]
        if removed_roles:
            _remove_roles(journal, club, user, removed_roles)
        return former_roles != set(roles)


def role_give(journal: Journal, club: Club, user: User, role: Role, **details: str) -> Membership:
    """Give an account a role, if it doesn't have it yet. `details` are added to the log's entry."""
    membership, created = Membership.objects.get_or_create(club=club, user=user, role=role)
    if created:
        journal.add(MemberAction.ADDED, user.public_id, {"role": role, **details})
        journal.record(ROLE, [membership])
    return membership


def _remove_roles(journal: Journal, club: Club, user: User, roles: Sequence[Role]) -> None:
    memberships = Membership.objects.filter(club=club, user=user)
    organisers = Membership.objects.filter(club=club, role=Role.ORGANISER, user__is_active=True)
    if Role.ORGANISER in roles and not organisers.exclude(user=user).exists():
        raise ValidationError(LAST_ORGANISER)

    removed_memberships = memberships.filter(role__in=roles)
    for role in roles:
        journal.add(MemberAction.REMOVED, user.public_id, {"role": role})
    journal.record_removal(ROLE, removed_memberships.values_list("pk", flat=True))
    removed_memberships.delete()

    roles_left = set(memberships.values_list("role", flat=True))
    if not roles_left:
        _revoke_keys(journal, club, user)
    if Role.ORGANISER in roles:
        invitations_end(journal, Invitation.objects.filter(club=club, invited_by=user))
    roles_taken(journal, club, user, roles_left)


def _revoke_keys(journal: Journal, club: Club, user: User) -> None:
    keys = list(ApiKey.objects.filter(club=club, user=user, revoked_at=None))
    ApiKey.objects.filter(pk__in=[key.pk for key in keys]).update(revoked_at=Now())
    for key in keys:
        journal.add(KeyAction.REVOKED, key.public_id, {"label": key.label}, texts=["label"])


def invitations_end(journal: Journal, invitations: QuerySet[Invitation]) -> int:
    """Withdraw invitations, and return how many there were."""
    locked_invitations = list(invitations.select_for_update())
    for invitation in locked_invitations:
        journal.add(
            MemberAction.INVITATION_WITHDRAWN, invitation.public_id, {"role": invitation.role}
        )
        invitation.delete()
    return len(locked_invitations)
