"""How rankings write points and lists."""

from fractions import Fraction

import pytest

from engine.messages import Message, say
from engine.scoring.wording import counted, listed, written


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (Fraction(12), "12"),
        (Fraction(28, 3), "9 1/3"),
        (Fraction(1, 2), "1/2"),
        (Fraction(0), "0"),
        (Fraction(1), "1"),
    ],
)
def test_points_are_written_exactly(points: Fraction, text: str) -> None:
    assert written(points) == text


def test_points_have_their_word() -> None:
    assert [str(counted(Fraction(points))) for points in ("1", "2", "0", "3/2")] == [
        "1 point",
        "2 points",
        "0 points",
        "1 1/2 points",
    ]


def test_a_list_ends_in_and() -> None:
    assert [str(listed("abcd"[:size])) for size in (1, 2, 3, 4)] == [
        "a",
        "a and b",
        "a, b and c",
        "a, b, c and d",
    ]


def test_what_is_listed_stays_translatable() -> None:
    german = {"{list} and {last}": "{list} und {last}", "wins": "Siege"}
    names = listed([say("wins"), "Ben"])
    assert isinstance(names, Message)
    assert names.translated(lambda template: german.get(template, template)) == "Siege und Ben"
