"""A card is a picture of the size that chats ask for, and holds what our fonts can draw."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from league.core.frame.card import HEIGHT, WIDTH, Line, SharedCard, card_png, drawable

LONG = "Ein Name, der so lang ist, dass ihn niemand ganz lesen wird, " * 20


@pytest.mark.parametrize(
    "card",
    [
        SharedCard(
            "Becherkeller",
            "Herbstliga 2026",
            [Line(1, "Anna", "112 points"), Line(12, "Ben")],
            "24 players",
        ),
        SharedCard("", ""),
        SharedCard(LONG, LONG, [Line(0, LONG, LONG)] * 9, LONG),
        SharedCard("卓球", "🎲", [Line(1, "Анна")]),
    ],
)
def test_whatever_it_says_it_is_a_png_of_1200_by_630(card: SharedCard) -> None:
    png = card_png(card)
    with Image.open(io.BytesIO(png)) as picture:
        assert (picture.format, picture.size) == ("PNG", (WIDTH, HEIGHT))
    assert len(png) < 64 * 1024


def test_the_same_card_is_the_same_file() -> None:
    assert card_png(SharedCard("Club", "Title")) == card_png(SharedCard("Club", "Title"))
    assert card_png(SharedCard("Club", "Title")) != card_png(SharedCard("Club", "Titel"))


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Łukasz Żółć", "Łukasz Żółć"),
        ("İsmail Öztürk", "İsmail Öztürk"),
        ("O\u0308ztu\u0308rk", "Öztürk"),
        ("Zoë 🎲", "Zoë"),
        ("Ệva", "Eva"),
        ("Анна", ""),
        ("tab\tand\u00a0space", "tab and space"),
    ],
)
def test_what_no_font_has_is_left_out_and_a_letter_loses_but_its_mark(
    name: str, drawn: str
) -> None:
    assert drawable(name) == drawn
