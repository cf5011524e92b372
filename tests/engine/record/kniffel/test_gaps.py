"""What a record of Lügen-Kniffel leaves out is said, and nothing where it leaves nothing out."""

import json
from typing import Any

from engine.record.kniffel.gaps import gaps
from engine.record.kniffel.turn import TurnRecord
from engine.record.record import Record, read
from tests.factories.records import kniffel_record


def sentences(*left_out: str) -> list[str]:
    """What is said of three turns, where these keys of each were left out."""
    written: dict[str, Any] = kniffel_record(1, turns=3)
    for turn in written["turns"]:
        for key in left_out:
            turn.pop(key, None)
    record = read(json.dumps(written))
    assert isinstance(record, Record)
    turns = [turn for turn in record.rounds if isinstance(turn, TurnRecord)]
    return [str(sentence) for sentence in gaps(turns)]


def test_whole_turns_leave_nothing_out() -> None:
    assert sentences() == []


def test_turns_without_their_dice_are_counted() -> None:
    (sentence,) = sentences("rolls", "doubts")
    assert sentence.startswith("For 3 of 3 turns, which nobody doubted")
