"""Writing a season's table."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from engine.scoring.standings import Criterion, table
from engine.scoring.tally import Tally, tally_of_game
from league.rankings.models import Appearance, Season, SeasonGame, Standing
from league.rankings.queries.seasongame import appearances_of
from league.rankings.services.derived import derived_write

# Where a game without a time stands in the order of play: after all that have one.
UNTIMED = datetime(9999, 1, 1, tzinfo=UTC)


class Tallies:
    """The season's tallies: in all, and without its last day of play (what the arrows beside the ranks compare with).

    Whatever the order in which games are added, the result is the same.
    """

    def __init__(self, season: Season) -> None:
        self.zone = ZoneInfo(season.club.timezone)
        self.last_day: date | None = None
        self.total: dict[int, Tally] = {}
        self.before: dict[int, Tally] = {}

    def add(self, played_at: datetime, player: int, tally: Tally) -> None:
        """Add one player's game. Games without a time belong to no day; they count as played before the last."""
        day = date.min if played_at == UNTIMED else played_at.astimezone(self.zone).date()
        if self.last_day is None or day > self.last_day:
            self.before = dict(self.total)
            self.last_day = day
        if day < self.last_day:
            self.before[player] = self.before.get(player, Tally()) + tally
        self.total[player] = self.total.get(player, Tally()) + tally


def standings_add(season: Season, games: Iterable[SeasonGame]) -> None:
    """Add games to the season's table and write the rows that change."""
    games = list(games)
    if not games:
        return
    tallies = Tallies(season)
    tallies.last_day = season.last_day
    rows = list(Standing.objects.filter(season=season))
    for row in rows:
        tallies.total[row.player_id] = Tally(row.games, row.wins, row.points, row.rank_sum, row.best)
        tallies.before[row.player_id] = Tally(*row.before)
    appearances = appearances_of(games)
    for game in games:
        for seat in appearances[game.pk]:
            tallies.add(game.played_at, seat.player_id, _game(seat.rank, seat.points))
    _write(season, tallies, rows)


def standings_recount(season: Season, games: QuerySet[SeasonGame]) -> None:
    """Compute the season's table from these games, all that count, and write the rows that change."""
    tallies = Tallies(season)
    seats = Appearance.objects.filter(season_game__in=games.order_by()).values_list(
        "season_game__played_at", "player", "rank", "points"
    )
    for played_at, player, rank, points in seats:
        tallies.add(played_at, player, _game(rank, points))
    _write(season, tallies, Standing.objects.filter(season=season))


def _game(rank: int | None, points: int | None) -> Tally:
    if rank is None or points is None:
        raise ValueError("a game that isn't over has no place in a table")
    return tally_of_game(rank, points)


def _figures(tally: Tally) -> list[int]:
    return [tally.games, tally.wins, tally.points, tally.rank_sum, tally.best]


def _write(season: Season, tallies: Tallies, rows: Iterable[Standing]) -> None:
    """Rank the tallies by the season's tie-breaks and make the stored `rows` those; only what differs is written."""
    order = [Criterion(name) for name in season.tie_breaks]
    played_before = {player: tally for player, tally in tallies.before.items() if tally.games}
    rank_before = {line.player: line.rank for line in table(played_before, order)}
    wanted = [
        Standing(
            season=season,
            player_id=line.player,
            rank=line.rank,
            rank_before=rank_before.get(line.player),
            decided_by=line.decided_by or "",
            games=line.tally.games,
            wins=line.tally.wins,
            points=line.tally.points,
            rank_sum=line.tally.rank_sum,
            best=line.tally.best,
            before=_figures(tallies.before.get(line.player, Tally())),
        )
        for line in table(tallies.total, order)
    ]
    derived_write(Standing, rows, wanted, key=("season", "player"))
    season.last_day = tallies.last_day
