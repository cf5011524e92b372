"""What decides a viewer's rights: readers with the same rights share parts of pages."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer
from league.events.event.queries.access import rights_of
from league.events.helper.services import helper_add
from league.models import Club, Helper, Membership, Role, Season, User
from tests.factories import events
from tests.factories.league import ClubFactory, MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db


def member(club: Club, role: str) -> User:
    return MembershipFactory.create(club=club, user=UserFactory.create(), role=role).user


def test_readers_with_the_same_roles_have_the_same_rights(club: Club) -> None:
    """What they may do in another club doesn't count here."""
    one, two = member(club, Role.PLAYER), member(club, Role.PLAYER)
    MembershipFactory.create(club=ClubFactory.create(), user=two, role=Role.ORGANISER)
    assert rights_of(Viewer(one), club) == rights_of(Viewer(two), club)
    assert rights_of(Viewer(one)) != rights_of(Viewer(two))


def test_each_role_and_each_followed_link_gives_rights_of_its_own(season: Season) -> None:
    club, helper = season.club, UserFactory.create()
    night = events.event(season)
    helper_add(event=night, user=helper, role=Role.SCORER, actor=Actor(reason="test"))
    viewers = [
        Viewer(AnonymousUser()),
        Viewer(AnonymousUser(), frozenset({season.link_token})),
        Viewer(member(club, Role.PLAYER)),
        Viewer(member(club, Role.SCORER)),
        Viewer(helper),
        Viewer(UserFactory.create(is_superuser=True)),
    ]
    rights = [repr(rights_of(viewer, club)) for viewer in viewers]
    assert len(set(rights)) == len(viewers)
    assert rights_of(Viewer(UserFactory.create()), club) == rights_of(viewers[0], club)


def test_rights_end_with_the_role(season: Season) -> None:
    club, user = season.club, UserFactory.create()
    nobody = rights_of(Viewer(user), club)
    helper_add(event=events.event(season), user=user, role=Role.SCORER, actor=Actor(reason="test"))
    Helper.objects.filter(user=user).update(ended_at=timezone.now())
    assert rights_of(Viewer(user), club) == nobody
    scorer = member(club, Role.SCORER)
    Membership.objects.filter(user=scorer).delete()
    assert rights_of(Viewer(scorer), club) == nobody
