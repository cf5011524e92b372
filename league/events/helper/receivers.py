"""All that roles for events mean to clubs and seasons: what ends them, what they show, and who is a helper."""

from typing import Any

from django.dispatch import receiver

from league.core.account.models import User
from league.core.club.models import Club
from league.core.club.signals import roles_taken
from league.core.log.services import Journal
from league.core.viewer.queries.author import HELPERS
from league.events.helper.models import Helper, HelperInvitation
from league.events.helper.queries import helpers_among, seasons_helped
from league.events.helper.services import helpers_end
from league.standings.season.queries.access import SEEN_BY

HELPERS.append(helpers_among)
SEEN_BY.append(seasons_helped)


@receiver(roles_taken)
def event_roles_end(*, club: Club, user: User, journal: Journal, organises: bool, belongs: bool, **kwargs: Any) -> None:
    """Who is removed from a club helps at none of its events; who organises it no more has invited nobody."""
    helpers = Helper.objects.filter(event__club=club, user=user)
    invitations = HelperInvitation.objects.filter(event__club=club, invited_by=user)
    helpers_end(journal, helpers.none() if belongs else helpers, invitations.none() if organises else invitations)
