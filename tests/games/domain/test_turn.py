"""The turns of a recorded game of Lügen-Kniffel as its page tells them: every figure is the
engine's."""

from itertools import pairwise
from typing import Any

import pytest

from engine.kniffel.combinations import COMBINATIONS
from engine.record.check import check
from engine.record.kniffel.settle import SheetResult, TableEnding
from engine.record.record import Record, read
from games.domain.turn import PlayedTurn, SheetChange, SheetsView, Throw, sheets_after, turns_of
from tests.factories.records import kniffel_record, line

HEAD = {
    "v": 1,
    "id": "k",
    "game": "luegen-kniffel",
    "rules": {},
    "seats": ["anna", "ben", "cleo"],
    "opener": 0,
}
NO_FOURS, THREE_FOURS, NO_KNIFFEL = "11123", "44412", "12345"


def record_of(*turns: dict[str, Any], **header: Any) -> Record:
    record = read(line(HEAD | {"turns": list(turns)} | header))
    assert isinstance(record, Record)
    assert check(record).ok, check(record).error
    return record


def last_of(*turns: dict[str, Any], **header: Any) -> PlayedTurn:
    return turns_of(record_of(*turns, **header))[-1]


def say(text: str, dice: str = "", doubts: tuple[int, ...] = ()) -> dict[str, Any]:
    return (
        {"say": text}
        | ({"dice": dice} if dice else {})
        | ({"doubts": list(doubts)} if doubts else {})
    )


def marks(view: SheetsView, seat: int) -> dict[str, tuple[int | None, bool, int]]:
    """A seat's fields that aren't empty: points, crossed, strikes."""
    found = {}
    for name, cells in (*view.upper, *view.lower):
        field = cells[seat].field
        if field.filled or field.strikes:
            found[name] = (field.points, field.crossed, field.strikes)
    return found


def test_rolls_tell_what_was_rolled_and_what_stays() -> None:
    turn = last_of({"rolls": ["44425", "44>466", "4>15"], "say": "fours=12"})
    assert turn.throws == (Throw("24445", "44"), Throw("466", "4"), Throw("15", None))
    assert (turn.level, turn.dice, turn.score, turn.truth) == ("rolls", "14445", 12, True)


def test_keeping_none_is_not_the_end_of_rolling() -> None:
    turn = last_of({"rolls": ["12346", "11223"], "say": "ones=2"})
    assert turn.throws == (Throw("12346", ""), Throw("11223", None))


def test_k6_nobody_doubts_and_the_dice_stay_unknown() -> None:
    turn = last_of(say("fours=12"))
    assert (turn.level, turn.throws, turn.dice, turn.score, turn.truth) == (
        "said",
        (),
        None,
        None,
        None,
    )
    assert (turn.ruling, turn.lie, turn.strikes) == ("K6", False, False)
    assert turn.changes == (SheetChange(0, "noted", 12),)


def test_k6_a_lie_that_nobody_doubts_is_noted_all_the_same() -> None:
    turn = last_of(say("fours=12", NO_FOURS))
    assert (turn.ruling, turn.truth, turn.score, turn.lie) == ("K6", False, 0, False)
    assert turn.changes == (SheetChange(0, "noted", 12),)


def test_k7_doubted_and_true() -> None:
    turn = last_of(say("fours=12", THREE_FOURS, (1, 2)))
    assert (turn.ruling, turn.truth, turn.score) == ("K7", True, 12)
    assert turn.changes == (
        SheetChange(0, "noted", 12),
        SheetChange(1, "struck"),
        SheetChange(2, "struck"),
    )
    assert turn.strikes


def test_k8_doubted_and_a_lie() -> None:
    turn = last_of(say("fours=12", NO_FOURS, (1, 2)))
    assert (turn.ruling, turn.truth, turn.lie) == ("K8", False, True)
    assert turn.changes == (
        SheetChange(0, "struck"),
        SheetChange(1, "noted", 12),
        SheetChange(2, "noted", 12),
    )


def test_k8_a_kniffel_is_never_noted_by_a_doubter() -> None:
    turn = last_of(say("kniffel=50", NO_KNIFFEL, (1,)))
    assert turn.changes == (SheetChange(0, "struck"), SheetChange(1, "kniffel"))


def test_k8_a_doubter_whose_field_is_filled_notes_nothing() -> None:
    turn = last_of(say("fours=12"), say("fours=8", NO_FOURS, (0, 2)))
    assert turn.changes == (
        SheetChange(1, "struck"),
        SheetChange(0, "closed"),
        SheetChange(2, "noted", 8),
    )


