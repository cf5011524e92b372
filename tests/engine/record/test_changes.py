"""What differs between two records of one game."""

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.record.changes import ALIGNED, FieldChange, RecordChanges, record_changes
from engine.record.record import Record, read
from tests.factories.records import bluff_record, kniffel_record

GAME = bluff_record(4, level="dice")


def record(keys: dict[str, Any]) -> Record:
    found = read(json.dumps(keys))
    assert isinstance(found, Record)
    return found


def changes(before: dict[str, Any], after: dict[str, Any]) -> RecordChanges:
    return record_changes(record(before), record(after))


def losses(*rounds: list[int], **header: Any) -> dict[str, Any]:
    """A game of which only the losses are known, three seats with five dice."""
    head = {key: GAME[key] for key in ("v", "id", "game", "rules", "seats", "opener")}
    return head | {"rounds": [{"losses": lost} for lost in rounds]} | header


def test_a_record_doesnt_differ_from_itself_nor_by_what_it_tells_twice() -> None:
    assert changes(GAME, GAME) == RecordChanges((), ())
    assert changes(
        GAME, {key: value for key, value in GAME.items() if key != "result"}
    ) == RecordChanges((), ())


def test_values_of_the_header_are_named_by_their_path() -> None:
    after = GAME | {"seats": ["anna", "dora", "cleo"], "table": "7"}
    assert changes(GAME, after).header == (
        FieldChange("seats[1]", "ben", "dora"),
        FieldChange("table", None, "7"),
    )


def test_the_result_follows_from_the_rounds() -> None:
    before, after = losses([5, 0, 0], [0, 5, 0]), losses([5, 0, 0], [0, 0, 5])
    assert changes(before, after).header == (
        FieldChange("result.rank[1]", 2, 1),
        FieldChange("result.rank[2]", 1, 2),
        *(
            change
            for change in changes(before, after).header
            if change.path.startswith("result.points")
        ),
    )
    unfinished = changes(before, losses([5, 0, 0])).header
    assert FieldChange("result.rank", [3, 2, 1], None) in unfinished


def test_each_die_and_each_move_of_a_changed_round_is_named() -> None:
    after = json.loads(json.dumps(GAME))
    after["rounds"] = after["rounds"][:1]
    before = json.loads(json.dumps(after))
    hand = before["rounds"][0]["revealed"][0]
    after["rounds"][0]["revealed"][0] = other = "1" * len(hand)
    for keys in (before, after):
        keys.pop("result", None)
    (change,) = changes(before, after).rounds
    assert (change.number_before, change.number_after) == (1, 1)
    assert change.fields == (FieldChange("revealed[0]", hand, other),)
    assert change.before is not None
    assert change.before["revealed"] == before["rounds"][0]["revealed"]


def test_a_round_that_is_put_in_or_taken_out_leaves_the_others_alone() -> None:
    long = losses([1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 0, 0])
    short = losses([1, 0, 0], [0, 0, 1], [2, 0, 0])
    (gone,) = changes(long, short).rounds
    assert (gone.number_before, gone.number_after, gone.after, gone.fields) == (2, None, None, ())
    (come,) = changes(short, long).rounds
    assert (come.number_before, come.number_after, come.before) == (None, 2, None)


def test_many_rounds_are_compared_by_their_numbers() -> None:
    header = {"rules": {"exact": "giveaway", "dice": 20}}
    before = losses(*[[1, -1, 0], [-1, 1, 0]] * (ALIGNED // 2 + 5), **header)
    after = losses(*[[1, 0, -1], [-1, 0, 1]] * (ALIGNED // 2 + 4), **header)
    found = changes(before, after).rounds
    assert [change.number_before for change in found] == list(range(1, ALIGNED + 11))
    assert [change.number_after for change in found] == [*range(1, ALIGNED + 9), None, None]


@pytest.mark.parametrize("turn", [0, 5])
def test_turns_of_luegen_kniffel_differ_likewise(turn: int) -> None:
    before = record(kniffel_record(1))
    rounds = list(before.rounds)
    del rounds[turn + 1 :]
    first = record_changes(
        before.first(turn + 1), replace(before, rounds=tuple(rounds), result=None)
    )
    assert first.rounds == ()
    (gone,) = record_changes(before.first(turn + 1), before.first(turn)).rounds
    assert (gone.number_before, gone.number_after) == (turn + 1, None)


@pytest.mark.parametrize("number", [3, ALIGNED + 3])
def test_rounds_between_two_that_differ_are_left_alone(number: int) -> None:
    header = {"rules": {"exact": "giveaway", "dice": 20}}
    same = [[1, -1, 0], [-1, 1, 0]] * (number // 2)
    before = losses([0, 1, -1], *same, [0, -1, 1], **header)
    after = losses([1, 0, -1], *same, [-1, 0, 1], **header)
    assert [change.number_before for change in changes(before, after).rounds] == [1, len(same) + 2]
