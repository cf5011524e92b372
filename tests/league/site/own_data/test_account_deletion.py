"""Deleting an account: what is forgotten of it, what stays, and who has to hand over first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league.core.delivery.models.preference import NoticePreference
from league.core.key.services.key import key_create
from league.core.log.models import LogEntry
from league.core.member.actions import MemberAction
from league.core.player.actions import PlayerAction
from league.core.player.models import Player
from league.models import ApiKey, Membership, Role, Season, User
from league.site.audit.services import club_audit
from league.site.erasure.services.erasure_list import erasures_repeat
from league.site.own_data.services import account_delete
from tests.factories.league import MembershipFactory, OperatorFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db

PASSWORD = "seven-cups-and-a-star"


@pytest.fixture(autouse=True)
def erased(settings: Any, tmp_path: Path) -> Path:
    """The file of who was erased."""
    settings.ERASURES_FILE = tmp_path / "erased.txt"
    return Path(settings.ERASURES_FILE)


@pytest.fixture
def user(season: Season) -> User:
    """An arbiter who plays, with a key and a second factor."""
    made: User = UserFactory.create(username="Karla Kolumna", email="karla@example.org")
    made.set_password(PASSWORD)
    made.save()
    MembershipFactory.create(club=season.club, user=UserFactory.create(), role=Role.ORGANISER)
    MembershipFactory.create(club=season.club, user=made, role=Role.ARBITER)
    PlayerFactory.create(club=season.club, handle="karlchen", name="Karla", user=made)
    key_create(club=season.club, user=made, label="Board")
    NoticePreference.objects.create(user=made)
    return made


def test_the_page_says_first_what_will_become_of_everything(
    client: Client, user: User, season: Season
) -> None:
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    asked = client.get(reverse("account-delete"))
    page = client.post(asked["Location"], {"password": PASSWORD}, follow=True)
    html = " ".join(page.content.decode().split())
    assert f"The player Karla of {season.club.name} stays, with all games under this name" in html
    assert f"You give up your role in {season.club.name}: Arbiter." in html
    assert User.objects.get(pk=user.pk).is_active, "to look at it does nothing"
    done = client.post(reverse("account-delete"), follow=True)
    assert "Your account has been deleted." in done.content.decode()
    assert "_auth_user_id" not in client.session
    assert not User.objects.get(pk=user.pk).is_active


def test_nothing_says_whose_it_was(user: User) -> None:
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    Client().post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    account_delete(user=user)
    gone = User.objects.get(pk=user.pk)
    assert gone.username == f"account-{user.public_id}"
    assert not gone.email
    assert not gone.has_usable_password()
    assert (gone.is_active, gone.is_phone) == (False, False)
    for model in (Authenticator, UserSession, NoticePreference):
        assert not model._default_manager.filter(user=user).exists()


def test_the_clubs_log_tells_what_was_given_up_and_the_player_stays(
    user: User, season: Season
) -> None:
    account_delete(user=user)
    assert not Membership.objects.filter(user=user).exists()
    assert ApiKey.objects.get().revoked_at
    player = Player.objects.get(handle="karlchen")
    assert (player.name, player.user) == ("Karla", None)
    actions = set(
        LogEntry.objects.filter(club=season.club, actor=user).values_list("action", flat=True)
    )
    assert actions >= {MemberAction.REMOVED, PlayerAction.LINKED}


def test_the_last_organiser_hands_over_first(user: User, season: Season) -> None:
    organiser = User.objects.get(memberships__role=Role.ORGANISER)
    with pytest.raises(ValidationError, match="left without an organiser"):
        account_delete(user=organiser)
    assert User.objects.get(pk=organiser.pk).is_active
    assert Membership.objects.filter(user=organiser).exists()


def test_so_does_the_last_operator(season: Season) -> None:
    first = OperatorFactory.create()
    with pytest.raises(ValidationError, match="Nobody would be left to run the service"):
        account_delete(user=first)
    OperatorFactory.create()
    account_delete(user=first)
    assert not User.objects.get(pk=first.pk).is_superuser


def test_a_restored_backup_forgets_it_again(
    user: User, erased: Path, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        account_delete(user=user)
    assert erased.read_text() == f"{user.public_id}\n"
    User.objects.filter(pk=user.pk).update(
        username="Karla Kolumna", email="karla@example.org", is_active=True
    )
    assert erasures_repeat(words=erased.read_text().split()) == 1
    assert User.objects.get(pk=user.pk).username == f"account-{user.public_id}"
    assert erasures_repeat(words=erased.read_text().split()) == 0


def test_a_club_without_it_is_sound(user: User, season: Season) -> None:
    account_delete(user=user)
    assert club_audit(club_id=season.club_id) == []
