"""A whole ranking computed from its games: the table with ranks, changes and ratings, as it is
published."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.cells import cell_of
from engine.rating.rating import Rating
from engine.scoring.dated_tally import last_day, ranks_before
from engine.scoring.finished_game import FinishedGame, dated_tallies, in_order_of_play
from engine.scoring.standings import Criterion, Standing, table

COLUMNS: Final = (
    "rank",
    "change",
    "handle",
    "games",
    "wins",
    "points",
    "points_per_game",
    "average_rank",
    "best_game",
    "decided_by",
    "rating",
    "sigma",
    "rating_low",
    "rating_high",
    "provisional",
)
"""The columns of a published table."""
NO_IDS: Final[Mapping[str, str]] = MappingProxyType({})


class RankingRow(NamedTuple):
    """One row: the standing, the rank before the last day of play, and the rating.

    `rank_before` is None for who is new since then, `rating` where the ranking isn't rated.
    """

    standing: Standing[str]
    rank_before: int | None
    rating: Rating | None

    @property
    def climbed(self) -> int | None:
        """Ranks won since before the last day of play, negative for lost ones; None for who is
        new."""
        return None if self.rank_before is None else self.rank_before - self.standing.rank

    def cells(self) -> dict[str, str]:
        """The row as text by column: averages and ratings with four decimals, empty where there is
        nothing to tell."""
        rank, handle, tally, decided_by = self.standing
        rated: Sequence[str] = ("",) * 5
        if self.rating is not None:
            mu, low, high = self.rating.interval
            figures = [f"{figure:.4f}" for figure in (mu, self.rating.sigma, low, high)]
            rated = (*figures, "yes" if self.rating.provisional else "no")
        texts = (
            str(rank),
            "" if self.climbed is None else str(self.climbed),
            cell_of(handle),
            *[str(figure) for figure in (tally.games, tally.wins, tally.points)],
            f"{tally.points / tally.games:.4f}",
            f"{tally.rank_sum / tally.games:.4f}",
            str(tally.best),
            decided_by or "",
            *rated,
        )
        return dict(zip(COLUMNS, texts, strict=True))


def ranking(
    games: Iterable[FinishedGame],
    order: Sequence[Criterion],
    zone: tzinfo,
    *,
    rated: bool,
    ids: Mapping[str, str] = NO_IDS,
) -> list[RankingRow]:
    """The table of a ranking from best to worst, who shares a rank by the player's id (`ids`, by
    handle), or where that isn't known by handle.

    `order`: its tie-breaks, the first of which ranks. `zone`: where its days of play begin and end.
    The order in which the games are given doesn't matter; `rated` needs NumPy."""
    played = in_order_of_play(games)
    rows = dated_tallies(played, zone)
    before = ranks_before(rows, last_day(rows), order)
    ratings = ratings_of(played) if rated else {}
    by_id = table(
        {(ids.get(player, player), player): row.total for player, row in rows.items()}, order
    )
    standings = [Standing(row.rank, row.player[1], row.tally, row.decided_by) for row in by_id]
    return [
        RankingRow(standing, before.get(standing.player), ratings.get(standing.player))
        for standing in standings
    ]


def ratings_of(games: Sequence[FinishedGame]) -> dict[str, Rating]:
    """Everybody's rating after games given in order of play. Needs NumPy."""
    from engine.rating.waves import rate_games  # a table without ratings does without NumPy

    players = [player for game in games for player in game.players]
    ranks = [rank for game in games for rank in game.rank]
    return rate_games([len(game.players) for game in games], players, ranks, {}).ratings()
