import pytest

from engine.bluff.track import (
    BID,
    BIDS,
    COUNT,
    FACE,
    FIELD,
    FIELDS,
    NO_BID,
    TEXT,
    parse_bid,
    raises,
)
from engine.illegal import Illegal


def raised(bid: str, by: str) -> bool:
    return BID[by] in raises(BID[bid])


def test_b1_the_thirty_fields_of_the_first_lap_stand_in_the_order_of_the_ruling() -> None:
    order = "1 1★ 2 3 2★ 4 5 3★ 6 7 4★ 8 9 5★ 10 11 6★ 12 13 7★ 14 15 8★ 16 17 9★ 18 19 10★ 20"
    assert [f"{count}{'★' if star else ''}" for count, star in FIELDS[:30]] == order.split()


def test_b2_the_second_lap_repeats_the_first_with_20_more_dice_and_10_more_stars() -> None:
    assert FIELDS[30:] == tuple((count + (10 if star else 20), star) for count, star in FIELDS[:30])
    assert FIELDS[30:32] == ((21, False), (11, True))
    assert FIELDS[-2:] == ((20, True), (40, False))


def test_b3_number_bids_stand_on_number_fields_and_star_bids_on_star_fields() -> None:
    for bid in range(BIDS):
        assert FIELDS[FIELD[bid]] == (COUNT[bid], FACE[bid] == 6)


def test_b4_there_are_220_bids_in_one_strict_order() -> None:
    assert BIDS == len(set(TEXT)) == 220
    places = [(FIELD[bid], FACE[bid]) for bid in range(BIDS)]
    assert places == sorted(set(places))


@pytest.mark.parametrize(
    ("bid", "raise_"),
    [
        ("5x5", "6x2"),
        ("2x*", "5x4"),
        ("3x*", "4x*"),
        ("8x4", "5x*"),
        ("4x3", "4x4"),
        ("4x3", "4x5"),
    ],
)
def test_b4_raises_that_the_texts_give_as_examples(bid: str, raise_: str) -> None:
    assert raised(bid, raise_)
    assert not raised(raise_, bid)


def test_b4_a_star_field_cannot_be_raised_in_place() -> None:
    assert not raised("3x*", "3x*")
    assert not raised("4x5", "4x1")


def test_b4_there_is_a_raise_exactly_when_the_last_bid_is_not_the_greatest_of_all() -> None:
    assert [bid for bid in range(NO_BID, BIDS) if not raises(bid)] == [BIDS - 1]
    assert TEXT[BIDS - 1] == "40x5"


def test_b5_any_bid_may_open() -> None:
    assert raises(NO_BID) == range(220)


def test_every_bid_is_read_from_its_own_text() -> None:
    assert [parse_bid(text) for text in TEXT] == list(range(BIDS))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0x3", "no_such_field"),
        ("41x1", "no_such_field"),
        ("21x*", "no_such_field"),
        ("9" * 3000 + "x1", "no_such_field"),
        ("7x6", "bad_face"),
        ("7x0", "bad_face"),
        ("7x★", "bad_face"),
        ("7x\n", "bad_face"),
        ("", "bad_record"),
        ("7x", "bad_record"),
        ("7x44", "bad_record"),
        ("07x4", "bad_record"),
        ("7X4", "bad_record"),
        ("7 x4", "bad_record"),
        ("٧x4", "bad_record"),
        ("-7x4", "bad_record"),
    ],
)
def test_a_text_that_is_no_bid_is_told_apart_from_a_field_that_is_not_there(
    text: str, code: str
) -> None:
    wrong = parse_bid(text)
    assert isinstance(wrong, Illegal)
    assert wrong.code == code
    assert len(wrong.message) < 120
