"""Stored games of Lügen-Kniffel walked straight from their bytes come to what the one place of settling says."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.clock import CLOCK
from engine.illegal import Illegal
from engine.kniffel.combinations import ANNOUNCEABLE, COMBINATIONS, TRUTH, Announcement, Ruleset, score
from engine.kniffel.game import Game
from engine.kniffel.rolls import Roll, dice_shown
from engine.record.canonical import canonical_rounds
from engine.record.check import check, replay
from engine.record.header import stored_header
from engine.record.kniffel.bulk import bulk
from engine.record.kniffel.settle import settle
from engine.record.kniffel.turn import TurnRecord
from engine.record.record import Record
from engine.record.stored import pack_record, unpack_record
from tests.engine.record import build
from tests.engine.record.bodies import changed


def random_game(seed: int) -> Record:
    """A game with turns of each level of detail, void turns, leavers and, now and then, an end by the clock; some break
    off."""
    rng = Random(seed)
    rules = Ruleset(rng.choice(list(TRUTH.values())), rng.random() < 0.5)
    empty = build.record(build.kniffel(seats=rng.randint(2, 8), truth=rules.truth, allow_zero=rules.allow_zero))
    table: Game = empty.start()
    turns: list[TurnRecord] = []
    most = rng.choice([20, 999, 999, 999])
    while not table.over and len(turns) < most:
        entry = random_entry(rng, table)
        if not isinstance(settle(table, entry, ""), Illegal):
            turns.append(entry)
    return replace(empty, rounds=tuple(turns))


def random_entry(rng: Random, table: Game) -> TurnRecord:
    """An entry that may be the next one, and mostly is."""
    kind = rng.choices(["turn", "void", "left", "left in the middle", "clock"], [90, 4, 1, 1, 4])[0]
    if kind == "clock":
        return TurnRecord(None, ended=CLOCK)
    if kind == "left":
        return TurnRecord(
            None, forfeit=tuple(sorted(rng.sample(table.playing, rng.randint(1, len(table.playing) - 1))))
        )
    rolls, dice = random_rolls(rng)
    combination = rng.choice(COMBINATIONS)
    lies = sorted(ANNOUNCEABLE[combination])
    points = score(combination, dice) if rng.random() < 0.6 else rng.choice(lies)
    announcement = Announcement(combination, points or rng.choice([0, lies[0]]))
    if kind != "turn":
        assert table.roller is not None
        leavers = (table.roller,) if kind == "left in the middle" else ()
        announced = rng.choice([None, announcement])
        return TurnRecord(announced, (), *rng.choice([(rolls, dice), ((), None)]), leavers, void=True)
    doubters = tuple([seat for seat in table.playing if seat != table.roller and rng.random() < 0.2])
    return TurnRecord(announcement, doubters, *rng.choice([(rolls, dice), ((), dice), ((), None)]))


def random_rolls(rng: Random) -> tuple[tuple[Roll, ...], tuple[int, ...]]:
    """One to three rolls, and the dice after them. Ruling K11 (K)."""
    rolls = [Roll((), throw(rng, 5))]
    for _ in range(rng.randrange(3)):
        new = rolls[-1].new
        stay = sorted(rng.sample(new, rng.randrange(len(new))))
        rolls.append(Roll(tuple(stay), throw(rng, len(new) - len(stay))))
    dice = dice_shown(rolls)
    assert not isinstance(dice, Illegal)
    return tuple(rolls), dice


def throw(rng: Random, dice: int) -> tuple[int, ...]:
    return tuple(sorted(rng.choices(range(1, 7), k=dice)))


@given(st.integers())
@settings(max_examples=100)
def test_a_game_with_void_turns_and_leavers_can_be_walked(seed: int) -> None:
    whole = random_game(seed)
    quick = bulk(whole.start(), pack_record(whole))
    assert quick is not None
    assert list(quick.canonical) == canonical_rounds(whole)
    assert check(whole).ok
    assert quick.ending == check(whole).ending


@given(st.integers(), st.data())
@settings(max_examples=120)
def test_a_changed_game_is_walked_only_where_the_longer_way_finds_no_fault_either(
    seed: int, data: st.DataObject
) -> None:
    whole = random_game(seed)
    bodies = changed(data, pack_record(whole))
    quick = bulk(whole.start(), bodies)
    if quick is None:
        return
    unpacked = unpack_record(stored_header(whole), whole.seats, None, bodies)
    assert pack_record(unpacked) == bodies
    assert list(quick.canonical) == canonical_rounds(unpacked)
    assert replay(unpacked).error is None
    assert quick.ending == replay(unpacked).ending


ONES: dict[str, Any] = {"rolls": ["11234"], "say": "ones=2"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x1f",
        b"\x0e\x00",
        b"\x40\x01\x00\x05",
        b"\x00\x01\x00",
        b"\x00\x63",
        b"\x90\x01\x05\x05",
        b"\x20\x01\xf0\xd1\x00",
        b"\x20\x01\x00\xd1\x00",
        b"\x0f\x00",
    ],
    ids=[
        "nothing",
        "no entry",
        "nobody leaves",
        "nobody doubts",
        "a byte is left",
        "no announcement",
        "dice beside rolls",
        "no keep",
        "not among the dice",
        "a byte behind the clock",
    ],
)
def test_bytes_that_are_no_turn_are_not_walked(body: bytes) -> None:
    table = build.record(build.kniffel(ONES)).start()
    assert bulk(table, [body]) is None


def test_the_table_is_left_as_it_was() -> None:
    played = build.record(build.kniffel(ONES))
    table = played.start()
    assert bulk(table, pack_record(played)) == bulk(table, pack_record(played))
