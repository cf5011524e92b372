"""Who may do what: predicates of the package `rules`, by role in a club.

Who may *see* something is decided where it is loaded: `league.seasons.queries.access`.
"""

from typing import Final

import rules
from django.contrib.auth.models import AnonymousUser

from league.clubs.models import Club, Membership, Role, User

Account = User | AnonymousUser
LOG_READERS: Final = (Role.ORGANISER, Role.ARBITER)


def roles_of(user: Account, club: Club) -> set[str]:
    """The roles of an account in a club; a superuser has them all."""
    if not user.is_authenticated:
        return set()
    if user.is_superuser:
        return set(Role.values)
    return set(Membership.objects.filter(club=club, user=user).values_list("role", flat=True))


def has_role(user: Account, club: Club, *roles: Role) -> bool:
    """True if the account has one of the roles in the club; a superuser has them all."""
    if not user.is_authenticated:
        return False
    return user.is_superuser or Membership.objects.filter(club=club, user=user, role__in=roles).exists()


@rules.predicate
def is_member(user: Account, club: Club) -> bool:
    """Somebody with whatever role in the club."""
    return has_role(user, club, *Role)


@rules.predicate
def is_organiser(user: Account, club: Club) -> bool:
    """An organiser of the club."""
    return has_role(user, club, Role.ORGANISER)


@rules.predicate
def is_scorer(user: Account, club: Club) -> bool:
    """Somebody who enters results: a scorer, or an organiser."""
    return has_role(user, club, Role.SCORER, Role.ORGANISER)


@rules.predicate
def is_log_reader(user: Account, club: Club) -> bool:
    """Somebody who may read what everybody did: an organiser, or an arbiter."""
    return has_role(user, club, *LOG_READERS)


@rules.predicate
def rules_on_disputes(user: Account, club: Club) -> bool:
    """Somebody who rules on disputes: an arbiter, or an organiser."""
    return has_role(user, club, Role.ARBITER, Role.ORGANISER)


rules.add_perm("league.manage_club", is_organiser)
rules.add_perm("league.enter_desk", is_member)
rules.add_perm("league.read_log", is_log_reader)
rules.add_perm("league.compare_styles", rules_on_disputes)
rules.add_perm("league.import_games", is_organiser)
rules.add_perm("league.enter_games", is_scorer)
rules.add_perm("league.correct_games", rules_on_disputes)
