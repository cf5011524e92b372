"""Ruling K11: one to three rolls, and which dice stay."""

from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.kniffel.combinations import Dice
from engine.kniffel.rolls import Roll, dice_shown, highest_die

FIRST = Roll((), (4, 4, 4, 2, 5))


def code(*rolls: Roll) -> tuple[str, int | None] | None:
    shown = dice_shown(rolls)
    return (shown.code, shown.move) if isinstance(shown, Illegal) else None


def test_k11_the_worked_example_of_the_record_format() -> None:
    rolls = [FIRST, Roll((4, 4), (4, 6, 6)), Roll((4,), (1, 5))]
    assert dice_shown(rolls) == (1, 4, 4, 4, 5)


def test_k11_one_roll_may_be_enough() -> None:
    assert dice_shown([FIRST]) == (2, 4, 4, 4, 5)


def test_k11_none_to_four_dice_stay() -> None:
    assert dice_shown([FIRST, Roll((), (1, 1, 1, 1, 2))]) == (1, 1, 1, 1, 2)
    assert dice_shown([FIRST, Roll((4, 4, 4, 5), (6,))]) == (4, 4, 4, 5, 6)


def test_k11_one_to_three_rolls() -> None:
    assert code() == ("bad_record", None)
    assert code(FIRST, *[Roll((), FIRST.new)] * 3) == ("bad_record", None)
    assert code(FIRST, *[Roll((), FIRST.new)] * 2) is None


def test_k11_what_lies_lies_dice_under_the_first_cup_are_locked() -> None:
    second = Roll((4, 4), (1, 6, 6))
    assert code(FIRST, second, Roll((4,), (1, 5))) == ("bad_keep", 2)
    assert code(FIRST, second, Roll((6, 6), (5,))) is None
    assert dice_shown([FIRST, second, Roll((), (1, 2, 3))]) == (1, 2, 3, 4, 4)


def test_k11_only_dice_that_were_rolled_can_stay() -> None:
    assert code(FIRST, Roll((6,), (1, 1, 1, 1))) == ("bad_keep", 1)
    assert code(FIRST, Roll((2, 2), (1, 1, 1))) == ("bad_keep", 1)
    assert code(Roll((4,), (4, 4, 2, 5))) == ("bad_keep", 0)


def test_k11_at_least_one_die_is_rolled() -> None:
    assert code(FIRST, Roll(FIRST.new, ())) == ("must_roll_one", 1)
    assert code(FIRST, Roll((4, 4, 4, 2), (6,)), Roll((6,), ())) == ("must_roll_one", 2)


def test_k11_every_die_not_kept_is_rolled() -> None:
    assert code(Roll((), (1, 2, 3, 4))) == ("wrong_number_of_dice", 0)
    assert code(FIRST, Roll((4, 4), (1, 1))) == ("wrong_number_of_dice", 1)
    assert code(FIRST, Roll((4, 4), (1, 1, 1, 1))) == ("wrong_number_of_dice", 1)
    assert code(FIRST, Roll((4, 4), ())) == ("wrong_number_of_dice", 1)


def test_dice_show_one_to_six() -> None:
    assert code(Roll((), (1, 2, 3, 4, 7))) == ("bad_face", 0)
    assert code(FIRST, Roll((4, 4), (0, 1, 1))) == ("bad_face", 1)


def test_k14_the_highest_die_begins_and_ties_roll_again() -> None:
    assert highest_die([3, 6, 1]) == (1,)
    assert highest_die([5, 2, 5]) == (0, 2)


@given(st.data())
def test_k11_legal_rolls_always_show_the_kept_dice_and_the_last(data: st.DataObject) -> None:
    faces = st.integers(1, 6)

    def rolled(number: int) -> Dice:
        return tuple(data.draw(st.lists(faces, min_size=number, max_size=number)))

    rolls = [Roll((), rolled(5))]
    for _ in range(data.draw(st.integers(0, 2))):
        fresh = data.draw(st.permutations(rolls[-1].new))
        kept = tuple(fresh[: data.draw(st.integers(0, len(fresh) - 1))])
        rolls.append(Roll(kept, rolled(len(fresh) - len(kept))))
    expected = [die for roll in rolls for die in roll.kept] + list(rolls[-1].new)
    assert dice_shown(rolls) == tuple(sorted(expected))
    assert len(expected) == 5
