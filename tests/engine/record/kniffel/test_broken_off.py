"""Seats that leave, turns that are void, and the end by the clock in Lügen-Kniffel, ruling by
ruling."""

from typing import Any

import pytest

from engine.record.canonical import canonical_rounds
from engine.record.kniffel.compact import pack_turn
from engine.record.kniffel.turn import TurnRecord
from tests.engine.record.build import kniffel, record, verdict
from tests.engine.record.build import left as forfeit

CLOCK = {"ended": "clock"}
VOID = {"void": True}
ALL_BUT_CHANCE = [
    *(
        "ones=1",
        "twos=2",
        "threes=3",
        "fours=4",
        "fives=5",
        "sixes=6",
        "three=17",
        "four=18",
        "full=25",
        "small=30",
    ),
    *("large=40", "kniffel=50"),
]


def say(*texts: str) -> list[dict[str, Any]]:
    return [{"say": text} for text in texts]


def fault(*turns: Any, **header: Any) -> str:
    """Turn, code and path of the fault that the checker finds."""
    error = verdict(kniffel(*turns, **header)).error
    assert error is not None, "the game is ok"
    return f"{error.turn} {error.code} {error.path}"


def answers(*turns: Any, **header: Any) -> list[Any]:
    """What the checker answers about each turn; the game is ok."""
    judged = verdict(kniffel(*turns, **header))
    assert judged.error is None, judged.error
    return [turn.as_json() for turn in judged.rounds]


def rollers(*turns: Any, **header: Any) -> list[int]:
    """Whose turn each whole turn is."""
    return [
        turn["seat"] for turn in answers(*turns, **header) if "seat" in turn and "void" not in turn
    ]


class TestK15:
    def test_k15_who_left_rolls_no_more(self) -> None:
        turns = [*say("ones=1"), forfeit(1), *say("ones=2", "twos=2", "twos=4")]
        assert rollers(*turns) == [0, 2, 0, 2]
        assert answers(*turns)[1] == {"forfeit": [1]}

    def test_k15_who_left_doubts_no_more(self) -> None:
        assert (
            fault(forfeit(1), {"say": "ones=1", "dice": "12345", "doubts": [1]})
            == "1 bad_doubter turns[1].doubts"
        )

    def test_k15_a_turn_of_theirs_that_is_going_on_is_void(self) -> None:
        void = {"forfeit": [0], "void": True, "rolls": ["12345"], "say": "ones=1"}
        assert answers(void, *say("ones=1")) == [
            {"seat": 0, "void": True, "forfeit": [0]},
            {"seat": 1, "score": None, "true": None},
        ]

    def test_k15_only_the_leaving_of_the_roller_makes_a_turn_void(self) -> None:
        assert fault({"forfeit": [1], "void": True}) == "0 wrong_seat turns[0].forfeit"
        assert answers({"forfeit": [0, 1], "void": True}, seats=4) == [
            {"seat": 0, "void": True, "forfeit": [0, 1]}
        ]

    def test_k15_one_seat_left_ends_the_game(self) -> None:
        judged = verdict(kniffel(*say("ones=1", "ones=5", "ones=2"), forfeit(1), forfeit(2)))
        assert (judged.over, judged.rank, judged.points) == (True, (1, 3, 2), (1, 5, 2))
        assert fault(forfeit(1), forfeit(2), *say("ones=1")) == "2 game_over turns[2]"

    def test_k15_who_left_later_is_ahead_of_who_left_before_and_behind_all_who_stayed(self) -> None:
        turns = [*say("ones=1", "ones=5", "ones=2", "ones=3"), forfeit(1), forfeit(2), CLOCK]
        judged = verdict(kniffel(*turns, seats=4))
        assert (judged.rank, judged.points) == ((2, 4, 3, 1), (1, 5, 2, 3))

    def test_k15_who_left_together_shares_the_rank(self) -> None:
        assert verdict(kniffel(*say("ones=1"), forfeit(1, 2))).rank == (1, 2, 2)

    def test_k15_open_fields_of_who_left_do_not_end_the_game_by_k10(self) -> None:
        turns = [forfeit(2), *say("ones=1", "ones=2")]
        assert not verdict(kniffel(*turns)).over

    def test_k15_in_the_last_lap_the_turn_of_who_left_falls_out(self) -> None:
        laps = [turn for text in ALL_BUT_CHANCE for turn in say(text, text, text)]
        filled = [*laps, *say("chance=20")]
        assert rollers(*filled, forfeit(1), *say("chance=21"))[-1] == 2
        assert verdict(kniffel(*filled, forfeit(1), *say("chance=21"))).over
        assert verdict(kniffel(*filled, forfeit(0), *say("chance=21", "chance=22"))).rank == (
            3,
            2,
            1,
        )
        assert verdict(kniffel(*filled, *say("chance=21"), forfeit(2))).over

    @pytest.mark.parametrize(
        ("turns", "wrong"),
        [
            ([forfeit()], "0 bad_record turns[0].forfeit"),
            ([forfeit(1, 1)], "0 bad_record turns[0].forfeit"),
            ([forfeit(3)], "0 bad_record turns[0].forfeit[0]"),
            ([forfeit(0, 1, 2)], "0 wrong_seat turns[0].forfeit"),
            ([forfeit(1), forfeit(1)], "1 wrong_seat turns[1].forfeit"),
            ([forfeit(1, say="ones=1")], "0 bad_record turns[0].say"),
            ([forfeit(1, rolls=["12345"])], "0 bad_record turns[0].rolls"),
            ([forfeit(1, doubts=[0])], "0 unknown_key turns[0].doubts"),
            ([forfeit(0, void=False)], "0 bad_record turns[0].void"),
        ],
    )
    def test_k15_faults(self, turns: list[Any], wrong: str) -> None:
        assert fault(*turns) == wrong


