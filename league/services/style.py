"""Writing how the players of a season play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Final

from django.db.models import QuerySet

from engine.analysis.game import analyse
from engine.analysis.profile import Style as Sums
from games.models import Round
from games.models.game import Kind
from games.queries.game import game_record
from league.models import Season, SeasonGame, Style
from league.queries.seasongame import appearances_of
from league.services.derived import derived_write

BATCH: Final = 100
"""Games whose rounds are in memory at once."""


def styles_add(season: Season, games: Sequence[SeasonGame]) -> None:
    """Add games, each with its `game`, to the styles of their players and write the rows that change."""
    if season.kind != Kind.BLUFF or not games:
        return
    sums = _sums(games)
    rows = list(Style.objects.filter(season=season, player__in=sums))
    for row in rows:
        sums[row.player_id] = row.sums + sums[row.player_id]
    _write(season, sums, rows)


def styles_recount(season: Season, games: QuerySet[SeasonGame], players: Collection[int] | None = None) -> None:
    """Compute the styles of players (None: of all) from all the games that count, and write the rows that change."""
    rows = Style.objects.filter(season=season)
    if players is not None:
        games = games.filter(pk__in=SeasonGame.objects.filter(season=season, appearances__player__in=players))
        rows = rows.filter(player__in=players)
    sums = _sums(list(games.select_related("game"))) if season.kind == Kind.BLUFF else {}
    _write(season, {player: told for player, told in sums.items() if players is None or player in players}, rows)


def _sums(games: Sequence[SeasonGame]) -> dict[int, Sums]:
    """What each player did in these games."""
    sums: dict[int, Sums] = defaultdict(Sums)
    for start in range(0, len(games), BATCH):
        batch = games[start : start + BATCH]
        appearances = appearances_of(batch)
        rounds: dict[int, list[Round]] = defaultdict(list)
        for row in Round.objects.filter(game__in=[game.game_id for game in batch]).order_by("game", "number"):
            rounds[row.game_id].append(row)
        for game in batch:
            analysis = analyse(game_record(game.game, rounds[game.game_id]))
            for seat, appearance in enumerate(appearances[game.pk]):
                sums[appearance.player_id] += Sums.of(analysis, seat)
    return sums


def _write(season: Season, sums: dict[int, Sums], rows: Iterable[Style]) -> None:
    """Make the stored `rows` those of the sums; only what differs is written, and nothing where nothing is known."""
    wanted = [
        Style(season=season, player_id=player, **_columns(told)) for player, told in sums.items() if told != Sums()
    ]
    derived_write(Style, rows, wanted, key=("season", "player"))


def _columns(sums: Sums) -> dict[str, int | list[int]]:
    """The sums as the columns of a row."""
    return {name: list(figure) if isinstance(figure, tuple) else figure for name, figure in asdict(sums).items()}
