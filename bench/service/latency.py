"""From the commit of a game to its changed row in the table, beside the bare round trip of a Celery
job.

Both begin when their caller has nothing left to do but to call, and end when the caller hears of
the end: of the row by the database's NOTIFY, as open pages do, and of the bare job by a message
over Redis."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter, sleep
from typing import Any

import psycopg
import redis
from django.conf import settings
from django.db import transaction
from psycopg.rows import TupleRow

from bench.measure import percentile
from bench.service.echo import echo
from bench.service.league import dice, new_season, play
from bench.service.servers import worker
from league.celery_app import app
from league.models import Ranking, Season
from league.standings.ranking.queries.waiting import rankings_waiting
from league.standings.ranking.services.counting import LIVE_CHANNEL
from league.standings.style.services import styles_read

GAMES = 100
PATIENCE = 30.0


def measure() -> None:
    """Print both times and their ratio for each size."""
    print(f"\nFrom the commit to the changed row  ({GAMES} games, one at a time, by a real worker)")
    print(f"  {'':<16} {'row changed p50':>16} {'p99':>9}   {'bare job p50':>12} {'p99':>9}")
    seasons = {players: new_season(players) for players in (28, 500, 5_000)}
    for season in seasons.values():
        styles_read(ranking_id=season.ranking_id)
    app.control.purge()  # what the jobs would do is done
    with worker():
        for players, season in seasons.items():
            _compare(season, players)


def _compare(season: Season, players: int) -> None:
    """Take turns with both, and print the times."""
    with listening() as heard:
        turns = [(row_changed(season, players, heard), bare_job()) for _ in range(GAMES)]
    rows, bare = (
        list(times) for times in zip(*turns[5:], strict=True)
    )  # the first ones warm the worker
    figures = "   ".join(
        [f"{median(times):13.1f} ms {percentile(times, 0.99):6.1f} ms" for times in (rows, bare)]
    )
    print(f"  {players:>6,} players {figures}   {median(rows) / median(bare):.1f}×", flush=True)


def row_changed(season: Season, players: int, heard: psycopg.Connection[TupleRow]) -> float:
    """Milliseconds from the commit of one more game until its rows are committed."""
    began: list[float] = []
    version = Ranking.objects.values_list("version", flat=True).get(pk=season.ranking_id)
    with transaction.atomic():
        transaction.on_commit(lambda: began.append(perf_counter()))
        play(season, dice.sample(range(players), 4))
    _wait_for_news(heard, season.ranking_id, version)
    milliseconds = 1000 * (perf_counter() - began[0])
    _wait_for_jobs(season)
    return milliseconds


def _wait_for_news(heard: psycopg.Connection[TupleRow], ranking_id: int, version: int) -> None:
    """Return as soon as a ranking is told to have come beyond a version; what others, or turns
    before, left to be told is passed over. Raise `TimeoutError`."""
    for news in heard.notifies(timeout=PATIENCE):
        new_ranking, new_version = map(int, news.payload.split(":"))
        if new_ranking == ranking_id and new_version > version:
            return
    raise TimeoutError("no row has changed")


def _wait_for_jobs(season: Season) -> None:
    """Return as soon as no game of a season waits to be counted; those measured before it may
    have."""
    while rankings_waiting(season.ranking_id):
        sleep(0.02)


def bare_job() -> float:
    """Milliseconds from the call of a job that does nothing until its caller hears of it."""
    broker: Any = redis.Redis.from_url(settings.REDIS_URL)
    began = perf_counter()
    echo.delay("bench-echo")
    if broker.blpop(["bench-echo"], timeout=PATIENCE) is None:
        raise TimeoutError("no worker has answered")
    return 1000 * (perf_counter() - began)


@contextmanager
def listening() -> Iterator[psycopg.Connection[TupleRow]]:
    """A connection that hears of the changes of rankings."""
    with psycopg.connect(settings.DATABASE_URL, autocommit=True) as connection:
        connection.execute(f"LISTEN {LIVE_CHANNEL}".encode())
        yield connection
