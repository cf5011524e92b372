"""Files of many clubs: each gets its time slice, small previews first, and what was broken off goes
on where it was."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection

from engine.record.lines import FileLine
from league.core.jobs import TimeSlice
from league.core.locks import Busy, Space
from league.models import ImportJob, Role, Season
from league.records.file import services as service
from league.records.file.services import CheckedLine
from league.records.upload import services as upload
from league.records.upload.services import (
    import_job_confirm,
    import_job_create,
    import_job_preview,
    import_job_run,
    imports_run,
)
from league.records.upload.tasks import preview_import, preview_large, run_imports
from league.standings.season.models import SeasonGame
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db(transaction=True)

CONTENT = b"".join(
    line(bluff_record(seed, seats=["anna", f"p{seed}"])) if seed != 3 else b"{}\n"
    for seed in range(10)
)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The calls for jobs, which nobody takes."""
    made: list[tuple[str, int]] = []
    monkeypatch.setattr(
        "league.core.jobs.app.send_task",
        lambda name, args, **options: made.append((name.rpartition(".")[2], args[0])),
    )
    monkeypatch.setattr(service, "BATCH", 3)
    return made


def uploaded(
    season: Season | None = None, content: bytes = CONTENT, *, whole: bool = False
) -> ImportJob:
    """A file of ten games, the fourth of them bad."""
    season = season or SeasonFactory.create()
    organiser = MembershipFactory.create(club=season.club, role=Role.ORGANISER).user
    return import_job_create(
        season=season,
        uploaded_by=organiser,
        file_name="g",
        content=content,
        create_players=True,
        all_or_nothing=whole,
    )


def confirmed(
    season: Season | None = None, *, whole: bool = False, content: bytes = CONTENT
) -> ImportJob:
    """Such a file, whose import may begin."""
    job = uploaded(season, content, whole=whole)
    import_job_preview(job_id=job.pk)
    import_job_confirm(job=job, confirmed_by=job.uploaded_by)
    return job


def test_a_small_file_is_previewed_beside_results_and_a_large_one_is_not(
    calls: list[tuple[str, int]],
) -> None:
    small, large = uploaded(), uploaded(content=b" " * (upload.SMALL + 1))
    assert calls == [("preview_import", small.pk), ("preview_large", large.pk)]


def test_a_small_file_that_takes_long_joins_the_large_ones(
    calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.records.upload.tasks.GLANCE_SECONDS", 0)
    job = uploaded()
    calls.clear()
    preview_import(job.pk)
    assert calls == [("preview_large", job.pk)]
    preview_large(job.pk)
    job.refresh_from_db()
    assert (job.state, job.report["read"]) == (ImportJob.State.PREVIEWED, 10)


def test_a_preview_by_turns_says_what_one_at_once_says(calls: list[tuple[str, int]]) -> None:
    turns, job, at_once = 0, uploaded(), uploaded()
    while import_job_preview(job_id=job.pk, time_slice=TimeSlice(0)):
        turns += 1
    import_job_preview(job_id=at_once.pk)
    assert turns > upload.ATTEMPTS
    assert ImportJob.objects.get(pk=job.pk).report == ImportJob.objects.get(pk=at_once.pk).report


def test_a_preview_goes_on_where_it_was_and_from_the_start_if_that_is_lost(
    calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    judge = CheckedLine.of

    def noting(season: Season, sent: FileLine) -> CheckedLine:
        read.append(sent.number)
        return judge(season, sent)

    monkeypatch.setattr(CheckedLine, "of", noting)
    job = uploaded()
    for _ in range(2):
        assert import_job_preview(job_id=job.pk, time_slice=TimeSlice(0))
    assert read == [1, 2, 3, 4, 5, 6]
    cache.delete(f"preview:{job.pk}")
    assert not import_job_preview(job_id=job.pk)
    assert read[6:] == list(range(1, 11))


def test_a_preview_that_is_never_kept_ends_as_failed(calls: list[tuple[str, int]]) -> None:
    job = uploaded()
    for _ in range(upload.ATTEMPTS):
        assert import_job_preview(job_id=job.pk, time_slice=TimeSlice(0))
        cache.delete(f"preview:{job.pk}")
    assert not import_job_preview(job_id=job.pk, time_slice=TimeSlice(0))
    job.refresh_from_db()
    assert job.state == ImportJob.State.FAILED


def test_of_a_club_one_call_waits_however_many_files_it_imports(
    calls: list[tuple[str, int]],
) -> None:
    season = SeasonFactory.create()
    for _ in range(3):
        confirmed(season)
    confirmed()
    assert [job for job, _ in calls].count("run_imports") == 2


def test_the_files_of_a_club_go_in_turn_after_turn_until_none_is_left(
    calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.records.upload.tasks.SLICE_SECONDS", 0)
    season = SeasonFactory.create()
    others = CONTENT.replace(b"game-", b"other-")
    first, second = confirmed(season), confirmed(season, content=others)
    turns = 0
    calls.clear()
    run_imports.apply([season.club_id], throw=True)
    while ("run_imports", season.club_id) in calls:
        calls.clear()
        run_imports.apply([season.club_id], throw=True)
        turns += 1
    assert turns > 5
    assert SeasonGame.objects.filter(season=season).count() == 18
    for job in (first, second):
        job.refresh_from_db()
        assert job.state == ImportJob.State.DONE


def test_a_file_that_another_worker_has_is_left_to_it(calls: list[tuple[str, int]]) -> None:
    season = SeasonFactory.create()
    held, free = confirmed(season), confirmed(season, content=CONTENT.replace(b"game-", b"other-"))
    with holding(held.pk):
        assert imports_run(club_id=season.club_id)
        assert not imports_run(club_id=season.club_id), (
            "nothing is called for again and again while it has it"
        )
    free.refresh_from_db()
    held.refresh_from_db()
    assert (held.state, free.state) == (ImportJob.State.CONFIRMED, ImportJob.State.DONE)


def test_files_that_go_in_as_a_whole_do_so_one_at_a_time(calls: list[tuple[str, int]]) -> None:
    whole, other = confirmed(whole=True), confirmed()
    with holding(upload.WHOLE):
        for _ in range(upload.ATTEMPTS + 1):
            with pytest.raises(Busy):
                import_job_run(job_id=whole.pk)
        import_job_run(job_id=other.pk)
    other.refresh_from_db()
    assert other.state == ImportJob.State.DONE
    import_job_run(job_id=whole.pk)
    whole.refresh_from_db()
    assert whole.state == ImportJob.State.REFUSED


class holding:  # noqa: N801
    """For the block, another worker has an uploaded file."""

    def __init__(self, job_id: int) -> None:
        self.keys = [Space.IMPORT, job_id]
        self.other = connection.copy()

    def __enter__(self) -> None:
        self.other.cursor().execute("SELECT pg_advisory_lock(%s, %s)", self.keys)

    def __exit__(self, *error: Any) -> None:
        """Let go of it by name: the server forgets a closed connection's locks a moment later."""
        self.other.cursor().execute("SELECT pg_advisory_unlock(%s, %s)", self.keys)
        self.other.close()
