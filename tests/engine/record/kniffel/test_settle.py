"""Lügen-Kniffel in the game record: what the checker answers, what it refuses, and the canonical
form."""

import json
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.kniffel.combinations import ANNOUNCEABLE, COMBINATIONS
from engine.kniffel.game import Game, Turn
from engine.kniffel.notation import dice_text, roll_text
from engine.kniffel.rolls import Roll, dice_shown
from engine.record.canonical import canonical_rounds, digests
from engine.record.check import check_line
from engine.record.kniffel.kind import KNIFFEL
from engine.record.record import Record, begin, read, with_names
from engine.record.shape import Json, Object
from engine.record.write import write
from tests.engine.record.build import SALTS

EXAMPLE: Object = {"rolls": ["44425", "44>466", "4>15"], "say": "fours=12", "doubts": [1]}
"""The turn that the record format gives as its example."""
BLANK: Object = {"points": None, "crossed": False, "strikes": 0}


def players(number: int) -> list[Json]:
    return [f"player-{seat}" for seat in range(number)]


def line(turns: Sequence[Json], **header: Json) -> str:
    game: Object = {
        "v": 1,
        "id": "evening-1",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": players(2),
        "opener": 0,
        "turns": list(turns),
    }
    return json.dumps(game | header)


def answer(turns: Sequence[Json], **header: Json) -> Object:
    return check_line(line(turns, **header)).as_json()


def error(*turns: Json, **header: Json) -> Object:
    verdict = answer(turns, **header)
    assert verdict["ok"] is False
    assert isinstance(verdict["error"], dict)
    return verdict["error"]


def code(*turns: Json, **header: Json) -> Json:
    return error(*turns, **header)["code"]


def record_of(turns: Sequence[Json], **header: Json) -> Record:
    record = read(line(turns, **header))
    assert isinstance(record, Record)
    return record


def chain_of(turns: Sequence[Json], **header: Json) -> list[bytes]:
    record = record_of(turns, **header)
    return digests(with_names(record, SALTS[: len(record.seats)]))


def test_the_worked_example_of_the_record_format() -> None:
    verdict = answer([EXAMPLE])
    sheets = verdict.pop("sheets")
    assert verdict == {
        "id": "evening-1",
        "ok": True,
        "over": False,
        "rank": None,
        "totals": None,
        "bonus": None,
        "turns": [{"seat": 0, "score": 12, "true": True}],
    }
    assert isinstance(sheets, list)
    blank: Object = dict.fromkeys(COMBINATIONS, BLANK)
    assert sheets == [
        blank | {"fours": {"points": 12, "crossed": False, "strikes": 0}},
        blank | {"fours": {"points": None, "crossed": False, "strikes": 1}},
    ]


def test_an_answer_has_its_keys_in_the_order_of_the_format() -> None:
    verdict = answer([EXAMPLE])
    assert list(verdict) == ["id", "ok", "over", "rank", "totals", "bonus", "turns", "sheets"]


def test_a_turn_that_nobody_doubted_need_not_tell_its_dice() -> None:
    verdict = answer([{"say": "sixes=30"}, {"say": "ones=1", "doubts": []}])
    assert verdict["turns"] == [
        {"seat": 0, "score": None, "true": None},
        {"seat": 1, "score": None, "true": None},
    ]


def test_dice_shown_tell_score_and_truth() -> None:
    verdict = answer(
        [{"say": "sixes=30", "doubts": [1], "dice": "44425"}, {"say": "twos=2", "dice": "44425"}]
    )
    assert verdict["turns"] == [
        {"seat": 0, "score": 0, "true": False},
        {"seat": 1, "score": 2, "true": True},
    ]


def test_k3_k2_the_rules_of_the_record_are_those_of_the_table() -> None:
    two_fours: Object = {"say": "fours=8", "doubts": [1], "dice": "44425"}
    assert answer([two_fours])["turns"] == [{"seat": 0, "score": 12, "true": False}]
    at_least = answer([two_fours], rules={"truth": "at_least"})
    assert at_least["turns"] == [{"seat": 0, "score": 12, "true": True}]
    assert answer([{"say": "ones=0"}], rules={"allow_zero": True})["ok"] is True


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        ({"truth": "nearly"}, "rules.truth"),
        ({"truth": True}, "rules.truth"),
        ({"allow_zero": 1}, "rules.allow_zero"),
        ([], "rules"),
    ],
)
def test_rules_that_are_none(rules: Json, path: str) -> None:
    found = error(rules=rules)
    assert (found["code"], found["path"]) == ("bad_record", path)


