"""What organisers do with a player: a name, a handle, an account, each step with a page that says
what will happen."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.core.player.services.player import player_rename
from league.models import LogEntry, Player, Role, Season
from league.standings.player.services import player_merge
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return counted_season(
        [bluff_record(1, seats=("anna", "ben")), bluff_record(2, seats=("annika", "ben"))]
    )


@pytest.fixture
def organiser(client: Client, season: Season) -> Client:
    client.force_login(MembershipFactory.create(club=season.club, role=Role.ORGANISER).user)
    return client


@pytest.fixture
def anna(season: Season) -> Player:
    return Player.objects.get(handle="anna")


def address(player: Player, step: str = "club-player") -> str:
    return reverse(step, args=[player.club.slug, player.public_id])


def shown(client: Client, address: str, **asked: str) -> str:
    response = client.get(address, asked)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def take(client: Client, player: Player, step: str, **fields: str) -> str:
    """Send a step's form; the page that follows."""
    response = client.post(address(player, step), {"reason": "", **fields}, follow=True)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_the_list_finds_players_by_name_and_every_handle(organiser: Client, anna: Player) -> None:
    player_rename(player=anna, actor=Actor(), name="Änni", handle="aenni")
    found = reverse("club-players", args=[anna.club.slug])
    html = shown(organiser, found)
    assert html.index("Änni") < html.index("annika") < html.index("ben")
    for word in ("änn", "ANNA", "aenni"):
        assert address(anna) in shown(organiser, found, q=word)
    assert "Nobody has that name" in shown(organiser, found, q="zoe")


def test_rename(organiser: Client, anna: Player) -> None:
    assert "The old handle still finds this player" in shown(
        organiser, address(anna, "player-rename")
    )
    html = take(
        organiser, anna, "player-rename", name="Änni K.", handle="änni", reason="asked for it"
    )
    assert "The player is renamed." in html
    assert "Änni K." in html
    assert "a former one" in html
    entry = LogEntry.objects.latest("position")
    assert (entry.action, entry.why, entry.actor is not None) == (
        PlayerAction.RENAMED,
        "asked for it",
        True,
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"handle": "ben"}, "merge the two if they’re the same person"),
        ({"name": "x" * 65}, "Type at most 64 characters."),
        ({"name": "an\u200bna"}, "It contains ZERO WIDTH SPACE (U+200B), which is invisible."),
        ({"name": ""}, "This field is required."),
        ({"reason": "Anna asked for it", "name": "Änni"}, "leave the person’s name out of it"),
    ],
)
def test_what_can_not_be_a_name_is_said_at_its_field(
    organiser: Client, anna: Player, words: dict[str, str], said: str
) -> None:
    html = take(organiser, anna, "player-rename", **{"name": "Anna", "handle": "anna"} | words)
    assert said in html[html.index('class="field wrong"') :]
    anna.refresh_from_db()
    assert (anna.name, anna.handle) == ("anna", "anna")


def test_link_and_unlink(organiser: Client, anna: Player) -> None:
    account = UserFactory.create(username="ak", email="ak@example.org")
    assert "There’s no such account." in take(
        organiser, anna, "player-link", account="zoe@example.org"
    )
    for word in ("AK@example.org", "ak"):
        assert "The account is saved." in take(organiser, anna, "player-link", account=word)
        anna.refresh_from_db()
        assert anna.user == account
    take(organiser, anna, "player-link", account="")
    anna.refresh_from_db()
    assert anna.user is None


@pytest.mark.parametrize("count", [1, 3])
def test_few_queries_whatever_the_number_of_players(
    organiser: Client, anna: Player, count: int, django_assert_max_num_queries: Queries
) -> None:
    for _ in range(count):
        player_merge(kept_player=anna, merged=PlayerFactory.create(club=anna.club), actor=Actor())
    players, desk = reverse("club-players", args=[anna.club.slug]), address(anna)
    with django_assert_max_num_queries(9):
        organiser.get(players)
    with django_assert_max_num_queries(11):
        organiser.get(desk)
