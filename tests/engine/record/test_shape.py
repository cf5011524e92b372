from collections.abc import Callable

import pytest

from engine.illegal import Refused
from engine.record import shape
from engine.record.shape import Json, Object


def refusal(read: Callable[[], object]) -> str:
    """The code and the path with which a value is refused."""
    with pytest.raises(Refused) as refused:
        read()
    return f"{refused.value.illegal.code} {refused.value.illegal.path}"


@pytest.mark.parametrize("value", [True, False, 1.0, "1", None, [], 2**53, -(2**53)])
def test_what_is_no_whole_number(value: Json) -> None:
    assert refusal(lambda: shape.whole(value, "opener")) == "bad_record opener"


def test_whole_numbers_may_be_bounded() -> None:
    assert shape.whole(1, "opener", range(2)) == 1
    assert refusal(lambda: shape.whole(2, "opener", range(2))) == "bad_record opener"
    assert shape.wholes([1, -1], "losses", 2) == (1, -1)
    assert refusal(lambda: shape.wholes([1, True], "losses", 2)) == "bad_record losses[1]"
    assert refusal(lambda: shape.wholes([1], "losses", 2)) == "bad_record losses"


@pytest.mark.parametrize(
    "value", ["", "a" * 65, "a\x00b", "a\nb", "\x7f", "\ud800", 5, None, ["a"]]
)
def test_what_is_no_text(value: Json) -> None:
    assert refusal(lambda: shape.text(value, "id")) == "bad_record id"


@pytest.mark.parametrize("value", ["a", "ä" * 64, "Jürgen 🎲", "👩\u200d🚀", " "])
def test_texts(value: str) -> None:
    assert shape.text(value, "id") == value


@pytest.mark.parametrize("value", ["a b", "ä", "a/b", "", 3])
def test_what_is_no_slug(value: Json) -> None:
    assert refusal(lambda: shape.slug(value, "season")) == "bad_record season"
    assert shape.slug("night-10_B", "season") == "night-10_B"


@pytest.mark.parametrize(
    "value",
    [
        "2026-11-10T21:30:00+02:00",
        "2026-11-10T21:30:00Z",
        "2026-11-10t21:30:00z",
        "2026-11-10 21:30:00.123456789-00:00",
        "2024-02-29T00:00:00+14:00",
    ],
)
def test_times_with_offset(value: str) -> None:
    assert shape.timestamp(value, "played_at") == value


@pytest.mark.parametrize(
    "value",
    [
        "2026-11-10T21:30:00",
        "2026-11-10",
        "2026-11-10T21:30+02:00",
        "2026-02-29T00:00:00Z",
        "2026-11-10T24:30:00Z",
        "2026-11-10T21:30:00+24:00",
        "2026-11-10T21:30:00+0200",
        "٢٠٢٦-11-10T21:30:00Z",
        "2026-11-10T21:30:00." + "1" * 60 + "Z",
        "",
        1731270000,
    ],
)
def test_what_is_no_time_with_offset(value: Json) -> None:
    assert refusal(lambda: shape.timestamp(value, "played_at")) == "bad_record played_at"


@pytest.mark.parametrize(
    "value",
    [
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+23:59",
        "1899-12-31T23:59:59Z",
        "1900-01-01T00:30:00+01:00",
        "2101-01-01T00:00:00Z",
        "2100-12-31T23:30:00-01:00",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59-23:59",
    ],
)
def test_a_time_lies_in_years_in_which_games_are_played(value: str) -> None:
    assert refusal(lambda: shape.timestamp(value, "played_at")) == "time_out_of_range played_at"


@pytest.mark.parametrize("value", ["1900-01-01T00:00:00Z", "2100-12-31T23:59:59Z"])
def test_the_first_and_the_last_moment_are_good(value: str) -> None:
    assert shape.timestamp(value, "played_at") == value


def test_keys_are_neither_missing_nor_unknown() -> None:
    assert shape.members({"a": 1}, "rules", ["a"], ["b"]) == {"a": 1}
    assert refusal(lambda: shape.members({}, "rules", ["a"], ["b"])) == "bad_record rules.a"
    assert refusal(lambda: shape.members({"c": 1}, "", ["a"], ["b"])) == "unknown_key c"
    assert refusal(lambda: shape.members([], "rules", ["a"], ["b"])) == "bad_record rules"


def test_a_path_stays_short_and_printable() -> None:
    assert refusal(lambda: shape.members({"\x00": 1}, "rules", [], [])) == r"unknown_key rules.\x00"
    assert refusal(lambda: shape.members({"k" * 999: 1}, "", [], [])) == f"unknown_key {'k' * 39}…"


def test_choices_and_flags_are_of_their_own_type() -> None:
    assert shape.one_of("a", "exact", {"a": 1}) == 1
    assert refusal(lambda: shape.one_of("b", "exact", {"a": 1})) == "bad_record exact"
    assert refusal(lambda: shape.one_of(["a"], "exact", {"a": 1})) == "bad_record exact"
    assert shape.truth(True, "reroll") is True
    assert refusal(lambda: shape.truth(1, "reroll")) == "bad_record reroll"


def test_lists_have_their_length() -> None:
    assert shape.items([1, 2], "seats", range(2, 7)) == [1, 2]
    assert refusal(lambda: shape.items([1], "seats", range(2, 7))) == "bad_record seats"
    assert refusal(lambda: shape.items({}, "seats")) == "bad_record seats"


def test_members_that_say_nothing_are_left_out_and_numbers_stay() -> None:
    blanks: Object = {"null": None, "no": False, "text": "", "list": [], "object": {}}
    assert shape.without_blanks(blanks | {"yes": True, "zero": 0, "share": 0.0, "name": "Ada"}) == {
        "yes": True,
        "zero": 0,
        "share": 0.0,
        "name": "Ada",
    }
