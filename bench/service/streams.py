"""Thousands of open pages: their streams in one web process, what a page takes meanwhile, and who
hears of a result."""

from __future__ import annotations

import asyncio
from time import perf_counter

import psycopg
from django.conf import settings
from django.db import connection

from bench.service.client import HEAD, load
from bench.service.league import new_season, play
from bench.service.servers import web
from league.models import Season
from league.standings.ranking.live import live_url
from league.standings.ranking.services.counting import ranking_count
from league.up.web import raise_file_limit

STREAMS = 5_000
EACH = 500  # from one address, of which a machine has many of its own: 127.0.0.1, 127.0.0.2 …
PATIENCE = 60.0


def measure() -> None:
    """Open the streams, ask for a page, count a result, and print how it went."""
    raise_file_limit()
    season = new_season(28)
    with web() as port:
        page = f"/clubs/{season.club.slug}/{season.slug}/"
        before, others = load(port, page, connections=1, requests=40), connections()
        print(f"\nOpen streams in one web process  ({STREAMS:,} of one ranking)")
        asyncio.run(_measure(port, page, season, others))
        print(f"  {'a page, before them':<44} p50 {before.p50:7.1f} ms", flush=True)


async def _measure(port: int, page: str, season: Season, others: int) -> None:
    began = perf_counter()
    path = live_url(season.ranking_id, season.ranking.version)
    opened = []
    for start in range(0, STREAMS, EACH):
        address = f"127.0.0.{2 + start // EACH}"
        opened += await asyncio.gather(*[open_stream(port, path, address) for _ in range(EACH)])
    print(f"  {'all open':<44} {perf_counter() - began:11.1f} s")
    print(f"  {'connections to the database more than before':<44} {connections() - others:11}")
    during = await asyncio.to_thread(load, port, page, connections=1, requests=40)
    print(f"  {'a page, meanwhile':<44} p50 {during.p50:7.1f} ms")
    began = perf_counter()
    await asyncio.to_thread(_result, season)
    heard = await asyncio.gather(*[_hears(reader) for reader, _writer in opened])
    print(
        f"  {'streams that heard of a result':<44} {sum(heard):11,}  within "
        f"{perf_counter() - began:.1f} s"
    )
    for _reader, writer in opened:
        writer.transport.abort()


async def open_stream(
    port: int, path: str, address: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(HEAD.format(path=path, more="").encode())
    await reader.readuntil(b": open")
    return reader, writer


async def _hears(reader: asyncio.StreamReader) -> bool:
    try:
        await asyncio.wait_for(reader.readuntil(b"data: "), PATIENCE)
    except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
        return False
    return True


def _result(season: Season) -> None:
    play(season, range(4))
    ranking_count(ranking_id=season.ranking_id)
    connection.close()


def connections() -> int:
    """The connections to our database, but for the one that asks."""
    with psycopg.connect(settings.DATABASE_URL) as asking:
        row = asking.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid "
            "<> pg_backend_pid()"
        ).fetchone()
    return int(row[0]) if row else 0
