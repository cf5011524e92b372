"""A sheet: entries give the game that a file would have given, whatever is undone and amended on
the way."""

import json
import random
from typing import Any

import pytest

from engine.illegal import Illegal
from engine.record.canonical import digests
from engine.record.check import check
from engine.record.record import Record, read_value, with_names
from engine.record.write import header_json
from engine.sheet.entry import SheetEntry, first_link, next_link
from engine.sheet.sheet import OpenSheet, begin, fold, resume
from tests.engine.record.broken_off import random_kniffel
from tests.engine.record.simulated import random_game

SEEDS = range(60)
CLOSED = {"moves": ["2x4", "!"], "count": 2}


def header(**keys: Any) -> Record:
    value: dict[str, Any] = {
        "v": 1,
        "id": "g",
        "game": "bluff",
        "rules": {"dice": 2},
        "seats": ["a", "b", "c"],
        "opener": 0,
        "rounds": [],
    }
    record = read_value(value | keys)
    assert isinstance(record, Record)
    return record


def simulated(seed: int, game: str) -> tuple[Record, list[dict[str, Any]]]:
    """A game played at random: its header, and its rounds."""
    value = random_game(seed) if game == "bluff" else random_kniffel(seed)
    rounds = value.pop("rounds" if game == "bluff" else "turns")
    value.pop("result")
    record = read_value(value | {"rounds" if game == "bluff" else "turns": []})
    assert isinstance(record, Record)
    return record, rounds


def accepted(sheet: OpenSheet, act: Any, value: dict[str, Any]) -> None:
    fault = sheet.apply(SheetEntry(act, value))
    assert fault is None, fault


def code(sheet: OpenSheet, act: Any, value: dict[str, Any]) -> str:
    before = json.dumps(sheet.state())
    fault = sheet.apply(SheetEntry(act, value))
    assert isinstance(fault, Illegal)
    assert json.dumps(sheet.state()) == before, "a refused entry changed the sheet"
    return fault.code


@pytest.mark.parametrize("game", ["bluff", "luegen-kniffel"])
@pytest.mark.parametrize("seed", SEEDS)
def test_entries_give_the_record_that_a_file_gives(seed: int, game: str) -> None:
    record, rounds = simulated(seed, game)
    sheet = fold(record, [SheetEntry("close", value) for value in rounds])
    filed = read_value(json.loads(json.dumps(_whole_value(record, rounds))))
    assert isinstance(filed, Record)
    assert check(sheet.whole()).ending == check(filed).ending == sheet.ending
    salts = [bytes([seat]) * 16 for seat in range(len(record.seats))]
    assert digests(with_names(sheet.whole(), salts)) == digests(with_names(filed, salts))


def _whole_value(record: Record, rounds: list[dict[str, Any]]) -> dict[str, Any]:
    return header_json(record) | {record.kind.units: rounds}


