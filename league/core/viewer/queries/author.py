"""Who did something, as far as a viewer may know."""

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
"""Called with a club and accounts; returns the accounts that have helped at something in the club,
such as an event."""
HIGHEST_FIRST: Final = (Role.ARBITER, Role.ORGANISER, Role.SCORER, Role.PLAYER)


@dataclass(frozen=True, slots=True)
class Author:
    """An account as a viewer sees it. `name`: empty for viewers who may not read the club's log;
    they see the `role` in the club, or None. `helper`: True for an account without a role that has
    helped at something in the club."""

    name: str
    role: Role | None
    helper: bool = False


def authors_of(viewer: Account, club: Club, accounts: Iterable[User | None]) -> dict[int, Author]:
    """Return the authors by the row ids of their accounts, with three queries at most."""
    accounts_by_id = {account.pk: account for account in accounts if account is not None}
    if not accounts_by_id:
        return {}

    roles: dict[int, set[str]] = {account_id: set() for account_id in accounts_by_id}
    memberships = Membership.objects.filter(club=club, user__in=accounts_by_id)
    for account_id, role in memberships.values_list("user", "role"):
        roles[account_id].add(role)
    strangers = [account_id for account_id, own_roles in roles.items() if not own_roles]
    helpers = set().union(*accounts_helping(club, strangers)) if strangers else set()
    sees_names = viewer.has_perm("league.read_log", club)

    authors = {}
    for account_id, account in accounts_by_id.items():
        name = account.username if sees_names else ""
        highest = next((role for role in HIGHEST_FIRST if role in roles[account_id]), None)
        authors[account_id] = Author(name, highest, account_id in helpers)
    return authors


def acting_role(club_id: int, account_id: int | None) -> str:
    """Return the role that the log names for an account acting in a club: the account's highest
    role in the club, or `OPERATOR`. One query at most."""
    if account_id is None:
        return OPERATOR
    roles = set(
        Membership.objects.filter(club=club_id, user=account_id).values_list("role", flat=True)
    )
    return next((role.value for role in ROLES if role in roles), OPERATOR)
