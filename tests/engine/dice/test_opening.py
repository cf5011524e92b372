"""The roll for who opens, and what its proof says about it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice.dealer import Dealer
from engine.dice.frame import OPENING_SCHEME
from engine.dice.opening import OpeningRoll, opener_of, opening_rolls
from engine.dice.proof import Proof, RecordedOpener, RecordedRoll, first_mismatch
from engine.dice.roll import RollPlace
from tests.engine.dice.test_chain import SECRET

DEALER = Dealer(SECRET, "evening-7", (b"", b"\xc0\xff\xee", b"7"), OPENING_SCHEME)
OPENER = opener_of(DEALER.opening(5))
ROUNDS = [[RecordedRoll(seat, 0, faces) for seat, faces in enumerate(DEALER.deal(0, [5, 5, 5]))]]


def test_b15_the_highest_sum_opens_and_those_tied_roll_again() -> None:
    faces = {(0, 0): (6, 6), (1, 0): (6, 5), (2, 0): (6, 6), (0, 1): (1, 2), (2, 1): (4, 4)}
    rolls = opening_rolls(lambda draw, _: faces[draw.seat, draw.number], 3, 2)
    assert rolls[3:] == [OpeningRoll(0, 1, (1, 2)), OpeningRoll(2, 1, (4, 4))]
    assert opener_of(rolls) == 2


@given(st.binary(min_size=32, max_size=32), st.integers(2, 6))
def test_whoever_opens_is_proved_and_nobody_else(secret: bytes, seats: int) -> None:
    dealer = Dealer(secret, "g", (b"",) * seats, OPENING_SCHEME)
    opener = opener_of(dealer.opening(5))
    for seat in range(seats):
        wrong = first_mismatch(dealer.proof([]), "g", [], RecordedOpener(seat, seats, 5))
        assert (wrong is None) == (seat == opener)


def test_the_link_for_who_opens_stands_before_those_of_the_rounds() -> None:
    proof = DEALER.proof([True])
    assert proof.links is not None
    assert len(proof.links) == 2
    assert first_mismatch(proof, "evening-7", ROUNDS, RecordedOpener(OPENER, 3, 5)) is None
    false = [[RecordedRoll(0, 0, (1, 1, 1, 1, 1))]]
    wrong = first_mismatch(proof, "evening-7", false, RecordedOpener(OPENER, 3, 5))
    assert wrong is not None
    assert (wrong.round_number, wrong.seat) == (0, 0)


def test_a_proof_without_its_first_link_proves_no_opener() -> None:
    opener = RecordedOpener(OPENER, 3, 5)
    proof = DEALER.proof([True])
    assert proof.links is not None
    for links in ((), (proof.links[0]._replace(key=None), *proof.links[1:]), proof.links[1:]):
        assert first_mismatch(replace(proof, links=links), "evening-7", ROUNDS, opener) is not None


def test_the_first_scheme_has_no_roll_for_who_opens() -> None:
    with pytest.raises(ValueError, match="no link"):
        Dealer(SECRET, "g", (b"",)).opening(5)


def test_another_scheme_gives_other_dice() -> None:
    first = Dealer(SECRET, "g", (b"", b""))
    assert first.roll(RollPlace(1, 0, 0), 9) != replace(first, scheme=OPENING_SCHEME).roll(
        RollPlace(0, 0, 0), 9
    )
    assert Proof(b"", ()).scheme == "cups-up/dice/1"
