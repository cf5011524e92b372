"""Stored headers: what is read from the text alone is what reading the JSON gives."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.record.header import read_heading, stored_header
from engine.record.record import Record
from tests.engine.record.fair import bluff, kniffel

TEXTS = st.one_of(
    st.sampled_from(["t", '"', "\\", "a b", "ü", "\u2028", '"id":"', "%s", "{}"]),
    st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=64),
)
SLUGS = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
KEYS = st.fixed_dictionaries(
    {"record_id": TEXTS},
    optional={
        "season": SLUGS,
        "event": SLUGS,
        "table": TEXTS,
        "played_at": st.sampled_from(["2026-09-03T19:05:00+02:00", "2026-09-03t17:05:00.5Z"]),
    },
)


def same_as_read(game: Record) -> None:
    """The heading is the record's, if there is one."""
    heading = read_heading(stored_header(game), game.seats)
    assert heading is not None
    assert (heading.record_id, heading.kind) == (game.record_id, game.kind)
    assert heading.kind.ending(heading.start) == game.kind.ending(game.start())


@given(KEYS, st.integers(0, 500))
@settings(max_examples=200)
def test_a_heading_is_that_of_the_record(keys: dict[str, Any], seed: int) -> None:
    game = replace(
        bluff(seed), **{"event": None, "table": None, "season": None, "played_at": None} | keys
    )
    escaped = any(mark in keys["record_id"] + keys.get("table", "") for mark in '"\\')
    if escaped:
        assert read_heading(stored_header(game), game.seats) is None
    else:
        same_as_read(game)


def test_a_game_of_luegen_kniffel_has_a_heading_as_well() -> None:
    same_as_read(kniffel())


def changed(game: Record, old: str, new: str) -> str:
    header = stored_header(game)
    assert old in header
    return header.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"id":"', '"id":"\\u0041'),
        ('"opener":', '"opener":9'),
        ('"dice":', '"dice":9'),
        ('"dice":', '"dice":00'),
        ('"rules":{', '"rules":{ '),
        ('"rules":{', '"rules":{"imaginary":1,'),
        ('"seeds":["', '"seeds":["ab'),
        ('"scheme":"', '"scheme":"other'),
        ('"scheme":', '"scheme" :'),
        ('"scheme":', '"scheme":,'),
        ('"game":"bluff"', '"game":"poker"'),
        ('"v":1', '"v":2'),
    ],
)
def test_what_is_wrong_or_written_otherwise_has_no_heading(old: str, new: str) -> None:
    game = replace(bluff(5, seats=3), played_at="2026-09-03T19:05:00+02:00")
    same_as_read(game)
    if old == '"seeds":["':
        new = f"{new}{'00' * 40}"
    assert read_heading(changed(game, old, new), game.seats) is None


def test_a_time_that_no_calendar_has_is_none() -> None:
    game = replace(bluff(5, seats=3), played_at="2026-02-30T19:05:00+02:00")
    assert read_heading(stored_header(game), game.seats) is None


def test_keys_in_another_order_are_not_canonical() -> None:
    game = bluff(5, seats=3)
    header = json.loads(stored_header(game))
    other = json.dumps(dict(reversed(header.items())), separators=(",", ":"), ensure_ascii=False)
    assert read_heading(other, game.seats) is None


@pytest.mark.parametrize(
    "handles", [("anna", "anna", "cem"), ("anna", "", "cem"), ("anna", "a\nb", "cem"), ("anna",)]
)
def test_handles_that_no_record_can_have_are_refused(handles: tuple[str, ...]) -> None:
    assert read_heading(stored_header(bluff(5, seats=3)), handles) is None
