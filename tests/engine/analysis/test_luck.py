"""Luck that is luck: expected to be 0 whoever plays how, and within what fair dice give."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import fsum
from operator import neg
from statistics import pvariance
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.bet import lead
from engine.analysis.game import Analysis, analyse
from engine.analysis.luck import (
    WORTH,
    Luck,
    RolledLuck,
    all_recorded,
    luck_per_roll,
    roll_luck,
    total,
)
from engine.analysis.moment import ReplayedRound, replayed_rounds
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import FACES
from engine.players.match import Entrant, play_match
from engine.record.bluff.round import RoundRecord
from engine.record.bluff.settle import RoundResult
from engine.record.lines import read_lines
from engine.record.record import Record, read
from tests.engine.analysis.build import of, record
from tests.engine.record.simulated import random_game
from tests.engine.record.test_season import SEASON


def rolls(*rounds: dict[str, Any], **rules: Any) -> list[RolledLuck]:
    return analyse(record(*rounds, **rules)).rolls()


def every_roll(dice: int) -> Iterator[str]:
    return map("".join, product(FACES, repeat=dice))


def test_a_better_match_than_the_mean_of_all_hands_is_luck_and_the_others_bad_luck() -> None:
    (deal,) = rolls({"dealt": ["44", "25"], "moves": ["1x4", "!"]}, dice=2)
    mean = (
        sum(2 if len(set(hand) - {"*"}) < 2 else 1 + ("*" in hand) for hand in every_roll(2)) / 36
    )
    assert deal.seats[0] == pytest.approx(
        (WORTH * (2 - mean - (1 - mean)), 2 * WORTH**2 * (2 - mean) * (mean - 1))
    )
    assert deal.seats[1] == pytest.approx((-WORTH, 2 * WORTH**2 * (2 - mean) * (mean - 1)))


def is_fair(outcomes: Sequence[tuple[Luck | None, ...]]) -> None:
    """All outcomes of a roll, one by one: for each seat luck is 0 on average, and its variance the
    one stated."""
    for seat in zip(*outcomes, strict=True):
        parts = [luck for luck in seat if luck is not None]
        assert fsum(luck.luck for luck in parts) == pytest.approx(0, abs=1e-9)
        for part in parts:
            assert fsum(luck.luck**2 for luck in parts) / len(parts) == pytest.approx(
                part.variance, abs=1e-12
            )


@pytest.mark.parametrize("owned", [(2, 1), (2, 2), (3, 1), (2, 0, 1), (1, 2, 1)])
def test_over_all_deals_luck_adds_up_to_0_and_its_square_to_the_variance(
    owned: tuple[int, ...],
) -> None:
    result = RoundResult(0, None, None, None, None, (0,) * len(owned), ())
    deals: list[tuple[Luck | None, ...]] = []
    for hands in product(*map(every_roll, owned)):
        (deal,) = roll_luck(ReplayedRound(RoundRecord("dealt", hands=hands), owned, (), result))
        deals.append(deal.seats)
    assert [luck is None for luck in deals[0]] == [not dice for dice in owned]
    is_fair(deals)


@pytest.mark.parametrize("show", ["4", "1", "*", "45"])
def test_b14_over_all_rerolls_luck_adds_up_to_0_and_its_square_to_the_variance(show: str) -> None:
    rerolls: list[tuple[Luck | None, ...]] = []
    for rolled in every_roll(4 - len(show)):
        dealt = {"dealt": ["145*", "2233", "1111"], "moves": [f"1x4/{show}>{rolled}"]}
        _, reroll = rolls(dealt, dice=4, seats=3, reroll=True)
        assert reroll.move == 0
        rerolls.append(reroll.seats)
    is_fair(rerolls)


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_at_each_roll_the_luck_of_all_seats_adds_up_to_nothing(seed: int) -> None:
    for rolled in analyse(of(random_game(seed))).rolls():
        assert sum(luck.luck for luck in rolled.seats if luck) == pytest.approx(0, abs=1e-12)


moves = st.sampled_from([["1x4", "!"], ["9x5", "!"], ["1x1", "1x2", "3x3", "!"], ["2x5"], []])


@given(st.text(FACES, min_size=3, max_size=3), st.text(FACES, min_size=3, max_size=3), moves, moves)
def test_what_is_done_with_the_dice_leaves_their_luck_as_it_is(
    one: str, other: str, done: list[str], instead: list[str]
) -> None:
    first, second = (
        rolls({"dealt": [one, other], "moves": moves}, dice=3) for moves in (done, instead)
    )
    assert first == second
    assert first


def test_b17_the_deal_of_a_round_that_a_forfeit_made_void_counts_like_any_other() -> None:
    dealt = {"dealt": ["44", "25"], "moves": ["1x4"]}
    assert rolls(dealt | {"forfeit": [1], "void": True}, dice=2) == rolls(dealt, dice=2)


def test_a_seat_that_is_out_has_no_luck() -> None:
    rounds = (
        {"dealt": ["3", "2", "2"], "moves": ["2x3", "!"]},
        {"dealt": ["", "2", "2"], "moves": ["1x2", "!"]},
    )
    first, second = rolls(*rounds, dice=1, seats=3)
    assert None not in first.seats
    assert second.seats[0] is None
    assert len(luck_per_roll((first, second), 0)) == 1


DICE: dict[str, Any] = {"revealed": ["44", "25"], "moves": ["1x4", "1x5", "!"]}
DEALT: dict[str, Any] = {"dealt": ["44", "25"], "moves": ["1x4", "1x5", "!"]}


def test_hands_shown_when_the_cups_went_up_are_those_that_were_rolled() -> None:
    assert rolls(DICE, dice=2) == rolls(DEALT, dice=2)


def test_b14_with_rerolls_they_are_not_and_no_luck_is_told_even_if_nobody_laid_dice_out() -> None:
    assert rolls(DICE, dice=2, reroll=True) == []
    assert rolls(DEALT, dice=2, reroll=True) != []


@pytest.mark.parametrize(
    "untold",
    [
        {"moves": ["1x4", "!"], "count": 2},
        {"moves": ["1x4", "!"], "bidder": 0, "challenger": 1, "count": 2},
        {"losses": [0, 1]},
    ],
)
def test_a_game_of_which_one_round_tells_no_dice_has_no_luck(untold: dict[str, Any]) -> None:
    whole = {"dealt": ["44", "2"], "moves": ["1x4", "!"], "opener": 0}
    analysis = analyse(record(untold, whole, dice=2))
    assert analysis.luck() is None
    assert analysis.as_json()["luck"] is None


def test_b17_a_round_that_was_broken_off_without_its_dice_is_left_out() -> None:
    left = {"moves": ["1x4"], "forfeit": [2], "void": True}
    hands = {"revealed": ["44", "25", ""], "moves": ["1x4", "1x5", "!"]}
    assert [len(luck_per_roll(rolls(left, hands, dice=2, seats=3), seat)) for seat in range(3)] == [
        1,
        1,
        0,
    ]
    assert (
        len(rolls({"revealed": ["44", "25"], "moves": ["2x4", "!"]}, {"moves": ["1x1"]}, dice=2))
        == 1
    )


def test_b18_a_void_round_needs_no_dice_even_if_it_was_challenged() -> None:
    void = {"moves": ["1x4", "!"], "void": True}
    assert rolls(void, DEALT, dice=2) == rolls(DEALT, dice=2)


def test_a_game_of_which_only_the_end_is_told_has_no_luck() -> None:
    assert all_recorded(Ruleset(), ())
    assert Analysis("evening-1", ("anna", "ben"), 0, ()).luck() is None


def test_luck_as_json() -> None:
    luck = RolledLuck(None, (Luck(1 / 3, 0.25), None))
    assert luck.as_json() == {"move": None, "seats": [{"luck": 0.333333, "variance": 0.25}, None]}
    assert Luck(0, 0.25).half == pytest.approx(0.98)


def sums(games: Sequence[Analysis]) -> dict[str, Luck]:
    """The luck of each handle over the games that tell it."""
    parts: dict[str, list[Luck]] = {}
    for game in games:
        for handle, luck in zip(game.seats, game.luck() or (), strict=False):
            parts.setdefault(handle, []).append(luck)
    return {handle: total(lucks) for handle, lucks in parts.items()}


@pytest.mark.parametrize("reroll", [False, True])
def test_three_kinds_of_automatic_players_are_as_lucky_as_fair_dice_make_them(reroll: bool) -> None:
    kinds = [Entrant(name, name) for name in ("random", "odds", "belief")]
    luck = sums(
        [analyse(played.record) for played in play_match(kinds, 60, 3, Ruleset(reroll=reroll))]
    )
    assert luck.keys() == {"random", "odds", "belief"}
    assert all(abs(of_kind.luck) < of_kind.half for of_kind in luck.values()), luck


@pytest.fixture(scope="module")
def season() -> list[tuple[Record, Analysis]]:
    with SEASON.open("rb") as stream:
        games = [
            read(line.content) for line in read_lines(stream) if isinstance(line.content, bytes)
        ]
    return [(game, analyse(game)) for game in games if isinstance(game, Record)]


def test_the_sample_season_has_lucky_and_unlucky_players_as_fair_dice_make_them(
    season: list[tuple[Record, Analysis]],
) -> None:
    luck = list(sums([analysis for _, analysis in season]).values())
    assert len(luck) == 28
    assert fsum(of_player.luck for of_player in luck) == pytest.approx(0, abs=1e-9)
    # 28 fair coins: fewer than 8 or more than 20 heads come once in a hundred and fifty times.
    assert 8 <= sum(of_player.luck < 0 for of_player in luck) <= 20
    # 28 squared standard normals add up to 15.3 … 44.5 in 95 of 100 cases (the chi-squared
    # distribution).
    assert 15.3 < sum(of_player.luck**2 / of_player.variance for of_player in luck) < 44.5


def test_luck_taken_off_what_the_rounds_brought_leaves_less_to_chance(
    season: list[tuple[Record, Analysis]],
) -> None:
    brought: list[float] = []
    less_luck: list[float] = []
    for game, analysis in season:
        for played, analysed in zip(replayed_rounds(game), analysis.rounds, strict=True):
            for seat, dice in enumerate(played.owned):
                if dice and analysed.rolls:
                    brought.append(lead(tuple(map(neg, played.result.delta)), played.owned, seat))
                    less_luck.append(brought[-1] - total(luck_per_roll(analysed.rolls, seat)).luck)
    assert len(brought) > 2000
    assert pvariance(less_luck) < 0.95 * pvariance(brought)
