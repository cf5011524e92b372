"""A result's whole way: from a program's POST until the ranking has counted it, through a web
process and the workers of one machine.

CPU time of each kind of process for each result, at ever more results a second; beside it a POST
and a job that do nothing. What the processes take while nothing happens is subtracted.
"""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic, sleep
from typing import Final, TypeAlias
from uuid import uuid4

import psutil
import redis
from django.conf import settings
from django.db import connection

from bench.service.echo import echo
from bench.service.league import copy_games, dice, handle, new_season, numbers
from bench.service.servers import web, workers
from league.core.key.services.key import key_create
from league.core.log.services import Actor
from league.core.member.services.member import member_add
from league.models import Role, Season, User
from league.standings.ranking.queries.waiting import rankings_waiting, styles_waiting
from tests.factories.records import bluff_record, line

PLAYERS: Final = 28
RATES: Final = {1: 20, 10: 100, 50: 300}
"""Results a second, and how many are sent at this rate."""
EMPTY: Final = 300
"""Of the POSTs, and of the jobs, that do nothing."""
EACH: Final = 10
"""The most results a second that are sent over one connection."""
IDLE_SECONDS: Final = 20.0
KINDS: Final = {
    "web": "league.up.web",
    "workers": "celery",
    "database": "postgres",
    "Valkey": "valkey",
}
"""A word in the command of each kind of process. Beat counts among the workers."""

Cost: TypeAlias = dict[str, float]
"""Milliseconds of CPU time of each kind of process."""


def measure() -> None:
    """Print what a result costs at each rate, and a POST and a job that do nothing."""
    season = new_season(PLAYERS)
    copy_games(season, 1, counted=True)
    key = key_of(season)
    connection.close()
    print(
        "\nA result's whole way, from the POST until it is counted  (CPU of each kind, per result)"
    )
    print_heading()
    with web() as port, workers():
        send_results(port, season, key, count=20, rate=10)  # warms all processes
        idle = cpu_spent(lambda: sleep(IDLE_SECONDS), seconds_idle=None)
        idle_per_second = {kind: value / IDLE_SECONDS for kind, value in idle.items()}
        empty = cpu_spent(lambda: _do_nothing(port), seconds_idle=idle_per_second)
        print_cost("POST and job", empty, EMPTY)
        for rate, count in RATES.items():
            result = cpu_spent(
                lambda rate=rate, count=count: send_results(
                    port, season, key, count=count, rate=rate
                ),
                seconds_idle=idle_per_second,
            )
            print_cost(f"{rate} a second", result, count, sum(empty.values()) / EMPTY)


def key_of(season: Season) -> str:
    user = User.objects.create(username=season.club.slug, email=f"{season.club.slug}@example.org")
    member_add(club=season.club, user=user, role=Role.ORGANISER, actor=Actor())
    _, secret = key_create(club=season.club, user=user, label="bench")
    return secret


def send_results(port: int, season: Season, key: str, *, count: int, rate: int) -> None:
    """Send results at this rate, and wait until all are counted."""
    senders = max(1, rate // EACH)
    with ThreadPoolExecutor(senders) as pool:
        for sent in [
            pool.submit(_send, port, season, key, count // senders, rate / senders)
            for _ in range(senders)
        ]:
            sent.result()
    while anything_waits():
        sleep(0.2)


def anything_waits() -> bool:
    """Return whether games wait to be counted, or for styles."""
    waits = bool(rankings_waiting() or styles_waiting())
    connection.close()
    return waits


def _send(port: int, season: Season, key: str, count: int, rate: float) -> None:
    """Send results over one connection."""
    path = f"/api/v1/clubs/{season.club.slug}/games/?season={season.slug}"
    headers = {
        "Host": "localhost",
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json",
    }
    client = http.client.HTTPConnection("127.0.0.1", port)
    start = monotonic()
    for sent in range(count):
        sleep(max(0.0, start + sent / rate - monotonic()))
        seats = [handle(player) for player in dice.sample(range(PLAYERS), 4)]
        body = line(bluff_record(next(numbers), seats=seats))
        client.request("POST", path, body, {**headers, "Idempotency-Key": str(uuid4())})
        answer = client.getresponse()
        content = answer.read()
        if answer.status != 201:
            raise ValueError(f"{answer.status}: {content.decode()}")


def _do_nothing(port: int) -> None:
    """Send POSTs, and call jobs, that do nothing."""
    client = http.client.HTTPConnection("127.0.0.1", port)
    broker = redis.Redis.from_url(settings.REDIS_URL)
    for _ in range(EMPTY):
        client.request("POST", "/hello/", b"", {"Host": "localhost"})
        client.getresponse().read()
        echo.delay("bench-echo")
        broker.blpop(["bench-echo"], timeout=30)


def cpu_spent(work: Callable[[], None], seconds_idle: Cost | None) -> Cost:
    """Return the CPU time that the servers took for some work, without their idle time."""
    start, before = monotonic(), _cpu_times()
    work()
    after, seconds = _cpu_times(), monotonic() - start
    return {
        kind: after[kind] - before[kind] - seconds * (seconds_idle or {}).get(kind, 0.0)
        for kind in KINDS
    }


def _cpu_times() -> Cost:
    """Return the CPU time so far of each kind of process that this one has started."""
    times = dict.fromkeys(KINDS, 0.0)
    for kind, process in server_processes():
        with suppress(psutil.NoSuchProcess):  # its parent has the time of one that just ended
            times[kind] += 1000 * sum(process.cpu_times()[:4])  # its own, and of ended children
    return times


def server_processes() -> Iterator[tuple[str, psutil.Process]]:
    """Yield the processes that this one has started, and those that they have, each with its
    kind."""
    for child in psutil.Process().children():
        command = " ".join(child.cmdline())
        kind = next(kind for kind, word in KINDS.items() if word in command)
        for process in (child, *child.children(recursive=True)):
            yield kind, process


def print_heading() -> None:
    """Print the kinds of processes above their costs."""
    print(f"  {'':<28} {'all':>9} {' '.join(f'{kind:>9}' for kind in KINDS)}")


def print_cost(title: str, cost: Cost, count: int, empty: float | None = None) -> None:
    """Print what each of so many costs, and how many times an `empty` one that is."""
    each = {kind: value / count for kind, value in cost.items()}
    whole = sum(each.values())
    figures = " ".join(f"{each[kind]:6.1f} ms" for kind in KINDS)
    ratio = f"   {whole / empty:.1f}×" if empty else ""
    print(f"  {title:<28} {whole:6.1f} ms {figures}{ratio}", flush=True)
