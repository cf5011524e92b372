"""Which tables a number of players sits down at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.pairing.sizes import SizeMix, size_mix
from engine.record.kinds import SEATS


@pytest.mark.parametrize(
    ("players", "sizes", "tables"),
    [
        (16, (4, 3), (4, 4, 4, 4)),
        (17, (4, 3), (4, 4, 3, 3, 3)),
        (22, (4, 3), (4, 4, 4, 4, 3, 3)),
        (23, (4, 3), (4, 4, 4, 4, 4, 3)),
        (27, (4, 3), (4, 4, 4, 4, 4, 4, 3)),
        (3, (4, 3), (3,)),
        (11, (5, 6, 4), (6, 5)),
        (13, (5, 6, 4), (5, 4, 4)),
        (7, (4, 5, 3), (4, 3)),
        (9, (4, 5, 3), (5, 4)),
        (15, (8, 7), (8, 7)),
        (30, (8, 7, 6), (8, 8, 8, 6)),
        (20, (6, 7, 8), (8, 6, 6)),
    ],
)
def test_there_are_as_few_short_tables_as_can_be(
    players: int, sizes: tuple[int, ...], tables: tuple[int, ...]
) -> None:
    assert size_mix(players, sizes, bye=False) == SizeMix(tables, 0)


@pytest.mark.parametrize(
    ("players", "sizes", "byes"), [(17, (4,), 1), (19, (4,), 3), (5, (4, 3), 1), (17, (4, 3), 0)]
)
def test_somebody_sits_out_only_where_no_mix_fits(
    players: int, sizes: tuple[int, ...], byes: int
) -> None:
    mix = size_mix(players, sizes, bye=True)
    assert isinstance(mix, SizeMix)
    assert mix.byes == byes


def test_of_an_odd_number_one_sits_out_of_duels() -> None:
    assert size_mix(5, (2,), bye=False) == SizeMix((2, 2), 1)


@pytest.mark.parametrize(
    ("players", "sizes", "code"),
    [(5, (4, 3), "no_such_sizes"), (2, (4, 3), "too_few"), (0, (2,), "too_few")],
)
def test_what_can_not_be_seated_is_a_fault(players: int, sizes: tuple[int, ...], code: str) -> None:
    mix = size_mix(players, sizes, bye=False)
    assert isinstance(mix, Illegal)
    assert mix.code == code


def least_short(players: int, sizes: tuple[int, ...]) -> int | None:
    """The fewest short tables that seat so many, found table by table."""
    best: dict[int, int] = {0: 0}
    for number in range(1, players + 1):
        ways = [best[number - size] + (size < sizes[0]) for size in sizes if number - size in best]
        if ways:
            best[number] = min(ways)
    return best.get(players)


@given(
    st.integers(0, 80),
    st.lists(st.sampled_from(SEATS), min_size=1, unique=True).map(tuple),
    st.booleans(),
)
def test_a_mix_seats_everybody_with_the_fewest_short_tables(
    players: int, sizes: tuple[int, ...], bye: bool
) -> None:
    mix = size_mix(players, sizes, bye=bye)
    if isinstance(mix, SizeMix):
        assert sum(mix.tables) + mix.byes == players
        assert sum(size < sizes[0] for size in mix.tables) == least_short(players - mix.byes, sizes)
        assert all(least_short(players - fewer, sizes) is None for fewer in range(mix.byes))
    else:
        assert least_short(players, sizes) is None or players < min(sizes)