@pytest.mark.parametrize("game", ["bluff", "luegen-kniffel"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_sheet_goes_on_from_its_state_as_from_all_its_entries(seed: int, game: str) -> None:
    record, rounds = simulated(seed, game)
    rng = random.Random(seed)
    whole, state = begin(record), json.dumps(begin(record).state())
    for value in rounds:
        for entry in _with_slips(rng, value):
            assert whole.apply(entry) is None
            resumed = resume(record, json.loads(state))
            assert resumed.apply(entry) is None
            state = json.dumps(resumed.state())
            assert json.loads(state) == json.loads(json.dumps(whole.state()))
    assert whole.rounds == fold(record, [SheetEntry("close", value) for value in rounds]).rounds


def _with_slips(rng: random.Random, value: dict[str, Any]) -> list[SheetEntry]:
    """The entry that closes a round, now and then with one that is undone before it."""
    close = SheetEntry("close", value)
    return [close, SheetEntry("undo", {}), close] if rng.random() < 0.4 else [close]


def test_its_state_is_no_larger_in_a_long_game_than_in_a_short_one() -> None:
    sheet = begin(header(seats=["a", "b"]))
    sizes = []
    for _ in range(200):
        accepted(sheet, "close", {"void": True, "moves": ["1x1", "2x2"]})
        sizes.append(len(json.dumps(sheet.state())))
    assert sizes[-1] - sizes[3] < 10


def test_what_was_noted_stands_in_the_round() -> None:
    sheet = begin(header())
    accepted(sheet, "note", {"bid": "1x3"})
    accepted(sheet, "note", {"bid": "2x4"})
    assert sheet.notes == [{"bid": "1x3", "seat": 0}, {"bid": "2x4", "seat": 1}]
    assert code(sheet, "close", {"moves": ["2x3", "!"], "count": 1}) == "note_mismatch"
    assert code(sheet, "close", {"moves": ["1x3", "2x5", "!"], "count": 1}) == "note_mismatch"
    accepted(sheet, "close", {"moves": ["1x3", "2x4", "!"], "count": 2})
    assert sheet.notes == []


def test_the_last_bid_alone_is_noted_with_its_seat() -> None:
    sheet = begin(header())
    accepted(sheet, "note", {"bid": "2x4", "seat": 1})
    assert (
        code(sheet, "close", {"moves": ["2x4", "!"], "bidder": 2, "challenger": 0, "count": 2})
        == "note_mismatch"
    )
    accepted(sheet, "close", {"moves": ["2x5", "!"], "bidder": 2, "challenger": 0, "count": 2})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"bid": "9"}, "bad_record"),
        ({"bid": "!"}, "bad_record"),
        ({"bid": 7}, "bad_record"),
        ({}, "bad_record"),
        ({"bid": "1x3", "seat": 3}, "bad_record"),
        ({"bid": "1x3", "die": "*"}, "unknown_key"),
        ({"bid": "1x2"}, "not_a_raise"),
        ({"bid": "2x3/4"}, "reroll_off"),
    ],
)
def test_a_bid_that_cannot_be_is_refused(value: dict[str, Any], expected: str) -> None:
    sheet = begin(header())
    accepted(sheet, "note", {"bid": "1x3"})
    assert code(sheet, "note", value) == expected


def test_a_bid_tells_no_die_that_is_still_hidden() -> None:
    sheet = begin(header(rules={"dice": 3, "reroll": True}))
    assert code(sheet, "note", {"bid": "2x4/4>15"}) == "bad_record"
    accepted(sheet, "note", {"bid": "2x4/4"})


def test_a_seat_that_is_out_does_not_bid() -> None:
    sheet = begin(header())
    accepted(sheet, "close", {"forfeit": [1]})
    assert code(sheet, "note", {"bid": "1x3", "seat": 1}) == "wrong_seat"


def test_after_a_round_of_losses_the_first_bid_names_its_seat() -> None:
    sheet = begin(header())
    accepted(sheet, "close", {"losses": [1, 0, 0]})
    assert code(sheet, "note", {"bid": "1x3"}) == "bad_record"
    accepted(sheet, "note", {"bid": "1x3", "seat": 2})


def test_undo_takes_back_what_stands_last_and_no_more_than_one_round() -> None:
    sheet = begin(header())
    assert code(sheet, "undo", {}) == "nothing_to_undo"
    accepted(sheet, "note", {"bid": "2x4"})
    accepted(sheet, "close", CLOSED)
    accepted(sheet, "undo", {})
    assert (sheet.closed, sheet.notes, sheet.game.owned) == (
        0,
        [{"bid": "2x4", "seat": 0}],
        [2, 2, 2],
    )
    accepted(sheet, "undo", {})
    assert sheet.notes == []
    assert code(sheet, "undo", {}) == "nothing_to_undo"


