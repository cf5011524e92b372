"""Files that would hold up all others: what is read of them ends somewhere, and so does every
attempt."""

import gzip
import io
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from psycopg.errors import DeadlockDetected

from engine.record.lines import Limits
from league.models import Role, Season
from league.records.file.services import Report, file_import, file_preview
from league.records.upload import services as service
from league.records.upload.models import ImportJob
from league.records.upload.services import (
    ATTEMPTS,
    import_job_confirm,
    import_job_create,
    import_job_preview,
    import_job_run,
)
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.records import bluff_record, line

GAME = line(bluff_record(1))


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create()


@pytest.fixture
def job(season: Season) -> ImportJob:
    organiser = MembershipFactory.create(club=season.club, role=Role.ORGANISER).user
    return import_job_create(
        season=season,
        uploaded_by=organiser,
        file_name="g",
        content=GAME,
        create_players=True,
        all_or_nothing=False,
    )


class Killed(BaseException):
    """The end of a worker, which no code catches."""


class Deadlock(OperationalError):
    """As the database breaks a transaction off."""

    def __init__(self) -> None:
        super().__init__("deadlock detected")
        self.__cause__ = DeadlockDetected()


def end_with(monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    def work(**given: Any) -> None:
        raise error

    monkeypatch.setattr(service, "file_preview", work)
    monkeypatch.setattr(service, "file_import", work)


def test_an_attempt_is_counted_before_the_work_begins(
    job: ImportJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []

    def look(**given: Any) -> Report:
        counted.append(ImportJob.objects.get().attempts)
        return file_preview(**given)

    monkeypatch.setattr(service, "file_preview", look)
    import_job_preview(job_id=job.pk)
    assert counted == [1]


def test_a_file_that_kills_every_worker_ends_as_failed(
    job: ImportJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    end_with(monkeypatch, Killed)
    for _ in range(ATTEMPTS):
        with pytest.raises(Killed):
            import_job_preview(job_id=job.pk)
    import_job_preview(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.failure, job.attempts) == (
        ImportJob.State.FAILED,
        ImportJob.Failure.KILLED,
        ATTEMPTS,
    )
    assert service.imports_waiting() == []


def test_the_import_has_attempts_of_its_own(
    job: ImportJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_job_preview(job_id=job.pk)
    import_job_confirm(job=job, confirmed_by=job.uploaded_by)
    end_with(monkeypatch, Killed)
    for _ in range(ATTEMPTS - 1):
        with pytest.raises(Killed):
            import_job_run(job_id=job.pk)
    monkeypatch.setattr(service, "file_import", file_import)
    import_job_run(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == ImportJob.State.DONE


@pytest.mark.parametrize(
    ("error", "failure", "words"),
    [
        (SoftTimeLimitExceeded, ImportJob.Failure.TIME, "The file took too long"),
        (ValueError, ImportJob.Failure.ERROR, "Something went wrong in the service"),
        (
            Deadlock,
            ImportJob.Failure.COLLIDED,
            "Upload it again: nothing is imported twice.",
        ),
        (
            Killed,
            ImportJob.Failure.KILLED,
            "couldn’t be finished after several tries",
        ),
    ],
)
def test_why_a_file_failed_stands_on_its_page(
    job: ImportJob,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    error: type[Exception],
    failure: str,
    words: str,
) -> None:
    end_with(monkeypatch, error)
    for _ in range(ATTEMPTS + 1):
        try:
            import_job_preview(job_id=job.pk)
        except Killed:
            continue
    job.refresh_from_db()
    assert (job.state, job.failure) == (ImportJob.State.FAILED, failure)
    client.force_login(job.uploaded_by)
    html = client.get(reverse("import-job", args=[job.public_id])).content.decode()
    assert words in " ".join(html.split())


def test_a_file_of_more_lines_is_read_up_to_there(season: Season, settings: Any) -> None:
    settings.IMPORT_LIMITS = Limits(lines=2)
    report = file_preview(stream=io.BytesIO(GAME * 3), season=season)
    assert (report.created, report.unchanged, report.bad) == (1, 1, 1)
    assert (report.bad_games[0]["line"], report.bad_games[0]["code"]) == (3, "file_too_large")


def test_a_file_of_too_many_bad_games_is_given_up(season: Season, settings: Any) -> None:
    settings.IMPORT_MAX_BAD = 5
    stream = io.BytesIO(gzip.compress(b"{}\n" * 1_000_000))
    report = file_import(stream=stream, season=season)
    assert (report.read, report.bad) == (6, 6)
    assert [game["code"] for game in report.bad_games] == ["bad_record"] * 5 + ["too_many_bad"]
    assert report.bad_games[-1]["line"] == 6


@pytest.mark.parametrize(("fill", "code"), [(b"\n", "file_too_large"), (b"{}\n", "too_many_bad")])
def test_a_bomb_costs_little(season: Season, settings: Any, fill: bytes, code: str) -> None:
    settings.IMPORT_MAX_BAD = 100
    report = file_preview(stream=io.BytesIO(gzip.compress(fill * 10_000_000)), season=season)
    assert report.bad_games[-1]["code"] == code
    assert report.read <= 101
