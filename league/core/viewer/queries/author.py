"""Who did something, as far as a viewer may know it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from league.core.account.models import User
from league.core.club.models import Club
from league.core.hooks import Hook
from league.core.member.models.member import Membership, Role
from league.core.viewer.domain import OPERATOR, ROLES
from league.core.viewer.permissions import Account

accounts_helping: Final = Hook[[Club, Collection[int]], set[int]]()
"""Which of these accounts have helped at something of the club, such as an event."""
HIGHEST_FIRST: Final = (Role.ARBITER, Role.ORGANISER, Role.SCORER, Role.PLAYER)


@dataclass(frozen=True, slots=True)
class Author:
    """An account as it is shown. `name`: empty for those who mayn't read the club's log, who see
    the `role` instead; that is None for who has none in the club. `helper`: has none, but one for
    something of the club."""

    name: str
    role: Role | None
    helper: bool = False


def authors_of(viewer: Account, club: Club, accounts: Iterable[User | None]) -> dict[int, Author]:
    """The authors by the accounts' ids. Three queries at most, none where there is no account."""
    accounts_by_id = {account.pk: account for account in accounts if account is not None}
    if not accounts_by_id:
        return {}
    roles: dict[int, set[str]] = {pk: set() for pk in accounts_by_id}
    for user, role in Membership.objects.filter(club=club, user__in=accounts_by_id).values_list(
        "user", "role"
    ):
        roles[user].add(role)
    strangers = [pk for pk in roles if not roles[pk]]
    helpers = set().union(*accounts_helping(club, strangers)) if strangers else set()
    sees_names = viewer.has_perm("league.read_log", club)
    return {
        pk: Author(
            account.username if sees_names else "",
            next((role for role in HIGHEST_FIRST if role in roles[pk]), None),
            pk in helpers,
        )
        for pk, account in accounts_by_id.items()
    }


def acting_role(club_id: int, account_id: int | None) -> str:
    """The role in which an account acts in a club, as the log notes it: one of the club's, or
    `OPERATOR`. One query at most."""
    if account_id is None:
        return OPERATOR
    roles = set(
        Membership.objects.filter(club=club_id, user=account_id).values_list("role", flat=True)
    )
    return next((role.value for role in ROLES if role in roles), OPERATOR)
