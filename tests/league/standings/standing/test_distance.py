"""Why a row has its rank: how far its neighbours are, and what a win would do."""

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.standings import Criterion, table
from engine.scoring.tally import Tally, tally_of_game
from league.models import Ranking
from league.standings.standing.queries.distance import FIGURES, Win, distances
from league.standings.standing.queries.neighbour import rank_reasons
from league.standings.standing.queries.standing import TableRow, table_rows
from tests.factories.counted import counted_season

ORDER = [Criterion.POINTS, Criterion.WINS, Criterion.AVERAGE_RANK]
ANNA = TableRow(
    rank=2,
    rank_before=None,
    decided_by="",
    player="anna000000",
    handle="anna",
    name="Anna",
    games=4,
    wins=2,
    points=30,
    rank_sum=7,
    best=15,
    mu=None,
    sigma=None,
    recent=None,
    only_end=False,
    provisional=False,
    penalty=0,
    place=2,
)
GRETA = replace(ANNA, rank=1, name="Greta", points=42, place=1)
PAVEL = replace(ANNA, rank=3, name="Pavel", points=29, place=3)


def test_by_points_it_says_how_many() -> None:
    assert distances(ANNA, GRETA, PAVEL, None, ORDER) == [
        "12 points behind Greta (rank 1).",
        "1 point ahead of Pavel (rank 3).",
    ]


def test_the_first_is_told_that_nobody_is_ahead_and_the_last_of_nobody_below() -> None:
    assert distances(GRETA, None, ANNA, None, ORDER) == [
        "Nobody is ahead.",
        "12 points ahead of Anna (rank 2).",
    ]
    assert distances(PAVEL, ANNA, None, None, ORDER) == ["1 point behind Anna (rank 2)."]


def test_level_in_points_the_tie_break_is_named_with_both_figures() -> None:
    level = replace(GRETA, points=30, wins=3)
    slower = replace(PAVEL, points=30, rank_sum=9)
    assert distances(ANNA, level, slower, None, ORDER) == [
        "Behind Greta (rank 1) on wins: 2 to 3.",
        "Ahead of Pavel (rank 3) on average rank: 1.75 to 2.25.",
    ]


def test_who_shares_the_rank_is_named() -> None:
    assert distances(ANNA, replace(GRETA, points=30), None, None, ORDER) == [
        "Shares the rank with Greta: level on everything that counts."
    ]


@pytest.mark.parametrize(
    ("rank", "words"),
    [(1, "would lead to rank 1, if nobody else plays"), (2, "would leave the rank unchanged")],
)
def test_a_win_leads_somewhere_or_nowhere(rank: int, words: str) -> None:
    (_, sentence) = distances(ANNA, GRETA, None, Win(13, rank), ORDER)
    assert words in sentence
    assert "(13)" in sentence


@pytest.mark.django_db
@pytest.mark.parametrize(
    "tie_breaks", [["points", "wins"], ["points_per_game", "games"], ["average_rank"]]
)
def test_the_rank_after_a_win_is_that_of_a_table_with_it(tie_breaks: list[str]) -> None:
    season = counted_season(9, tie_breaks=tie_breaks)
    ranking = Ranking.objects.get(pk=season.ranking_id)
    rows = table_rows(ranking)
    tallies = {
        row.player: Tally(row.games, row.wins, row.points, row.rank_sum, row.best) for row in rows
    }
    for row in rows:
        sentence = rank_reasons(ranking, row)[-1]
        points = int(sentence.partition("(")[2].partition(")")[0])
        after = table(
            {**tallies, row.player: tallies[row.player] + tally_of_game(1, points)}, ranking.order
        )
        rank = next(standing.rank for standing in after if standing.player == row.player)
        assert (
            f"would lead to rank {rank}," in sentence
            if rank < row.rank
            else "unchanged" in sentence
        )


@pytest.mark.django_db
def test_the_page_of_a_row_says_it_and_is_silent_while_the_table_is_made_anew(
    client: Client,
) -> None:
    season = counted_season(9)
    rows = table_rows(season.ranking)
    page = reverse("standing", args=[season.club.slug, season.slug, rows[1].player])
    assert "Why rank 2?" in client.get(page).content.decode()
    Ranking.objects.filter(pk=season.ranking_id).update(rebuilt_to=1)
    assert "Why rank 2?" not in client.get(page).content.decode()


@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.integers(0, 3), st.integers(0, 40)), min_size=2, max_size=2
    )
)
def test_two_rows_tell_the_same_distance_of_each_other(figures: list[tuple[int, int, int]]) -> None:
    ahead, back = sorted(figures, key=lambda each: (each[2], each[1]), reverse=True)
    first, second = (
        replace(
            ANNA, games=games + wins, wins=wins, points=points, rank_sum=2 * games + wins, name="N"
        )
        for games, wins, points in (ahead, back)
    )
    order = [Criterion.POINTS, Criterion.WINS]
    (behind,) = distances(second, replace(first, rank=second.rank), None, None, order)
    (_, before) = distances(first, None, replace(second, rank=second.rank), None, order)
    assert "behind" not in behind or behind.replace("behind", "ahead of") == before


def test_every_tie_break_has_a_figure() -> None:
    assert FIGURES.keys() == set(Criterion)
