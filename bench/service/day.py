"""A day of 200 clubs: 10⁵ results in 24 portions, its hours, beside readers and open pages.

In each hour some clubs hold an evening, large ones and small ones, while the others sleep. Their
programs send the results, now and then one of them twice; two readers of each such club ask for
pages; every club has a page open that is told of its results. An hour ends when all are counted,
and prints what came of it. After the day, every result that was acknowledged must be counted once,
every open page must have been told of the newest version, and `manage.py verify` must find nothing.

`DAY_HOURS=2 python -m bench day` measures fewer hours. An hour takes about three minutes.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from itertools import cycle
from statistics import median
from time import monotonic, perf_counter, process_time
from typing import Final
from uuid import uuid4

import psutil
import redis
from django.conf import settings
from django.db import connection

from bench.measure import percentile
from bench.service.evening import cookies_of
from bench.service.league import dice, empty_season, handle, numbers, play
from bench.service.servers import web, workers
from bench.service.streams import open_stream
from bench.service.whole_way import (
    KINDS,
    PLAYERS,
    Cost,
    anything_waits,
    cpu_spent,
    key_of,
    server_processes,
)
from league.core.waiting_jobs import queue_states
from league.models import RankedGame, Season
from league.site.audit.services import club_audit
from league.standings.ranking.live import live_url
from league.standings.ranking.services.counting import ranking_count
from tests.factories.records import FIRST_EVENING, bluff_record, line

CLUBS: Final = 200
RESULTS: Final = 100_000
HOURS: Final = 24
RATE: Final = 25
"""Results a second, of all clubs together."""
AWAKE: Final = 25
"""Clubs that hold an evening in the same hour; the largest has 25 times the smallest's results."""
REPEATED: Final = 100
"""Each hundredth result is sent twice, as by a program that got no answer."""
SECONDS_A_PAGE: Final = 12.0
"""Each of two readers of a club that is awake asks for a page so often: all for four a second."""
PATIENCE: Final = 60.0
"""Seconds for an answer; also for news of the last results, once they are counted."""
DAY: Final = datetime(2026, 9, 12, tzinfo=UTC)
GAMES_OF_A_CLUB: Final = 810
"""Of a year of 45 evenings, with six tables and three games at each."""
TABLES: Final = 12
"""The largest tables, whose sizes are printed."""
FORGOTTEN: Final = "league_idempotencykey"
"""The answers to requests, which are deleted after seven days."""

FIGURES: Final = """
    SELECT sum(n_live_tup), pg_database_size(current_database()),
        pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')
    FROM pg_stat_user_tables
"""
SIZES: Final = """
    SELECT relname, n_live_tup, pg_total_relation_size(relid) FROM pg_stat_user_tables
"""


@dataclass
class Reader:
    """Somebody who looks at one page after the other, with the tags of those seen before."""

    paths: Sequence[str]
    cookies: str
    known: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False)
class DayClub:
    """A club, its readers, and the key of its program; `results`: the ids of those that are
    acknowledged; `version`: of its ranking, as its open page was told last."""

    season: Season
    key: str
    readers: Sequence[Reader]
    results: list[str]
    version: int


@dataclass(frozen=True)
class Figures:
    """How large everything is: rows and bytes of the database, bytes of its write-ahead log since
    it exists, of Valkey, and of our own processes; the games that are counted."""

    rows: int
    database: int
    wal: int
    valkey: int
    processes: int
    counted: int


@dataclass
class Hour:
    """What happened in an hour: seconds of each POST, pages and those of them that hadn't changed,
    news of the open pages, seconds from the last answer until all were counted, and errors."""

    begins: datetime
    posts: list[float] = field(default_factory=list)
    results: int = 0
    pages: int = 0
    unchanged: int = 0
    told: int = 0
    behind: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)


