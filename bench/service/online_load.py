"""Online tables by the hundred, through the HTTP API: acts of programs, spectators of one table,
and open streams.

CPU is that of the web process and of its database, whatever the programs themselves take.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

from bench.measure import percentile
from bench.service.readers import served
from bench.service.servers import web_process
from bench.service.streams import connections
from games.models import Game, SheetEntry
from league.core.key.services.key import key_create
from league.core.log.services import Actor
from league.core.member.services.member import member_add
from league.models import ApiKey, Club, OnlineTable, Role, User
from league.play.online_table.services.lobby import online_table_open, seat_take, table_start
from league.up.web import raise_file_limit

TABLES: Final = 500
BIDS: Final = 6
"""Acts of each table before one of its programs leaves, which ends the game."""
AT_ONCE: Final = 8
"""Connections over which the acts of all tables go."""
EMPTY: Final = 400
"""Empty requests, for comparison."""
SPECTATORS: Final = 1_000
STREAMS: Final = 5_000
EACH: Final = 500
"""Streams from one address, of which a machine has many of its own: 127.0.0.2, 127.0.0.3 …"""
ACTS: Final = 8
"""Acts that spectators hear of."""
PATIENCE: Final = 60.0
RULES: Final = {"exact": "all", "reroll": False, "dice": 5, "scoring": "placement"}
SETTINGS: Final = {"most_seats": 2, "programs_welcome": True}
numbers = count(1)


@dataclass
class Program:
    """A program with its key."""

    user: User
    secret: str


@dataclass
class TableInPlay:
    """A table of two programs, what its game has come to by their answers, and the keys of acts
    that were acknowledged."""

    path: str
    programs: list[Program]
    turn: int
    legal: list[str]
    length: int = 0
    acknowledged: list[str] = field(default_factory=list)


class Caller:
    """One connection to the service, kept open."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port, self.address = port, address

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0)
        )

    async def call(
        self, method: str, path: str, secret: str, body: Any = None, key: str = ""
    ) -> tuple[int, Any]:
        """Return status and JSON of an answer."""
        content = b"" if body is None else json.dumps(body).encode()
        headers = {
            "Host": "localhost",
            "Content-Type": "application/json",
            "Content-Length": str(len(content)),
        }
        headers |= {"Authorization": f"Bearer {secret}"} if secret else {}
        headers |= {"Idempotency-Key": key} if key else {}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + content)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = next(line for line in head.splitlines() if line.startswith("content-length:"))
        answer = await self.reader.readexactly(int(length.partition(":")[2]))
        return int(head.split()[1]), json.loads(answer) if answer.startswith(b"{") else answer


def measure(club: Club) -> None:
    """Play at all tables at once, then have a table watched, then open many streams; print how it
    went."""
    raise_file_limit()
    programs = [_program(club) for _ in range(20)]
    tables = [
        _begun(club, programs[2 * (number % 10)], programs[2 * (number % 10) + 1])
        for number in range(TABLES)
    ]
    with web_process() as (port, process):
        asyncio.run(_play(port, process, tables))
    _check(tables)
    watched = _begun(club, *programs[:2])
    with web_process() as (port, process):
        asyncio.run(
            _watch(port, process, [watched], SPECTATORS, f"{SPECTATORS:,} spectators of one table")
        )
    many = [_begun(club, *programs[:2]) for _ in range(TABLES)]
    with web_process() as (port, process):
        asyncio.run(_watch(port, process, many, STREAMS, f"{STREAMS:,} streams of {TABLES} tables"))


def _program(club: Club) -> Program:
    user = User.objects.create_user(f"program {next(numbers)}", is_program=True)
    member_add(club=club, user=user, role=Role.PLAYER, actor=Actor())
    return Program(
        user, key_create(club=club, user=user, label="bench", scope=ApiKey.Scope.PLAY)[1]
    )