class TestK17:
    def test_k17_a_void_turn_is_taken_again(self) -> None:
        assert answers(*say("ones=1"), VOID, *say("ones=1"))[1:] == [
            {"seat": 1, "void": True},
            {"seat": 1, "score": None, "true": None},
        ]

    def test_k17_a_void_turn_notes_nothing(self) -> None:
        void = VOID | {"rolls": ["11123"], "say": "ones=3"}
        assert verdict(kniffel(void, *say("ones=3"))).ok

    def test_k17_what_there_was_of_a_void_turn_keeps_to_the_rules(self) -> None:
        assert (
            fault(*say("ones=1", "ones=1", "ones=1"), VOID | {"say": "ones=1"})
            == "3 category_closed turns[3].say"
        )
        assert fault(VOID | {"say": "ones=6"}) == "0 no_such_announcement turns[0].say"
        assert fault(VOID | {"rolls": ["11123", "4>1234"]}) == "0 bad_keep turns[0].rolls[1]"
        assert fault({"void": False}) == "0 bad_record turns[0].void"

    def test_k17_turns_go_on_until_every_seat_that_still_plays_has_had_as_many(self) -> None:
        judged = verdict(kniffel(*say("ones=1", "ones=2", "ones=2"), CLOCK))
        assert (judged.over, judged.rank, judged.points) == (True, (3, 1, 1), (1, 2, 2))
        assert answers(*say("ones=1", "ones=2", "ones=2"), CLOCK)[-1] == {"ended": "clock"}
        assert fault(*say("ones=1", "ones=2"), CLOCK) == "2 clock_mismatch turns[2].ended"
        assert fault(*say("ones=1", "ones=2"), VOID, CLOCK) == "3 clock_mismatch turns[3].ended"
        assert verdict(kniffel(*say("ones=1", "ones=2"), forfeit(2), CLOCK)).over

    def test_k17_a_last_lap_is_played_out_and_ends_without_the_mark(self) -> None:
        laps = [turn for text in ALL_BUT_CHANCE for turn in say(text, text)]
        filled = [*laps, *say("chance=20")]
        assert (
            fault(*filled, CLOCK, seats=2)
            == f"{len(filled)} clock_mismatch turns[{len(filled)}].ended"
        )
        full = [*filled, *say("chance=21")]
        assert (
            fault(*full, CLOCK, seats=2) == f"{len(full)} clock_mismatch turns[{len(full)}].ended"
        )

    def test_k17_if_one_seat_is_left_the_game_ended_by_k15(self) -> None:
        assert fault(forfeit(1, 2), CLOCK) == "1 clock_mismatch turns[1].ended"

    def test_k17_nothing_follows(self) -> None:
        assert fault(CLOCK, *say("ones=1")) == "1 game_over turns[1]"
        assert fault(CLOCK, CLOCK) == "1 game_over turns[1]"

    def test_k17_the_mark_stands_alone(self) -> None:
        assert fault(CLOCK | {"say": "ones=1"}) == "0 unknown_key turns[0].say"
        assert fault({"ended": "bell"}) == "0 bad_record turns[0].ended"

    def test_k17_the_bonus_counts_when_time_is_up(self) -> None:
        upper = [
            turn
            for text in ("threes=15", "fours=20", "fives=25", "sixes=30")
            for turn in say(text, "chance=5")
        ]
        assert fault(*upper[:4], CLOCK, seats=2) == "3 category_closed turns[3].say"
        lower = ["chance=5", "three=5", "four=5", "full=25"]
        turns = [turn for pair in zip(upper[::2], say(*lower), strict=True) for turn in pair]
        assert verdict(kniffel(*turns, CLOCK, seats=2)).ending.totals == (125, 40)


def test_what_is_no_whole_turn_tells_its_facts_alone() -> None:
    played = record(
        kniffel(
            {"void": True, "forfeit": [2, 0], "rolls": ["54321"]}, *say("ones=1"), CLOCK, seats=4
        )
    )
    assert canonical_rounds(played) == [
        b'{"forfeit":[0,2],"rolls":["12345"],"void":true}',
        b'{"say":"ones=1"}',
        b'{"ended":"clock"}',
    ]


def test_what_is_no_whole_turn_takes_few_bytes() -> None:
    assert pack_turn(TurnRecord(None, ended="clock")) == b"\x0f"
    assert pack_turn(TurnRecord(None, forfeit=(0, 2))) == b"\x0e\x05"
    assert pack_turn(TurnRecord(None, void=True)) == b"\x0d"
