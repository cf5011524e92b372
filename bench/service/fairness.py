"""One club beside others: how long a result waits to be counted, and an upload for its preview,
while they import.

By the workers of one machine, as `manage.py up` starts them. Times are from the commit on, as
people wait for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from statistics import median
from time import perf_counter, sleep
from typing import Any, Final

import redis
from django.conf import settings

from bench.service.latency import listening
from bench.service.servers import workers
from league.celery_app import app
from league.core.club.services import club_create
from league.core.log.services import Actor
from league.models import ImportJob, Season, User
from league.records.file.services import record_import
from league.records.upload.services import import_job_confirm, import_job_create
from league.standings.ranking.queries.waiting import rankings_waiting, styles_waiting
from league.standings.season.services.season import all_time_create, season_create
from tests.factories.records import bluff_record, line

IMPORTING: Final = (0, 1, 20)
"""How many other clubs import."""
FILE: Final = 4_000
"""Games of the file that each of them imports."""
RECORDS: Final = [bluff_record(seed, level="challenge") for seed in range(100)]
TURNS: Final = 15
SECONDS: Final = 40.0
"""The time for the turns of a row, and the longest that anybody waits."""
SETTLE: Final = 4.0
"""The time until the imports are at work."""
numbers = count(1)


def measure() -> None:
    """Print both times for each number of importing clubs, with their ratios to the times alone."""
    print("\nOne club beside others that import  (workers of one machine; medians and the longest)")
    print(
        f"  {'importing':<12} {'result counted':>26} {'file previewed':>36}   longest queue "
        "of counting, of others"
    )
    user = User.objects.create_user("fairness")
    club = Neighbour(user, "fairness")
    with workers():
        club.result(), club.preview()
        alone: list[float] = []
        for importing in IMPORTING:
            with _imports(user, importing):
                times = _turns(club)
            alone = alone or [median(some) for some in times[:2]]
            _row(importing, times, alone)
        print(
            f"  a club's {FILE:,} games alone, until all rankings have counted them: "
            f"{_import_alone(user):.1f} s"
        )


def _row(
    importing: int, times: tuple[list[float], list[float], list[int], list[int]], alone: list[float]
) -> None:
    waits = "   ".join(
        f"{1000 * median(some):9.0f} ms {1000 * max(some):9.0f} ms {median(some) / one:6.1f}×"
        for some, one in zip(times[:2], alone, strict=True)
    )
    print(f"  {importing:>3} clubs    {waits}   {max(times[2]):>6} {max(times[3]):>6}", flush=True)


def _turns(club: Neighbour) -> tuple[list[float], list[float], list[int], list[int]]:
    """Enter results and upload files in turn: the seconds of both, and the calls that lay in queues
    meanwhile."""
    results: list[float] = []
    previews: list[float] = []
    counting: list[int] = []
    others: list[int] = []
    broker: Any = redis.Redis.from_url(settings.REDIS_URL)
    began = perf_counter()
    while len(previews) < TURNS and perf_counter() - began < SECONDS:
        results.append(club.result())
        previews.append(club.preview())
        counting.append(broker.llen("counting"))
        others.append(sum(broker.llen(queue) for queue in settings.QUEUES if queue != "counting"))
        sleep(0.2)
    return results, previews, counting, others


class Neighbour:
    """A club with a season that counts for its list of all time, too."""

    def __init__(self, user: User, name: str) -> None:
        self.user = user
        club = club_create(actor=Actor(), slug=name, name=name)
        all_time_create(club=club, actor=Actor())
        self.season: Season = season_create(
            actor=Actor(),
            club=club,
            slug="season",
            name="Season",
            starts_on=date(2026, 9, 3),
            notes="rounds",
        )

    def result(self) -> float:
        """Seconds from the commit of one more game until the season's table shows it."""
        content = line(bluff_record(number := next(numbers), id=f"result-{number}"))
        with listening() as heard:
            record_import(season=self.season, line=content)
            began = perf_counter()
            mine = f"{self.season.ranking_id}:"
            for change in heard.notifies(timeout=SECONDS):
                if change.payload.startswith(mine):
                    break
            return perf_counter() - began

    def preview(self) -> float:
        """Seconds from the upload of a file of one game until its preview."""
        content = line(bluff_record(next(numbers)))
        job = import_job_create(
            season=self.season,
            uploaded_by=self.user,
            file_name="games.jsonl",
            content=content,
            create_players=True,
            all_or_nothing=False,
        )
        began = perf_counter()
        _wait(lambda: _state(job) == ImportJob.State.PREVIEWED)
        return perf_counter() - began


def _state(job: ImportJob) -> str:
    return str(ImportJob.objects.values_list("state", flat=True).get(pk=job.pk))


def _wait(until: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Look every few milliseconds, until it is so or the time is up."""
    began = perf_counter()
    while not until() and perf_counter() - began < seconds:
        sleep(0.005)


@contextmanager
def _imports(user: User, clubs: int) -> Iterator[None]:
    """So many other clubs import a file each, for as long as the block lasts; what is left then is
    given up."""
    for job in [_confirmed(user) for _ in range(clubs)]:
        import_job_confirm(job=job, confirmed_by=user)
    sleep(SETTLE if clubs else 0)
    try:
        yield
    finally:
        ImportJob.objects.filter(state=ImportJob.State.CONFIRMED).update(
            state=ImportJob.State.DROPPED
        )
        app.control.purge()
        _wait(lambda: not _busy(), seconds=600)


def _confirmed(user: User) -> ImportJob:
    """A file of a new club, as if its preview had been made: a row begins with imports."""
    name = f"fair-{next(numbers)}"
    content = _file(name)
    return ImportJob.objects.create(
        season=Neighbour(user, name).season,
        uploaded_by=user,
        file_name="games.jsonl",
        content=content,
        size=len(content),
        state=ImportJob.State.PREVIEWED,
    )


def _file(name: str) -> bytes:
    """Many games, all of them under ids of their own."""
    heads = [
        json.dumps({key: value for key, value in record.items() if key != "id"})[1:]
        for record in RECORDS
    ]
    return b"".join(
        f'{{"id": "{name}-{number}", {heads[number % 100]}\n'.encode() for number in range(FILE)
    )


def _busy() -> bool:
    return bool(rankings_waiting() or styles_waiting())


def _import_alone(user: User) -> float:
    """Seconds from the confirmation of a file until both rankings of the club have counted it, with
    nobody beside."""
    job = _confirmed(user)
    import_job_confirm(job=job, confirmed_by=user)
    began = perf_counter()
    _wait(lambda: _state(job) == ImportJob.State.DONE and not rankings_waiting(), seconds=600)
    return perf_counter() - began
