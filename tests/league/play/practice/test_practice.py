"""Practice: a game against automatic players, without an account, of which nothing is stored."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from engine.bluff.track import TEXT
from games.models import DealerSecret, Game, OpenGame
from league.play.practice.services import ME, Practice, practice_act, practice_of, practice_start

pytestmark = pytest.mark.django_db


def started(client: Client, strength: str = "easy") -> str:
    """The address of a game that has begun."""
    address: str = client.post(reverse("practice"), {"strength": strength})["Location"]
    return address


def practice_at(address: str) -> Practice:
    practice = practice_of(address.rstrip("/").rpartition("/")[2])
    assert practice is not None
    return practice


def acted(client: Client, address: str, **fields: object) -> str:
    page = client.get(address).content.decode()
    key = re.search(r'name="key" value="([^"]+)"', page)
    assert key is not None
    body = {"key": key[1], "length": practice_at(address).acts, **fields}
    return client.post(address, body, follow=True).content.decode()


@pytest.mark.parametrize("strength", ["easy", "steady", "sharp"])
def test_three_clicks_from_the_first_page_lead_to_a_bid(client: Client, strength: str) -> None:
    assert reverse("practice") in client.get(reverse("home")).content.decode()
    address = started(client, strength)
    page = client.get(address).content.decode()
    assert 'id="my-dice"' in page
    assert "Bid" in page
    assert 'id="act"' in page


def test_nothing_of_a_whole_game_is_stored(client: Client) -> None:
    address = started(client)
    for _ in range(200):
        practice = practice_at(address)
        sheet = practice.sheet
        if sheet.over:
            break
        now = sheet.round
        if now.may_challenge() and now.bid > 30:
            acted(client, address, act="challenge")
        else:
            acted(client, address, act="bid", typed=TEXT[now.bid + 3])
    assert "The game is over" in client.get(address).content.decode()
    assert not OpenGame.objects.exists()
    assert not Game.objects.exists()
    assert not DealerSecret.objects.exists()


def test_an_act_that_is_sent_twice_counts_once() -> None:
    practice = practice_start(strength="easy")
    now = practice.sheet.round
    assert now.turn == ME
    once = practice_act(practice=practice, act="bid", bid=TEXT[now.bid + 1], acts=0)
    assert practice_act(practice=once, act="bid", bid=TEXT[now.bid + 9], acts=0).state == once.state


def test_a_wrong_bid_is_said_to_be_one_and_changes_nothing(client: Client) -> None:
    address = started(client)
    before = practice_at(address).state
    assert "“what” isn" in acted(client, address, act="bid", typed="what")
    assert practice_at(address).state == before


def test_a_game_that_is_gone_leads_to_a_new_one(client: Client) -> None:
    answer = client.get(reverse("practice-game", args=["gone"]), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("practice")
    assert "Start another one" in answer.content.decode()
    assert (
        "Play a round now"
        in client.post(reverse("practice"), {"strength": "godlike"}).content.decode()
    )
