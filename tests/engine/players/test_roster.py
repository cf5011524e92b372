"""Automatic players found by their names, and made weaker."""

import pytest

from engine.players.chooser import Wavering
from engine.players.roster import PLAYERS, player
from engine.record.bluff.kind import BLUFF
from tests.engine.players.views import view


@pytest.mark.parametrize("name", PLAYERS[BLUFF].by_name)
@pytest.mark.parametrize("strength", [0, 0.5, 1])
def test_the_same_seed_makes_the_same_player(name: str, strength: float) -> None:
    seen = [view("12345"), view("12345", "0:3x4"), view("23", "0:1x5", owned=(1, 2), reroll=True)]
    one, other = player(name, "a", strength), player(name, "a", strength)
    assert [one.choose(each) for each in seen] == [other.choose(each) for each in seen]


def test_only_a_weaker_player_wavers() -> None:
    assert isinstance(player("odds", 1, 0.9), Wavering)
    assert not isinstance(player("odds", 1), Wavering)
