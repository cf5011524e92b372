"""Whole tournaments, one seed each (`make bench` plays a hundred): nobody meets again, and turns
and seats are fair."""

from collections import Counter

import pytest

from engine.pairing.bounds import fewest_again
from tests.engine.pairing.tournaments import tournament


@pytest.mark.parametrize(
    ("number", "size", "rounds"),
    [
        (16, 4, 4),
        (16, 4, 5),
        (20, 4, 4),
        (20, 4, 5),
        (24, 4, 5),
        (24, 4, 6),
        (28, 4, 6),
        (28, 4, 7),
        (32, 4, 6),
        (32, 4, 8),
        (12, 3, 4),
        (15, 3, 5),
        (18, 3, 6),
        (24, 3, 6),
        (49, 7, 6),
        (56, 7, 4),
        (64, 8, 4),
    ],
)
def test_nobody_meets_twice_where_the_planned_rounds_allow_it(
    number: int, size: int, rounds: int
) -> None:
    assert tournament(number, (size,), rounds, 1).repeats == 0


@pytest.mark.parametrize("number", [17, 22, 23, 27])
def test_nobody_sits_short_twice_before_everybody_did_once(number: int) -> None:
    played = tournament(number, (4, 3), 3, 1)
    short: Counter[str] = Counter({player.player_id: 0 for player in played.players})
    for answer in played.draws:
        short.update(id for table in answer.tables if len(table) == 3 for id in table)
        assert max(short.values()) - min(short.values()) <= 1


@pytest.mark.parametrize(
    ("number", "sizes", "least"),
    [(8, (8,), 28), (14, (7,), 18), (16, (8,), 24), (24, (8,), 21), (63, (8, 7), 0)],
)
def test_at_tables_of_seven_and_eight_nobody_meets_again_oftener_than_they_must(
    number: int, sizes: tuple[int, ...], least: int
) -> None:
    played = tournament(number, sizes, 2, 1)
    assert fewest_again([drawn.tables for drawn in played.draws]) == played.repeats == least


def test_nobody_sits_out_twice_before_everybody_did_once() -> None:
    played = tournament(5, (4,), 5, 1, bye=True)
    assert Counter(id for answer in played.draws for id in answer.bye) == {
        f"p{i}": 1 for i in range(5)
    }


def test_in_a_large_field_nobody_meets_twice_and_first_turns_and_seats_are_fair() -> None:
    """Two openings are everybody's share of eight rounds at tables of four, and two turns in each
    seat.

    Points come before seats: where chance brings more players who lack a seat to a score than it
    has tables, not all can have it. The manual names these bounds."""
    played = tournament(1000, (4,), 10, 1, planned=False)
    assert played.repeats == 0
    turns = Counter(
        (id, seat)
        for drawn in played.draws[:8]
        for table in drawn.tables
        for seat, id in enumerate(table)
    )
    counts = [[turns[player.player_id, seat] for seat in range(4)] for player in played.players]
    assert {count for seats in counts for count in seats} <= {1, 2, 3}
    assert sum(seats[0] == 2 for seats in counts) >= 965
    assert sum(seats == [2, 2, 2, 2] for seats in counts) >= 920


def test_a_field_too_large_to_be_drawn_ahead_looks_at_no_design(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 10,000 at tables of four all 2,500 rounds of one are known, and nobody waits for them."""
    monkeypatch.setattr(
        "engine.pairing.draw.rounds_without_repeats",
        lambda given: pytest.fail("asked for a design's rounds"),
    )
    assert tournament(100, (4,), 2, 1).repeats == 0
