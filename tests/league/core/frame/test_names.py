"""Names that people read: tidy, seen whole, and not to be taken for another."""

import pytest
from django.core.exceptions import ValidationError

from league.core.frame.names import (
    all_seen,
    mixes_alphabets,
    name_tidied,
    skeleton,
    with_name_checked,
)


def test_a_name_is_trimmed_and_composed() -> None:
    assert name_tidied("  Zoe\u0308 ") == "Zoë"
    assert with_name_checked({"name": " Stern ", "about": " x "}) == {
        "name": "Stern",
        "about": " x ",
    }
    assert with_name_checked({"about": "x"}) == {"about": "x"}


@pytest.mark.parametrize(
    "name", ["St\u200bern", "St\x00ern", "Stern\u202e", "\ufeffStern", "St\nern"]
)
def test_every_character_of_it_can_be_seen(name: str) -> None:
    with pytest.raises(ValidationError, match="is invisible"):
        all_seen(name)
    with pytest.raises(ValidationError):
        with_name_checked({"name": name})


def test_what_cant_be_seen_is_told_by_its_name() -> None:
    with pytest.raises(
        ValidationError, match=r"It contains ZERO WIDTH SPACE \(U\+200B\), which is invisible"
    ):
        all_seen("St\u200bern")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Anna\u00a0B.", "Anna B."),
        ("\u2003Anna\u202fB.\u00a0", "Anna B."),
        ("Anna “Ace” B.", 'Anna "Ace" B.'),
        ("Anna „Ass“ B.", 'Anna "Ass" B.'),
        ("Anna «As» B.", 'Anna "As" B.'),
        ("Pat O’Brien", "Pat O’Brien"),
    ],
)
def test_blanks_and_marks_of_word_processors_and_phones_become_plain(typed: str, name: str) -> None:
    assert name_tidied(typed) == name
    all_seen(name_tidied(typed))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna", "аnna"),
        ("Anna", "АNNА"),
        ("paco", "расо"),
        ("Tom", "Τοm"),
        ("Zoë", "zoë"),
        ("O’Brien", "o'brien"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("anna", "hanna"), ("zoe", "zoë"), ("вася", "bася"), ("ben", "bén")]
)
def test_others_have_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_name_is_written_in_one_alphabet() -> None:
    assert [
        name
        for name in ("anna", "Вася", "Ωmega", "аnna", "李雷 anna", "anna 7!")
        if mixes_alphabets(name)
    ] == [
        "Ωmega",
        "аnna",
    ]
