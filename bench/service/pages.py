"""Pages at several sizes: bytes, CPU and queries of one answer, made by the view itself."""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from django.test import Client

from bench.service.cost import cost, middle
from bench.service.league import copy_games, handle, new_season
from league.models import Player, Season
from league.up.roles import connected_as

ANSWERS = 5
COPIES = 199  # of 100 games: 20,000


def measure() -> None:
    """Print what one answer costs for each size."""
    print(
        f"\nPages  (median of {ANSWERS} answers; CPU of the view's process and of the "
        "database's that serves it)"
    )
    for players in (28, 500, 5_000):
        season = new_season(players)
        print(f"  {players:,} players", flush=True)
        address = f"/clubs/{season.club.slug}/{season.slug}/"
        _answer("ranking, not vacuumed", address)
        _answer("… sorted by rating", f"{address}?sort=-rating")
        _vacuum()
        api = f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/standings/"
        _answer("ranking", address)
        _answer("last page", f"{address}?page={players // 100 + 1}")
        _answer("sorted by rating", f"{address}?sort=-rating")
        _answer("sorted by wins", f"{address}?sort=-wins")
        _answer("a player looked for", f"{address}?q=r-0001")
        _answer("games", f"{address}games/")
        _answer("standings of the API", api)
    season = new_season(28)
    copy_games(season, COPIES, counted=True)
    print("  20,000 games", flush=True)
    _games(season)


def _vacuum() -> None:
    """Do at once what the database does by itself within minutes after so many new rows."""
    with connected_as(settings.DATABASE_OWNER_URL), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _games(season: Season) -> None:
    """The pages of a season that grow with its games."""
    address = f"/clubs/{season.club.slug}/{season.slug}/"
    player = Player.objects.get(club=season.club, handle=handle(1))
    game = season.season_games.select_related("game").order_by("-pk")[0].game
    _answer("ranking", address)
    _answer("games", f"{address}games/")
    _answer("the oldest games", f"{address}games/?after=start")
    _answer("a player's games", f"{address}games/?player={player.handle}")
    _answer("a row", f"{address}players/{player.public_id}/")
    _answer("a row's last page", f"{address}players/{player.public_id}/?page=99999")
    _answer("its ranks day by day", f"{address}players/{player.public_id}/days/")
    _answer("a player", f"/players/{player.public_id}/")
    _answer("a game", f"/games/{game.public_id}/")
    _first_views(season)
    _answer(
        "records of all games",
        f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/games.ndjson",
    )


def _first_views(season: Season) -> None:
    """The page of a game that nobody has looked at yet in this process."""
    client = Client(headers={"host": "localhost"})
    costs = []
    for row in season.season_games.select_related("game").order_by("pk")[:ANSWERS]:
        with cost() as found:
            client.get(f"/games/{row.game.public_id}/")
        costs.append(found)
    each = middle(costs)
    print(
        f"    {'… seen first':<22} {'':11}  {each.cpu:8.1f} ms CPU  ({each.python:.1f} + "
        f"{each.database:.1f})"
    )


def _answer(name: str, address: str) -> None:
    client = Client(headers={"host": "localhost"})
    size = len(client.get(address).getvalue())
    costs = []
    for _ in range(ANSWERS):
        with cost() as found:
            client.get(address).getvalue()
        costs.append(found)
    each = middle(costs)
    parts = f"({each.python:.1f} + {each.database:.1f})"
    figures = (
        f"{size / 1000:8,.0f} kB  {each.cpu:8.1f} ms CPU {parts:<15}  {each.queries:4.0f} queries"
    )
    print(f"    {name:<22} {figures}", flush=True)
