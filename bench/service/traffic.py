"""What readers see of the web server: requests a second and times of whole pages, beside a view
that does nothing."""

from __future__ import annotations

from bench.service.client import load
from bench.service.league import new_season
from bench.service.servers import web
from league.models import Player, Season, SeasonGame

CONNECTIONS = 8
REQUESTS = 400


def addresses(season: Season) -> dict[str, str]:
    """What is asked for."""
    ranking = f"/clubs/{season.club.slug}/{season.slug}/"
    game = SeasonGame.objects.select_related("game").filter(season=season).latest("pk").game
    player = Player.objects.filter(club=season.club).earliest("pk")
    return {
        "hello": "/hello/",
        "ranking": ranking,
        "games": f"{ranking}games/",
        "player": f"/players/{player.public_id}/",
        "game": f"/games/{game.public_id}/",
    }


def measure() -> None:
    """Print the figures of each page, and its time as a multiple of the bare view's."""
    season = new_season(28)
    print(
        f"\nPages as their readers get them  ({CONNECTIONS} connections, {REQUESTS} requests, "
        "one web process)"
    )
    print(f"  {'':<10} {'requests/s':>11} {'p50':>10} {'p99':>11}")
    with web() as port:
        bare = None
        for name, path in addresses(season).items():
            load(port, path, connections=CONNECTIONS, requests=5 * CONNECTIONS)  # warm
            found = load(port, path, connections=CONNECTIONS, requests=REQUESTS)
            bare = bare or found
            figures = f"{found.rate:11.0f} {found.p50:7.1f} ms {found.p99:8.1f} ms"
            print(f"  {name:<10} {figures}   {found.p50 / bare.p50:.1f}×", flush=True)
