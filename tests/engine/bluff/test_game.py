import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bluff.game import Game
from engine.bluff.move import CHALLENGE
from engine.bluff.ruleset import EXACT, Exact, Ruleset
from engine.illegal import Illegal


def random_play(game: Game, seed: int) -> list[tuple[int, ...]]:
    """Play a game to its end as automatic players would: the dice owned after each round."""
    rng = random.Random(seed)
    owned = []
    while not game.over:
        played = game.roll(["".join(rng.choices("12345*", k=dice)) for dice in game.owned])
        while played.challenger < 0:
            bids = played.legal_bids()
            bid = bids[min(int(rng.expovariate(0.1)), len(bids) - 1)] if bids else CHALLENGE
            challenge = played.may_challenge() and rng.random() < 0.3
            assert played.apply(CHALLENGE if challenge else bid) is None
        game.finish(played, played.count())
        owned.append(tuple(game.owned))
    return owned


GAMES = st.builds(
    Game,
    st.builds(Ruleset, exact=st.sampled_from(list(EXACT.values())), dice=st.integers(1, 6)),
    st.integers(2, 6),
    st.just(0),
)


@given(GAMES, st.integers())
def test_b13_the_last_seat_scores_all_dice_of_the_game(game: Game, seed: int) -> None:
    random_play(game, seed)
    scores, ranks = game.cntdice(), game.rank()
    assert scores is not None
    assert ranks is not None
    assert max(scores) == game.rules.dice * game.seats
    assert ranks[scores.index(max(scores))] == 1
    assert ranks.count(1) == 1


@given(GAMES, st.integers())
def test_b13_who_finishes_better_never_scores_less(game: Game, seed: int) -> None:
    random_play(game, seed)
    scores, ranks = game.cntdice(), game.rank()
    assert scores is not None
    assert ranks is not None
    assert [score for _, score in sorted(zip(ranks, scores, strict=True))] == sorted(
        scores, reverse=True
    )


@given(GAMES, st.integers())
def test_b8_dice_never_come_back_into_the_game(game: Game, seed: int) -> None:
    totals = [game.rules.dice * game.seats] + [sum(owned) for owned in random_play(game, seed)]
    assert totals == sorted(totals, reverse=True)
    assert game.exits[-1].dice_gone == game.rules.dice * game.seats - sum(game.owned)
    assert max(game.owned) <= game.rules.dice


@given(st.integers())
def test_the_same_dice_and_moves_give_the_same_game(seed: int) -> None:
    assert random_play(Game(Ruleset(), 4, 0), seed) == random_play(Game(Ruleset(), 4, 0), seed)


@pytest.mark.parametrize(("bid", "count", "opener"), [(3, 3, 1), (3, 4, 1), (3, 2, 2)])
def test_b10_the_winner_of_the_bet_opens_next(bid: int, count: int, opener: int) -> None:
    game = Game(Ruleset(), 4, 0)
    game.settle(bidder=1, challenger=2, bid=bid, count=count)
    assert (game.opener, game.roll().turn) == (opener, opener)


def test_b11_the_game_ends_when_one_seat_is_left() -> None:
    game = Game(Ruleset(), 3, 0)
    assert game.settle(0, 1, 3, 8) == ((0, 5, 0), (1,))
    assert not game.over
    assert (game.rank(), game.cntdice(), game.points()) == (None, None, None)
    assert game.settle(0, 2, 3, 9) == ((0, 0, 5), (2,))
    assert game.over
    assert game.rank() == (1, 3, 2)
    assert game.cntdice() == (15, 5, 10)


@pytest.mark.parametrize(("exact", "score"), [("all", 9), ("giveaway", 8)])
def test_b13_dice_given_away_have_not_left_the_game(exact: Exact, score: int) -> None:
    game = Game(Ruleset(exact=exact, scoring="cntdice"), 2, 0)
    game.settle(0, 1, 5, 1)
    game.settle(0, 1, 1, 5)
    assert game.owned == [1, 1]
    game.settle(0, 1, 1, 1)
    assert game.points() == game.cntdice() == (10, score)


def test_b17_a_seat_that_forfeits_takes_its_dice_out_of_the_game() -> None:
    game = Game(Ruleset(scoring="cntdice"), 3, 1)
    assert game.forfeit([1]) == (1,)
    assert (game.owned, game.opener) == ([5, 0, 5], 2)
    assert game.forfeit([0]) == (0,)
    assert game.over
    assert game.rank() == (2, 3, 1)
    assert game.points() == (10, 5, 15)


def test_b17_seats_that_leave_together_share_a_rank() -> None:
    game = Game(Ruleset(), 4, 3)
    assert game.forfeit([0, 3]) == (0, 3)
    assert game.opener == 1
    assert game.forfeit([2]) == (2,)
    assert game.rank() == (3, 1, 2, 3)


@pytest.mark.parametrize("seats", [[0, 1], [2], [0, 2]])
def test_b17_who_is_out_and_who_is_last_cannot_forfeit(seats: list[int]) -> None:
    game = Game(Ruleset(), 3, 0)
    game.forfeit([2])
    answer = game.forfeit(seats)
    assert isinstance(answer, Illegal)
    assert answer.code == "wrong_seat"
    assert game.owned == [5, 5, 0]


def test_b10_after_losses_alone_nobody_knows_who_opens_but_some_cannot() -> None:
    game = Game(Ruleset(), 4, 0)
    assert game.finish_untold((0, 3, 0, 0)) == ()
    assert (game.opener, game.openers) == (None, (0, 2))
    answer = game.open(1)
    assert isinstance(answer, Illegal)
    assert answer.code == "wrong_seat"
    assert game.open(2) is None
    assert (game.opener, game.openers) == (2, (2,))


def test_b17_who_may_open_moves_on_when_it_leaves() -> None:
    game = Game(Ruleset(), 4, 0)
    game.finish_untold((0, 3, 0, 0))
    game.forfeit([2])
    assert (game.opener, game.openers) == (None, (0, 3))


def test_losses_that_no_bet_can_cause_change_nothing() -> None:
    game = Game(Ruleset(), 4, 0)
    answer = game.finish_untold((1, 2, 0, 0))
    assert isinstance(answer, Illegal)
    assert answer.code == "losses_mismatch"
    assert game.owned == [5, 5, 5, 5]