def test_keys_of_bluff_are_unknown_here() -> None:
    assert code(rules={"exact": "all"}) == "unknown_key"
    assert error(rounds=[])["path"] == "rounds"
    assert error({"say": "ones=1", "moves": []})["path"] == "turns[0].moves"


@pytest.mark.parametrize(("seats", "ok"), [(1, False), (2, True), (8, True), (9, False)])
def test_k0_two_to_eight_seats(seats: int, ok: bool) -> None:
    assert answer([], seats=players(seats))["ok"] is ok


@pytest.mark.parametrize(
    ("turn", "fault", "path"),
    [
        ({"say": "fours=13"}, "no_such_announcement", "turns[0].say"),
        ({"say": "fours"}, "no_such_announcement", "turns[0].say"),
        ({"say": "ones=0"}, "no_such_announcement", "turns[0].say"),
        ({"say": 12}, "bad_record", "turns[0].say"),
        ({"rolls": ["44425"]}, "bad_record", "turns[0].say"),
        ({**EXAMPLE, "doubts": [0]}, "bad_doubter", "turns[0].doubts"),
        ({**EXAMPLE, "doubts": [2]}, "bad_doubter", "turns[0].doubts"),
        ({**EXAMPLE, "doubts": [1, 1]}, "bad_doubter", "turns[0].doubts"),
        ({**EXAMPLE, "doubts": ["1"]}, "bad_record", "turns[0].doubts[0]"),
        ({**EXAMPLE, "doubts": 1}, "bad_record", "turns[0].doubts"),
        ({"say": "fours=12", "doubts": [1]}, "dice_needed", "turns[0].dice"),
        ({"say": "fours=12", "dice": "4442"}, "wrong_number_of_dice", "turns[0].dice"),
        ({"say": "fours=12", "dice": "4442*"}, "bad_face", "turns[0].dice"),
        ({"say": "fours=12", "dice": None}, "bad_record", "turns[0].dice"),
        ({**EXAMPLE, "dice": "44425"}, "bad_record", "turns[0].dice"),
        ({"say": "fours=12", "rolls": []}, "bad_record", "turns[0].rolls"),
        ({"say": "fours=12", "rolls": ["44425"] * 4}, "bad_record", "turns[0].rolls"),
        ({"say": "fours=12", "rolls": ["44425", 7]}, "bad_record", "turns[0].rolls[1]"),
        ("fours=12", "bad_record", "turns[0]"),
    ],
)
def test_a_fault_names_its_key(turn: Json, fault: str, path: str) -> None:
    found = error(turn)
    assert (found["code"], found["turn"], found["path"]) == (fault, 0, path)
    assert "round" not in found


@pytest.mark.parametrize(
    ("rolls", "fault", "move"),
    [
        (["4442"], "wrong_number_of_dice", 0),
        (["44427"], "bad_face", 0),
        (["4>4425"], "bad_keep", 0),
        (["44425", "44>46"], "wrong_number_of_dice", 1),
        (["44425", "6>1111"], "bad_keep", 1),
        (["44425", "44425>"], "must_roll_one", 1),
        (["44425", "44>466", "44>1"], "bad_keep", 2),
        (["44425", "6>1111", "77777"], "bad_keep", 1),
    ],
)
def test_k11_a_fault_in_the_rolls_names_the_roll(rolls: list[Json], fault: str, move: int) -> None:
    found = error({"say": "fours=12", "rolls": rolls})
    assert (found["code"], found["move"], found["path"]) == (fault, move, f"turns[0].rolls[{move}]")


def test_k11_dice_told_beside_the_rolls_agree_with_them() -> None:
    assert answer([{**EXAMPLE, "dice": "54441"}])["ok"] is True


