"""Games made with verifiable dice, as the tests of proofs use them."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bluff.ruleset import Ruleset
from engine.record.check import check
from tests.engine.record.fair import bluff, dealer, kniffel
from tests.engine.record.fair_game import fair_bluff


@given(st.integers(0, 500))
@settings(max_examples=30)
def test_a_fair_game_is_legal_and_over(seed: int) -> None:
    for game in (bluff(seed), kniffel(seed, 2 + seed % 7)):
        verdict = check(game)
        assert verdict.ok
        assert verdict.over


def test_the_same_dealer_and_moves_make_the_same_game_and_another_secret_another() -> None:
    def play(secret: int) -> object:
        return fair_bluff(dealer(Random(secret), 2), Ruleset(), ["anna", "bea"], Random(7)).rounds

    assert play(1) == play(1)
    assert play(1) != play(2)
