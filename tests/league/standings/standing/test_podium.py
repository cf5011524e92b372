"""Who stands on a podium."""

import pytest

from league.standings.standing.domain import podium_size


@pytest.mark.parametrize(
    ("ranks", "size"),
    [
        ([1, 2, 3], 3),
        ([1, 2, 3, 4, 5], 3),
        ([1, 2, 3, 3], 4),
        ([1, 2, 3, 3, 5], 4),
        ([1, 2, 3, 3, 3], 2),
        ([1, 1, 3, 4], 3),
        ([1, 1, 3, 3, 5], 4),
        ([1, 2, 2, 2, 2], 1),
        ([1, 1, 1, 4], 3),
        ([1, 2], 2),
    ],
)
def test_equal_players_stand_together_or_not_at_all(ranks: list[int], size: int) -> None:
    assert podium_size(ranks) == size


@pytest.mark.parametrize("ranks", [[], [1], [1, 1], [1, 1, 1, 1, 1]])
def test_nobody_stands_where_nobody_leads(ranks: list[int]) -> None:
    assert podium_size(ranks) == 0
