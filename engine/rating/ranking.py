"""A whole ranking computed from its games: the published table with ranks, changes and ratings."""

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
    """A row: the standing, the rank before the last day of play, and the rating.

    `rank_before` is None for players who are new since then, `rating` if the ranking isn't rated.
    """

    standing: Standing[str]
    rank_before: int | None
    rating: Rating | None

    @property
    def climbed(self) -> int | None:
        """Return the ranks gained on the last day of play, negative if lost; None for new
        players."""
        if self.rank_before is None:
            return None
        return self.rank_before - self.standing.rank

    def cells(self) -> dict[str, str]:
        """Return the row as text by column; averages and ratings have four decimals."""
        tally = self.standing.tally
        cells = dict.fromkeys(COLUMNS, "")
        cells |= {
            "rank": str(self.standing.rank),
            "handle": cell_of(self.standing.player),
            "games": str(tally.games),
            "wins": str(tally.wins),
            "points": str(tally.points),
            "points_per_game": f"{tally.points / tally.games:.4f}",
            "average_rank": f"{tally.rank_sum / tally.games:.4f}",
            "best_game": str(tally.best),
            "decided_by": self.standing.decided_by or "",
        }
        if self.climbed is not None:
            cells["change"] = str(self.climbed)
        if self.rating is not None:
            mu, low, high = self.rating.interval
            cells |= {
                "rating": f"{mu:.4f}",
                "sigma": f"{self.rating.sigma:.4f}",
                "rating_low": f"{low:.4f}",
                "rating_high": f"{high:.4f}",
                "provisional": "yes" if self.rating.provisional else "no",
            }
        return cells


def ranking(
    games: Iterable[FinishedGame],
    order: Sequence[Criterion],
    zone: tzinfo,
    *,
    rated: bool,
    ids: Mapping[str, str] = NO_IDS,
) -> list[RankingRow]:
    """Return the table of a ranking from best to worst.

    `order`: the ranking criterion and its tie-breaks. `zone`: the time zone of its days of play.
    `rated`: with ratings, which need NumPy. `ids`: players' ids by handle, which sort players who
    share a rank; a player without an id is sorted by handle. The order of `games` doesn't
    matter."""
    played = in_order_of_play(games)
    rows = dated_tallies(played, zone)
    before = ranks_before(rows, last_day(rows), order)
    ratings = ratings_of(played) if rated else {}
    tallies = {(ids.get(player, player), player): row.total for player, row in rows.items()}
    ranked = []
    for row in table(tallies, order):
        player = row.player[1]
        standing = Standing(row.rank, player, row.tally, row.decided_by)
        ranked.append(RankingRow(standing, before.get(player), ratings.get(player)))
    return ranked


def ratings_of(games: Sequence[FinishedGame]) -> dict[str, Rating]:
    """Return all players' ratings after games given in order of play. Needs NumPy."""
    from engine.rating.waves import rate_games  # a table without ratings works without NumPy

    sizes = []
    players: list[str] = []
    ranks: list[int] = []
    for game in games:
        sizes.append(len(game.players))
        players += game.players
        ranks += game.rank
    return rate_games(sizes, players, ranks, {}).ratings()
