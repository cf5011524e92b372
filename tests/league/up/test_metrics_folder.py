"""The processes of a host count in files of one folder, and the supervisor keeps it clean."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from league.up import metrics_folder
from league.up.host import this_host
from league.up.metrics_folder import FOLDER, metrics_folder_prepare, metrics_folder_sweep

COUNT = """
import os
import django
django.setup()
from league.site.metrics.domain import JOBS, STREAMS_OPEN
for _ in range(2):
    if os.fork() == 0:
        JOBS.labels("task", "success").inc()
        STREAMS_OPEN.set(5)
        os._exit(0)
for _ in range(2):
    os.wait()
from league.up.metrics_folder import metrics_folder_sweep
metrics_folder_sweep()
from league.site.metrics.web.scrape import figures
print(figures().decode())
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUPS_UP_VAR", str(tmp_path))
    monkeypatch.setenv("METRICS_TOKEN", "the-token-of-prometheus-for-tests")
    monkeypatch.setenv(FOLDER, "")  # is put back after the test
    monkeypatch.setattr(metrics_folder, "IN_MEMORY", tmp_path / "shm")
    (tmp_path / "shm").mkdir()
    return tmp_path / "shm" / f"cups-up-{os.getuid()}" / this_host(None).id / "worker"


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_the_folder_is_empty_at_the_start_and_private(folder: Path) -> None:
    metrics_folder_prepare("worker")
    (folder / "counter_1.db").touch()
    metrics_folder_prepare("worker")
    assert os.environ[FOLDER] == str(folder)
    assert list(folder.iterdir()) == []
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("theirs", ["nothing", "readable", "link", "file"])
def test_a_folder_in_memory_that_is_not_ours_alone_is_not_used(tmp_path: Path, theirs: str) -> None:
    place = tmp_path / "shm" / f"cups-up-{os.getuid()}"
    if theirs == "nothing":
        place.parent.rmdir()
    elif theirs == "readable":
        place.mkdir(mode=0o755)
    elif theirs == "link":
        place.symlink_to(tmp_path)
    else:
        place.touch(mode=0o700)
    metrics_folder_prepare("worker")
    assert os.environ[FOLDER] == str(tmp_path / "metrics" / "worker")


def test_nobody_counts_if_nobody_can_ask(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METRICS_TOKEN", "")
    metrics_folder_prepare("worker")
    metrics_folder_sweep()
    assert not folder.exists()
    assert os.environ[FOLDER] == ""


def test_what_was_true_of_a_dead_process_is_forgotten_and_its_counts_stay(folder: Path) -> None:
    metrics_folder_prepare("worker")
    dead = dead_pid()
    names = [f"counter_{dead}.db", f"gauge_livesum_{dead}.db", f"gauge_livesum_{os.getpid()}.db"]
    for name in names:
        (folder / name).touch()
    metrics_folder_sweep()
    assert {file.name for file in folder.iterdir()} == {names[0], names[2]}


def test_only_so_many_files_of_dead_processes_stay(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics_folder, "MOST_DEAD", 2)
    monkeypatch.setattr(metrics_folder, "_is_alive", lambda pid: False)
    metrics_folder_prepare("worker")
    for age, pid in enumerate((11, 12, 13)):
        file = folder / f"counter_{pid}.db"
        file.touch()
        os.utime(file, (1_000_000 - age, 1_000_000 - age))
    metrics_folder_sweep()
    assert {file.name for file in folder.iterdir()} == {"counter_11.db", "counter_12.db"}


def test_processes_of_a_host_are_added_up(folder: Path) -> None:
    metrics_folder_prepare("worker")
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "league.settings"}
    output = subprocess.run(
        [sys.executable, "-c", COUNT], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert 'cups_up_jobs_total{outcome="success",task="task"} 2.0' in output
    assert "cups_up_streams_open 5.0" not in output
