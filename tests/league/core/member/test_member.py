"""Members come by an invitation or by their account, have roles, and go; one organiser always
stays."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.key.actions import KeyAction
from league.core.key.services.key import key_create
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.core.member.actions import MemberAction
from league.core.member.services.invitation import (
    invitation_create,
    invitation_join,
    invitations_forget,
)
from league.core.member.services.member import member_change
from league.models import ApiKey, Club, Invitation, Membership, Role, User
from tests.factories.league import ClubFactory, MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db

PASSWORD = "three stars and a lie"
ACCOUNT = {"username": "neu", "password": PASSWORD, "password_again": PASSWORD}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="stern", name="Zum Stern", language="de")


@pytest.fixture
def organiser(club: Club) -> User:
    return MembershipFactory.create(club=club, user=UserFactory.create(username="wirtin")).user


@pytest.fixture
def desk(client: Client, organiser: User) -> Client:
    client.force_login(organiser)
    return client


def add(desk: Client, who: str, role: Role = Role.SCORER) -> str:
    answer = desk.post(
        reverse("desk-members", args=["stern"]), {"who": who, "role": role}, follow=True
    )
    return " ".join(answer.content.decode().split())


def link_in(html: str) -> str:
    found = re.search(r"http://localhost:8000(/invitations/[\w-]+/)", html)
    assert found
    return found[1]


def step(desk: Client, name: str, subject: str, **fields: Any) -> str:
    answer = desk.post(
        reverse(name, args=["stern", subject]), {"reason": "", **fields}, follow=True
    )
    return " ".join(answer.content.decode().split())


def roles(user: User, club: Club) -> set[str]:
    return set(Membership.objects.filter(user=user, club=club).values_list("role", flat=True))


def last_actions(count: int) -> list[str]:
    return list(
        reversed(LogEntry.objects.order_by("-position").values_list("action", flat=True)[:count])
    )


def test_who_has_an_account_gets_the_role_at_once(desk: Client, club: Club) -> None:
    user = UserFactory.create(username="anna")
    for word in ("anna", "ANNA@example.org"):
        assert "anna now has the role Scorer." in add(desk, word)
    assert roles(user, club) == {"scorer"}
    assert not Invitation.objects.exists()


def test_a_name_that_nobody_has_is_no_invitation(desk: Client, club: Club) -> None:
    assert "There’s no such account." in add(desk, "nobody")
    assert "valid email address" in add(desk, "no@body")
    assert not Invitation.objects.exists()


def test_an_address_gets_a_letter_in_the_clubs_language(
    desk: Client, club: Club, settings: Any
) -> None:
    settings.MAIL_LEAVES = True
    link = link_in(add(desk, "neu@example.org"))
    letter = mail.outbox[0]
    assert letter.to == ["neu@example.org"]
    assert letter.subject == "Eine Einladung von Zum Stern"
    assert link in letter.body
    assert "wirtin" in letter.body


def test_where_no_letter_can_be_sent_the_link_is_handed_on(
    desk: Client, club: Club, settings: Any
) -> None:
    settings.MAIL_LEAVES = False
    assert "Pass the link on to neu@example.org yourself." in add(desk, "neu@example.org")
    assert not mail.outbox


def test_the_link_is_nowhere_but_on_that_page(desk: Client, club: Club) -> None:
    token = link_in(add(desk, "neu@example.org")).split("/")[2]
    assert token not in desk.get(reverse("desk-members", args=["stern"])).content.decode()
    assert token not in str(list(Invitation.objects.values()))
    entry = LogEntry.objects.latest("position")
    assert entry.action == MemberAction.INVITED
    assert not {token, "neu@example.org"} & set(
        re.findall(r"[\w@.-]+", f"{entry.payload} {entry.names}")
    )


def test_the_invited_makes_an_account_and_is_in(desk: Client, club: Club) -> None:
    link = link_in(add(desk, "neu@example.org", Role.ARBITER))
    guest = Client()
    assert "neu@example.org" in guest.get(link).content.decode()
    html = guest.post(link, ACCOUNT, follow=True).content.decode()
    assert "Welcome to Zum Stern." in html
    user = User.objects.get(username="neu")
    assert (user.email, user.is_staff, user.is_superuser) == ("neu@example.org", False, False)
    assert user.check_password(PASSWORD)
    assert roles(user, club) == {"arbiter"}
    assert (
        guest.get(link).status_code
        == Client().post(link, ACCOUNT | {"username": "other"}).status_code
        == 404
    )
    assert User.objects.count() == 2
    entry = LogEntry.objects.latest("position")
    assert (entry.action, entry.subject, entry.actor) == (MemberAction.ADDED, user.public_id, user)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"username": "wirtin"}, "Another account has this name."),
        ({"username": "Wirtin"}, "Another account has this name."),
        ({"username": "neu@example.org"}, "A name can’t contain @."),
        ({"password": "neu", "password_again": "neu"}, "too short"),
        ({"password_again": "another"}, "The two passwords don’t match."),
    ],
)
def test_what_no_account_can_be_is_said_at_its_field(
    desk: Client, club: Club, fields: dict[str, str], said: str
) -> None:
    link = link_in(add(desk, "neu@example.org"))
    html = Client().post(link, ACCOUNT | fields).content.decode()
    assert said in html[html.index('class="field wrong"') :]
    assert User.objects.count() == 1


def test_two_clicks_at_once_make_one_account(club: Club, organiser: User) -> None:
    invitation, _ = invitation_create(
        club=club, email="neu@example.org", role=Role.SCORER, invited_by=organiser
    )
    invitation_join(invitation=invitation, name="neu", password=PASSWORD)
    with pytest.raises(Invitation.DoesNotExist):
        invitation_join(invitation=invitation, name="neu", password=PASSWORD)
    assert User.objects.filter(username="neu").count() == 1


def test_who_is_signed_in_takes_the_role_with_the_address_that_was_invited(
    desk: Client, club: Club
) -> None:
    link = link_in(add(desk, "Other@example.org"))
    user = UserFactory.create(email="other@example.org")
    guest = Client()
    guest.force_login(user)
    assert guest.get(link).status_code == 200
    assert not roles(user, club), "looking accepts nothing"
    guest.post(link)
    assert roles(user, club) == {"scorer"}


def test_an_invitation_is_for_its_address_alone(desk: Client, club: Club) -> None:
    link = link_in(add(desk, "other@example.org"))
    stranger = UserFactory.create(email="stranger@example.org")
    guest = Client()
    guest.force_login(stranger)
    for html in (guest.get(link).content.decode(), guest.post(link).content.decode()):
        assert "This invitation is for other@example.org" in html
    assert not roles(stranger, club)
    assert Invitation.objects.exists(), "it still waits for whom it is for"


def test_the_invitations_of_a_removed_organiser_lead_nowhere(club: Club, organiser: User) -> None:
    second = MembershipFactory.create(club=club, role=Role.ORGANISER).user
    _, token = invitation_create(
        club=club, email="second@example.net", role=Role.ORGANISER, invited_by=second
    )
    _, kept = invitation_create(
        club=club, email="third@example.net", role=Role.SCORER, invited_by=organiser
    )
    member_change(club=club, user=second, roles=[], actor=Actor(organiser.pk))
    assert Client().get(reverse("invitation", args=[token])).status_code == 404
    assert Client().get(reverse("invitation", args=[kept])).status_code == 200
    assert last_actions(2) == [MemberAction.REMOVED, MemberAction.INVITATION_WITHDRAWN]


def test_who_has_an_account_by_now_is_asked_to_sign_in(desk: Client, club: Club) -> None:
    link = link_in(add(desk, "neu@example.org"))
    UserFactory.create(username="late", email="Neu@example.org")
    html = Client().get(link).content.decode()
    assert f"/accounts/login/?next={link}" in html
    assert "id_username" not in html
    Client().post(link, ACCOUNT)
    assert not User.objects.filter(username="neu").exists()


def test_a_withdrawn_and_an_old_link_lead_nowhere(desk: Client, club: Club) -> None:
    link = link_in(add(desk, "neu@example.org"))
    html = step(desk, "desk-invitation", Invitation.objects.get().public_id)
    assert "Invitation withdrawn." in html
    assert Client().get(link).status_code == 404
    link = link_in(add(desk, "neu@example.org"))
    Invitation.objects.update(created_at=timezone.now() - timedelta(days=15))
    assert Client().get(link).status_code == Client().post(link, ACCOUNT).status_code == 404
    invitations_forget()
    assert not Invitation.objects.exists()


def test_a_second_invitation_takes_the_place_of_the_first(club: Club, organiser: User) -> None:
    tokens = [
        invitation_create(club=club, email=email, role=Role.SCORER, invited_by=organiser)[1]
        for email in ("neu@example.org", "NEU@example.org")
    ]
    assert [Client().get(f"/invitations/{token}/").status_code for token in tokens] == [404, 200]


def test_roles_are_changed_and_logged(desk: Client, club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    assert "Roles saved." in step(desk, "desk-member", user.public_id, roles=["arbiter", "player"])
    assert roles(user, club) == {"arbiter", "player"}
    assert last_actions(3) == [MemberAction.ADDED, MemberAction.ADDED, MemberAction.REMOVED]
    assert "Choose at least one role" in step(desk, "desk-member", user.public_id)


def test_who_is_removed_has_no_key_any_more(desk: Client, club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    key, _ = key_create(club=club, user=user, label="tablet")
    elsewhere, _ = key_create(club=ClubFactory.create(), user=user, label="tablet")
    assert "is no longer a member." in step(desk, "desk-member-remove", user.public_id)
    assert not roles(user, club)
    assert list(ApiKey.objects.filter(revoked_at=None)) == [elsewhere]
    assert last_actions(2) == [MemberAction.REMOVED, KeyAction.REVOKED]
    assert key.pk != elsewhere.pk


@pytest.mark.parametrize(
    ("name", "fields"),
    [("desk-member-remove", {}), ("desk-member", {"roles": ["scorer"]})],
    ids=["removed", "changed"],
)
def test_the_last_organiser_stays(
    desk: Client, club: Club, organiser: User, name: str, fields: dict[str, list[str]]
) -> None:
    MembershipFactory.create(club=club, user=UserFactory.create(is_active=False))
    assert "The club would be left without an organiser." in step(
        desk, name, organiser.public_id, **fields
    )
    assert roles(organiser, club) == {"organiser"}
    MembershipFactory.create(club=club)
    step(desk, name, organiser.public_id, **fields)
    assert "organiser" not in roles(organiser, club)
