"""Two seats, one die each: the shipped table is an equilibrium, and the duel plays it."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from engine.bluff.game import Game
from engine.bluff.hand import matching
from engine.bluff.move import CHALLENGE
from engine.bluff.ruleset import EXACT, Ruleset
from engine.bluff.track import BID, BIDS, COUNT, FACE, FACES, TEXT
from engine.players.duel import (
    DUEL_BIDS,
    HISTORIES,
    Duel,
    Strategy,
    equilibrium,
    packed,
    raises_of,
    unpacked,
)
from engine.players.exploit import best_answer, exploitability
from tests.engine.players.views import view

ONE = (1, 1)


def always(opening: int) -> Strategy:
    """Opens with the bid at this place of DUEL_BIDS, and challenges everything."""
    row = tuple(float(place == opening) for place in range(len(DUEL_BIDS)))
    challenge = [(*[0.0] * len(raises_of(history)), 1.0) for history in range(1, HISTORIES)]
    return [[row] * 6, *[[each] * 6 for each in challenge]]


def test_the_twelve_bids_are_those_that_two_dice_can_make_true() -> None:
    hands = ["".join(dice) for dice in product(FACES, repeat=2)]
    possible = [
        bid for bid in range(BIDS) if any(matching(hand, FACE[bid]) >= COUNT[bid] for hand in hands)
    ]
    assert possible == list(DUEL_BIDS)
    assert [TEXT[bid] for bid in DUEL_BIDS] == [
        f"{count}x{face}" for count in (1, 2) for face in FACES
    ]


@pytest.mark.parametrize("exact", EXACT)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_whoever_loses_the_bet_is_out_by_every_rule_for_an_exact_hit(
    exact: str, count: int
) -> None:
    game = Game(Ruleset(exact=exact, dice=1), 2, 0)  # type: ignore[arg-type]
    game.settle(bidder=0, challenger=1, bid=1, count=count)
    assert game.rank() == ((1, 2) if count >= 1 else (2, 1))


def test_the_shipped_table_is_exploitable_by_at_most_a_thousandth() -> None:
    strategy = equilibrium()
    opens, answers = best_answer(strategy, 0), best_answer(strategy, 1)
    assert exploitability(strategy) == pytest.approx((opens + answers - 1) / 2)
    assert 0 <= opens + answers - 1 <= 0.001


def test_the_best_answer_to_a_fool_is_known() -> None:
    """To open 2x* with any die loses unless there are two stars; who challenges everything loses to
    the truth."""
    fool = always(DUEL_BIDS.index(BID["2x*"]))
    assert best_answer(fool, 0) == pytest.approx(1)
    assert best_answer(fool, 1) == pytest.approx(35 / 36)
    assert exploitability(fool) == pytest.approx(35 / 72)


def test_the_best_answer_to_an_honest_opening_knows_the_die() -> None:
    """1x1 with any die holds with a 1 or a star on either die: 20 of 36. Knowing the own die the
    answer wins more."""
    plain = always(0)
    challenge = 16 / 36
    assert best_answer(plain, 1) > challenge
    assert best_answer(plain, 1) <= 1


def test_a_table_keeps_a_strategy_and_turns_empty_rows_into_challenges() -> None:
    fool = always(3)
    assert unpacked(packed(fool)) == fool
    empty: Strategy = [
        [tuple([0.0] * len(row)) for row in rows] if h else rows for h, rows in enumerate(fool)
    ]
    assert unpacked(packed(empty)) == fool


def test_every_row_of_the_shipped_table_is_a_distribution_over_the_legal_moves() -> None:
    for history, rows in enumerate(equilibrium()):
        for row in rows:
            assert len(row) == len(raises_of(history)) + (history > 0)
            assert sum(row) == pytest.approx(1)
            assert min(row) >= 0


def test_it_plays_as_often_as_the_table_says() -> None:
    player = Duel(Random(1))
    seen = view("3", "0:1x3", owned=ONE)
    row = equilibrium()[1 << DUEL_BIDS.index(BID["1x3"])][FACES.index("3")]
    moves = Counter(player.choose(seen) for _ in range(4000))
    for move, chance in zip([*DUEL_BIDS[3:], CHALLENGE], row, strict=True):
        assert moves[move] / 4000 == pytest.approx(chance, abs=0.03)


@pytest.mark.parametrize("bid", ["3x1", "3x5", "4x2", "2x*", "3x*", "40x5"])
@pytest.mark.parametrize("die", "12345")
def test_it_challenges_every_bid_that_can_not_be_true(bid: str, die: str) -> None:
    player = Duel(Random(1))
    assert {player.choose(view(die, f"0:{bid}", owned=ONE)) for _ in range(20)} == {CHALLENGE}


def test_before_the_last_two_dice_it_plays_by_belief_and_after_seats_are_out_the_duel() -> None:
    player = Duel(Random(1))
    assert player.choose(view("12345", "0:11x2")) == CHALLENGE
    assert player.choose(view("1", "1:3x1", owned=(0, 1, 1))) == CHALLENGE
    assert player.choose(view("1", owned=(0, 1, 1))) in DUEL_BIDS