def measure() -> None:
    """Let the clubs live through the day, hour by hour, and print what each brought."""
    clubs = [_club() for _ in range(CLUBS)]
    begun, sizes = _figures(clubs), _sizes()
    connection.close()
    hours = int(os.environ.get("DAY_HOURS", HOURS))
    print(f"\nA day of {CLUBS} clubs  ({RESULTS:,} results in {HOURS} hours; CPU per result)")
    _print_heading()
    errors: Counter[str] = Counter()
    figures = begun
    with web() as port, workers():
        for number in range(hours):
            hour = Hour(DAY + timedelta(hours=number))
            cost = cpu_spent(lambda hour=hour: asyncio.run(_live(port, clubs, hour)), None)
            before, figures = figures, _figures(clubs)
            connection.close()
            _print_hour(hour, cost, before, figures)
            errors += hour.errors
        waiting = {state.name: state.waiting for state in queue_states() or [] if state.waiting}
    print(f"  errors: {dict(errors) or 'none'}; calls that still wait: {waiting or 'none'}")
    _print_losses(clubs)
    _print_growth(begun, figures, sizes)
    _print_verification(clubs)


def _club() -> DayClub:
    """Return a new club whose players have met once."""
    season = empty_season("season")
    for first in range(0, PLAYERS, 4):
        play(season, range(first, first + 4), FIRST_EVENING)
    ranking_count(ranking_id=season.ranking_id)
    season.ranking.refresh_from_db()
    results = list(_counted(season).elements())
    club = f"/clubs/{season.club.slug}/"
    paths = [f"{club}{season.slug}/", f"{club}{season.slug}/games/", club, "/"]
    readers = [Reader(paths, cookies) for cookies in ("", cookies_of(season, 0))]
    return DayClub(season, key_of(season), readers, results, season.ranking.version)


