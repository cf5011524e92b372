"""Who watches a table: from the commit of an entry until each of a thousand phones has it, beside the least that passes
a notice of the database on to as many sockets: one that listens, and writes as many bytes to each.

Both are one process; they take turns, so that a busy machine slows both alike.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db import connection
from django.test import Client

from bench.measure import percentile
from bench.service.events import running_stage
from bench.service.readers import served
from bench.service.servers import web_process
from engine.sheet.entry import stored_entry
from games.services.open_game import Writer, entry_add
from league.models import Table, TableOpenGame
from league.sheets.sheet.services.open_game import table_game_open
from league.up.preload import settle
from league.up.web import listening, raise_file_limit
from tests.factories import events

READERS: Final = 1_000
EACH: Final = 250  # from one address, of which a machine has many of its own
TURNS: Final = 25
"""Of which the first five warm."""
WARM: Final = 5
CHANNEL: Final = "bare"
SETTLE_SECONDS: Final = 0.5
PATIENCE: Final = 60.0
COMMENT: Final = b": still here"
HEAD: Final = "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"


def measure() -> None:
    """Print how long after the commit they have it, and what an entry costs the server."""
    raise_file_limit()
    settle()  # a collection of all that is loaded would be taken for a slow answer
    stage = running_stage(8)
    tables = events.drawn(stage).tables.select_related("group", "stage_round__stage__event__season__ranking")
    table = tables.select_related("stage_round__stage__event__club").order_by("number")[0]
    row = table_game_open(table=table)
    for readers in (1, READERS):
        with web_process() as (port, process):
            path, size = _stream(table, row)
            with _bare(size) as bare_port:
                print(f"\nAn entry that {readers:,} watch  ({TURNS - WARM} entries of {size / 1000:.1f} kB each)")
                asyncio.run(_measure(port, bare_port, process, path, row, readers))


def _stream(table: Table, row: TableOpenGame) -> tuple[str, int]:
    """The address of the table's stream, and how many bytes an event of it has."""
    page = Client(headers={"host": "localhost"}).get(f"/tables/{table.public_id}/live/").content.decode()
    part = re.search(r'<section class="card live-now.*?</section>', page, re.DOTALL)
    address = re.search('data-live-url="([^"]*)"', page)
    assert part
    assert address
    return address[1], len(part[0].encode())


@contextmanager
def _bare(size: int) -> Iterator[int]:
    """The port of a process that does nothing but pass notices on."""
    with listening("127.0.0.1", 0) as listener:
        number = listener.fileno()
        command = [sys.executable, "-m", "bench.service.bare", str(number), CHANNEL, str(size)]
        environment = {**os.environ, "BARE_DATABASE": settings.DATABASE_URL}
        process = subprocess.Popen(command, env=environment, pass_fds=[number], stdout=subprocess.PIPE)
        assert process.stdout
        process.stdout.readline()
        yield listener.getsockname()[1]
        process.kill()
        process.wait()


async def _measure(port: int, bare_port: int, process: int, path: str, row: TableOpenGame, readers: int) -> None:
    ours = [await _open(port, n, HEAD.format(path=path).encode(), b": open\n\n") for n in range(readers)]
    bare = [await _open(bare_port, n) for n in range(readers)]
    await asyncio.sleep(1)
    delays: list[float] = []
    bare_delays: list[float] = []
    cpu: list[float] = []
    for turn in range(TURNS):
        start = await asyncio.to_thread(served, process)
        found = await _turn(ours, b"\n\n", lambda: _entry(row))
        await asyncio.sleep(SETTLE_SECONDS)
        spent = await asyncio.to_thread(served, process) - start
        least = await _turn(bare, b"\n", _notify)
        await asyncio.sleep(SETTLE_SECONDS)
        if turn >= WARM:
            delays += found
            bare_delays += least
            cpu.append(spent)
    for name, times in (("commit → received", delays), ("bare NOTIFY → socket", bare_delays)):
        print(f"  {name:<24} p50 {median(times):7.1f} ms   p99 {percentile(times, 0.99):7.1f} ms")
    ratios = median(delays) / median(bare_delays), percentile(delays, 0.99) / percentile(bare_delays, 0.99)
    print(f"  {'ratio':<24} p50 {ratios[0]:7.2f} ×    p99 {ratios[1]:7.2f} ×")
    print(f"  {'CPU an entry':<24} {median(cpu):7.1f} ms, of the web process and the database", flush=True)
    for _, writer in [*ours, *bare]:
        writer.transport.abort()


async def _open(
    port: int, number: int, request: bytes = b"", until: bytes = b""
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    address = (f"127.0.0.{2 + number // EACH}", 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=address)
    if request:
        writer.write(request)
        await reader.readuntil(until)
        await reader.readline()  # the end of the chunk
    return reader, writer


async def _turn(
    readers: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]], end: bytes, commit: Callable[[], float]
) -> list[float]:
    """Milliseconds after the commit at which each reader has all of what came."""
    waiting = [asyncio.create_task(_received(reader, end)) for reader, _ in readers]
    await asyncio.sleep(0)
    committed = await asyncio.to_thread(commit)
    moments = await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE)
    return [1000 * (moment - committed) for moment in moments]


async def _received(reader: asyncio.StreamReader, end: bytes) -> float:
    """The moment at which all of what came is there; comments that keep the line awake are passed over."""
    while COMMENT in await reader.readuntil(end):
        pass
    return perf_counter()


def _entry(row: TableOpenGame) -> float:
    """Commit one more entry; when that was."""
    length = row.open_game.sheet.length
    act, value = ("note", {"bid": "2x4"}) if length % 2 == 0 else ("undo", {})
    entry, writer = stored_entry(act, value), Writer(automatic="bench")
    entry_add(open_game=row.open_game.public_id, length=length, entry=entry, writer=writer, key=uuid4())
    moment = perf_counter()
    row.open_game.sheet.length += 1
    return moment


def _notify() -> float:
    """Commit a bare notice; when that was."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])
    return perf_counter()