def test_k9_the_second_strike_crosses_and_takes_noted_points_and_a_third_changes_nothing() -> None:
    true = say("fours=12", THREE_FOURS, (1,))
    turns = turns_of(
        record_of(
            say("fours=12", NO_FOURS, (1,)),
            say("ones=1"),
            true,
            true,
            true,
            seats=["anna", "ben", "cleo", "dario"],
        )
    )
    assert turns[0].changes == (SheetChange(0, "struck"), SheetChange(1, "noted", 12))
    assert turns[2].changes == (SheetChange(2, "noted", 12), SheetChange(1, "struck"))
    assert turns[3].changes == (SheetChange(3, "noted", 12), SheetChange(1, "crossed", 12))
    assert turns[4].changes == (SheetChange(0, "noted", 12), SheetChange(1, "spent"))


def test_a_field_without_points_is_crossed_without_a_loss() -> None:
    turns = [
        say("fours=12", NO_FOURS, (1,)),
        say("ones=1"),
        say("ones=1"),
        say("fours=12", NO_FOURS, (2,)),
    ]
    assert last_of(*turns).changes == (SheetChange(0, "crossed", None), SheetChange(2, "noted", 12))


def test_k3_at_least_is_judged_by_the_ruleset() -> None:
    dice = say("fours=8", THREE_FOURS, (1,))
    assert last_of(dice).ruling == "K8"
    assert last_of(dice, rules={"truth": "at_least"}).ruling == "K7"


def test_k10_the_last_lap_begins_with_the_first_full_sheet_and_ends_the_game() -> None:
    everything = [
        "ones=1",
        "twos=2",
        "threes=3",
        "fours=4",
        "fives=5",
        "sixes=6",
        "three=9",
        "four=9",
        "full=25",
        "small=30",
        "large=40",
        "kniffel=50",
        "chance=9",
    ]
    turns = turns_of(
        record_of(*[say(text) for text in everything for _ in range(2)], seats=["anna", "ben"])
    )
    assert [turn.full for turn in turns[-3:]] == [(), (0,), (1,)]
    assert [turn.last_lap for turn in turns[-3:]] == [False, True, False]
    assert [turn.roller_next for turn in turns[-3:]] == [0, 1, None]


def test_k10_a_full_sheet_is_skipped() -> None:
    found = False
    for seed in range(40):
        record = record_of(*kniffel_record(seed)["turns"], opener=kniffel_record(seed)["opener"])
        turns = turns_of(record)
        for turn, after in pairwise(turns):
            assert turn.roller_next == after.seat
            assert (turn.seat + len(turn.skipped) + 1) % 3 == after.seat
            full = [
                seat
                for seat, sheet in enumerate(sheets_after(record, turns[: turn.number]).sheets)
                if sheet.full
            ]
            assert set(turn.skipped) <= set(full)
            found = found or bool(turn.skipped)
    assert found


@pytest.mark.parametrize("seed", range(3))
def test_every_figure_is_that_of_the_verdict(seed: int) -> None:
    record = record_of(
        **{key: value for key, value in kniffel_record(seed).items() if key != "result"}
    )
    verdict, turns = check(record), turns_of(record)
    assert [{"seat": turn.seat, "score": turn.score, "true": turn.truth} for turn in turns] == [
        outcome.as_json() for outcome in verdict.rounds
    ]
    view = sheets_after(record, turns)
    assert isinstance(verdict.ending, TableEnding)
    assert [SheetResult(sheet).as_json() for sheet in view.sheets] == [
        sheet.as_json() for sheet in verdict.ending.sheets
    ]
    assert verdict.ending.totals == tuple(sheet.total for sheet in view.sheets)
    assert [name for name, _ in (*view.upper, *view.lower)] == list(COMBINATIONS)


def test_sheets_stand_as_after_the_turn_that_is_asked_for() -> None:
    record = record_of(
        say("fours=12", NO_FOURS, (1,)), say("ones=2"), say("fours=8", THREE_FOURS, (0,))
    )
    turns = turns_of(record)
    assert marks(sheets_after(record, []), 0) == {}
    after_one = sheets_after(record, turns[:1])
    assert marks(after_one, 0) == {"fours": (None, False, 1)}
    assert marks(after_one, 1) == {"fours": (12, False, 0)}
    effects = {name: [cell.effect for cell in cells] for name, cells in after_one.upper}
    assert effects["fours"] == ["struck", "noted", None]
    assert effects["ones"] == [None, None, None]
    assert marks(sheets_after(record, turns), 1) == {"fours": (12, False, 0), "ones": (2, False, 0)}


def test_k15_k17_what_is_no_whole_turn_is_an_entry_of_its_own() -> None:
    turns = turns_of(
        record_of(
            {"void": True},
            say("ones=1"),
            {"forfeit": [1], "void": True},
            say("ones=2"),
            {"ended": "clock"},
        )
    )
    assert [(turn.level, turn.whole, turn.ruling) for turn in turns] == [
        ("void", False, "K17"),
        ("said", True, "K6"),
        ("void", False, "K15"),
        ("said", True, "K6"),
        ("clock", False, "K17"),
    ]
    assert [turn.forfeit for turn in turns] == [(), (), (1,), (), ()]
    assert turns[3].roller_next == 0
