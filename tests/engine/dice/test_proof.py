"""What a dealer deals and what its proof says about it."""

from dataclasses import replace

import pytest

from engine.dice.chain import LINKS
from engine.dice.dealer import Dealer
from engine.dice.proof import Mismatch, Proof, RecordedOpener, RecordedRoll, first_mismatch
from engine.dice.roll import RollPlace
from engine.messages import say
from tests.engine.dice.test_chain import COMMITMENT, SECRET

DEALER = Dealer(SECRET, "evening-7", (b"", b"\xc0\xff\xee"))
PROOF = DEALER.proof([True, True, False])
OPENER = RecordedOpener(0, 2, 5)
ROUNDS: list[list[RecordedRoll] | None] = [
    [
        RecordedRoll(0, 0, (5, 4, 4, 3, 2)),
        RecordedRoll(1, 0, (5, 4, 3, 4, 6)),
        RecordedRoll(1, 1, DEALER.roll(RollPlace(0, 1, 1), 3)),
    ],
    [RecordedRoll(0, 0, (5, 5, 4, 4, 3))],
    [],
]


def mismatch(
    proof: Proof = PROOF, game: str = "evening-7", rounds: list[list[RecordedRoll] | None] = ROUNDS
) -> Mismatch:
    wrong = first_mismatch(proof, game, rounds, OPENER)
    assert wrong is not None
    return wrong


def with_round(number: int, rolls: list[RecordedRoll] | None) -> list[list[RecordedRoll] | None]:
    return [*ROUNDS[:number], rolls, *ROUNDS[number + 1 :]]


def test_each_seat_is_dealt_as_many_dice_as_it_owns() -> None:
    assert DEALER.deal(0, [5, 0]) == ((3, 4, 4, 2, 5), ())
    assert DEALER.deal(0, [0, 3]) == ((), (5, 4, 3))


def test_a_dealer_needs_a_whole_secret_and_keeps_it_to_itself() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Dealer(SECRET[:-1], "g", ())
    assert "secret" not in repr(DEALER)


def test_nobody_is_dealt_dice_beyond_the_chain() -> None:
    with pytest.raises(ValueError, match="1024 links"):
        DEALER.deal(LINKS, [5, 5])


def test_before_the_first_round_the_proof_is_the_commitment_alone() -> None:
    assert DEALER.proof([]) == Proof(COMMITMENT, DEALER.seeds, ())


def test_a_proof_reveals_the_keys_of_rounds_that_were_shown() -> None:
    assert PROOF.links is not None
    assert [link.key is not None for link in PROOF.links] == [True, True, False]


def test_a_game_as_it_was_dealt_is_proved_in_whatever_order_its_dice_lie() -> None:
    assert first_mismatch(PROOF, "evening-7", ROUNDS, OPENER) is None


def test_the_first_roll_that_is_false_is_named() -> None:
    false = with_round(0, [*(ROUNDS[0] or [])[:2], RecordedRoll(1, 1, (1, 1, 1))])
    assert mismatch(rounds=false) == Mismatch(
        0, say("the faces are [1, 5, 6], not [1, 1, 1]"), 1, 1
    )


@pytest.mark.parametrize(
    "throw", [RecordedRoll(1, 0, (5, 5, 4, 4, 3)), RecordedRoll(0, 1, (5, 5, 4, 4, 3))]
)
def test_dice_of_another_seat_or_draw_are_false(throw: RecordedRoll) -> None:
    wrong = mismatch(rounds=with_round(1, [throw]))
    assert (wrong.round_number, wrong.seat, wrong.draw) == (1, throw.seat, throw.number)


def test_dice_of_another_game_or_other_seeds_are_false() -> None:
    assert mismatch(game="evening-8").round_number == 0
    assert mismatch(replace(PROOF, seeds=(b"", b"\xc0\xff\xef"))).seat == 0


def test_dice_whose_key_stays_secret_are_not_proved() -> None:
    rounds = with_round(2, [RecordedRoll(1, 0, DEALER.roll(RollPlace(2, 1, 0), 5))])
    assert mismatch(rounds=rounds) == Mismatch(
        2, say("gives dice, but its key isn't revealed"), 1, 0
    )


def test_a_round_that_does_not_tell_its_dice_is_not_proved() -> None:
    wrong = mismatch(rounds=with_round(1, None))
    assert (wrong.round_number, wrong.seat, wrong.draw) == (1, None, None)
    assert "doesn't give" in wrong.message


def test_every_round_has_its_link_and_every_link_its_round() -> None:
    assert mismatch(DEALER.proof([True, True])) == Mismatch(2, say("no link is revealed for it"))
    assert mismatch(DEALER.proof([True, True, False, False])).round_number == 3
    assert mismatch(replace(PROOF, links=None)).round_number == 0


def test_a_link_that_does_not_hash_back_is_named() -> None:
    links = PROOF.links or ()
    assert (
        mismatch(replace(PROOF, commitment=SECRET)).message
        == "its link doesn't hash back to the commitment"
    )
    swapped = replace(PROOF, links=(links[0], links[2], links[1]))
    assert mismatch(swapped) == Mismatch(1, say("its link doesn't hash back to the link before"))
