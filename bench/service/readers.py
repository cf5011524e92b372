"""Readers by the thousand: what a page costs that hasn't changed, and what a result costs that all of them wait for."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Final

from django.db import connection

from bench.service.client import load
from bench.service.league import new_season
from bench.service.servers import web_process
from league.models import Season, SeasonGame, User

TURNS: Final = 3
REQUESTS: Final = 100
CONNECTIONS: Final = 4


def measure() -> None:
    """Print what an unchanged page costs beside a view that does nothing."""
    season = new_season(28)
    User.objects.create_user("reader")
    print(
        f"\nUnchanged pages  (median of {TURNS} turns of {REQUESTS} requests; CPU of the web process and the database)"
    )
    with web_process() as (port, process):
        costs: dict[str, list[float]] = {}
        for turn in range(TURNS + 1):
            for name, path in addresses(season).items():
                start = served(process)
                load(port, path, connections=CONNECTIONS, requests=REQUESTS)
                if turn:  # the first one warms
                    costs.setdefault(name, []).append((served(process) - start) / REQUESTS)
        bare = median(costs["hello"])
        for name, each in costs.items():
            print(f"  {name:<22} {median(each):8.2f} ms CPU   {median(each) / bare:.1f}×", flush=True)


def addresses(season: Season) -> dict[str, str]:
    """What is asked for."""
    game = SeasonGame.objects.select_related("game").filter(season=season).latest("pk").game
    return {
        "hello": "/hello/",
        "ranking": f"/clubs/{season.club.slug}/{season.slug}/",
        "game": f"/games/{game.public_id}/",
        "home": "/",
    }


def served(web: int) -> float:
    """The CPU time in milliseconds that a web process and the database's processes have had so far (Linux)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        servers = [Path(f"/proc/{pid}") for (pid,) in cursor.fetchall()]
    tasks = [*Path(f"/proc/{web}/task").iterdir(), *servers]
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6
