"""The receivers of helpers: answers to hooks of clubs and seasons about roles for events."""

from league.core.account.models import User
from league.core.club.models import Club
from league.core.log.services import Journal
from league.core.member.models.member import Role
from league.core.member.services.member import roles_taken
from league.core.viewer.queries.author import accounts_helping
from league.events.helper.models import Helper, HelperInvitation
from league.events.helper.queries import helpers_among, seasons_helped
from league.events.helper.services import helpers_end
from league.standings.season.queries.access import seasons_shown_to

accounts_helping.add(helpers_among)
seasons_shown_to.add(seasons_helped)


@roles_taken.add
def event_roles_end(journal: Journal, club: Club, user: User, roles_left: set[str]) -> None:
    """End the roles for events of an account that has no role left in the club, and the invitations
    made by an account that no longer organises it.
    """
    helpers = Helper.objects.none()
    if not roles_left:
        helpers = Helper.objects.filter(event__club=club, user=user)
    invitations = HelperInvitation.objects.none()
    if Role.ORGANISER not in roles_left:
        invitations = HelperInvitation.objects.filter(event__club=club, invited_by=user)
    helpers_end(journal, helpers, invitations)
