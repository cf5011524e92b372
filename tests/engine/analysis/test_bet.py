import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.bet import best_bet, bet_value, lead, payoffs
from engine.analysis.odds import binomial, match_chance
from engine.bluff.ruleset import EXACT, Exact, Ruleset
from engine.bluff.showdown import clockwise, losses

tables = st.lists(st.integers(0, 5), min_size=2, max_size=6).filter(
    lambda owned: sum(map(bool, owned)) > 1
)
rules = st.sampled_from(list(EXACT.values())).map(lambda exact: Ruleset(exact=exact))


def expectation(
    rules: Ruleset, owned: tuple[int, ...], bid: int, unseen: int, seen: int, seat: int
) -> float:
    """Every count by itself, through the showdown of the rules. Seat 0 bids."""
    challenger = clockwise(owned)[0]
    chances = binomial(unseen, match_chance(4))
    ends = [losses(rules, owned, 0, challenger, bid, seen + x) for x in range(unseen + 1)]
    return sum(chance * lead(lost, owned, seat) for chance, lost in zip(chances, ends, strict=True))


@pytest.mark.parametrize(
    ("exact", "leads"),
    [
        ("all", [1, -0.5, -0.5]),
        ("challenger", [0.5, -1, 0.5]),
        ("protected", [0.5, -1, 0.5]),
        ("giveaway", [1.5, -1.5, 0]),
    ],
)
def test_b9_the_lead_that_an_exact_hit_brings_bidder_challenger_and_the_third_seat(
    exact: Exact, leads: list[float]
) -> None:
    owned = (2, 3, 1)
    lost = losses(Ruleset(exact=exact), owned, 0, 1, 4, 4)
    assert [lead(lost, owned, seat) for seat in range(3)] == leads


def test_b8_the_loser_of_two_dice_falls_two_behind_and_the_two_others_get_one_ahead_each() -> None:
    assert [lead((0, 2, 0), (5, 5, 5), seat) for seat in range(3)] == [1, -2, 1]


def test_seats_that_are_out_are_no_opponents() -> None:
    assert lead((0, 2, 0), (5, 5, 0), 0) == 2


@given(rules, tables, st.integers(1, 9))
def test_the_leads_of_all_seats_add_up_to_nothing(
    rules: Ruleset, owned: list[int], count: int
) -> None:
    bidder = next(seat for seat, dice in enumerate(owned) if dice)
    lost = losses(rules, owned, bidder, clockwise(owned)[bidder], 4, count)
    assert sum(lead(lost, owned, seat) for seat, dice in enumerate(owned) if dice) == pytest.approx(
        0
    )


@given(rules, tables, st.integers(1, 40), st.integers(0, 5), st.data())
def test_the_value_is_the_mean_over_all_counts(
    rules: Ruleset, table: list[int], bid: int, seen: int, data: st.DataObject
) -> None:
    owned = (5, *table)
    unseen = data.draw(st.integers(0, sum(owned)))
    seat = data.draw(st.sampled_from([seat for seat, dice in enumerate(owned) if dice]))
    pays = payoffs(rules, owned, 0, clockwise(owned)[0], seat)
    value = bet_value(pays, binomial(unseen, match_chance(4)), bid - seen)
    assert value == pytest.approx(expectation(rules, owned, bid, unseen, seen, seat))


@given(rules, tables, st.integers(0, 12), st.integers(-8, 40), st.integers(0, 40))
def test_the_best_bet_is_the_best_of_all(
    rules: Ruleset, table: list[int], unseen: int, lowest: int, more: int
) -> None:
    owned = (5, *table)
    pays = payoffs(rules, owned, 0, clockwise(owned)[0], 0)
    distribution = binomial(unseen, match_chance(4))
    values = [bet_value(pays, distribution, needed) for needed in range(lowest, lowest + more + 1)]
    best = best_bet(pays, distribution, lowest, lowest + more)
    assert best.value == max(values)
    assert best.needed == lowest + values.index(max(values))


def test_b8_nobody_can_lose_more_than_they_own() -> None:
    pays = payoffs(Ruleset(), (2, 1), 0, 1, 0)
    assert bet_value(pays, (1.0,), 9) == -2
    assert bet_value(pays, (1.0,), -9) == 1
