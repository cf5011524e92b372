"""Rows of the API's lists and exports that no page shows in the same way; each list is one query."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, QuerySet

from engine.record.export import export
from games.models import Game, Round
from games.queries.game import game_record
from league.clubs.models import Club
from league.rankings.models import Appearance, Rating, RatingChange, Season, SeasonGame
from league.rankings.queries.gameline import SEATS, listed_games

Rows = QuerySet[Any, Any]  # of dicts, by the names of their columns
SEASON = (
    "club__slug", "slug", "name", "starts_on", "ends_on", "kind", "rules", "scoring", "rated", "tie_breaks",
    "visibility", "version", "computed_at",
)  # fmt: skip
GAME = (
    "game_id", "external_id", "game__kind", "game__revision", "game__event", "game__table", "game__played_at",
    "game__over", "game__round_count", "counted", "season__club__slug", "season__slug", "seats",
)  # fmt: skip
EXPORTED_TOGETHER = 100  # games whose rounds are in memory at the same time


def club_rows() -> Rows:
    """All clubs by name."""
    return Club.objects.order_by("name", "pk").values("slug", "name", "about", "timezone")


def season_rows(seasons: QuerySet[Season], club: Club) -> Rows:
    """Those of the seasons that are the club's, the latest first."""
    rows: Rows = seasons.filter(club=club).order_by("-starts_on", "name", "pk").values(*SEASON)
    return rows


def rating_rows(season: Season) -> Rows:
    """The season's ratings from the strongest player to the weakest."""
    return (
        Rating.objects.filter(season=season)
        .order_by("-mu", "player_id")
        .values("player_id", "player__handle", "player__name", "mu", "sigma", "games", "recent")
    )


def player_rows(seasons: QuerySet[Season], club: Club) -> Rows:
    """The club's players who sat in a game of the seasons, by name."""
    known = club.players.filter(appearances__season__in=seasons).distinct()
    return known.order_by("name", "pk").values("id", "handle", "name")


def game_rows(
    seasons: QuerySet[Season],
    club: Club,
    *,
    season: str | None = None,
    player: int | None = None,
    event: str | None = None,
    played_after: datetime | None = None,
    played_before: datetime | None = None,
) -> Rows:
    """The games of the club's seasons among those given, narrowed to what is asked for, the latest first."""
    wanted = {
        "season__slug": season,
        "appearances__player": player,
        "game__event": event,
        "game__played_at__gte": played_after,
        "game__played_at__lt": played_before,
    }
    told = {name: value for name, value in wanted.items() if value is not None}
    rows: Rows = listed_games(seasons.filter(club=club)).filter(**told).annotate(seats=SEATS).values(*GAME)
    return rows


def seat_rows(game: Game) -> list[dict[str, Any]]:
    """The seats of a game of a season, in seat order."""
    names = ("player", "handle", "name", "rank", "points", "cntdice")
    seats = Appearance.objects.filter(season_game=game.season_game).order_by("seat__number")
    columns = ("player_id", "player__handle", "player__name", "rank", "points", "seat__cntdice")
    return [dict(zip(names, row, strict=True)) for row in seats.values_list(*columns)]


def successor_of(game: Game) -> int | None:
    """The id of the revision that corrects this one."""
    return Game.objects.filter(replaces=game).values_list("pk", flat=True).first()


def rating_changes_of(game: Game) -> dict[int, dict[str, Any]]:
    """What the game did to the players' ratings, by the player's id."""
    names = ("mu_before", "sigma_before", "mu", "sigma")
    changes = RatingChange.objects.filter(season_game=game.season_game).values_list("player_id", *names)
    return {player: dict(zip(names, figures, strict=True)) for player, *figures in changes}


def season_records(season: Season) -> Iterator[bytes]:
    """The records of the season's games that no correction replaces, in order of play, a line each."""
    games = listed_games([season]).order_by("played_at", "external_id")
    ids = list(games.values_list("game_id", flat=True))
    for start in range(0, len(ids), EXPORTED_TOGETHER):
        together = ids[start : start + EXPORTED_TOGETHER]
        rounds: dict[int, list[Round]] = {game_id: [] for game_id in together}
        for row in Round.objects.filter(game__in=together).order_by("game", "number"):
            rounds[row.game_id].append(row)
        stored = Game.objects.in_bulk(together)
        for game_id in together:
            yield export(game_record(stored[game_id], rounds[game_id])) + b"\n"


def season_record_state(season: Season) -> tuple[int, int]:
    """What changes whenever a record comes to the season or replaces one: how many games, and the latest of them."""
    told = SeasonGame.objects.filter(season=season).aggregate(games=Count("pk"), latest=Max("pk"))
    return told["games"], told["latest"] or 0
