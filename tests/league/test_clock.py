"""A clock that goes back, or was ahead and is put right: what is due is done all the same."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from celery.beat import ScheduleEntry
from django.utils import timezone

from league.celery_app import Scheduler, app
from league.core.log.models import SetAside
from league.models import Letter
from league.queues import SCHEDULE
from league.site.health.services import due_times_set_back
from tests.factories.league import ClubFactory


class Beat:
    """Beat on a clock of the test's own."""

    def __init__(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = datetime(2026, 11, 23, 20, 0, tzinfo=UTC)
        self.called: list[str] = []
        monkeypatch.setattr(type(app), "now", lambda _: self.now)
        monkeypatch.setattr(ScheduleEntry, "default_now", lambda _: self.now)
        monkeypatch.setattr(
            Scheduler, "apply_entry", lambda _, entry, producer=None: self.called.append(entry.name)
        )
        self.file, self.scheduler = file, self.start(file)

    def start(self, file: Path) -> Scheduler:
        return Scheduler(app, schedule_filename=str(file))

    def restart(self) -> None:
        self.scheduler.close()
        self.scheduler = self.start(self.file)

    def run(self, seconds: float) -> set[str]:
        """What is called for within so many seconds."""
        self.called.clear()
        end = self.now + timedelta(seconds=seconds)
        while self.now < end:
            wait: Any = self.scheduler.tick()
            self.now += timedelta(seconds=max(wait, 0.001))
        return set(self.called)


SWEEPS = {
    name for name, call in SCHEDULE.items() if name.startswith("sweep-") and call["schedule"] <= 60
}
"""What is called for every minute, or more often."""


@pytest.fixture
def beat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Beat:
    beat = Beat(tmp_path / "schedule", monkeypatch)
    assert beat.run(60) >= SWEEPS
    return beat


def test_beat_starts_after_it_was_killed_while_its_file_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Berkeley DB would wait for the end of the other one that made the file."""
    (tmp_path / "__db.schedule.db").touch()
    assert Beat(tmp_path / "schedule", monkeypatch).run(60) >= SWEEPS


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("step", [timedelta(hours=-2), timedelta(days=2), timedelta(seconds=-5)])
def test_beat_calls_on_whatever_the_clock_does(
    beat: Beat, step: timedelta, restarted: bool
) -> None:
    beat.now += step
    if restarted:
        beat.restart()
    assert beat.run(60) >= SWEEPS
    beat.now -= step
    if restarted:
        beat.restart()
    assert beat.run(60) >= SWEEPS


@pytest.mark.django_db
def test_what_waits_for_a_time_that_a_wrong_clock_has_named_is_due_now() -> None:
    club = ClubFactory.create()
    ahead = timezone.now() + timedelta(days=2)
    soon = timezone.now() + timedelta(minutes=3)
    for position, due_at in enumerate((ahead, soon)):
        SetAside.objects.create(
            club=club, reader="count/x", position=position, error="", due_at=due_at
        )
        Letter.objects.create(to="anna@example.org", subject="", body="", due_at=due_at)
    assert due_times_set_back() == 2
    assert due_times_set_back() == 0
    assert SetAside.objects.filter(due_at__lte=timezone.now()).count() == 1
    assert Letter.objects.filter(due_at__lte=timezone.now()).count() == 1