def test_once_the_next_round_has_begun_a_round_is_only_amended() -> None:
    sheet = begin(header())
    accepted(sheet, "close", CLOSED)
    accepted(sheet, "note", {"bid": "1x1", "seat": sheet.game.openers[0]})
    accepted(sheet, "undo", {})
    assert code(sheet, "undo", {}) == "nothing_to_undo"


def taken_over(rounds: int) -> OpenSheet:
    """A sheet that took over so many rounds of a sealed game."""
    sheet = begin(header())
    for _ in range(rounds):
        accepted(sheet, "close", {"losses": [1, 0, 0]})
    accepted(sheet, "take_over", {"game": "sealed"})
    return sheet


def test_rounds_that_are_taken_over_are_neither_undone_nor_amended() -> None:
    sheet = taken_over(1)
    assert (sheet.closed, sheet.fixed, sheet.game.owned) == (1, 1, [1, 2, 2])
    assert code(sheet, "undo", {}) == "nothing_to_undo"
    amendment = {"number": 1, "reason": "miscounted", "round": {"losses": [0, 1, 0]}}
    assert code(sheet, "amend", amendment) == "taken_over"
    accepted(sheet, "close", {"losses": [0, 1, 0]})
    accepted(sheet, "amend", amendment | {"number": 2, "round": {"losses": [0, 0, 1]}})
    assert (sheet.game.owned, sheet.fixed) == ([1, 2, 1], 1)
    accepted(sheet, "undo", {})
    assert code(sheet, "undo", {}) == "nothing_to_undo"


def test_a_game_that_is_played_again_from_its_first_round_keeps_its_opener() -> None:
    sheet = taken_over(0)
    assert code(sheet, "opener", {"seat": 1}) == "round_begun"


def test_what_is_taken_over_stays_so_on_a_sheet_that_is_resumed() -> None:
    sheet = taken_over(1)
    resumed = resume(sheet.record, json.loads(json.dumps(sheet.state())))
    assert resumed.state() == sheet.state()
    assert code(resumed, "undo", {}) == "nothing_to_undo"


def test_the_state_of_a_game_that_is_played_once_tells_nothing_of_rounds_taken_over() -> None:
    assert "fixed" not in begin(header()).state()


def test_taking_over_names_the_sealed_game() -> None:
    assert code(begin(header()), "take_over", {}) == "bad_record"


def test_an_amendment_settles_all_that_follows_anew() -> None:
    sheet = begin(header())
    accepted(sheet, "close", {"moves": ["2x4", "!"], "count": 1})
    accepted(sheet, "close", {"moves": ["2x4", "!"], "bidder": 1, "challenger": 2, "count": 1})
    assert sheet.game.owned == [1, 1, 2]
    accepted(
        sheet,
        "amend",
        {"number": 1, "reason": "miscounted", "round": {"moves": ["2x4", "!"], "count": 3}},
    )
    assert sheet.game.owned == [2, 0, 2]
    assert sheet.closed == 2


def test_an_amendment_after_which_a_later_round_does_not_fit_names_that_round() -> None:
    sheet = begin(header())
    accepted(sheet, "close", {"moves": ["2x4", "!"], "count": 1})
    accepted(sheet, "close", {"moves": ["1x4", "!"], "opener": 1, "count": 1})
    amendment = {"number": 1, "reason": "miscounted", "round": {"moves": ["3x4", "!"], "count": 5}}
    fault = sheet.apply(SheetEntry("amend", amendment))
    assert fault is not None
    assert fault.code == "later_rounds"
    assert "round 2" in fault.message


@pytest.mark.parametrize(
    ("amendment", "expected"),
    [
        ({"number": 0, "reason": "miscounted", "round": CLOSED}, "no_such_round"),
        ({"number": 2, "reason": "miscounted", "round": CLOSED}, "no_such_round"),
        ({"number": 1, "reason": "Anna cheated", "round": CLOSED}, "bad_record"),
        ({"number": 1, "reason": "miscounted", "round": {"moves": ["2x4"]}}, "no_challenge"),
        ({"number": 1, "reason": "miscounted"}, "bad_record"),
    ],
)
def test_an_amendment_that_cannot_be_is_refused(amendment: dict[str, Any], expected: str) -> None:
    sheet = begin(header())
    accepted(sheet, "close", CLOSED)
    assert code(sheet, "amend", amendment) == expected


