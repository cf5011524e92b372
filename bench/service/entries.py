"""What one more entry on the sheet of an open game costs, sent by a phone to the API.

In games of ever more rounds, and with ever more games open beside; then how many a second one web
process takes from several phones at once."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from time import perf_counter
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db import connection
from django.test import Client

from bench.service.cost import WorkCost, cost, middle
from bench.service.events import running_stage
from bench.service.readers import served
from bench.service.servers import web_process
from engine.record.canonical import canonical_json
from engine.record.record import Record, read
from engine.sheet.entry import stored_entry
from games.services.open_game import Writer, entry_add, game_open
from league.core.log.services import Actor
from league.models import Stage, Table, TableOpenGame
from league.sheets.device.services.device import device_make
from league.sheets.sheet.services.open_game import table_game_open
from league.up.roles import connected_as
from tests.factories import events

ROUNDS: Final = (1, 50, 400)
BESIDE: Final = (1, 100, 1_000)
"""Games that are open besides those that are measured."""
ENTRIES: Final = 40
"""Of which the median is taken; the first isn't measured."""
PHONES: Final = 8
EACH: Final = 100
VOID: Final = {"void": True, "moves": ["1x1"]}
"""A round after which the game is as it was, so that it can have as many as are wanted."""
numbers = count(1)


class Phone:
    """A phone with a key of its table, and the game that it writes down."""

    def __init__(self, table: Table) -> None:
        self.row: TableOpenGame = table_game_open(table=table)
        self.path = f"/api/v1/open-games/{self.row.open_game.public_id}/entries/"
        self.headers = {
            "host": "localhost",
            "authorization": f"Device {device_make(subject=table, actor=Actor())[1]}",
        }
        self.client = Client(headers=self.headers)
        self.length = 0

    def body(self) -> bytes:
        """One more entry: a bid, and then the round of which it was."""
        act, value = ("note", {"bid": "1x1"}) if self.length % 2 else ("close", VOID)
        self.length += 1
        return json.dumps(
            {"key": str(uuid4()), "length": self.length - 1, "act": act, "value": value}
        ).encode()

    def send(self) -> None:
        """Send one more entry."""
        answer = self.client.post(self.path, self.body(), content_type="application/json")
        assert answer.status_code == 201, answer.content

    def look(self) -> None:
        """Read the API's index: what grows with nothing, and tells how fast the machine is at this
        moment."""
        assert self.client.get("/api/v1/").status_code == 200

    def play(self, rounds: int) -> None:
        """Bring the game to so many rounds, without asking the API."""
        for _ in range(rounds):
            entry_add(
                open_game=self.row.open_game.public_id,
                length=self.length,
                entry=stored_entry("close", VOID),
                writer=Writer(automatic="bench"),
                key=uuid4(),
            )
            self.length += 1


def measure() -> None:
    """Print the cost of an entry for each length and number of games, and how many a second are
    taken."""
    print(f"\nOne entry on a sheet, by the API  (median of {ENTRIES}; ratios to the first row)")
    print(f"  {'':<34} {'CPU':>10} {'of it database':>15} {'queries':>8} {'rows':>5}")
    phones = [Phone(table) for table in published_tables(running_stage(4 * len(ROUNDS)))]
    for phone, rounds in zip(phones, ROUNDS, strict=True):
        phone.play(rounds)
    _analyse()
    _print([f"{rounds:,} rounds" for rounds in ROUNDS], entry_costs(phones))
    rows = []
    for number, games in enumerate(BESIDE):
        _open(games - (BESIDE[number - 1] if number else 0))
        _analyse()
        rows += entry_costs(phones[:1])
    _print([f"{games:,} games beside" for games in BESIDE], rows)
    _rate([Phone(table) for table in published_tables(running_stage(4 * PHONES))])


def published_tables(stage: Stage) -> list[Table]:
    """The tables of a round that is published."""
    tables = events.drawn(stage).tables.select_related(
        "group", "stage_round__stage__event__season__ranking"
    )
    return list(tables.select_related("stage_round__stage__event__club").order_by("number"))


def entry_costs(phones: list[Phone]) -> list[tuple[WorkCost, WorkCost]]:
    """What an entry costs in each game, and a look at the index beside it; they take turns, so that
    a busy machine slows all of them alike."""
    costs: list[tuple[list[WorkCost], list[WorkCost]]] = [([], []) for _ in phones]
    for _ in range(1 + ENTRIES):
        for phone, (entries, looks) in zip(phones, costs, strict=True):
            for work, own in ((phone.send, entries), (phone.look, looks)):
                with cost() as found:
                    work()
                own.append(found)
    return [(middle(entries[1:]), middle(looks[1:])) for entries, looks in costs]


def _print(titles: list[str], rows: list[tuple[WorkCost, WorkCost]]) -> None:
    shares = [entry.cpu / index.cpu for entry, index in rows]
    for title, (entry, _), share in zip(titles, rows, shares, strict=True):
        cpu = (
            f"{entry.cpu:7.2f} ms {entry.database:12.2f} ms {entry.queries:>8.0f} "
            f"{entry.rows:>5.0f}"
        )
        print(
            f"  {title:<34} {cpu}   {share:6.1f}× the index   {share / shares[0]:.2f}×", flush=True
        )


def _open(games: int) -> None:
    """Open so many more games, each with some rounds."""
    for _ in range(games):
        name = f"beside-{next(numbers)}"
        head = {
            "v": 1,
            "id": name,
            "game": "bluff",
            "rules": {},
            "seats": list("abcd"),
            "opener": 0,
            "rounds": [],
        }
        record = read(canonical_json(head))
        assert isinstance(record, Record)
        open_game = game_open(record=record, source="bench")
        for length in range(4):
            writer, entry = Writer(automatic="bench"), stored_entry("close", VOID)
            entry_add(
                open_game=open_game.public_id,
                length=length,
                entry=entry,
                writer=writer,
                key=uuid4(),
            )


def _analyse() -> None:
    """Do at once what the database does by itself within minutes after so many new rows."""
    with connected_as(settings.DATABASE_OWNER_URL), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _rate(phones: list[Phone]) -> None:
    with web_process() as (port, process):
        asyncio.run(_write(port, phones, 5))  # warm
        began, start = perf_counter(), served(process)
        asyncio.run(_write(port, phones, EACH))
        seconds, cpu = perf_counter() - began, served(process) - start
    entries = EACH * len(phones)
    figures = (
        f"{entries / seconds:6.0f} entries a second   {cpu / entries:.2f} ms CPU each, of server "
        "and database"
    )
    print(f"  {f'one process, {len(phones)} phones':<34} {figures}", flush=True)


async def _write(port: int, phones: list[Phone], entries: int) -> None:
    await asyncio.gather(*[_send_all(port, phone, entries) for phone in phones])


async def _send_all(port: int, phone: Phone, entries: int) -> None:
    """Send so many entries, one after the other, over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(entries):
        body = phone.body()
        headers = {
            **phone.headers,
            "content-type": "application/json",
            "content-length": str(len(body)),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"POST {phone.path} HTTP/1.1\r\n{lines}\r\n".encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        if not head.startswith("http/1.1 201"):
            raise ValueError(head.splitlines()[0])
        length = next(line for line in head.splitlines() if line.startswith("content-length:"))
        await reader.readexactly(int(length.partition(":")[2]))
    writer.close()
