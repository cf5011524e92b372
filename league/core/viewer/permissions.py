"""Who may do what: predicates for the package `rules`, by role in a club.

Who may *see* something is decided where it is loaded: `league.standings.season.queries.access`."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final

import rules
from django.contrib.auth.models import AnonymousUser

from league.core.account.models import User
from league.core.club.models import Club
from league.core.member.models.member import Membership, Role

Account = User | AnonymousUser
LOG_READERS: Final = (Role.ORGANISER, Role.ARBITER)


def roles_of(user: Account, club: Club) -> set[str]:
    """Return an account's roles in a club; a superuser has them all."""
    if not user.is_authenticated:
        return set()
    if user.is_superuser:
        return set(Role.values)
    return set(Membership.objects.filter(club=club, user=user).values_list("role", flat=True))


def has_role(roles: Collection[Role], user: Account, club: Club) -> bool:
    """Return True if the account has one of the roles in the club; a superuser has them all."""
    if not user.is_authenticated:
        return False
    return (
        user.is_superuser
        or Membership.objects.filter(club=club, user=user, role__in=roles).exists()
    )


def rights_add(
    rights: Mapping[str, Collection[Role]], holds: Callable[[Collection[Role], Account, Any], bool]
) -> None:
    """Register rights, each with the roles that have it. `holds` says whether an account has one of
    these roles in a club, or in whatever else the right is for."""
    for right, roles in rights.items():
        rules.add_perm(right, rules.predicate(partial(holds, roles)))


RIGHTS: Final[dict[str, Collection[Role]]] = {
    "league.manage_club": (Role.ORGANISER,),
    "league.enter_desk": tuple(Role),
    "league.read_log": LOG_READERS,
    "league.compare_styles": (Role.ARBITER, Role.ORGANISER),
    "league.import_games": (Role.ORGANISER,),
    "league.enter_games": (Role.SCORER, Role.ORGANISER),
    "league.correct_games": (Role.ARBITER, Role.ORGANISER),
}
"""The roles of a club that have each right."""
rights_add(RIGHTS, has_role)
