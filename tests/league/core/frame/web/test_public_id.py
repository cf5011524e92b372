"""Addresses show public ids: a row's number, or what can't be an id, is no address."""

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from games.models import Game
from games.models.public_id import ALPHABET, LENGTH, new_public_id
from league.models import Player
from tests.factories.counted import counted_season

PATHS = [
    "/players/{}/",
    "/games/{}/",
    "/games/{}/record.json",
    "/games/{}/record.cups",
    "/imports/{}/",
]


@pytest.mark.django_db
def test_a_page_is_at_its_public_id_alone(client: Client) -> None:
    season = counted_season(1)
    for thing, path in (
        (Game.objects.get(), "/games/{}/"),
        (Player.objects.get(handle="anna"), "/players/{}/"),
    ):
        assert client.get(path.format(thing.public_id)).status_code == 200
        assert client.get(path.format(thing.pk)).status_code == 404
        assert client.get(path.format(new_public_id())).status_code == 404
    player = Player.objects.get(handle="anna")
    row = f"/clubs/{season.club.slug}/{season.slug}/players/{{}}/"
    assert client.get(row.format(player.public_id)).status_code == 200
    assert client.get(row.format(player.pk)).status_code == 404


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "wrong", ["1", "a" * LENGTH, ALPHABET[: LENGTH - 1], ALPHABET[: LENGTH + 1], "BCDFGHJKMN"]
)
def test_what_can_not_be_an_id_asks_the_database_nothing(
    client: Client, path: str, wrong: str
) -> None:
    assert client.get(path.format(wrong)).status_code == 404


def test_no_link_can_be_made_with_a_row_number() -> None:
    with pytest.raises(NoReverseMatch):
        reverse("player", args=[1])
