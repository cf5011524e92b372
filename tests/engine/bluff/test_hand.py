from hypothesis import given
from hypothesis import strategies as st

from engine.bluff.hand import bad_face, highest_roll, matching, sort_hand, without

HANDS = st.text("12345*", max_size=30)


def test_a_hand_is_written_in_face_order_with_the_stars_last() -> None:
    assert sort_hand("*5*14") == "145**"


@given(HANDS)
def test_sorting_a_hand_keeps_its_dice(hand: str) -> None:
    assert sorted(sort_hand(hand)) == sorted(hand)
    assert sort_hand(sort_hand(hand)) == sort_hand(hand)


def test_b7_stars_count_as_every_number() -> None:
    assert matching("12245**", 2) == 4


def test_b7_only_stars_count_as_stars() -> None:
    assert matching("12245**", 6) == 2


def test_the_first_character_that_is_no_face_is_found() -> None:
    assert bad_face("12345*") is None
    assert bad_face("") is None
    assert bad_face("12*6x") == "6"


def test_dice_are_taken_away_only_where_they_lie() -> None:
    assert without("1145*", "1*") == "145"
    assert without("1145*", "111") is None
    assert without("1145*", "") == "1145*"


def test_b15_the_highest_sum_opens_and_a_star_counts_six() -> None:
    assert highest_roll(["55555", "****1", "4444*"]) == (0, 1)
    assert highest_roll(["55555", "****2", "4444*"]) == (1,)
