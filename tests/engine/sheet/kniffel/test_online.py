"""The sheet of Lügen-Kniffel at an online table: who acts, what stays secret, what the sealed game
is in the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kniffel.combinations import TRUTH, Ruleset
from engine.record.canonical import digests
from engine.record.record import Record, read
from engine.record.verify import verify
from engine.record.write import write
from engine.sheet.entry import SheetEntry
from engine.sheet.kniffel.dealing import own_dice, public_part
from engine.sheet.online_kind import fold
from tests.engine.sheet.kniffel.dealt import OnlineTable, announce, answer, play, table_of

SEATS = st.integers(2, 8)
SECRET = st.integers(0, 10**9)
RULES = st.builds(Ruleset, truth=st.sampled_from([*TRUTH]), allow_zero=st.booleans())


@settings(max_examples=25)
@given(SECRET, SEATS, RULES, st.sampled_from([0.0, 0.01, 0.1]))
def test_a_game_by_its_entries_is_what_an_import_of_its_record_gives_and_its_dice_are_proved(
    secret: int, seats: int, rules: Ruleset, leaving: float
) -> None:
    table = play(table_of(secret, seats, rules), Random(f"{secret} acts"), leaving)
    record = table.record()
    line = write(record)
    imported = read(line.encode())
    assert isinstance(imported, Record)
    assert digests(imported) == digests(record)
    assert write(imported) == line
    verified = verify(imported)
    assert verified.ok, verified.error
    assert verified.proved == ("rules", "dice")


@settings(max_examples=25)
@given(SECRET, SEATS)
def test_k6_the_dice_of_a_turn_that_nobody_doubted_are_in_no_entry_and_its_key_stays_shut(
    secret: int, seats: int
) -> None:
    table = play(table_of(secret, seats), Random(f"{secret} acts"), leaving=0.02)
    for entry in table.entries:
        if entry.act != "reveal":
            assert set(entry.value) <= {"seat", "say", "turn"}
            continue
        closed = entry.value["round"]
        shown = "doubts" in closed
        assert ("rolls" in closed) == shown
        assert ("key" in entry.value["link"]) == shown


@settings(max_examples=25)
@given(SECRET, SEATS)
def test_the_sheet_follows_from_the_entries_alone_so_it_knows_neither_what_stays_nor_what_was_answered(
    secret: int, seats: int
) -> None:
    states: list[tuple[int, dict[str, Any]]] = []

    def look(table: OnlineTable) -> None:
        states.append((len(table.entries), table.sheet.state()))

    table = play(table_of(secret, seats), Random(f"{secret} acts"), leaving=0.02, before=look)
    for length, state in Random(secret).sample(states, min(5, len(states))):
        assert fold(table.sheet.record, table.entries[:length]).state() == state


def test_k11_k16_nobody_sees_which_dice_stay_nor_what_was_answered() -> None:
    for act, secrets in (
        ("roll", [{"keep": []}, {"keep": [1, 2]}]),
        ("answer", [{"turn": 3, "doubt": True}, {"turn": 3, "doubt": False}]),
    ):
        one, other = [public_part(SheetEntry(act, {"seat": 1, **secret})) for secret in secrets]  # type: ignore[arg-type, dict-item]
        assert one == other


@pytest.fixture
def table() -> OnlineTable:
    return table_of(1, 3)


def others(table: OnlineTable) -> tuple[int, int]:
    first, second = table.sheet.listeners
    return first, second


def test_k11_one_rolls_up_to_three_times_and_only_dice_just_rolled_can_stay(
    table: OnlineTable,
) -> None:
    roller = table.sheet.to_act[0]
    assert table.act("announce", roller, say="chance=20") == "roll_first"
    assert table.act("roll", roller, keep=[0]) == "bad_keep"
    assert table.act("roll", roller, keep=[]) is None
    first = table.dealt.dice
    assert len(first) == 5
    assert table.act("roll", roller, keep=[0, 0]) == "bad_keep"
    assert table.act("roll", roller, keep=[5]) == "bad_keep"
    assert table.act("roll", roller, keep=[0, 1, 2, 3, 4]) == "must_roll_one"
    assert table.act("roll", roller, keep=[4, 1]) is None
    assert table.dealt.locked == (first[1], first[4])
    assert len(table.dealt.rolled) == 3
    assert table.act("roll", roller, keep=[3]) == "bad_keep"
    assert table.act("roll", roller, keep=[]) is None
    assert table.dealt.locked == (first[1], first[4]), "what lies under the first cup is locked"
    assert table.act("roll", roller, keep=[]) == "no_roll_left"


def test_only_the_roller_rolls_and_announces_and_nothing_after_the_announcement(
    table: OnlineTable,
) -> None:
    first, _ = others(table)
    roller = table.sheet.to_act[0]
    assert table.act("roll", first, keep=[]) == "not_your_turn"
    assert answer(table, first, True) == "not_your_turn"
    announce(table, "chance=20")
    assert table.act("roll", roller, keep=[]) == "not_your_turn"
    assert table.act("announce", roller, say="chance=21") == "not_your_turn"
    assert answer(table, roller, True) == "not_your_turn"


def test_k2_k5_only_what_can_be_announced_is(table: OnlineTable) -> None:
    roller = table.sheet.to_act[0]
    table.act("roll", roller, keep=[])
    for say in ("chance=31", "ones=0", "yahtzee=50", "!", ""):
        assert table.act("announce", roller, say=say) == "no_such_announcement"
    assert table.act("announce", roller, say="full=25") is None


def test_k16_all_answer_at_once_and_the_turn_is_closed_by_the_last_answer(
    table: OnlineTable,
) -> None:
    first, second = others(table)
    announce(table)
    assert list(table.sheet.to_act) == [first, second]
    assert answer(table, second, True) is None
    assert list(table.sheet.to_act) == [first]
    assert answer(table, second, False) == "answered"
    assert table.act("answer", first, turn=1, doubt=False) == "turn_over"
    assert table.act("answer", first, turn=0, doubt="maybe") == "bad_record"
    assert not table.reveals
    assert answer(table, first, False) is None
    assert table.reveals[0]["doubts"] == [second]
    assert table.sheet.closed == 1
    assert table.act("answer", first, turn=0, doubt=True) == "turn_over"


def test_k16_a_seat_that_does_not_answer_in_time_believes(table: OnlineTable) -> None:
    first, second = others(table)
    announce(table)
    answer(table, first, True)
    assert table.act("timeout", first) == "answered"
    assert table.act("timeout", second) is None
    assert table.reveals[0]["doubts"] == [first]
    assert table.sheet.staying == (0, 1, 2)


def test_k15_a_roller_whose_time_is_up_has_left_and_the_turn_is_void(table: OnlineTable) -> None:
    first, _ = others(table)
    roller = table.sheet.to_act[0]
    table.act("roll", roller, keep=[])
    assert table.act("timeout", first) == "not_your_turn"
    assert table.act("timeout", roller) is None
    assert table.reveals == [{"forfeit": [roller], "void": True}]
    assert roller not in table.sheet.staying
    assert table.sheet.rolls == 0
    assert table.act("leave", roller) == "wrong_seat"


def test_k15_a_roller_who_left_before_the_first_roll_leaves_no_void_turn(
    table: OnlineTable,
) -> None:
    roller = table.sheet.to_act[0]
    table.act("leave", roller)
    assert table.reveals == [{"forfeit": [roller]}]


def test_k15_a_seat_that_leaves_in_another_s_turn_is_asked_no_more_and_doubts_no_more(
    table: OnlineTable,
) -> None:
    first, second = others(table)
    announce(table)
    answer(table, first, True)
    assert table.act("leave", first) is None
    assert table.sheet.to_act == (second,)
    assert not table.reveals, "the turn goes on"
    answer(table, second, False)
    assert "doubts" not in table.reveals[0]
    assert table.reveals[1] == {"forfeit": [first]}


def test_the_last_turn_is_known_until_another_is_closed_whoever_leaves_meanwhile(
    table: OnlineTable,
) -> None:
    first, second = others(table)
    assert table.sheet.last is None
    announce(table, "chance=20")
    answer(table, first, False)
    table.act("leave", second)
    assert [entry.act for entry in table.entries[-2:]] == ["reveal", "reveal"]
    last = table.sheet.last
    assert last is not None
    assert (last.number, last.turn) == (1, {"say": "chance=20"})
    announce(table)
    assert table.sheet.last == last


def test_k15_who_left_later_is_ranked_ahead_and_one_seat_left_ends_the_game(
    table: OnlineTable,
) -> None:
    first, second = others(table)
    roller = announce(table)
    table.act("leave", second)
    table.act("leave", first)
    assert table.reveals == [{"forfeit": [second]}, {"forfeit": [first]}]
    assert table.sheet.over
    rank = table.sheet.game.rank
    assert (rank[roller], rank[first], rank[second]) == (1, 2, 3)
    assert verify(table.record()).ok


def test_k15_a_roller_who_leaves_after_another_is_ranked_ahead_of_them() -> None:
    table = table_of(1, 4)
    first = table.sheet.listeners[0]
    roller = announce(table)
    table.act("leave", first)
    table.act("leave", roller)
    assert table.reveals == [{"forfeit": [first]}, {"forfeit": [roller], "void": True}]
    assert table.sheet.game.rank[roller] == 3


def test_the_dealer_tells_nothing_but_the_turn_that_was_played(table: OnlineTable) -> None:
    first, second = others(table)
    announce(table, "chance=20")
    link = {"next": "00" * 32, "lock": "00" * 32}
    early = SheetEntry("reveal", {"round": {"say": "chance=20"}, "link": link})
    illegal = table.sheet.apply(early)
    assert illegal is not None
    assert illegal.code == "reveal_mismatch"
    for number, wrong in enumerate(
        [
            {"say": "chance=21"},
            {"say": "chance=20", "dice": "11111"},
            {"say": "chance=20", "dice": "11111", "doubts": [second]},
            {"say": "chance=20", "rolls": ["11111", "11111"], "doubts": [second]},
            {"say": "chance=20", "rolls": ["11111"], "doubts": [first]},
            {"forfeit": [first]},
        ]
    ):
        sheet = table_of(1, 3)
        announce(sheet, "chance=20")
        for seat in sheet.sheet.listeners:
            entry = SheetEntry("answer" if seat == second else "timeout", {"seat": seat})
            value = entry.value | ({"turn": 0} if seat == second else {})
            assert sheet.sheet.apply(SheetEntry(entry.act, value)) is None
        illegal = sheet.sheet.apply(SheetEntry("reveal", {"round": wrong, "link": link}))
        assert illegal is not None, number
        assert illegal.code == "reveal_mismatch", number


def test_nobody_acts_before_the_dealer_and_nobody_writes_the_acts_down(table: OnlineTable) -> None:
    roller = announce(table)
    for seat in table.sheet.listeners:
        table.sheet.apply(SheetEntry("answer", {"seat": seat, "turn": 0}))
    assert table.sheet.to_act == ()
    assert table.act("leave", roller) == "cups_up"
    for name in ("bid", "challenge", "undo", "close", "note", "opener", "amend"):
        illegal = table.sheet.apply(SheetEntry(name, {}))
        assert illegal is not None
        assert illegal.code == "bad_record"


def test_k10_once_the_game_is_over_nobody_acts(table: OnlineTable) -> None:
    first, second = others(table)
    table.act("leave", first)
    roller = table.sheet.to_act[0]
    table.act("leave", second)
    assert table.sheet.over
    assert table.sheet.to_act == ()
    assert table.act("roll", roller, keep=[]) == "game_over"


def test_a_list_of_entries_with_one_that_cannot_stand_is_no_sheet(table: OnlineTable) -> None:
    roller = announce(table)
    again = SheetEntry("roll", {"seat": roller})
    with pytest.raises(ValueError, match="entry 2: the announcement has been made"):
        fold(table.sheet.record, [*table.entries, again])


def test_only_the_roller_is_given_dice(table: OnlineTable) -> None:
    roller = table.sheet.to_act[0]
    assert own_dice(table.dealer, table.sheet, table.hidden, roller) is None, (
        "nothing was rolled yet"
    )
    table.act("roll", roller, keep=[])
    for seat in range(3):
        dealt = own_dice(table.dealer, table.sheet, table.hidden, seat)
        assert (dealt is not None) == (seat == roller)
