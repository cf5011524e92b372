"""What one machine carries: the table of the manual's page “What one machine carries”.

CPU time of the web process or worker and of its database, so that it hardly matters what else the
machine does; what a core carries follows from it. The readers' own work isn't counted."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

from bench.service.cost import WorkCost, middle
from bench.service.entries import Phone, entry_costs, published_tables
from bench.service.event_result import by_api, drawn, enter_all
from bench.service.events import running_stage
from bench.service.league import dice, new_season, play
from bench.service.online import TwoPeople
from bench.service.online_load import memory_of
from bench.service.readers import (
    READERS,
    addresses_of,
    changed,
    ranking_page,
    unchanged_costs,
)
from bench.service.results import RESULTS, one_result
from bench.service.servers import web_process
from bench.service.size import sizes
from bench.service.streams import EACH, open_stream
from league.core.club.services import club_create
from league.core.log.services import Actor
from league.core.member.services.member import member_add
from league.models import Role, Season, User
from league.standings.ranking.live import live_url
from league.standings.ranking.services.counting import ranking_count
from league.up.roles import connected_as
from league.up.web import raise_file_limit
from tests.factories import events

PLAYERS: Final = 104
ACTS: Final = 30
STREAMS: Final = 2_000
GAMES: Final = 500


@dataclass(frozen=True)
class Row:
    """Something that is done over and over, and its CPU time in milliseconds; `database`: that of
    the database's process alone, where it is measured."""

    title: str
    cpu: float
    database: str = ""

    @classmethod
    def of(cls, title: str, cost: WorkCost) -> Row:
        """Return the row of a piece of work."""
        return cls(title, cost.cpu, f"{cost.database:.1f} ms")


@dataclass(frozen=True)
class Evening:
    """An evening of a club whose games are all written down bid by bid: tables of four, entries and
    results of each, and readers who have the ranking open."""

    hours: int = 3
    tables: int = 6
    entries: int = 400
    results: int = 3
    readers: int = 30

    def cpu(self, entry: float, result: float, fetch: float) -> float:
        """Return the CPU time that it takes, in seconds."""
        results = self.tables * self.results
        fetches = results * self.readers
        entries = self.tables * self.entries
        return (entries * entry + results * result + fetches * fetch) / 1000


def measure() -> None:
    """Print the machine, the table, and what follows for an evening."""
    raise_file_limit()
    User.objects.create_user("reader")  # somebody has set the service up
    season, stage = new_season(PLAYERS), running_stage(PLAYERS)
    events.drawn(stage)
    with web_process() as (port, process):
        addresses = addresses_of(season, stage)
        unchanged = unchanged_costs(port, process, addresses)
        print(f"\n{machine()}\n", flush=True)
        fetch = asyncio.run(changed(port, process, ranking_page(season))) / READERS
        kilobytes = asyncio.run(_stream_size(port, process, season))
    entry, result = _entry(), _result()
    rows = [
        Row("a page that hasn't changed", unchanged["ranking"]),
        Row("a ranking, fetched after a result by one who has it open", fetch),
        Row.of("an entry of a phone at a table", entry),
        Row.of("an act at an online table", _act()),
        Row.of("a result of an event, by the API, until it counts", result),
        Row.of("a game that is sealed already, until it counts", _counted()),
    ]
    _print(rows, kilobytes, _game_size(), Evening().cpu(entry.cpu, result.cpu, fetch))


def machine() -> str:
    """Return the machine's processor, its cores, its system and Python."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")
    python = platform.python_version()
    return f"{model or platform.machine()}, {os.cpu_count()} cores, Python {python}"


def _print(rows: Iterable[Row], kilobytes: float, size: float, evening: float) -> None:
    print("\n| what | CPU | of it the database | on one core |")
    print("|---|---|---|---|")
    for row in rows:
        rate = f"{1000 / row.cpu:,.0f} a second"
        print(f"| {row.title} | {row.cpu:.1f} ms | {row.database} | {rate} |")
    print(f"An open page: {kilobytes:.0f} kB of memory; {1e6 / kilobytes:,.0f} in a gigabyte")
    print(f"A game of four: {size / 1000:.1f} kB on disk; {1e9 / size:,.0f} in a gigabyte")
    share = Evening.hours * 3600 / evening
    print(f"\nAn evening of a club: {evening:.0f} s of CPU; {share:,.0f} at once on one core")


async def _stream_size(port: int, process: int, season: Season) -> float:
    """The kilobytes that each of many open pages takes."""
    await asyncio.to_thread(season.ranking.refresh_from_db)
    path, held = live_url(season.ranking_id, season.ranking.version), memory_of(process)
    writers = []
    for start in range(0, STREAMS, EACH):
        address = f"127.0.0.{2 + start // EACH}"
        opened = await asyncio.gather(*[open_stream(port, path, address) for _ in range(EACH)])
        writers += [writer for _, writer in opened]
    taken = (memory_of(process) - held) / STREAMS
    for writer in writers:
        writer.transport.abort()
    return taken


def _entry() -> WorkCost:
    phones = [Phone(table) for table in published_tables(running_stage(4))]
    phones[0].play(20)
    return entry_costs(phones)[0][0]


def _act() -> WorkCost:
    club = club_create(actor=Actor(), slug="online", name="Online")
    host = User.objects.create_user("host")
    member_add(club=club, user=host, role=Role.ORGANISER, actor=Actor())
    people = TwoPeople(club, host)
    return middle([people.act() for _ in range(1 + ACTS)][1:])


def _result() -> WorkCost:
    entered = drawn(PLAYERS, by_api, "")
    _analyse()
    enter_all([entered])
    return middle(entered.costs)


def _counted() -> WorkCost:
    season = new_season(PLAYERS)
    _analyse()
    return one_result(season, PLAYERS, RESULTS[0])


def _game_size() -> float:
    """The bytes of a game of four in the database, with its indexes, its log and its counting."""
    season = new_season(PLAYERS)
    before = sum(sizes().values())
    for _ in range(GAMES):
        play(season, dice.sample(range(PLAYERS), 4))
    ranking_count(ranking_id=season.ranking_id)
    return (sum(sizes().values()) - before) / GAMES


def _analyse() -> None:
    with connected_as(settings.DATABASE_OWNER_URL), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
