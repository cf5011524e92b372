"""Players made weaker."""

from random import Random

from engine.bluff.move import Move
from engine.players.at_random import AtRandom
from engine.players.by_odds import ByOdds
from engine.players.chooser import Wavering
from engine.players.player import SeatView
from tests.engine.players.views import view


def wavering(strength: float, seed: int) -> Wavering[SeatView, Move]:
    rng = Random(seed)
    return Wavering(ByOdds(), AtRandom(rng), strength, rng)


def test_strength_0_plays_at_random_and_1_as_the_player_itself() -> None:
    said = view("22345", "0:3x4")
    best = ByOdds().choose(said)
    assert {wavering(1, seed).choose(said) for seed in range(50)} == {best}
    assert len({wavering(0, seed).choose(said) for seed in range(50)}) > 6
    half = [wavering(0.5, seed).choose(said) for seed in range(400)]
    assert 0.65 < half.count(best) / 400 < 0.9
