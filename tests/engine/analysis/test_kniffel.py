import json
from typing import Any

import pytest

from engine.analysis.kniffel import Doubt, KniffelAnalysis, analyse, doubt
from engine.illegal import Illegal
from engine.kniffel.combinations import Announcement
from engine.kniffel.sheet import Sheet
from engine.record.record import read

FOURS = Announcement("fours", 12)
KNIFFEL = Announcement("kniffel", 50)


def sheet(**noted: int) -> Sheet:
    filled = Sheet()
    for combination, points in noted.items():
        filled[combination].note(points)
    return filled


def judged(
    own: Sheet, announcement: Announcement = FOURS, chance: float = 0.25, doubted: bool = True
) -> Doubt:
    return doubt(1, own, announcement, chance, doubted=doubted)


def analysis(*turns: dict[str, Any], seats: int = 2) -> KniffelAnalysis:
    value = {
        "v": 1,
        "id": "evening-1",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": [f"player {seat}" for seat in range(seats)],
        "opener": 0,
        "turns": list(turns),
    }
    game = read(json.dumps(value))
    assert not isinstance(game, Illegal)
    return analyse(game)


def test_k8_who_doubts_a_lie_notes_the_points_if_the_field_is_open() -> None:
    found = judged(sheet())
    assert (found.gain, found.risk, found.crosses) == (12, 0, False)
    assert found.value == 0.75 * 12
    assert found.pays_below == 1


def test_k8_who_has_noted_the_field_gains_nothing() -> None:
    found = judged(sheet(fours=16))
    assert (found.gain, found.risk, found.value, found.pays_below) == (0, 0, 0, None)


def test_k8_a_kniffel_is_never_noted_by_a_doubter() -> None:
    assert judged(sheet(), KNIFFEL).gain == 0


def test_k9_the_second_strike_costs_the_noted_points() -> None:
    own = sheet(fours=16)
    own["fours"].strike()
    found = judged(own)
    assert (found.gain, found.risk, found.crosses) == (0, 16, True)
    assert found.value == -0.25 * 16
    assert found.pays_below == 0
    assert own["fours"].points == 16


def test_k9_the_second_strike_crosses_an_open_field_and_a_third_changes_nothing() -> None:
    own = sheet()
    own["fours"].strike()
    assert judged(own).crosses
    own["fours"].strike()
    assert not judged(own).crosses
    assert judged(own).gain == 0


def test_k12_the_bonus_is_gained_and_lost_with_the_points() -> None:
    own = sheet(threes=9, fives=20, sixes=24)
    assert judged(own).gain == 12 + 35
    own = sheet(threes=9, fours=12, fives=20, sixes=24)
    own["fours"].strike()
    assert judged(own).risk == 12 + 35


def test_a_choice_costs_what_the_other_would_have_brought() -> None:
    assert judged(sheet(), doubted=True).cost == 0
    assert judged(sheet(), doubted=False).cost == 9
    own = sheet(fours=16)
    own["fours"].strike()
    assert judged(own, doubted=True).cost == 4
    assert judged(own, doubted=False).cost == 0


def test_the_chance_goes_by_the_number_of_rolls_and_by_three_where_that_is_not_told() -> None:
    first, second, third = analysis(
        {"rolls": ["66666"], "say": "sixes=30"},
        {"rolls": ["12345"], "say": "sixes=30"},
        {"say": "fives=25"},
    ).turns
    assert (first.rolls, first.true) == (1, True)
    assert first.chance == pytest.approx(1 / 6**5)
    assert (second.seat, second.rolls, second.true) == (1, 1, False)
    assert (third.rolls, third.true) == (None, None)
    assert third.chance == pytest.approx((1 - (5 / 6) ** 3) ** 5)


def test_a_doubt_is_judged_by_the_sheet_before_the_turn() -> None:
    (turn,) = analysis({"dice": "11234", "say": "fours=12", "doubts": [1]}, seats=3).turns
    doubted, silent = turn.doubts
    assert (doubted.seat, doubted.gain, doubted.doubted) == (1, 12, True)
    assert (silent.seat, silent.gain, silent.doubted) == (2, 12, False)
    assert turn.true is False


def test_an_analysis_as_json() -> None:
    game = analysis(
        {"dice": "11234", "say": "fours=12", "doubts": [1]}, {"say": "kniffel=50"}, seats=3
    )
    answer = game.as_json()
    assert json.loads(json.dumps(answer)) == answer
    chance = game.turns[0].chance
    assert answer["costliest"] == [
        {"turn": 0, "seat": 2, "cost": pytest.approx((1 - chance) * 12, abs=1e-6)}
    ]
    assert isinstance(answer["turns"], list)
    assert isinstance(answer["turns"][1], dict)
    assert answer["turns"][1]["doubts"] == [
        {"seat": seat, "gain": 0, "risk": 0, "crosses": False, "value": 0.0, "pays_below": None}
        | {"doubted": False, "cost": 0.0}
        for seat in (0, 2)
    ]
    assert answer["cannot_tell"]


def test_a_record_that_is_not_ok_is_refused() -> None:
    with pytest.raises(ValueError, match=r"turns\[0\]"):
        analysis({"say": "fours=13"})