def _begun(club: Club, host: Program, guest: Program) -> TableInPlay:
    table = online_table_open(club=club, user=host.user, rules=RULES, settings=SETTINGS)
    seat_take(table=table, user=guest.user, name="")
    table_start(table=table)
    return TableInPlay(f"/api/v1/online-tables/{table.public_id}/", [host, guest], 0, [])


async def _play(port: int, process: int, tables: list[TableInPlay]) -> None:
    """Play at all tables in turn, over some connections, each with its share of them."""
    callers = [Caller(port) for _ in range(AT_ONCE)]
    await asyncio.gather(*[caller.open() for caller in callers])
    for _ in range(20):
        await _timed(callers[0], "POST", "/hello/")  # warm
    empty: list[float] = []
    for _ in range(EMPTY // AT_ONCE):
        empty += await asyncio.gather(*[_timed(caller, "POST", "/hello/") for caller in callers])
    shares = [tables[number::AT_ONCE] for number in range(AT_ONCE)]
    await asyncio.gather(
        *[_look(caller, share) for caller, share in zip(callers, shares, strict=True)]
    )
    began, start = perf_counter(), await asyncio.to_thread(served, process)
    errors: Counter[str] = Counter()
    each = [_turns(caller, share, errors) for caller, share in zip(callers, shares, strict=True)]
    times = [seconds for some in await asyncio.gather(*each) for seconds in some]
    seconds, cpu = perf_counter() - began, await asyncio.to_thread(served, process) - start
    slow, bare = 1000 * percentile(times, 0.99), 1000 * percentile(empty, 0.99)
    print(
        f"\n{len(tables)} tables of two programs at once, by the API  (one web process, "
        f"{AT_ONCE} connections)"
    )
    print(f"  {'acts':<34} {len(times):,} in {seconds:.1f} s, {len(times) / seconds:.0f} a second")
    print(f"  {'CPU an act':<34} {cpu / len(times):.2f} ms, of the web process and the database")
    print(f"  {'p50, p99 of an act':<34} {1000 * median(times):.1f} ms, {slow:.1f} ms")
    print(f"  {'p99 of an empty POST':<34} {bare:.1f} ms: an act takes {slow / bare:.1f}× as long")
    print(f"  {'errors':<34} {dict(errors) or 'none'}", flush=True)


async def _timed(caller: Caller, method: str, path: str, *arguments: Any) -> float:
    began = perf_counter()
    await caller.call(method, path, "", *arguments)
    return perf_counter() - began


async def _look(caller: Caller, tables: list[TableInPlay]) -> None:
    """Learn at each table whose turn it is, and what they can bid."""
    for table in tables:
        _, seen = await caller.call("GET", table.path, table.programs[0].secret)
        table.turn = seen["game"]["turn"]
        _, seen = await caller.call("GET", table.path, table.programs[table.turn].secret)
        table.legal, table.length = seen["game"]["legal"], seen["game"]["length"]


async def _turns(caller: Caller, tables: list[TableInPlay], errors: Counter[str]) -> list[float]:
    """Bid some times at each table, then let a seat leave; the seconds of each act."""
    times = []
    for turn in range(BIDS + 1):
        for number, table in enumerate(tables):
            act = {"act": "leave"} if turn == BIDS else {"act": "bid", "bid": table.legal[turn]}
            key = f"{turn}-{number}-{table.path}"[:64]
            began = perf_counter()
            seat = (table.turn + turn) % 2
            body = {**act, "length": table.length}
            status, seen = await caller.call(
                "POST", f"{table.path}acts/", table.programs[seat].secret, body, key
            )
            times.append(perf_counter() - began)
            if status != 200:
                errors[f"{status} {seen.get('code')}"] += 1
                continue
            table.length = seen["game"]["length"]
            table.acknowledged.append(act["act"])
    return times


def _check(tables: list[TableInPlay]) -> None:
    """Compare what was acknowledged with what is stored."""
    lost = doubled = 0
    for table in tables:
        public_id = table.path.split("/")[-2]
        entries = SheetEntry.objects.filter(sheet__open_game__online_table__public_id=public_id)
        stored = list(
            entries.exclude(act="reveal").order_by("number").values_list("act", flat=True)
        )
        lost += max(0, len(table.acknowledged) - len(stored))
        doubled += max(0, len(stored) - len(table.acknowledged))
    over = OnlineTable.objects.filter(status=OnlineTable.Status.OVER).count()
    print(f"  {'acts lost, acts doubled':<34} {lost}, {doubled}")
    print(
        (
            f"  {'games that are over and sealed':<34} {over} of {len(tables)}; "
            f"{Game.objects.count()} sealed"
        ),
        flush=True,
    )


async def _watch(
    port: int, process: int, tables: list[TableInPlay], streams: int, title: str
) -> None:
    """Open so many streams of these tables, act, and wait until all who watch have heard."""
    before, held = await asyncio.to_thread(connections), memory_of(process)
    caller = Caller(port)
    await caller.open()
    await _look(caller, tables[:1])
    began = perf_counter()
    readers: list[list[asyncio.StreamReader]] = [[] for _ in tables]
    writers = []
    for first in range(0, streams, EACH):
        address = f"127.0.0.{2 + first // EACH}"
        for some in range(first, first + EACH, 50):
            where = range(some, some + 50)
            opened = await asyncio.gather(
                *[_stream(port, address, tables[number % len(tables)].path) for number in where]
            )
            for number, (reader, writer) in zip(where, opened, strict=True):
                readers[number % len(tables)].append(reader)
                writers.append(writer)
    print(f"\n{title}  (one web process)")
    print(f"  {'all open, with the whole state':<34} {perf_counter() - began:.1f} s", flush=True)
    await asyncio.sleep(1)
    figures = f"{await asyncio.to_thread(connections) - before} more connections to the database"
    print(f"  {'they take':<34} {(memory_of(process) - held) / streams:.0f} kB each, {figures}")
    table, watching = tables[0], readers[0]
    delays: list[float] = []
    acts: list[float] = []
    start = await asyncio.to_thread(served, process)
    for turn in range(ACTS):
        waiting = [asyncio.create_task(_hears(reader)) for reader in watching]
        body = {"act": "bid", "bid": table.legal[turn], "length": table.length}
        secret = table.programs[(table.turn + turn) % 2].secret
        await caller.open()  # the server has closed what was silent for some seconds
        sent = perf_counter()
        status, seen = await caller.call("POST", f"{table.path}acts/", secret, body)
        answered = perf_counter()
        assert status == 200, seen
        table.length = seen["game"]["length"]
        heard = await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE)
        delays += [1000 * (moment - sent) for moment in heard]
        acts.append(1000 * (answered - sent))
    cpu = (await asyncio.to_thread(served, process) - start) / ACTS
    print(
        f"  {f'an act that {len(watching):,} watch':<34} answered in {median(acts):.1f} ms; "
        f"{cpu:.1f} ms CPU"
    )
    print(
        (
            f"  {'sent → heard by them':<34} p50 {median(delays):.1f} ms   p99 "
            f"{percentile(delays, 0.99):.1f} ms"
        ),
        flush=True,
    )
    for writer in writers:
        writer.transport.abort()


async def _stream(
    port: int, address: str, path: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a stream as a spectator, and read the whole state."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(f"GET {path}stream/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    await asyncio.wait_for(reader.readuntil(b'{"type":"state"'), PATIENCE)
    await reader.readuntil(b"\n")
    return reader, writer


async def _hears(reader: asyncio.StreamReader) -> float:
    """Wait for what can be done after an entry; when that was."""
    await reader.readuntil(b'{"type":"now"')
    await reader.readuntil(b"\n")
    return perf_counter()


def memory_of(process: int) -> int:
    """The kilobytes that a process holds (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])
