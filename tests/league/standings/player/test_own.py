"""The way from an account to its player's page."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.models import Player, Role, User, Visibility
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db

MINE = "/me/"


@pytest.fixture
def account(client: Client) -> User:
    user: User = UserFactory.create()
    client.force_login(user)
    return user


def be(account: User, handle: str) -> Player:
    """Link the account to a player."""
    Player.objects.filter(handle=handle).update(user=account)
    return Player.objects.filter(handle=handle).latest("pk")


def test_who_is_not_signed_in_is_asked_to(client: Client) -> None:
    assert client.get(MINE)["Location"].startswith(reverse("account_login"))
    assert "My page" not in client.get("/").content.decode()


def test_the_menu_leads_to_the_own_page(client: Client, account: User) -> None:
    counted_season(1)
    anna = be(account, "anna")
    assert f'href="{MINE}"' in client.get("/").content.decode()
    assert client.get(MINE)["Location"] == reverse("player", args=[anna.public_id])


def test_who_plays_in_several_clubs_chooses(client: Client, account: User) -> None:
    for _ in range(2):
        counted_season(1)
    be(account, "anna")
    html = client.get(MINE).content.decode()
    for player in Player.objects.filter(handle="anna"):
        assert reverse("player", args=[player.public_id]) in html
        assert player.club.name in html


def test_who_is_nobody_yet_is_told_whom_to_ask(client: Client, account: User) -> None:
    html = client.get(MINE).content.decode()
    assert "Ask an organiser" in html
    assert account.username in html


def test_a_player_without_games_has_no_page_to_go_to(client: Client, account: User) -> None:
    season = counted_season(1, visibility=Visibility.MEMBERS)
    anna = be(account, "anna")
    newcomer = PlayerFactory.create(club=season.club, handle="newcomer")
    Player.objects.filter(pk=newcomer.pk).update(user=account)
    html = client.get(MINE).content.decode()
    assert "no games yet" in html
    assert reverse("player", args=[anna.public_id]) not in html


@pytest.mark.parametrize("clubs", [2, 4])
def test_five_queries_however_many_clubs(
    client: Client, account: User, clubs: int, django_assert_num_queries: Queries
) -> None:
    for _ in range(clubs):
        counted_season(1)
    be(account, "anna")
    with django_assert_num_queries(5):  # session, account, players, clubs without one
        client.get(MINE)


def test_an_organiser_says_which_player_they_are(client: Client, account: User) -> None:
    season = counted_season(1)
    MembershipFactory.create(club=season.club, user=account, role=Role.ORGANISER)
    anna = Player.objects.get(handle="anna")
    html = client.get(MINE).content.decode()
    assert "Which player are you?" in html
    assert f'href="{reverse("claim")}"' in html, "or by a code"
    done = client.post(MINE, {"club": season.club.slug, "player": anna.public_id}, follow=True)
    assert done.redirect_chain[-1][0] == reverse("player", args=[anna.public_id])
    anna.refresh_from_db()
    assert anna.user == account


@pytest.mark.parametrize("role", [Role.SCORER, Role.ARBITER])
def test_nobody_else_takes_a_player(client: Client, account: User, role: Role) -> None:
    season = counted_season(1)
    MembershipFactory.create(club=season.club, user=account, role=role)
    anna = Player.objects.get(handle="anna")
    client.post(MINE, {"club": season.club.slug, "player": anna.public_id})
    anna.refresh_from_db()
    assert anna.user is None


def test_who_is_taken_is_not_offered(client: Client, account: User) -> None:
    season = counted_season(1)
    MembershipFactory.create(club=season.club, user=account, role=Role.ORGANISER)
    anna = Player.objects.get(handle="anna")
    Player.objects.filter(pk=anna.pk).update(user=UserFactory.create())
    html = client.get(MINE).content.decode()
    assert anna.public_id not in html
    page = client.post(MINE, {"club": season.club.slug, "player": anna.public_id})
    assert "error" in page.content.decode()
