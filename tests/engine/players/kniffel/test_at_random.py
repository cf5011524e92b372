"""The random player of Lügen-Kniffel."""

from random import Random

from engine.kniffel.combinations import ANNOUNCEABLE, COMBINATIONS, Announcement, Ruleset
from engine.players.kniffel.at_random import TurnsAtRandom
from tests.engine.players.kniffel.views import sheet, view

PLAYER = TurnsAtRandom(Random(1))
FULL_BUT_ONES = sheet(**{name: max(ANNOUNCEABLE[name]) for name in COMBINATIONS[1:]})


def test_it_doubts_every_other_time() -> None:
    doubts = [PLAYER.choose(view(said=("kniffel", 50))) for _ in range(400)]
    assert set(doubts) == {True, False}
    assert 150 < doubts.count(True) < 250


def test_it_rolls_again_every_other_time_with_any_dice_but_all() -> None:
    moves = [PLAYER.choose(view("1>23", rolls=2)) for _ in range(400)]
    keeps = [move for move in moves if not isinstance(move, Announcement)]
    assert set(keeps) == {(), (2,), (3,)}
    assert 150 < len(keeps) < 250


def test_k11_it_announces_after_the_third_roll() -> None:
    assert all(isinstance(PLAYER.choose(view("1>23", rolls=3)), Announcement) for _ in range(50))


def test_k2_k5_it_announces_anything_that_its_sheet_lets_it() -> None:
    seen = view("12345", FULL_BUT_ONES, sheet(), rolls=3)
    assert {PLAYER.choose(seen) for _ in range(200)} == {("ones", points) for points in range(1, 6)}
    zero = seen._replace(rules=Ruleset(allow_zero=True))
    assert {PLAYER.choose(zero) for _ in range(200)} == {("ones", points) for points in range(6)}
