"""Names are sorted and found as people do it, alike in Python and in the database."""

from __future__ import annotations

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db.models import TextField, Value

from league.core.frame.name_key import (
    Folded,
    Shared,
    closest_names,
    distance,
    folded,
    folded_words,
    name_key,
    pieces,
)
from league.core.player.models import Player
from tests.factories.league import PlayerFactory

NAMES = [
    "ÀÉÎÕÜ ñçø Źǆ ΆΈ Ёй ß ẞ",
    "Łukasz Đorđe Ægir Œuvre Þór Ħal Iğdır İpek ŋ Əli",
    "ΣΊΣΥΦΟΣ Ｆｕｌｌ ﬁn ²",
    "O’Brien-O'Brien (“x”) «y» ‹z›",
    "Ben 2",
    "Ben 0010",
    "00000000000000000000000 12345678901234567890123",
    "❤️ 👩‍💻 می‌خواهم",
    "Ngọc Nguyễn",
    "|%_\\ -- ",
    "李小龍 がぎぐ 한국",
    "e\u0301 & +",
]


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_the_database_computes_as_we_do(name: str) -> None:
    stored = PlayerFactory.create(name=name, handle="Zoë 2")
    looked_for = Value(
        [*pieces(folded_words(f"{name} Zoë 2")), "???"], output_field=ArrayField(TextField())
    )
    player = Player.objects.annotate(
        as_folded=Folded("name"), shared=Shared(looked_for, "search_text")
    ).get(pk=stored.pk)
    assert player.as_folded == folded(name)
    assert player.name_key == name_key(name)
    assert player.search_text == folded(f"{name} Zoë 2")
    assert player.shared == len(pieces(folded_words(f"{name} Zoë 2")))


@pytest.mark.parametrize(
    "names",
    [
        ["anton", "Ärmel", "Bär", "Ben 2", "Ben 10", "Łukasz", "Ödön", "Zoe"],
        ["Ole", "Øle B", "Özil", "Ozzy"],
        ["Strasse 1", "Straße 2", "strasse 10"],
        ["Team 9", "Team 10", "Team 100"],
        ["Gül", "Gula", "gulb"],
        ["Đorđe", "dox"],
        ["O’Brien 1", "O'Brien 2", "o brien 3"],
        ["007 Bond", "8 Bond", "Anna"],
    ],
)
def test_names_are_sorted_by_base_letters_and_the_values_of_numbers(names: list[str]) -> None:
    backwards = names[::-1]
    assert sorted(backwards, key=name_key) == names


@pytest.mark.django_db
def test_a_players_keys_follow_the_name() -> None:
    player = PlayerFactory.create(name="Łukasz 2", handle="Ärmel")
    player.refresh_from_db()
    assert player.name_key == name_key("Łukasz 2")
    assert player.search_text == "lukasz 2 armel"
    Player.objects.filter(pk=player.pk).update(name="Zoë")
    player.refresh_from_db()
    assert player.name_key == "zoe"
    assert player.search_text == "zoe armel"


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [
        ("", "abc", 3),
        ("greta", "grta", 1),
        ("bne", "ben", 1),
        ("rosa", "roza", 1),
        ("kitten", "sitting", 3),
    ],
)
def test_the_distance_counts_slips_of_the_finger(one: str, other: str, steps: int) -> None:
    assert distance(one, other) == distance(other, one) == steps


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Roza", "Rosa"),
        ("Grta", "Greta"),
        ("Herbstlga", "Herbstliga 2026"),
        ("Kristian", "Christian Sørensen"),
        ("Sorenson Christian", "Christian Sørensen"),
        ("Bne", "Ben"),
        ("Obrien", "Pat O’Brien"),
    ],
)
def test_a_slip_leads_to_the_name_that_was_meant(text: str, name: str) -> None:
    assert closest_names(text, {word: word for word in ["Wilhelmina", name, "Xaver"]}) == [name]


@pytest.mark.parametrize("text", ["", "-", "Bo", "Wilfried", "Rosa Xaver"])
def test_what_is_far_from_every_name_suggests_none(text: str) -> None:
    assert closest_names(text, {word: word for word in ["Wilhelmina", "Xaver", "Rosa", "Jo"]}) == []


def test_the_closest_come_first_and_then_by_name() -> None:
    names = ["Rosali", "Rosalind", "Ärosalie", "Rosalie"]
    assert closest_names("Rosalie", {name: name for name in names})[:3] == [
        "Rosalie",
        "Ärosalie",
        "Rosali",
    ]
