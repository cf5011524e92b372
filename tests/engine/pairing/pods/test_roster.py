"""What searches know of players: those of one label are to each other as if each two of them were
named."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from engine.pairing.draw_file import COUNTS, ROUNDS
from engine.pairing.draw_input import Apart, DrawInput, Participant, Strictness
from engine.pairing.pods import balance
from engine.pairing.pods.roster import (
    MEETING,
    MOST_AGAIN,
    MOST_OUT,
    MOST_SEATS,
    MOST_TURNS,
    MUST,
    PRICES,
    RANGE,
    pairs_of,
    roster_of,
)
from engine.pairing.seats import OPENING
from engine.record.kinds import SEATS

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
    prices = [
        roster_of(given, 4).apart(everybody[:, None], everybody) for given in (labelled, named)
    ]
    assert (prices[0] == prices[1]).all()
    energies, energies_of_names = pairs_of(labelled), pairs_of(named)
    assert (energies.met == energies_of_names.met).all()
    assert (energies.together_now == energies_of_names.together_now).all()


def test_at_the_largest_table_too_each_price_is_more_than_all_before_it_make_in_one_swap() -> None:
    """One who changes tables leaves seven and comes to seven, and so does the other one."""
    pairs = 2 * (SEATS[-1] - 1)
    most = {
        "out": MOST_OUT,
        "wish": pairs,
        "short_later": MOST_TURNS,
        "again": pairs * MOST_AGAIN,
        "must": pairs,
        "short": MOST_TURNS,
        "bye": MOST_TURNS,
    }
    total = pairs * ((1 << RANGE) - 1) ** 2
    for name, price in PRICES.items():
        assert total < price, name
        total += most[name] * price
    assert total < 1 << 62


def test_at_the_largest_table_too_what_counts_more_weighs_more() -> None:
    pairs = 2 * (SEATS[-1] - 1)
    assert pairs * ROUNDS[-1] * MEETING < MUST * MEETING, (
        "of one swap all meetings, and one of two who must stay apart"
    )
    assert COUNTS[-1] > MOST_SEATS
    assert (SEATS[-1] - 1) * COUNTS[-1] < OPENING, (
        "all seats of a table but the first, and one first turn"
    )
    unlike = (2 * MOST_SEATS) ** 2 + (SEATS[-1] - 1) * MOST_SEATS**2
    assert pairs * unlike < balance.SEAT, "how much those at a table differ, and one seat"
    assert 2 * MOST_SEATS * OPENING * balance.SEAT < balance.FLOAT, (
        "the seats of two who change places, and one float"
    )
