"""What organisers do with players: each step says what will happen first, and what to do when it
can't."""

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from psycopg.errors import DeadlockDetected

from league.core.locks import Busy
from league.core.log.services import Actor
from league.models import Player, Role, Season
from league.site.erasure.services.erasure import player_erase
from league.standings.player.services import player_merge
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory, PlayerFactory
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db

STEPS = ["player-rename", "player-link", "player-merge", "player-part", "player-erase"]


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


@pytest.fixture
def annika(season: Season) -> Player:
    return Player.objects.get(handle="annika")


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


@pytest.mark.parametrize("role", [Role.SCORER, Role.ARBITER, Role.PLAYER])
def test_only_organisers_come_here(client: Client, anna: Player, role: Role) -> None:
    client.force_login(MembershipFactory.create(club=anna.club, role=role).user)
    assert client.get(reverse("club-players", args=[anna.club.slug])).status_code == 404
    for step in ["club-player", *STEPS]:
        assert client.get(address(anna, step)).status_code == 404
    assert (
        client.post(address(anna, "player-erase"), {"sure": "on", "reason": ""}).status_code == 404
    )
    anna.refresh_from_db()
    assert anna.erased_at is None


def test_an_organiser_has_no_players_of_other_clubs(organiser: Client, anna: Player) -> None:
    other = PlayerFactory.create()
    for step in ["club-player", *STEPS]:
        assert organiser.get(address(other, step)).status_code == 404
        assert (
            organiser.get(reverse(step, args=[anna.club.slug, other.public_id])).status_code == 404
        )


def test_who_is_not_signed_in_is_asked_to(client: Client, anna: Player) -> None:
    assert client.get(address(anna)).status_code == 302


def test_merge_says_what_will_happen_and_does_it_when_sent(
    organiser: Client, anna: Player, annika: Player
) -> None:
    assert "See what will happen" in shown(organiser, address(anna, "player-merge"))
    html = shown(organiser, address(anna, "player-merge"), other="ANNIKA")
    assert "Every game of annika (annika), past and future, counts for anna (anna)." in html
    annika.refresh_from_db()
    assert annika.merged_into is None

    html = take(organiser, anna, "player-merge", other=annika.public_id)
    assert "The two are now one player." in html
    assert address(annika, "player-part") in html
    annika.refresh_from_db()
    assert annika.merged_into == anna
    assert "annika" in shown(organiser, reverse("club-players", args=[anna.club.slug]), q="annika")

    assert "This player was merged into anna" in shown(organiser, address(annika))
    assert "no longer count for anna" in shown(organiser, address(annika, "player-part"))
    assert "They are two players again." in take(organiser, annika, "player-part")
    annika.refresh_from_db()
    assert annika.merged_into is None
    assert "There’s nothing left to do." in take(organiser, annika, "player-part")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("zoe", "The club has no such player."),
        ("anna", "Enter the other one."),
        ("ben", "They sat together in a game, so they’re two people."),
        ("annika", "One of them is already merged with another player."),
    ],
)
def test_what_can_not_be_merged_says_what_to_do(
    organiser: Client, anna: Player, annika: Player, other: str, said: str
) -> None:
    player_merge(
        kept_player=PlayerFactory.create(club=anna.club, handle="dora"),
        merged=annika,
        actor=Actor(),
    )
    assert said in shown(organiser, address(anna, "player-merge"), other=other)
    assert said in take(organiser, anna, "player-merge", other=other)


def test_a_busy_service_asks_for_patience(
    organiser: Client, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(**arguments: Any) -> None:
        raise Busy

    monkeypatch.setattr("league.site.erasure.desk.player_erase", busy)
    assert "Nothing has changed, because games or files" in take(
        organiser, anna, "player-erase", sure="on"
    )


@pytest.mark.parametrize(
    ("collisions", "said"),
    [(1, "Only the pseudonym is left."), (2, "Nothing has changed, because games")],
)
def test_what_the_database_breaks_off_is_done_once_more(
    organiser: Client, anna: Player, monkeypatch: pytest.MonkeyPatch, collisions: int, said: str
) -> None:
    left = iter(range(collisions))

    def broken_off(**arguments: Any) -> None:
        if next(left, None) is not None:
            raise OperationalError from DeadlockDetected()
        player_erase(**arguments)

    monkeypatch.setattr("league.site.erasure.desk.player_erase", broken_off)
    assert said in take(organiser, anna, "player-erase", sure="on", reason="asked for")


def test_erase_wants_to_be_meant(organiser: Client, anna: Player) -> None:
    assert f"player-{anna.public_id}" in shown(organiser, address(anna, "player-erase"))
    assert "Tick this" in take(organiser, anna, "player-erase")
    anna.refresh_from_db()
    assert anna.erased_at is None
    html = take(organiser, anna, "player-erase", sure="on", reason="asked for by the person")
    assert "Only the pseudonym is left." in html
    assert "anna" not in html
    assert address(anna, "player-rename") not in html
    anna.refresh_from_db()
    assert anna.erased_at
    assert "Former player" in shown(organiser, reverse("club-players", args=[anna.club.slug]))


def test_the_reason_for_an_erasure_tells_no_name(organiser: Client, anna: Player) -> None:
    html = take(organiser, anna, "player-erase", sure="on", reason="ANNA asked for it")
    assert "leave the person’s name out of it" in html
    anna.refresh_from_db()
    assert anna.erased_at is None


def test_what_can_be_done_is_a_link_away_from_the_club(client: Client, anna: Player) -> None:
    """The club's page shows the way to the desk to those who may enter it, and the desk the
    rest."""
    club, players = (
        reverse("club", args=[anna.club.slug]),
        reverse("club-players", args=[anna.club.slug]),
    )
    log, desk = reverse("club-log", args=[anna.club.slug]), reverse("desk", args=[anna.club.slug])
    assert f'href="{desk}"' not in shown(client, club)
    client.force_login(MembershipFactory.create(club=anna.club, role=Role.ARBITER).user)
    assert f'href="{desk}"' in shown(client, club)
    html = shown(client, desk)
    assert f'href="{log}"' in html
    assert f'href="{players}"' not in html
    client.force_login(MembershipFactory.create(club=anna.club, role=Role.ORGANISER).user)
    assert f'href="{players}"' in shown(client, desk)
