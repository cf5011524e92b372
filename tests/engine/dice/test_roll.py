"""Dice out of keys: fair, and different for everything they are made of."""

import hmac
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.dice.dealer import Dealer
from engine.dice.frame import SCHEME, frame
from engine.dice.roll import FAIR, RollPlace, roll
from tests.engine.dice.test_chain import SECRET

KEY = b"a key of thirty-two bytes, fixed"
MILLION = roll(KEY, "g", (), RollPlace(0, 0, 0), 1_000_000)
FIVE_DEGREES = 25.74
"""Chi-square with five degrees of freedom is above this once in ten thousand times."""
THIRTY_FIVE_DEGREES = 74.93
"""The same with 35 degrees of freedom."""


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 for cell in counts) / expected


def test_all_faces_are_equally_likely() -> None:
    assert sorted(set(MILLION)) == [1, 2, 3, 4, 5, 6]
    assert chi_square(Counter(MILLION), 6) < FIVE_DEGREES


def test_a_die_tells_nothing_of_the_next() -> None:
    assert (
        chi_square(Counter(zip(MILLION[::2], MILLION[1::2], strict=True)), 36) < THIRTY_FIVE_DEGREES
    )
    products = sum([(one - 3.5) * (other - 3.5) for one, other in pairwise(MILLION)])
    assert abs(products / (35 / 12) / len(MILLION)) < 4 / 1000


def test_hands_as_they_are_dealt_are_fair_too() -> None:
    """Forty thousand dice in hands of five; seats have nothing to do with one another."""
    dealer = Dealer(SECRET, "g", (b"", b"seed") * 4)
    hands = [hand for number in range(1000) for hand in dealer.deal(number, [5] * 8)]
    dice = [die for hand in hands for die in hand]
    assert chi_square(Counter(dice), 6) < FIVE_DEGREES
    assert (
        chi_square(
            Counter((one[0], other[0]) for one, other in zip(hands[::2], hands[1::2], strict=True)),
            36,
        )
        < THIRTY_FIVE_DEGREES
    )


def by_the_book(
    key: bytes, game: str, seeds: Sequence[bytes], draw: RollPlace, dice: int
) -> tuple[int, ...]:
    """The dice of a roll, byte by byte."""
    faces: list[int] = []
    for block in range(100):
        for byte in hmac.new(
            key, frame(SCHEME, "dice", game, *draw, block, *seeds), "sha256"
        ).digest():
            if byte < 252:
                faces.append(byte % 6 + 1)
    return tuple(faces[:dice])


@given(
    st.binary(min_size=32, max_size=32),
    st.text(),
    st.lists(st.binary(max_size=32)),
    st.builds(RollPlace, *[st.integers(0, 1000)] * 3),
    st.integers(0, 100),
)
def test_blocks_follow_one_another_and_bytes_from_252_on_are_thrown_away(
    key: bytes, game: str, seeds: list[bytes], draw: RollPlace, dice: int
) -> None:
    assert roll(key, game, seeds, draw, dice) == by_the_book(key, game, seeds, draw, dice)


def test_a_byte_that_would_favour_a_face_is_thrown_away() -> None:
    """The first block has a 255 among its first five bytes, so the sixth byte is the fifth die."""
    dealer = Dealer(SECRET, "evening-7", (b"", b"\xc0\xff\xee"))
    assert dealer.roll(RollPlace(7, 1, 1), 5) == (4, 2, 1, 5, 5)
    assert FAIR % 6 == 0
    assert FAIR + 6 > 256


def test_everything_a_roll_is_made_of_makes_another_roll() -> None:
    rolls = [
        roll(KEY, "g", (b"a", b"b"), RollPlace(0, 0, 0), 30),
        roll(KEY[::-1], "g", (b"a", b"b"), RollPlace(0, 0, 0), 30),
        roll(KEY, "h", (b"a", b"b"), RollPlace(0, 0, 0), 30),
        roll(KEY, "g", (b"ab", b""), RollPlace(0, 0, 0), 30),
        roll(KEY, "g", (b"b", b"a"), RollPlace(0, 0, 0), 30),
        roll(KEY, "g", (b"a", b"b"), RollPlace(1, 0, 0), 30),
        roll(KEY, "g", (b"a", b"b"), RollPlace(0, 1, 0), 30),
        roll(KEY, "g", (b"a", b"b"), RollPlace(0, 0, 1), 30),
    ]
    assert len(set(rolls)) == len(rolls)


def test_more_dice_begin_with_the_same() -> None:
    assert roll(KEY, "g", (), RollPlace(0, 0, 0), 3) == MILLION[:3]
    assert roll(KEY, "g", (), RollPlace(0, 0, 0), 0) == ()
