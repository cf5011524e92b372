"""Readers by the thousand: what a page costs that hasn't changed, and a result that all of them
wait for.

CPU is that of the web process and of its database, whatever the readers themselves take.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

from django.db import connection
from django.test import Client

from bench.service.client import load
from bench.service.events import running_stage
from bench.service.league import handle, new_season, play
from bench.service.servers import web_process
from league.models import (
    Entry,
    Membership,
    Player,
    Role,
    Season,
    SeasonGame,
    Stage,
    Table,
    User,
)
from league.standings.ranking.live import live_url
from league.standings.ranking.services.counting import ranking_count
from league.up.web import raise_file_limit
from tests.factories import events

TURNS: Final = 5
REQUESTS: Final = 100
CONNECTIONS: Final = 4
READERS: Final = 1_000
EACH: Final = 250  # from one address, of which a machine has many of its own
PLAYERS: Final = 104
PART: Final = {"HX-Request": "true", "HX-Target": "live", "Accept-Language": "en"}
"""What league/static/league/live.js sends, and how long it gathers."""
GATHER_SECONDS: Final = 0.15


@dataclass(frozen=True)
class OpenPage:
    """A page that many have open: its address, that of its stream, and how a result comes in."""

    name: str
    path: str
    stream: str
    result: Callable[[], None]


def measure() -> None:
    """Print the cost of unchanged pages beside a view that does nothing, then that of a result for
    all readers."""
    raise_file_limit()
    reader = User.objects.create_user("reader", "reader@example.org")
    season, stage = new_season(PLAYERS), running_stage(PLAYERS)
    events.drawn(stage)
    with web_process() as (port, process):
        addresses = addresses_of(season, stage)
        _unchanged(port, process, addresses)
        _signed_in(port, process, addresses, _player_of(stage, reader))
        print(f"\nA result that {READERS:,} readers wait for  ({PLAYERS} players, one web process)")
        for page in (ranking_page(season), _stage(stage)):
            asyncio.run(changed(port, process, page))


def addresses_of(season: Season, stage: Stage) -> dict[str, str]:
    """What readers ask for, and a view that does nothing."""
    game = SeasonGame.objects.select_related("game").filter(season=season).latest("pk").game
    table = Table.objects.filter(stage_round__stage=stage).earliest("pk")
    player = Player.objects.get(club=season.club, handle=handle(1))
    club = f"/clubs/{season.club.slug}/"
    ranking = f"{club}{season.slug}/"
    event = f"/clubs/{stage.event.club.slug}/events/{stage.event.slug}/"
    return {
        "hello": "/hello/",
        "ranking": ranking,
        "a row": f"{ranking}players/{player.public_id}/",
        "games": f"{ranking}games/",
        "club": club,
        "player": f"/players/{player.public_id}/",
        "event": event,
        "stage": f"{event}stages/{stage.number}/",
        "table": f"/tables/{table.public_id}/",
        "game": f"/games/{game.public_id}/",
        "home": "/",
    }


def _unchanged(port: int, process: int, addresses: dict[str, str]) -> None:
    costs = unchanged_costs(port, process, addresses)
    bare = costs["hello"]
    print(f"\nUnchanged pages without an account  (median of {TURNS} turns of {REQUESTS} requests)")
    for name, each in costs.items():
        print(f"  {name:<22} {each:8.2f} ms CPU   {each / bare:.1f}×", flush=True)


def unchanged_costs(port: int, process: int, addresses: dict[str, str]) -> dict[str, float]:
    """The CPU time in milliseconds of each page, of the web process and its database."""
    costs: dict[str, list[float]] = {name: [] for name in addresses}
    for turn in range(TURNS + 1):
        for name, path in addresses.items():
            start = served(process)
            load(port, path, connections=CONNECTIONS, requests=REQUESTS)
            if turn:  # the first one warms
                costs[name].append((served(process) - start) / REQUESTS)
    return {name: median(each) for name, each in costs.items()}


def _player_of(stage: Stage, user: User) -> Client:
    """The browser of a player who has a seat in the stage and has signed in."""
    Membership.objects.create(club=stage.event.club, user=user, role=Role.PLAYER)
    entry = Entry.objects.select_related("player").filter(event=stage.event).earliest("pk")
    entry.player.user = user
    entry.player.save()
    browser = Client(headers={"host": "localhost", "accept-encoding": "gzip"})
    browser.force_login(user)
    return browser


def _signed_in(port: int, process: int, addresses: dict[str, str], browser: Client) -> None:
    """Print what the same pages cost a player who is signed in, and a 304 where there is one; how
    many times that of a reader without an account."""
    browser.get("/")  # the first page brings the cookie of the forms' token
    cookies = [f"{name}={cookie.value}" for name, cookie in browser.cookies.items()]
    headers = {"Cookie": "; ".join(cookies)}
    print(f"\nUnchanged pages, signed in  (mean of {REQUESTS} requests; × without an account)")
    for name, path in addresses.items():
        if name == "hello":
            continue
        page = browser.get(path)
        bare = _mean_cpu(port, process, path)
        whole = _mean_cpu(port, process, path, headers=headers)
        figures = f"{whole:8.2f} ms CPU   {whole / bare:.0f}×"
        if page.has_header("ETag"):
            known = {**headers, "If-None-Match": page["ETag"]}
            unchanged = _mean_cpu(port, process, path, headers=known, status=304)
            figures += f"   304: {unchanged:.2f} ms"
        print(f"  {name:<22} {figures}", flush=True)


def _mean_cpu(port: int, process: int, path: str, **options: Any) -> float:
    """The CPU time of an answer in milliseconds, after a few that aren't counted."""
    load(port, path, connections=CONNECTIONS, requests=2 * CONNECTIONS, **options)
    start = served(process)
    load(port, path, connections=CONNECTIONS, requests=REQUESTS, **options)
    return (served(process) - start) / REQUESTS


