"""Blank score cards: each game has one, in each language, with a line for whatever is written
down."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from engine.bluff.ruleset import SEATS
from engine.kniffel.combinations import COMBINATIONS
from games.models.game import Kind
from league.records.score_card.web import CARDS, GAMES, ROUNDS
from league.site.manual.web import PAGES

LANGUAGES = ["en", "de", "nl"]


@pytest.fixture(autouse=True)
def _language_of_before() -> Iterator[None]:
    """No test leaves its language to the next one."""
    with translation.override(translation.get_language()):
        yield


def card(client: Client, kind: str, language: str = "en") -> str:
    answer = client.get(reverse("score-card", args=[kind]), headers={"accept-language": language})
    assert answer.status_code == 200
    table = re.search(r'<table class="sheets">.*?</table>', answer.content.decode(), re.DOTALL)
    assert table
    return table[0]


def test_every_game_has_a_card_and_a_page_that_tells_how_it_is_played(client: Client) -> None:
    assert set(CARDS) == set(Kind)
    assert {f"how-to-{kind}" for kind in Kind.values} <= set(PAGES)
    for kind in Kind.values:
        assert (
            f'href="{reverse("score-card", args=[kind])}"'
            in client.get(f"/docs/how-to-{kind}").content.decode()
        )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", Kind.values)
def test_a_card_opens_without_a_database_in_each_language(
    client: Client, kind: str, language: str
) -> None:
    assert (card(client, kind, language) == card(client, kind)) == (language == "en")


def test_the_card_of_bluff_has_room_for_every_seat_and_round(client: Client) -> None:
    table = card(client, Kind.BLUFF)
    assert table.count("Dice left") == SEATS[-1]
    assert table.count("<tr>") == len(ROUNDS) + 5
    assert re.findall(r"<td[^>]*>5</td>", table) == ['<td class="points">5</td>'] * SEATS[-1]


def test_k1_the_card_of_luegen_kniffel_has_points_and_lies_for_every_combination(
    client: Client,
) -> None:
    table = card(client, Kind.LUEGEN_KNIFFEL)
    lines = len(COMBINATIONS) + len(["upper part", "bonus", "total"])
    assert table.count('<td class="lies">') == lines * len(GAMES)
    assert "Bonus: 35 for 63 or more" in table


@pytest.mark.django_db
def test_there_is_no_card_of_another_game(client: Client) -> None:
    assert client.get("/score-cards/chess/").status_code == 404
