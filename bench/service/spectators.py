"""Who watches a table: from the commit of an entry until each of a thousand phones shows it.

Each does what its page's script does: it hears that something was written, waits for its moment,
and fetches the part. CPU is that of the web process and of its database, whatever the phones
themselves take."""

from __future__ import annotations

import asyncio
import json
import random
import re
from statistics import median
from time import perf_counter
from typing import Final
from uuid import uuid4

from django.test import Client

from bench.measure import percentile
from bench.service.events import running_stage
from bench.service.readers import EACH, GATHER_SECONDS, PART, READERS, ask, body_of, served
from bench.service.servers import web_process
from engine.sheet.entry import stored_entry
from games.services.open_game import Writer, entry_add
from league.models import Table, TableOpenGame
from league.sheets.sheet.services.open_game import table_game_open
from league.up.web import raise_file_limit
from tests.factories import events

TURNS: Final = 8
"""Of which the first two warm."""
WARM: Final = 2
SETTLE_SECONDS: Final = 0.5
PATIENCE: Final = 60.0


def measure() -> None:
    """Print how long after the commit they show it, and what an entry costs the server."""
    raise_file_limit()
    stage = running_stage(8)
    tables = events.drawn(stage).tables.select_related(
        "group", "stage_round__stage__event__season__ranking"
    )
    table = tables.select_related("stage_round__stage__event__club").order_by("number")[0]
    row = table_game_open(table=table)
    for readers in (1, 10, 100, READERS):
        with web_process() as (port, process):
            asyncio.run(_measure(port, process, table, row, readers))


async def _measure(port: int, process: int, table: Table, row: TableOpenGame, readers: int) -> None:
    path = f"/tables/{table.public_id}/live/"
    page = await asyncio.to_thread(
        lambda: Client(headers={"host": "localhost"}).get(path).content.decode()
    )
    found = re.search('data-live-url="([^"]*)"', page)
    assert found
    streams = [
        await ask(port, f"127.0.0.{2 + number // EACH}", found[1], {}) for number in range(readers)
    ]
    await asyncio.sleep(1)
    delays: list[float] = []
    cpu: list[float] = []
    size = 0
    for turn in range(TURNS):
        start = await asyncio.to_thread(served, process)
        waiting = [
            asyncio.create_task(_shown(port, path, f"127.0.0.{2 + number // EACH}", reader))
            for number, (reader, _) in enumerate(streams)
        ]
        committed = await asyncio.to_thread(_entry, row)
        shown = await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE)
        await asyncio.sleep(SETTLE_SECONDS)
        if turn >= WARM:
            delays += [1000 * (moment - committed) for moment, _ in shown]
            cpu.append(await asyncio.to_thread(served, process) - start)
            size = shown[0][1]
    for _, writer in streams:
        writer.transport.abort()
    print(
        f"\nAn entry that {readers:,} watch  ({TURNS - WARM} entries, parts of "
        f"{size / 1000:.1f} kB)"
    )
    print(
        f"  {'commit → shown':<24} p50 {median(delays):7.1f} ms   p99 "
        f"{percentile(delays, 0.99):7.1f} ms"
    )
    print(
        f"  {'CPU an entry':<24} {median(cpu):7.1f} ms, of the web process and the database",
        flush=True,
    )


async def _shown(
    port: int, path: str, address: str, reader: asyncio.StreamReader
) -> tuple[float, int]:
    """Wait for an event of the stream, and fetch the part: when, and how many bytes it has."""
    await reader.readuntil(b"data: ")
    spread: int = json.loads(await reader.readline())["spread"]
    await asyncio.sleep(GATHER_SECONDS + random.random() * spread / 1000)
    answer, asking = await ask(port, address, path, {**PART, "Accept-Encoding": "gzip"})
    body = await body_of(answer)
    moment = perf_counter()
    asking.close()
    return moment, len(body)


def _entry(row: TableOpenGame) -> float:
    """Commit one more entry; when that was."""
    length = row.open_game.sheet.length
    act, value = ("note", {"bid": "2x4"}) if length % 2 == 0 else ("undo", {})
    entry, writer = stored_entry(act, value), Writer(automatic="bench")
    entry_add(
        open_game=row.open_game.public_id, length=length, entry=entry, writer=writer, key=uuid4()
    )
    moment = perf_counter()
    row.open_game.sheet.length += 1
    return moment