async def _live(port: int, clubs: Sequence[DayClub], hour: Hour) -> None:
    """Let an hour pass: some clubs hold an evening, and all have their pages open."""
    awake = dice.sample(clubs, AWAKE)
    chosen = dice.choices(awake, weights=range(1, AWAKE + 1), k=RESULTS // HOURS)
    evenings = Counter(chosen)
    async with asyncio.TaskGroup() as beside:
        tasks = [beside.create_task(_watch(port, club, hour)) for club in clubs]
        tasks += [
            beside.create_task(_read(port, reader, hour))
            for club in awake
            for reader in club.readers
        ]
        await asyncio.gather(
            *[_hold_evening(port, club, count, hour) for club, count in evenings.items()]
        )
        sent = monotonic()
        while await asyncio.to_thread(anything_waits):
            await asyncio.sleep(0.2)
        hour.behind = monotonic() - sent
        await _hear_the_last(clubs, hour)
        for task in tasks:
            task.cancel()


async def _hold_evening(port: int, club: DayClub, count: int, hour: Hour) -> None:
    """Send a club's results of the hour, evenly but for chance."""
    seconds = RESULTS / HOURS / RATE
    start = monotonic()
    for nth in range(count):
        share = (nth + dice.random()) / count
        await asyncio.sleep(max(0.0, start + share * seconds - monotonic()))
        await _send(port, club, hour.begins + timedelta(hours=share), hour)


async def _send(port: int, club: DayClub, played_at: datetime, hour: Hour) -> None:
    """Send a result as a club's program does, some twice."""
    number = next(numbers)
    seats = [handle(player) for player in dice.sample(range(PLAYERS), 4)]
    record = bluff_record(number, seats=seats, played_at=played_at.isoformat())
    headers = {
        "Authorization": f"Bearer {club.key}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid4()),
    }
    path = f"/api/v1/clubs/{club.season.club.slug}/games/?season={club.season.slug}"
    for _ in range(1 if number % REPEATED else 2):
        start = perf_counter()
        status, _ = await _ask(port, f"POST {path}", headers, line(record))
        hour.posts.append(perf_counter() - start)
        if status != HTTPStatus.CREATED:
            hour.errors[f"POST: {status}"] += 1
            return
    club.results.append(record["id"])
    hour.results += 1


async def _read(port: int, reader: Reader, hour: Hour) -> None:
    """Ask for pages as a browser does, which shows its own copy if nothing has changed."""
    await asyncio.sleep(SECONDS_A_PAGE * dice.random())
    for path in cycle(reader.paths):
        headers = {"Accept-Encoding": "gzip", "Cookie": reader.cookies}
        if path in reader.known:
            headers["If-None-Match"] = reader.known[path]
        status, tag = await _ask(port, f"GET {path}", headers)
        hour.pages += 1
        if status == HTTPStatus.NOT_MODIFIED:
            hour.unchanged += 1
        elif status != HTTPStatus.OK:
            hour.errors[f"{path}: {status}"] += 1
        reader.known[path] = tag
        await asyncio.sleep(SECONDS_A_PAGE)


async def _ask(
    port: int, request: str, headers: dict[str, str], body: bytes = b""
) -> tuple[int, str]:
    """Return the status of an answer and its ETag; the status is 0 if there was none."""
    headers = {
        "Host": "localhost",
        "Connection": "close",
        "Content-Length": str(len(body)),
        **headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"{request} HTTP/1.1\r\n{lines}\r\n".encode() + body)
            answer = await reader.read()
    except OSError:  # a TimeoutError is one
        return 0, ""
    writer.close()
    status, *fields = answer.partition(b"\r\n\r\n")[0].decode("latin-1").splitlines()
    names = dict(field.split(": ", 1) for field in fields)
    return int(status.split()[1]), names.get("etag", "")


async def _watch(port: int, club: DayClub, hour: Hour) -> None:
    """Have the club's ranking open: count the news, and note its version."""
    while True:
        path = live_url(club.season.ranking_id, club.version)
        reader, writer = await open_stream(port, path, "127.0.0.1")
        try:
            async for field_line in reader:
                if field_line.startswith(b"id: "):
                    version = int(field_line.removeprefix(b"id: "))
                    if version <= club.version:
                        hour.errors["old news"] += 1
                    club.version = version
                    hour.told += 1
        finally:
            writer.transport.abort()
        hour.errors["a stream that ended"] += 1


async def _hear_the_last(clubs: Sequence[DayClub], hour: Hour) -> None:
    """Wait until every open page was told of the newest version of its ranking."""
    newest = await asyncio.to_thread(_versions)
    deadline = monotonic() + PATIENCE
    while behind := [club for club in clubs if club.version != newest[club.season.pk]]:
        if monotonic() > deadline:
            hour.errors["news missed"] += len(behind)
            return
        await asyncio.sleep(0.1)


def _versions() -> dict[int, int]:
    """Return the version of each season's ranking."""
    versions = dict(Season.objects.values_list("pk", "ranking__version"))
    connection.close()
    return versions


def _counted(season: Season) -> Counter[str]:
    """Return the ids of the results that count in a season, with how often each does."""
    games = RankedGame.objects.filter(ranking=season.ranking_id, over=True)
    return Counter(games.values_list("game__external_id", flat=True))


def _figures(clubs: Sequence[DayClub]) -> Figures:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(FIGURES)
        rows, database, wal = map(int, cursor.fetchone())
    rankings = [club.season.ranking_id for club in clubs]
    valkey = redis.Redis.from_url(settings.REDIS_URL).info("memory")["used_memory"]
    own = [process for kind, process in server_processes() if kind in ("web", "workers")]
    counted = RankedGame.objects.filter(ranking__in=rankings, over=True).count()
    return Figures(rows, database, wal, valkey, sum(map(_memory, own)), counted)


def _memory(process: psutil.Process) -> int:
    """Return the bytes that a process holds, with its part of those that it shares."""
    return int(process.memory_full_info().pss)


def _sizes() -> dict[str, tuple[int, int]]:
    """Return the rows and bytes of each table, with its indexes."""
    with connection.cursor() as cursor:
        cursor.execute(SIZES)
        return {table: (rows, size) for table, rows, size in cursor.fetchall()}


def _print_heading() -> None:
    kinds = " ".join(f"{kind:>8}" for kind in KINDS)
    print(
        f"  hour {'results':>8} {'counted':>8} {'after':>6} {'pages':>6} {'unchanged':>9} "
        f"{'told':>6} {'rows':>10} {'database':>9} {'WAL':>7} {'Valkey':>7} {'own':>7} "
        f"{kinds} {'POST p50':>9} {'p99':>8}  errors"
    )


def _print_hour(hour: Hour, cost: Cost, before: Figures, figures: Figures) -> None:
    kinds = " ".join(f"{cost[kind] / hour.results:5.1f} ms" for kind in KINDS)
    p50, p99 = 1000 * median(hour.posts), 1000 * percentile(hour.posts, 0.99)
    print(
        f"  {hour.begins:%H} h {hour.results:8,} {figures.counted - before.counted:8,} "
        f"{hour.behind:4.0f} s {hour.pages:6,} {hour.unchanged:9,} {hour.told:6,} "
        f"{figures.rows:10,} {figures.database / 1e6:6.0f} MB "
        f"{(figures.wal - before.wal) / 1e6:4.0f} MB {figures.valkey / 1e6:4.1f} MB "
        f"{figures.processes / 1e6:4.0f} MB {kinds} {p50:6.0f} ms {p99:5.0f} ms  "
        f"{dict(hour.errors) or 'none'}",
        flush=True,
    )


def _print_losses(clubs: Sequence[DayClub]) -> None:
    """Print how many acknowledged results aren't counted, or more often than once."""
    lost: Counter[str] = Counter()
    doubled: Counter[str] = Counter()
    for club in clubs:
        counted = _counted(club.season)
        lost += Counter(club.results) - counted
        doubled += counted - Counter(club.results)
    acknowledged = sum(len(club.results) for club in clubs)
    print(
        f"  results acknowledged {acknowledged:,}, lost {lost.total()}, doubled {doubled.total()}"
    )


def _print_growth(begun: Figures, ended: Figures, sizes: dict[str, tuple[int, int]]) -> None:
    """Print by how much the largest tables grew, and what that makes in a year."""
    results = ended.counted - begun.counted
    grown = {
        table: (rows - sizes[table][0], size - sizes[table][1])
        for table, (rows, size) in _sizes().items()
    }
    print(f"\n  {'grown by':<44} {'rows':>10} {'bytes':>11} {'bytes a result':>15}")
    for table, (rows, size) in sorted(grown.items(), key=lambda item: -item[1][1])[:TABLES]:
        print(f"  {table:<44} {rows:10,} {size / 1e6:8.1f} MB {size / results:15,.0f}")
    size = ended.database - begun.database
    print(f"  {'the whole database':<44} {'':10} {size / 1e6:8.1f} MB {size / results:15,.0f}")
    each = (size - grown[FORGOTTEN][1]) / results
    year = 365 * RESULTS * each / 1e9
    print(f"  a result that stays: {each:,.0f} bytes; a year of such days: {year:,.0f} GB")
    print(f"  a club of {GAMES_OF_A_CLUB} results a year: {GAMES_OF_A_CLUB * each / 1e6:.1f} MB")


def _print_verification(clubs: Sequence[DayClub]) -> None:
    """Verify all clubs, as `manage.py verify` does, and print what that takes and finds."""
    found = []

    def verify() -> None:
        for club in clubs:
            found.extend(club_audit(club_id=club.season.club_id))

    start, own = monotonic(), process_time()
    cost = cpu_spent(verify, None)
    print(
        f"  verified in {monotonic() - start:.0f} s, {process_time() - own:.0f} s of our CPU and "
        f"{cost['database'] / 1000:.0f} s of the database's: {len(found) or 'no'} differences",
        flush=True,
    )
    for difference in found[:10]:
        print(f"    {difference}")