def test_who_opens_is_told_before_the_first_round_alone() -> None:
    sheet = begin(header())
    accepted(sheet, "opener", {"seat": 2})
    assert sheet.whole().opener == 2
    accepted(sheet, "close", CLOSED)
    assert sheet.rounds[0].opener is None
    assert code(sheet, "opener", {"seat": 1}) == "round_begun"


def test_nothing_follows_the_end() -> None:
    sheet = begin(header())
    accepted(sheet, "close", {"ended": "clock"})
    assert sheet.over
    assert code(sheet, "note", {"bid": "1x1"}) == "game_over"
    assert code(sheet, "close", CLOSED) == "game_over"
    accepted(sheet, "undo", {})
    assert not sheet.over


def test_a_resumed_sheet_refuses_what_needs_all_its_rounds() -> None:
    sheet = begin(header())
    accepted(sheet, "close", CLOSED)
    resumed = resume(sheet.record, sheet.state())
    with pytest.raises(ValueError, match="resumed"):
        resumed.whole()
    with pytest.raises(ValueError, match="resumed"):
        resumed.apply(SheetEntry("amend", {"number": 1, "reason": "miscounted", "round": CLOSED}))


def test_what_was_announced_is_noted_once_in_a_turn() -> None:
    sheet = begin(_kniffel())
    accepted(sheet, "note", {"say": "fours=12"})
    assert code(sheet, "note", {"say": "fours=8"}) == "bad_record"
    assert code(sheet, "close", {"say": "fours=8"}) == "note_mismatch"
    accepted(sheet, "close", {"say": "fours=12"})
    accepted(sheet, "undo", {})
    assert sheet.notes == [{"say": "fours=12", "seat": 0}]
    accepted(sheet, "undo", {})
    assert code(sheet, "note", {"say": "fours=13"}) == "no_such_announcement"


def _kniffel() -> Record:
    record = read_value(
        {
            "v": 1,
            "id": "g",
            "game": "luegen-kniffel",
            "rules": {},
            "seats": ["a", "b"],
            "opener": 0,
            "turns": [],
        }
    )
    assert isinstance(record, Record)
    return record


def test_a_link_depends_on_every_entry_before_it() -> None:
    start = first_link(bytes(32))
    one = next_link(start, {"number": 0, "act": "undo", "value": {}})
    other = next_link(start, {"number": 0, "act": "undo", "value": {"seat": 1}})
    assert len({start, one, other}) == 3
    assert next_link(one, {"number": 1}) != next_link(other, {"number": 1})


def test_entries_that_were_never_taken_are_no_sheet() -> None:
    with pytest.raises(ValueError, match="entry 0"):
        fold(header(), [SheetEntry("undo", {})])


def test_an_amendment_keeps_what_was_announced_since_then() -> None:
    sheet = begin(_kniffel())
    accepted(sheet, "close", {"say": "fours=12"})
    accepted(sheet, "note", {"say": "fives=15"})
    accepted(sheet, "amend", {"number": 1, "reason": "misheard", "round": {"say": "fours=8"}})
    assert sheet.notes == [{"say": "fives=15", "seat": 1}]
    assert (
        code(sheet, "amend", {"number": 1, "reason": "misheard", "round": {"void": True}})
        == "later_rounds"
    )


def test_a_round_with_its_last_bidder_tells_no_earlier_bids() -> None:
    sheet = begin(header())
    accepted(sheet, "note", {"bid": "1x3"})
    value = {"moves": ["1x3", "2x4", "!"], "bidder": 1, "challenger": 2, "count": 2}
    assert code(sheet, "close", value) == "bad_record"
