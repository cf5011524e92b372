"""Calls for the arbiter and rulings at the table: they stand on a sheet, and change nothing of the
game."""

import json
from typing import Any

import pytest

from engine.record.kinds import KINDS
from engine.record.write import write
from engine.sheet.call import apply_aside
from engine.sheet.case import CASES
from engine.sheet.entry import SheetEntry
from engine.sheet.online_kind import begin as online_begin
from engine.sheet.sheet import begin, fold, resume
from tests.engine.sheet.test_sheet import CLOSED, accepted, code, header, simulated

RULING = {"round": 1, "case": "taken_back", "decision": "stands"}


def called(number: int = 1) -> SheetEntry:
    return SheetEntry("call", {"round": number})


def test_the_game_is_the_same_with_calls_and_rulings_between_its_entries() -> None:
    for seed in range(10):
        record, rounds = simulated(seed, "bluff" if seed % 2 else "luegen-kniffel")
        case = next(iter(CASES[record.kind].values()))
        plain, disputed = begin(record), begin(record)
        for number, played in enumerate(rounds, 1):
            accepted(disputed, "call", {"round": number})
            accepted(plain, "close", played)
            accepted(disputed, "close", played)
            ruling = {"round": number, "case": case.code, "decision": case.decisions[0].code}
            accepted(disputed, "ruling", ruling)
        assert write(disputed.whole()) == write(plain.whole())
        assert disputed.state() == plain.state()


def test_a_sheet_without_an_open_call_has_the_state_that_it_always_had() -> None:
    sheet = begin(header())
    keys = list(sheet.state())
    accepted(sheet, "call", {"round": 1})
    assert sheet.state()["call"] == 1
    accepted(sheet, "call_off", {})
    assert (
        list(sheet.state()) == keys == ["opener", "closed", "moves", "game", "notes", "last_round"]
    )


def test_a_call_stays_open_over_rounds_undoings_and_a_resumption() -> None:
    sheet = begin(header())
    accepted(sheet, "call", {"round": 1})
    accepted(sheet, "close", CLOSED)
    sheet = resume(header(), json.loads(json.dumps(sheet.state())))
    accepted(sheet, "undo", {})
    assert sheet.call == 1
    accepted(sheet, "ruling", RULING)
    assert sheet.call is None


def test_an_undo_takes_back_what_was_played_and_no_call() -> None:
    sheet = begin(header())
    accepted(sheet, "close", CLOSED)
    accepted(sheet, "call", {"round": 2})
    accepted(sheet, "undo", {})
    assert (sheet.closed, sheet.call) == (0, 2)


def test_an_amendment_leaves_the_call_open() -> None:
    sheet = begin(header())
    accepted(sheet, "close", CLOSED)
    accepted(sheet, "call", {"round": 2})
    accepted(sheet, "amend", {"number": 1, "reason": "miscounted", "round": CLOSED | {"count": 3}})
    assert sheet.call == 2


def test_a_table_calls_also_once_the_game_is_over() -> None:
    sheet = begin(header(rules={"dice": 1}, seats=["a", "b"]))
    accepted(sheet, "close", {"losses": [1, 0]})
    assert sheet.over
    accepted(sheet, "call", {"round": 1})


@pytest.mark.parametrize(
    ("before", "act", "value", "expected"),
    [
        ([called()], "call", {"round": 1}, "called_already"),
        ([], "call", {"round": 2}, "bad_record"),
        ([], "call", {}, "bad_record"),
        ([], "call", {"round": 1, "why": "x"}, "unknown_key"),
        ([], "call_off", {}, "no_call"),
        ([called(), SheetEntry("call_off", {})], "call_off", {}, "no_call"),
        ([called()], "call_off", {"round": 1}, "unknown_key"),
        ([], "ruling", RULING, "no_call"),
        ([called(), SheetEntry("ruling", RULING)], "ruling", RULING, "no_call"),
        ([called()], "ruling", RULING | {"round": 2}, "bad_record"),
        ([called()], "ruling", RULING | {"case": "weather"}, "no_such_case"),
        ([called()], "ruling", RULING | {"case": ["shown"]}, "no_such_case"),
        ([called()], "ruling", RULING | {"decision": "roll_again"}, "no_such_decision"),
        ([called()], "ruling", {"round": 1, "case": "shown"}, "bad_record"),
    ],
)
def test_what_cannot_stand_is_refused_and_changes_nothing(
    before: list[SheetEntry], act: Any, value: dict[str, Any], expected: str
) -> None:
    sheet = fold(header(), before)
    assert code(sheet, act, value) == expected


def test_an_online_table_takes_a_call_at_any_time() -> None:
    record = header(rules={})
    sheet = online_begin(record)
    assert sheet.apply(called()) is None
    to_act = sheet.to_act
    assert sheet.call == 1
    assert sheet.apply(SheetEntry("bid", {"seat": 0, "bid": "1x1"})) is None
    assert sheet.apply(SheetEntry("challenge", {"seat": 1})) is None
    assert sheet.waits_for_dealer
    assert (
        sheet.apply(SheetEntry("ruling", {"round": 1, "case": "absent", "decision": "wait"}))
        is None
    )
    assert sheet.waits_for_dealer
    assert to_act == (0,)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_each_case_has_two_to_four_decisions_with_codes_that_differ(kind: Any) -> None:
    for case in CASES[kind].values():
        codes = [decision.code for decision in case.decisions]
        assert 2 <= len(codes) == len(set(codes)) <= 4, case.code
        for decision in codes:
            entry = SheetEntry("ruling", {"round": 3, "case": case.code, "decision": decision})
            assert apply_aside(kind, entry, 3, 5) is None


def test_codes_of_cases_stay_what_they_are() -> None:
    codes = {
        name: {case.code: [each.code for each in case.decisions] for case in CASES[kind].values()}
        for name, kind in KINDS.items()
    }
    assert codes == {
        "bluff": {
            "cocked": ["roll_again", "flat"],
            "floor": ["roll_again", "void"],
            "absent": ["wait", "leaves"],
            "shown": ["as_they_lie", "not_shown"],
            "changed": ["set_back", "void"],
            "taken_back": ["stands", "not_said"],
            "miscount": ["amend", "right", "void"],
            "other": ["play_on", "void"],
        },
        "luegen-kniffel": {
            "cocked": ["roll_again", "flat"],
            "floor": ["roll_again", "void"],
            "absent": ["wait", "leaves"],
            "shown": ["as_they_lie", "not_shown"],
            "changed": ["void", "not_changed"],
            "taken_back": ["stands", "not_said"],
            "time_up": ["go_on", "whole_round"],
            "miscount": ["amend", "right", "void"],
            "other": ["play_on", "void"],
        },
    }