def test_k5_a_closed_combination_is_refused_and_the_valid_prefix_stays() -> None:
    verdict = answer([EXAMPLE, {"say": "ones=1"}, {"say": "fours=4"}])
    fault = verdict["error"]
    assert isinstance(fault, dict)
    assert (fault["code"], fault["turn"], fault["path"]) == ("category_closed", 2, "turns[2].say")
    assert verdict["turns"] == [
        {"seat": 0, "score": 12, "true": True},
        {"seat": 1, "score": None, "true": None},
    ]
    assert list(verdict) == ["id", "ok", "error", "turns"]


TOP: dict[str, int] = {name: max(points) for name, points in ANNOUNCEABLE.items()}
LOW: dict[str, int] = {name: min(points) for name, points in ANNOUNCEABLE.items()}
WHOLE: list[Json] = [
    {"say": f"{name}={points[name]}"} for name in COMBINATIONS for points in (TOP, LOW)
]
"""Seat 0 announces the most of everything, seat 1 the least; nobody ever doubts."""


def test_k10_k12_k13_a_whole_game() -> None:
    verdict = answer(WHOLE, result={"rank": [1, 2], "points": [375, 181]})
    assert (verdict["ok"], verdict["over"], verdict["rank"]) == (True, True, [1, 2])
    # Upper parts 105 and 21; lower parts 30 + 30 + 25 + 30 + 40 + 50 + 30 and 5 + 5 + 25 + 30 + 40
    # + 50 + 5.
    assert (verdict["totals"], verdict["bonus"]) == ([105 + 35 + 235, 21 + 160], [35, 0])


def test_k10_no_turn_after_the_end() -> None:
    found = error(*WHOLE, {"say": "chance=5"})
    assert (found["code"], found["turn"], found["path"]) == ("game_over", 26, "turns[26]")


@pytest.mark.parametrize(
    "result", [{"rank": [2, 1]}, {"points": [375, 180]}, {"points": [340, 181]}]
)
def test_a_result_that_did_not_come_of_the_turns(result: Json) -> None:
    assert code(*WHOLE, result=result) == "result_mismatch"


def test_a_game_that_is_not_over_has_no_result() -> None:
    assert code(*WHOLE[:-1], result={"points": [375, 176]}) == "result_mismatch"


def test_the_opener_is_the_first_roller() -> None:
    verdict = answer([{"say": "ones=1"}] * 2, seats=players(3), opener=2)
    assert verdict["turns"] == [{"seat": seat, "score": None, "true": None} for seat in (2, 0)]


def test_the_canonical_form_of_a_turn() -> None:
    turns: list[Json] = [
        {
            "doubts": [2, 1],
            "say": "fours=12",
            "rolls": ["44425", "44>646", "4>51"],
            "dice": "54441",
        },
        {"say": "ones=1", "doubts": []},
        {"say": "full=25", "dice": "54545", "doubts": [1]},
        {"say": "small=30", "rolls": ["61234", ">61235"]},
    ]
    assert canonical_rounds(record_of(turns, seats=players(4))) == [
        b'{"doubts":[1,2],"rolls":["24445","44>466","4>15"],"say":"fours=12"}',
        b'{"say":"ones=1"}',
        b'{"dice":"44555","doubts":[1],"say":"full=25"}',
        b'{"rolls":["12346","12356"],"say":"small=30"}',
    ]


def test_there_is_no_canonical_form_of_what_is_no_turn() -> None:
    with pytest.raises(ValueError, match=r"turns\[0\]\.say"):
        canonical_rounds(record_of([{"say": "fours"}]))


def random_rolls(random: Random) -> list[Roll]:
    rolls = [Roll((), tuple(sorted(random.choices(range(1, 7), k=5))))]
    for _ in range(random.randint(0, 2)):
        fresh = rolls[-1].new
        kept = tuple(sorted(random.sample(fresh, random.randint(0, len(fresh) - 1))))
        new = random.choices(range(1, 7), k=len(fresh) - len(kept))
        rolls.append(Roll(kept, tuple(sorted(new))))
    return rolls


