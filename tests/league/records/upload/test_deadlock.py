"""An import that the database breaks off because it and somebody else wait for each other."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client
from psycopg.errors import DeadlockDetected
from psycopg.rows import TupleRow

from games.models import Game
from league.core.log.models import LogEntry
from league.models import Role
from league.records.file.services import Report, file_import
from league.records.upload import services as service
from league.records.upload.models import ImportJob
from league.records.upload.services import (
    import_job_confirm,
    import_job_create,
    import_job_preview,
    import_job_run,
)
from league.standings.ranked_game.actions import GameAction
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.core.frame.api.programs import LINES, bearer, code_of, member_key

KEY = 7
GAMES = b"".join(line(bluff_record(seed)) for seed in range(3))


@pytest.fixture
def job(transactional_db: None) -> ImportJob:
    """A confirmed file of three games, all or nothing."""
    season = SeasonFactory.create()
    organiser = MembershipFactory.create(club=season.club, role=Role.ORGANISER).user
    job = import_job_create(
        season=season,
        uploaded_by=organiser,
        file_name="g",
        content=GAMES,
        create_players=True,
        all_or_nothing=True,
    )
    import_job_preview(job_id=job.pk)
    import_job_confirm(job=job, confirmed_by=organiser)
    return job


class Rival:
    """Somebody who holds one lock and waits for the end of the club's log, which the import has."""

    def __init__(self, held: psycopg.Connection[TupleRow], club_id: int) -> None:
        self.held, self.club_id = held, club_id
        self.waiting: Future[None] | None = None
        held.execute(
            "SET deadlock_timeout = '10min'"
        )  # so it is the import that finds the deadlock, and gives way

    def meet(self, pool: ThreadPoolExecutor) -> None:
        """Take the lock, wait for the log, and have this thread's connection wait for the lock."""
        self.held.execute("BEGIN")
        self.held.execute("SELECT pg_advisory_xact_lock(%s)", [KEY])
        self.waiting = pool.submit(self.wait)
        with connection.cursor() as cursor:
            while not self.waits(cursor):
                pass
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [KEY])

    def wait(self) -> None:
        """Wait for the end of the log, and be done."""
        self.held.execute(
            "SELECT FROM league_loghead WHERE club_id = %s FOR UPDATE", [self.club_id]
        )
        self.held.execute("COMMIT")

    def waits(self, cursor: Any) -> bool:
        cursor.execute(
            "SELECT FROM pg_locks WHERE pid = %s AND NOT granted", [self.held.info.backend_pid]
        )
        return cursor.fetchone() is not None


def meeting(rival: Rival, pool: ThreadPoolExecutor, times: int) -> Callable[..., Report]:
    """An import that meets the rival after the first game of each of its first attempts."""
    begun = 0

    def work(**given: Any) -> Report:
        nonlocal begun
        begun += 1
        attempt, read = begun, 0
        if rival.waiting:
            # an attempt that is quicker than the rival would take the log before it again
            rival.waiting.result()

        def progress() -> None:
            nonlocal read
            read += 1
            if attempt <= times and read == 1:
                rival.meet(pool)

        return file_import(**given | {"progress": progress})

    return work


@pytest.mark.parametrize(
    ("times", "state", "failure", "games"),
    [(1, ImportJob.State.DONE, "", 3), (2, ImportJob.State.FAILED, ImportJob.Failure.COLLIDED, 0)],
)
def test_a_deadlock_begins_the_file_anew_once(
    job: ImportJob,
    owner: psycopg.Connection[TupleRow],
    monkeypatch: pytest.MonkeyPatch,
    times: int,
    state: str,
    failure: str,
    games: int,
) -> None:
    with ThreadPoolExecutor(1) as pool:
        work = meeting(Rival(owner, job.season.club_id), pool, times)
        monkeypatch.setattr(service, "file_import", work)
        import_job_run(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.failure, job.attempts) == (state, failure, 1)
    assert Game.objects.count() == games
    assert LogEntry.objects.filter(action=GameAction.SEALED).count() == games
    if games:
        assert (job.report["created"], job.report["unchanged"]) == (games, 0)


@pytest.mark.parametrize(("times", "status"), [(1, 200), (2, 409)])
def test_the_api_begins_anew_once_and_then_says_so(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, client: Client, times: int, status: int
) -> None:
    season = SeasonFactory.create()
    secret, _ = member_key(season.club)
    left = iter(range(times))

    def broken_off(**options: Any) -> Report:
        report = file_import(**options)
        if next(left, None) is not None:
            raise OperationalError from DeadlockDetected()
        return report

    monkeypatch.setattr("league.records.file.services.file_import", broken_off)
    answer = client.post(
        f"/api/v1/clubs/{season.club.slug}/games/?season={season.slug}&all_or_nothing=true",
        GAMES,
        content_type=LINES,
        headers=bearer(secret),
    )
    assert answer.status_code == status
    if status == 409:
        assert code_of(answer) == (409, "collided")
    assert Game.objects.count() == 3