def ranking_page(season: Season) -> OpenPage:
    """The page of a season's ranking, and a game that is counted in it."""

    def result() -> None:
        play(season, range(4))
        ranking_count(ranking_id=season.ranking_id)

    season.ranking.refresh_from_db()
    path = f"/clubs/{season.club.slug}/{season.slug}/"
    return OpenPage("a ranking", path, live_url(season.ranking_id, season.ranking.version), result)


def _stage(stage: Stage) -> OpenPage:
    ranking, facts = stage.event.season.ranking, events.facts(stage)

    def result() -> None:
        events.finish(facts.tables[0].public_id, facts.ids(facts.tables[0]))
        ranking_count(ranking_id=ranking.pk)

    ranking.refresh_from_db()
    path = f"/clubs/{stage.event.club.slug}/events/{stage.event.slug}/stages/{stage.number}/"
    return OpenPage("a stage", path, live_url(ranking.pk, ranking.version), result)


async def changed(port: int, process: int, page: OpenPage) -> float:
    """Open all pages, bring a result in, and let each page fetch its part as its script does; the
    CPU time in milliseconds."""
    await asyncio.to_thread(
        load, port, page.path, connections=1, requests=3
    )  # somebody has seen it
    readers = [
        asyncio.create_task(_reader(port, page, f"127.0.0.{2 + n // EACH}")) for n in range(READERS)
    ]
    await asyncio.sleep(5)
    start = await asyncio.to_thread(served, process)
    await asyncio.to_thread(_enter, page)
    committed = perf_counter()
    fetched = await asyncio.gather(*readers)
    cpu = await asyncio.to_thread(served, process) - start
    last = max(moment for moment, _ in fetched) - committed
    part = await asyncio.to_thread(
        lambda: Client(headers={"host": "localhost", **PART}).get(page.path).content
    )
    current = sum(gzip.decompress(body) == part for _, body in fetched)
    size = max(len(body) for _, body in fetched)
    figures = (
        f"{cpu / 1000:6.2f} s CPU   {size / 1000:5.1f} kB each   last after {last:.1f} s   "
        f"{current:,} current"
    )
    print(f"  {page.name:<22} {figures}", flush=True)
    return cpu


def _enter(page: OpenPage) -> None:
    page.result()
    connection.close()


async def _reader(port: int, page: OpenPage, address: str) -> tuple[float, bytes]:
    """Read the stream until it tells of a result, wait as long as it says, and fetch the part:
    when, and its body."""
    reader, writer = await ask(port, address, page.stream, {})
    await reader.readuntil(b"data: ")
    spread: int = json.loads(await reader.readline())["spread"]
    await asyncio.sleep(GATHER_SECONDS + random.random() * spread / 1000)
    answer, asking = await ask(port, address, page.path, {**PART, "Accept-Encoding": "gzip"})
    body = await body_of(answer)
    moment = perf_counter()
    asking.close()
    writer.transport.abort()
    return moment, body


async def body_of(answer: asyncio.StreamReader) -> bytes:
    """Read the body of an answer that says how long it is."""
    head = (await answer.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = next(line for line in head.splitlines() if line.startswith("content-length:"))
    return await answer.readexactly(int(length.partition(":")[2]))


async def ask(
    port: int, address: str, path: str, headers: dict[str, str]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Send a request from an address of this machine, over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    lines = "".join(
        f"{name}: {value}\r\n" for name, value in {"Host": "localhost", **headers}.items()
    )
    writer.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
    return reader, writer


def served(web: int) -> float:
    """The CPU time in milliseconds that a web process and the database's processes have had so far
    (Linux)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        servers = [Path(f"/proc/{pid}") for (pid,) in cursor.fetchall()]
    tasks = [*Path(f"/proc/{web}/task").iterdir(), *servers]
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6