def random_turn(random: Random, table: Game, roller: int) -> Object:
    """A legal turn for the roller at a table, at any level of detail."""
    name = random.choice([name for name, field in table.sheets[roller].items() if not field.filled])
    turn: Object = {"say": f"{name}={random.choice(sorted(ANNOUNCEABLE[name]))}"}
    others = [seat for seat in range(len(table.sheets)) if seat != roller]
    doubters = random.sample(others, random.randint(0, len(others)))
    if doubters or random.random() < 0.2:
        turn["doubts"] = list(doubters)
    rolls = random_rolls(random)
    shown = dice_shown(rolls)
    assert not isinstance(shown, Illegal)
    if random.random() < 0.5:
        turn["rolls"] = [roll_text(roll) for roll in rolls]
    if (doubters and "rolls" not in turn) or random.random() < 0.3:
        turn["dice"] = dice_text(shown)
    return turn


@st.composite
def games(draw: st.DrawFn) -> tuple[list[Json], dict[str, Json]]:
    """The turns of a whole game of random bluffs and doubts, and its header."""
    random = draw(st.randoms(use_true_random=False))
    seats = random.randint(2, 8)
    header: dict[str, Json] = {"seats": players(seats)}
    header |= {
        "opener": random.randrange(seats),
        "rules": {"truth": random.choice(["exact", "at_least"])},
    }
    turns: list[Json] = []
    table, _ = begin(record_of([], **header), KNIFFEL)
    while table.roller is not None:
        turn = random_turn(random, table, table.roller)
        _, (recorded,) = begin(record_of([turn], **header), KNIFFEL)
        assert recorded.announcement is not None
        table.play(Turn(recorded.announcement, recorded.doubters, recorded.dice))
        turns.append(turn)
    return turns, header


@settings(max_examples=15, deadline=None)
@given(games())
def test_a_game_played_at_a_table_is_ok_and_over_and_its_prefixes_are_ok(
    game: tuple[list[Json], dict[str, Json]],
) -> None:
    turns, header = game
    verdict = answer(turns, **header)
    assert (verdict["ok"], verdict["over"]) == (True, True)
    assert (
        answer(turns, **header, result={"rank": verdict["rank"], "points": verdict["totals"]})["ok"]
        is True
    )
    prefix = answer(turns[:-1], **header)
    assert (prefix["ok"], prefix["over"], prefix["rank"], prefix["totals"]) == (
        True,
        False,
        None,
        None,
    )
    assert code(*turns, turns[-1], **header) == "game_over"


def rewritten(random: Random, turn: Json) -> Json:
    """The same turn in other words: keys, dice and doubters in another order."""
    assert isinstance(turn, dict)
    reordered = dict(random.sample(list(turn.items()), len(turn)))
    for key, value in reordered.items():
        if isinstance(value, list):
            entries = value if key == "rolls" else random.sample(value, len(value))
            reordered[key] = [
                shuffled(random, entry) if isinstance(entry, str) else entry for entry in entries
            ]
        elif key == "dice":
            reordered[key] = shuffled(random, str(value))
    return reordered


def shuffled(random: Random, roll: str) -> str:
    return ">".join("".join(random.sample(dice, len(dice))) for dice in roll.split(">"))


@settings(max_examples=15, deadline=None)
@given(games(), st.randoms(use_true_random=False))
def test_what_has_no_meaning_changes_no_digest_and_what_has_does(
    game: tuple[list[Json], dict[str, Json]], random: Random
) -> None:
    turns, header = game
    chain = chain_of(turns, **header)
    assert len(set(chain)) == len(turns) + 1
    assert chain_of([rewritten(random, turn) for turn in turns], **header) == chain
    assert chain_of(turns[:-1], **header) == chain[:-1]


@settings(max_examples=10, deadline=None)
@given(games())
def test_a_record_reads_as_it_is_written(game: tuple[list[Json], dict[str, Json]]) -> None:
    turns, header = game
    record = record_of(turns, **header)
    assert read(write(record)) == record
    canonical: list[Json] = [json.loads(turn) for turn in canonical_rounds(record)]
    assert answer(canonical, **header) == answer(turns, **header)
