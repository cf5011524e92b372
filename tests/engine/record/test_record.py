import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bluff.ruleset import Ruleset
from engine.illegal import Illegal
from engine.record.bluff.kind import BLUFF
from engine.record.check import check_line
from engine.record.record import Record, Result, read
from tests.engine.record.build import fault, game, record, verdict


def code(line: bytes | str) -> str:
    answer = read(line)
    assert isinstance(answer, Illegal)
    return answer.code


def test_a_header_is_read_with_the_defaults_of_its_rules() -> None:
    written = game(opener=2) | {
        "season": "s",
        "event": "e",
        "table": "T 1",
        "played_at": "2026-01-01T00:00:00Z",
    }
    assert record(written) == Record(
        record_id="g",
        kind=BLUFF,
        rules=Ruleset(exact="all", reroll=False, dice=5, scoring="placement"),
        seats=("anna", "bea", "cem"),
        opener=2,
        season="s",
        event="e",
        table="T 1",
        played_at="2026-01-01T00:00:00Z",
        rounds=(),
        result=None,
    )


def test_all_rules_are_read() -> None:
    written = game(exact="giveaway", reroll=True, dice=3, scoring="cntdice")
    assert record(written).rules == Ruleset("giveaway", True, 3, "cntdice")


def test_a_claimed_result_may_be_half_of_one() -> None:
    assert record(game(result={"rank": [1, 2, 3]})).result == Result((1, 2, 3), None)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"nothing",
        b"\xff\xfe{}",
        b'{"id": "\xc3"}',
        b'{"v": NaN}',
        b'{"v": -Infinity}',
        b'{"v": 1, "v": 1}',
        b'{"rounds": [{"count": 1, "count": 2}]}',
        b'{"v": 1}\x00',
        b'{"id": "a\x00"}',
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"v": ' + b"1" * 5000 + b"}",
        "\ufeff{}",
        '{"v": 1} {"v": 1}',
    ],
)
def test_what_is_no_json(line: bytes | str) -> None:
    assert code(line) == "bad_json"


@pytest.mark.parametrize("line", [b"null", b"[]", b'"text"', b"1", b"1e999", b"true"])
def test_json_that_is_no_object_is_no_record(line: bytes) -> None:
    assert code(line) == "bad_record"
    assert check_line(line).record_id is None


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"v": 2}, "bad_record v"),
        ({"v": True}, "bad_record v"),
        ({"v": 1.0}, "bad_record v"),
        ({"id": ""}, "bad_record id"),
        ({"id": "a" * 65}, "bad_record id"),
        ({"id": 7}, "bad_record id"),
        ({"game": "poker"}, "bad_record game"),
        ({"rules": []}, "bad_record rules"),
        ({"rules": {"exact": "some"}}, "bad_record rules.exact"),
        ({"rules": {"exact": None}}, "bad_record rules.exact"),
        ({"rules": {"reroll": "no"}}, "bad_record rules.reroll"),
        ({"rules": {"dice": 0}}, "bad_record rules.dice"),
        ({"rules": {"dice": True}}, "bad_record rules.dice"),
        ({"rules": {"dice": 21}}, "bad_record rules.dice"),
        ({"rules": {"scoring": "wins"}}, "bad_record rules.scoring"),
        ({"rules": {"jokers": True}}, "unknown_key rules.jokers"),
        ({"seats": ["anna"]}, "bad_record seats"),
        ({"seats": list("abcdefg")}, "bad_record seats"),
        ({"seats": ["anna", "bea", "anna"]}, "bad_record seats[2]"),
        ({"seats": ["anna", ""]}, "bad_record seats[1]"),
        ({"seats": ["anna", "\ud800"]}, "bad_record seats[1]"),
        ({"seats": "anna, bea"}, "bad_record seats"),
        ({"opener": 3}, "bad_record opener"),
        ({"opener": -1}, "bad_record opener"),
        ({"opener": False}, "bad_record opener"),
        ({"season": "two words"}, "bad_record season"),
        ({"event": None}, "bad_record event"),
        ({"table": 3}, "bad_record table"),
        ({"played_at": "yesterday"}, "bad_record played_at"),
        ({"rounds": {}}, "bad_record rounds"),
        ({"rounds": None}, "bad_record rounds"),
        ({"result": []}, "bad_record result"),
        ({"result": {"rank": [1, 2]}}, "bad_record result.rank"),
        ({"result": {"points": [1, 2, "3"]}}, "bad_record result.points[2]"),
        ({"result": {"winner": "anna"}}, "unknown_key result.winner"),
        ({"turns": []}, "unknown_key turns"),
        ({"comment": "nice"}, "unknown_key comment"),
    ],
)
def test_faults_of_the_header(change: dict[str, Any], wrong: str) -> None:
    written = game() | change
    assert fault(written) == wrong
    assert verdict(written).record_id == (None if "id" in change else "g")


@pytest.mark.parametrize("key", ["v", "id", "game", "rules", "seats", "opener", "rounds"])
def test_keys_that_no_record_lacks(key: str) -> None:
    written = game()
    del written[key]
    assert fault(written) == f"bad_record {key}"


def test_the_header_comes_before_the_rounds() -> None:
    assert fault(game({"losses": 1}, seats=3, opener=5)) == "bad_record opener"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=10,
)
MOVES = st.lists(
    st.sampled_from(["1x1", "3x*", "7x4/4*", "7x4/4*>215", "!", "9x9", ""]) | JSON, max_size=4
)
KEYS = st.fixed_dictionaries(
    {},
    optional={
        "moves": MOVES | JSON,
        "dealt": st.lists(st.text("12345*6", max_size=6), min_size=2, max_size=3) | JSON,
        "revealed": st.lists(st.text("12345*6", max_size=6), min_size=2, max_size=3) | JSON,
        "losses": st.lists(st.integers(-1, 5), min_size=2, max_size=3) | JSON,
        "count": st.integers(-1, 11) | JSON,
        "bidder": st.integers(0, 3) | JSON,
        "challenger": st.integers(0, 3) | JSON,
        "opener": st.integers(0, 3) | JSON,
        "forfeit": st.lists(st.integers(0, 2), max_size=3) | JSON,
        "void": st.booleans() | JSON,
        "more": JSON,
    },
)


@given(st.binary() | st.text())
def test_no_bytes_raise_an_exception(line: bytes | str) -> None:
    assert not check_line(line).ok


@given(st.lists(KEYS | JSON, max_size=3), st.sampled_from(list(game())), JSON)
def test_no_json_raises_an_exception(rounds: list[Any], key: str, value: Any) -> None:
    for written in (game(*rounds, seats=2, reroll=True), game(*rounds) | {key: value}):
        json.dumps(verdict(written).as_json(), allow_nan=False)
