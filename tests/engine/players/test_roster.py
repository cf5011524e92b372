"""Automatic players found by their names, and made weaker."""

import pytest

from engine.players.chooser import Wavering
from engine.players.roster import PLAYERS, player
from engine.record.bluff.kind import BLUFF
from engine.record.kniffel.kind import KNIFFEL
from tests.engine.players.kniffel.views import view as turn_view
from tests.engine.players.views import view


@pytest.mark.parametrize("name", PLAYERS[BLUFF].by_name)
@pytest.mark.parametrize("strength", [0, 0.5, 1])
def test_the_same_seed_makes_the_same_player(name: str, strength: float) -> None:
    seen = [view("12345"), view("12345", "0:3x4"), view("23", "0:1x5", owned=(1, 2), reroll=True)]
    one, other = player(name, "a", strength), player(name, "a", strength)
    assert [one.choose(each) for each in seen] == [other.choose(each) for each in seen]


@pytest.mark.parametrize("name", PLAYERS[KNIFFEL].by_name)
@pytest.mark.parametrize("strength", [0, 0.5, 1])
def test_the_same_seed_makes_the_same_player_of_luegen_kniffel(name: str, strength: float) -> None:
    seen = [turn_view("12345"), turn_view("2>2345", rolls=2), turn_view(said=("chance", 20))]
    one, other = (player(name, "a", strength, KNIFFEL) for _ in range(2))
    assert [one.choose(each) for each in seen] == [other.choose(each) for each in seen]


def test_only_a_weaker_player_wavers() -> None:
    assert isinstance(player("odds", 1, 0.9), Wavering)
    assert not isinstance(player("odds", 1), Wavering)
