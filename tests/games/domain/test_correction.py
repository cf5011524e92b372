"""What a correction changes, as people read it."""

import json
from typing import Any

import pytest

from engine.record.record import Record, read
from games.domain.correction import MOST_ROUNDS, MarkedLine, game_changes, marked_lines, value_text
from tests.factories.records import bluff_record, kniffel_record


def record(keys: dict[str, Any]) -> Record:
    found = read(json.dumps(keys))
    assert isinstance(found, Record)
    return found


def differing(line: MarkedLine) -> list[str]:
    return [piece for piece, differs in line if differs]


@pytest.mark.parametrize(
    ("before", "after", "gone", "come"),
    [
        ("3x4 4x5 !", "3x4 5x5 !", ["4"], ["5"]),
        ("3x4 ! | 244 1*", "3x4 ! | 224 1*", ["4"], ["2"]),
        ("3x4 4x5 !", "3x4 !", ["4x5 "], []),
        ("3x4 !", "3x4 10x* !", [], ["10x* "]),
        ("3x4 !", "10x* !", ["3x4"], ["10x*"]),
    ],
)
def test_words_are_marked_and_in_words_of_equal_length_signs(
    before: str, after: str, gone: list[str], come: list[str]
) -> None:
    was, now = marked_lines(before, after)
    assert ("".join(piece for piece, _ in was), "".join(piece for piece, _ in now)) == (
        before,
        after,
    )
    assert (differing(was), differing(now)) == (gone, come)


def test_values_are_told_with_the_seat_that_they_are_about() -> None:
    before = bluff_record(4)
    after = before | {"seats": ["anna", "dora", "cleo"], "opener": (before["opener"] + 1) % 3}
    fields = {
        (field.path, field.seat): (field.before, field.after)
        for field in game_changes(
            record({**before, "rounds": []} | {"result": {}}),
            record({**after, "rounds": []} | {"result": {}}),
        ).header
    }
    assert fields[("seats", "2")] == ("ben", "dora")
    opener = before["opener"]
    assert fields[("opener", "")] == (before["seats"][opener], after["seats"][(opener + 1) % 3])


def test_the_points_of_a_seat_are_told_by_its_handle() -> None:
    head = {key: bluff_record(4)[key] for key in ("v", "id", "game", "rules", "seats", "opener")}
    before, after = (
        head | {"rounds": [{"losses": [5, 0, 0]}, {"losses": lost}]}
        for lost in ([0, 5, 0], [0, 0, 5])
    )
    fields = game_changes(record(before), record(after)).header
    assert ("result.rank", "ben", "2", "1") in [
        (one.path, one.seat, one.before, one.after) for one in fields
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), ("3x4", "3x4"), (3, "3"), (True, "true"), ([1, None, "x"], "1, , x")],
)
def test_values_are_spelt_as_people_read_them(value: Any, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize("keys", [bluff_record(4), kniffel_record(1)], ids=["bluff", "kniffel"])
def test_a_round_taken_out_has_its_whole_line(keys: dict[str, Any]) -> None:
    whole = record(keys)
    number = len(whole.rounds)
    found = game_changes(whole, whole.first(number - 1))
    (gone,) = found.rounds
    assert (gone.number_before, gone.number_after, gone.after) == (number, None, None)
    assert gone.before is not None
    assert differing(gone.before) == []
    assert found.unit == whole.kind.unit


def test_of_a_long_difference_the_first_rounds_are_shown_and_the_others_counted() -> None:
    head = {key: bluff_record(4)[key] for key in ("v", "id", "game", "seats", "opener")}
    head |= {"rules": {"exact": "giveaway", "dice": 20}}
    rounds = [{"losses": lost} for lost in [[1, -1, 0], [-1, 1, 0]] * MOST_ROUNDS]
    found = game_changes(record(head | {"rounds": []}), record(head | {"rounds": rounds}))
    assert (len(found.rounds), found.more) == (MOST_ROUNDS, MOST_ROUNDS)
