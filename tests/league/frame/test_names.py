"""Names that people read: tidy, seen whole, and not to be taken for another."""

import pytest
from django.core.exceptions import ValidationError

from league.frame.names import all_seen, mixes_alphabets, name_tidied, skeleton, with_name_checked


def test_a_name_is_trimmed_and_composed() -> None:
    assert name_tidied("  Zoe\u0308 ") == "Zoë"
    assert with_name_checked({"name": " Stern ", "about": " x "}) == {"name": "Stern", "about": " x "}
    assert with_name_checked({"about": "x"}) == {"about": "x"}


@pytest.mark.parametrize("name", ["St\u200bern", "St\x00ern", "Stern\u202e", "\ufeffStern", "St\u00a0ern", "St\nern"])
def test_every_character_of_it_can_be_seen(name: str) -> None:
    with pytest.raises(ValidationError, match="nobody can see"):
        all_seen(name)
    with pytest.raises(ValidationError):
        with_name_checked({"name": name})


@pytest.mark.parametrize(
    ("one", "other"), [("anna", "аnna"), ("Anna", "АNNА"), ("paco", "расо"), ("Tom", "Τοm"), ("Zoë", "zoë")]
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("anna", "hanna"), ("zoe", "zoë"), ("вася", "bася"), ("ben", "bén")])
def test_others_have_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_name_is_written_in_one_alphabet() -> None:
    assert [name for name in ("anna", "Вася", "Ωmega", "аnna", "李雷 anna", "anna 7!") if mixes_alphabets(name)] == [
        "Ωmega",
        "аnna",
    ]
