"""The service on real parts in a temporary folder: PostgreSQL, Redis and one Celery worker.

Import rate; and from the commit of a game to its changed row in the table, beside the bare Celery round trip.
"""

from __future__ import annotations

import io
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.measure import percentile
from league.up import children

GAMES = 400
PLAYERS = [f"player{number}" for number in range(28)]


@contextmanager
def servers() -> Iterator[None]:
    """PostgreSQL, Redis and a worker, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="cups-up-bench-") as folder:
        Path(folder).chmod(0o755)
        os.environ["CUPS_UP_VAR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
        started = [children.postgres(), children.redis()]
        for child in started:
            child.start()
        try:
            children.wait_until_ready(started, tell=lambda message: None)
            _migrate()
            worker = _worker()
            worker.start()
            started.append(worker)
            children.wait_until_ready([worker], tell=lambda message: None)
            yield
        finally:
            for child in reversed(started):
                child.stop()


def _migrate() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _worker() -> children.Child:
    from league.celery_app import app

    command = [sys.executable, "-m", "celery", "-A", "bench.echo", "worker", "-c", "1", "-l", "warning"]
    return children.Child("worker", command, ready=lambda: bool(app.control.ping(timeout=0.3)))


def records(count: int, first: int) -> list[bytes]:
    """Random games of four among 28 players, in order of play."""
    from tests.factories.records import bluff_record, line

    dice = random.Random(first)
    return [line(bluff_record(seed, seats=dice.sample(PLAYERS, 4))) for seed in range(first, first + count)]


def measure() -> None:
    """Print the three figures."""
    with servers():
        from league.imports.services.record import file_import
        from league.models import Club, Season

        club = Club.objects.create(slug="bench", name="Bench")
        season = Season.objects.create(club=club, slug="bench", name="Bench", starts_on=date(2026, 9, 3))
        content = b"".join(records(GAMES, first=0))
        start = perf_counter()
        report = file_import(stream=io.BytesIO(content), season=season)
        seconds = perf_counter() - start
        print(f"\nImport, one transaction a game  ({report.created} games of four seats)")
        print(f"  {report.created / seconds:,.0f} games/s")
        _wait_until_counted(season.pk, GAMES)
        _latency(season)


def _wait_until_counted(season_id: int, games: int) -> None:
    from league.models import SeasonGame

    while SeasonGame.objects.filter(season=season_id, counted=True).count() < games:
        pass


def _latency(season: object) -> None:
    """Turn about: a game until its row has changed, a message to the worker and back."""
    import redis
    from django.conf import settings
    from django.db import connection

    from bench.echo import echo
    from league.imports.services.record import record_import
    from league.models import Season

    assert isinstance(season, Season)
    broker = redis.Redis.from_url(settings.REDIS_URL)
    table, bare = [], []
    for number, told in enumerate(records(200, first=GAMES)):
        echo.delay(f"bench-{number}")
        start = perf_counter()
        broker.blpop([f"bench-{number}"], timeout=10)
        bare.append(perf_counter() - start)
        record_import(season=season, line=told)
        start = perf_counter()
        with connection.cursor() as cursor:
            games = 0
            while games < GAMES + number + 1:
                cursor.execute("SELECT sum(games) / 4 FROM league_standing WHERE season_id = %s", [season.pk])
                games = cursor.fetchone()[0]
        table.append(perf_counter() - start)
    print("\nFrom the commit to the changed row of the table  (200 games, one at a time)")
    for name, values in (("commit → row changed", table), ("bare Celery round trip", bare)):
        print(f"  {name:<24} p50 {1000 * median(values):6.1f} ms   p99 {1000 * percentile(values, 0.99):6.1f} ms")
