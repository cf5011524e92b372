"""What searches know of players: those of one label are to each other as if each two of them were named."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from engine.pairing.draw_input import Apart, DrawInput, Participant, Strictness
from engine.pairing.pods.roster import pairs_of, roster_of

LABELS = (1, 2, 1, 0, 0, 2, 1)
PLAYERS = tuple([Participant(f"p{i}", score=i % 3, label=label) for i, label in enumerate(LABELS)])


@pytest.mark.parametrize("strict", ["wish", "must"])
def test_a_label_is_as_good_as_the_names_of_all_its_pairs(strict: Strictness) -> None:
    played = ((("p0", "p1", "p2"), ("p3", "p4", "p5")),)
    labelled = DrawInput((4, 3), "x", PLAYERS, played=played, labels=strict)
    alike = [pair for pair in combinations(PLAYERS, 2) if pair[0].label == pair[1].label > 0]
    apart = tuple([Apart(one.player_id, other.player_id, strict == "must") for one, other in alike])
    named = replace(labelled, labels=None, apart=apart)
    everybody = np.arange(len(PLAYERS) + 1)
    prices = [roster_of(given, 4).apart(everybody[:, None], everybody) for given in (labelled, named)]
    assert (prices[0] == prices[1]).all()
    energies, energies_of_names = pairs_of(labelled), pairs_of(named)
    assert (energies.met == energies_of_names.met).all()
    assert (energies.here == energies_of_names.here).all()
