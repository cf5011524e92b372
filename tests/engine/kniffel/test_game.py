"""Rulings K0, K2, K5 to K10, K13 at the table."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.kniffel.combinations import ANNOUNCEABLE, COMBINATIONS, Announcement, Dice, Ruleset
from engine.kniffel.game import Game, Turn, TurnEnd
from engine.kniffel.sheet import Field

FOURS = (2, 4, 4, 4, 5)
ALIKE = (4, 4, 4, 4, 4)
DEFAULT = Ruleset()


def table_of(seats: int, opener: int = 0, rules: Ruleset = DEFAULT) -> Game:
    return Game(seats, opener, rules)


def turn(
    combination: str, points: int, doubters: Sequence[int] = (), dice: Dice | None = None
) -> Turn:
    return Turn(Announcement(combination, points), doubters, dice)


def code(answer: TurnEnd | Illegal) -> str:
    assert isinstance(answer, Illegal)
    return answer.code


def fill(table: Game, seat: int, *, but: str | None = None) -> None:
    """Note one point in every field of a seat but one."""
    for name in COMBINATIONS:
        if name != but:
            table.sheets[seat][name] = Field(points=1)


@pytest.mark.parametrize(("seats", "opener"), [(1, 0), (9, 0), (2, 2), (2, -1)])
def test_k0_two_to_eight_seats(seats: int, opener: int) -> None:
    with pytest.raises(ValueError, match="seats"):
        table_of(seats, opener)


def test_turns_go_clockwise_from_the_opener() -> None:
    table = table_of(3, opener=2)
    rollers = []
    for name, points in (("ones", 1), ("twos", 2), ("threes", 3), ("fours", 4)):
        rollers.append(table.roller)
        table.play(turn(name, points))
    assert rollers == [2, 0, 1, 2]


def test_k6_nobody_doubts_a_lie_and_it_is_noted() -> None:
    table = table_of(2)
    assert table.play(turn("sixes", 30)) == TurnEnd(0, None, None)
    assert table.sheets[0]["sixes"] == Field(points=30)
    assert table.sheets[1]["sixes"] == Field()


def test_k6_dice_told_of_an_undoubted_lie_change_nothing() -> None:
    table = table_of(2)
    assert table.play(turn("sixes", 30, dice=FOURS)) == TurnEnd(0, 0, False)
    assert table.sheets[0]["sixes"] == Field(points=30)


def test_k7_doubted_and_true_every_doubter_gets_a_strike() -> None:
    table = table_of(4)
    assert table.play(turn("fours", 12, [1, 3], FOURS)) == TurnEnd(0, 12, True)
    marks = [table.sheets[seat]["fours"] for seat in range(4)]
    assert marks == [Field(points=12), Field(strikes=1), Field(), Field(strikes=1)]


def test_k8_doubted_and_a_lie_the_roller_is_struck_and_doubters_note() -> None:
    table = table_of(4)
    assert table.play(turn("fours", 16, [1, 3], FOURS)) == TurnEnd(0, 12, False)
    marks = [table.sheets[seat]["fours"] for seat in range(4)]
    assert marks == [Field(strikes=1), Field(points=16), Field(), Field(points=16)]


def test_k8_a_doubter_whose_points_field_is_filled_goes_without() -> None:
    table = table_of(4)
    table.sheets[1]["fours"] = Field(points=4)
    table.sheets[2]["fours"] = Field(crossed=True, strikes=2)
    table.sheets[3]["fours"] = Field(strikes=1)
    table.play(turn("fours", 16, [1, 2, 3], FOURS))
    marks = [table.sheets[seat]["fours"] for seat in (1, 2, 3)]
    assert marks == [Field(points=4), Field(crossed=True, strikes=2), Field(points=16, strikes=1)]


def test_k8_a_kniffel_is_never_noted_by_a_doubter() -> None:
    table = table_of(2)
    table.play(turn("kniffel", 50, [1], FOURS))
    assert [sheet["kniffel"] for sheet in table.sheets] == [Field(strikes=1), Field()]


def test_k7_a_true_kniffel_strikes_its_doubters() -> None:
    table = table_of(2)
    table.play(turn("kniffel", 50, [1], ALIKE))
    assert [sheet["kniffel"] for sheet in table.sheets] == [Field(points=50), Field(strikes=1)]


def test_k3_a_ruleset_decides_whether_understating_is_a_lie() -> None:
    exact, at_least = table_of(2), table_of(2, rules=Ruleset(truth="at_least"))
    assert exact.play(turn("fours", 8, [1], FOURS)) == TurnEnd(0, 12, False)
    assert at_least.play(turn("fours", 8, [1], FOURS)) == TurnEnd(0, 12, True)
    assert (exact.sheets[1]["fours"].points, at_least.sheets[0]["fours"].points) == (8, 8)


def test_k2_zero_only_by_the_flag() -> None:
    assert code(table_of(2).play(turn("ones", 0))) == "no_such_announcement"
    table = table_of(2, rules=Ruleset(allow_zero=True))
    assert table.play(turn("ones", 0, [1], FOURS)) == TurnEnd(0, 0, True)
    assert table.sheets[0]["ones"].filled


def test_k5_a_noted_or_crossed_combination_is_closed_a_marked_one_is_not() -> None:
    table = table_of(2)
    table.sheets[0]["ones"] = Field(points=3)
    table.sheets[0]["twos"] = Field(crossed=True, strikes=2)
    table.sheets[0]["threes"] = Field(strikes=1)
    assert code(table.play(turn("ones", 3))) == "category_closed"
    assert code(table.play(turn("twos", 4))) == "category_closed"
    assert table.play(turn("threes", 9)) == TurnEnd(0, None, None)


def test_k5_combinations_are_closed_for_their_owner_only() -> None:
    table = table_of(2)
    table.sheets[1]["ones"] = Field(points=3)
    assert table.play(turn("ones", 3)) == TurnEnd(0, None, None)


def test_k9_a_roller_caught_twice_in_one_combination_loses_the_field() -> None:
    table = table_of(2)
    table.sheets[0]["fours"].strike()
    table.play(turn("fours", 16, [1], FOURS))
    assert table.sheets[0]["fours"] == Field(crossed=True, strikes=2)


def test_k9_a_second_wrong_doubt_crosses_points_the_doubter_had_noted() -> None:
    table = table_of(2)
    table.sheets[1]["fours"] = Field(points=20, strikes=1)
    table.play(turn("fours", 12, [1], FOURS))
    assert table.sheets[1]["fours"] == Field(crossed=True, strikes=2)


def test_k9_a_field_that_is_crossed_may_doubt_and_nothing_changes() -> None:
    table = table_of(2)
    table.sheets[1]["fours"] = Field(crossed=True, strikes=2)
    assert table.play(turn("fours", 12, [1], FOURS)) == TurnEnd(0, 12, True)
    assert table.sheets[1]["fours"] == Field(crossed=True, strikes=2)


def test_k9_a_full_sheet_may_doubt_and_can_still_lose_points() -> None:
    table = table_of(2)
    fill(table, 1)
    table.sheets[1]["fours"].strike()
    table.play(turn("fours", 12, [1], FOURS))
    assert table.sheets[1]["fours"] == Field(crossed=True, strikes=2)
    assert table.sheets[1].full


@pytest.mark.parametrize("doubters", [[0], [1, 1], [3], [-1], [1, 0]])
def test_k9_anybody_but_the_roller_doubts_once(doubters: list[int]) -> None:
    assert code(table_of(3).play(turn("fours", 12, doubters, FOURS))) == "bad_doubter"


def test_a_doubted_turn_shows_five_dice() -> None:
    table = table_of(2)
    assert code(table.play(turn("fours", 12, [1]))) == "dice_needed"
    assert code(table.play(turn("fours", 12, [1], (4, 4, 4, 2)))) == "wrong_number_of_dice"
    assert code(table.play(turn("fours", 12, dice=(4, 4, 4, 2, 7)))) == "bad_face"


def test_an_illegal_turn_changes_nothing() -> None:
    table = table_of(2)
    for bad in (turn("fours", 13), turn("fours", 12, [0], FOURS), turn("fours", 12, [1])):
        table.play(bad)
    assert table.roller == 0
    assert all(field == Field() for sheet in table.sheets for field in sheet.values())


def rollers_to_the_end(table: Game) -> list[int]:
    """Play undoubted turns in the first open field until the game is over; who rolled."""
    rollers = []
    while table.roller is not None:
        rollers.append(table.roller)
        sheet = table.sheets[table.roller]
        name = next(name for name, field in sheet.items() if not field.filled)
        table.play(turn(name, min(ANNOUNCEABLE[name])))
    return rollers


def test_k10_a_roller_who_fills_up_leaves_every_other_seat_one_turn() -> None:
    table = table_of(4, opener=2)
    fill(table, 2, but="chance")
    table.play(turn("chance", 20))
    assert rollers_to_the_end(table) == [3, 0, 1]


def test_k10_a_doubter_who_fills_up_by_points_leaves_the_roller_a_turn_too() -> None:
    table = table_of(4, opener=2)
    fill(table, 0, but="fours")
    table.play(turn("fours", 16, [0], FOURS))
    assert rollers_to_the_end(table) == [3, 1, 2]


def test_k10_a_doubter_who_fills_up_by_a_second_strike_ends_the_game_as_well() -> None:
    table = table_of(3)
    fill(table, 1, but="fours")
    table.sheets[1]["fours"].strike()
    table.play(turn("fours", 12, [1], FOURS))
    assert rollers_to_the_end(table) == [2, 0]


def test_k10_a_roller_who_fills_up_by_a_second_strike_ends_the_game_as_well() -> None:
    table = table_of(3)
    fill(table, 0, but="fours")
    table.sheets[0]["fours"].strike()
    table.play(turn("fours", 16, [2], FOURS))
    assert rollers_to_the_end(table) == [1, 2]


def test_k10_two_who_fill_up_in_one_turn_have_none_left() -> None:
    table = table_of(3)
    fill(table, 0, but="fours")
    fill(table, 2, but="fours")
    table.sheets[2]["fours"].strike()
    table.play(turn("fours", 12, [2], FOURS))
    assert rollers_to_the_end(table) == [1]


def test_k10_a_seat_that_is_full_when_its_turn_comes_is_skipped() -> None:
    table = table_of(3)
    fill(table, 0, but="chance")
    fill(table, 2, but="fours")
    table.play(turn("chance", 20))
    table.play(turn("fours", 16, [2], FOURS))
    assert table.over


def test_k10_nobody_gets_a_second_last_turn_when_a_second_sheet_fills_up() -> None:
    table = table_of(3)
    fill(table, 0, but="chance")
    fill(table, 1, but="ones")
    table.play(turn("chance", 20))
    assert rollers_to_the_end(table) == [1, 2]


def test_k10_all_full_at_once_ends_the_game_at_once() -> None:
    table = table_of(2)
    fill(table, 0, but="fours")
    fill(table, 1, but="fours")
    table.sheets[0]["fours"].strike()
    table.play(turn("fours", 16, [1], FOURS))
    assert table.over


def test_k10_no_turn_after_the_end() -> None:
    table = table_of(2)
    rollers_to_the_end(table)
    assert code(table.play(turn("chance", 20))) == "game_over"


def test_k13_highest_total_wins_and_ties_share_the_rank() -> None:
    table = table_of(4)
    for seat, points in enumerate((20, 30, 20, 5)):
        table.sheets[seat]["chance"].note(points)
    assert table.totals == [20, 30, 20, 5]
    assert table.rank == [2, 1, 2, 4]


def test_k12_the_bonus_is_part_of_the_total() -> None:
    table = table_of(2)
    for name, points in zip(COMBINATIONS[:6], (3, 6, 9, 12, 15, 18), strict=True):
        table.sheets[1][name].note(points)
    assert (table.bonus, table.totals, table.rank) == ([0, 35], [0, 98], [2, 1])


def random_turn(random: Random, table: Game, roller: int) -> Turn:
    open_fields = [name for name, field in table.sheets[roller].items() if not field.filled]
    name = random.choice(open_fields)
    others = [seat for seat in range(len(table.sheets)) if seat != roller]
    doubters = random.sample(others, random.randint(0, len(others)))
    dice = tuple(random.randint(1, 6) for _ in range(5))
    return turn(name, random.choice(sorted(ANNOUNCEABLE[name])), doubters, dice)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 8), st.randoms(use_true_random=False))
def test_k10_laws_of_a_whole_game(seats: int, random: Random) -> None:
    table = table_of(seats, opener=random.randrange(seats))
    last_lap: list[int] | None = None
    first_full: set[int] = set()
    while table.roller is not None:
        roller = table.roller
        before = [sheet.full for sheet in table.sheets]
        assert not before[roller]
        assert isinstance(table.play(random_turn(random, table, roller)), TurnEnd)
        after = [sheet.full for sheet in table.sheets]
        assert all(now for was, now in zip(before, after, strict=True) if was)
        if last_lap is not None:
            last_lap.append(roller)
        elif any(after):
            last_lap = []
            first_full = {seat for seat in range(seats) if after[seat]}
    assert last_lap is not None
    assert len(set(last_lap)) == len(last_lap)
    assert not first_full & set(last_lap)
    assert all(seat in last_lap or table.sheets[seat].full for seat in range(seats))


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_k9_marks_of_a_whole_game_fit_each_other(random: Random) -> None:
    table = table_of(3)
    while table.roller is not None:
        table.play(random_turn(random, table, table.roller))
    for sheet in table.sheets:
        for name, field in sheet.items():
            assert field.crossed == (field.strikes == 2)
            assert field.points is None or (
                not field.crossed and field.points in ANNOUNCEABLE[name]
            )
