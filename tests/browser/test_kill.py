"""Workers that are killed with the work in their hands: the table is right afterwards."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.browser.service import Site, empty
from tests.factories.records import bluff_record, line

GAMES = 120
KILLS = 3  # one less than the supervisor takes for a worker that can't live
SEATS = ["anna", "ben", "cleo", "dario", "elif"]
CREATE = """
from datetime import date
from league.log.services import Actor
from league.clubs.services.club import club_create
from league.seasons.services.season import season_create
club = club_create(actor=Actor(), slug="becherkeller", name="Becherkeller", timezone="Europe/Berlin")
season_create(club=club, actor=Actor(), slug="killed", name="Killed", starts_on=date(2026, 9, 3))
"""
DERIVED = """
import json
from league.models import Ranking
ranking = Ranking.objects.get(season__slug="killed")
tables = [
    ranking.standings.order_by("player").values_list("player", "points", "key", "before"),
    ranking.ratings.order_by("player").values_list("player", "mu", "sigma", "recent"),
    ranking.appearances.order_by("game__external_id", "seat").values_list("player", "rank", "points"),
    ranking.rating_changes.order_by("game__external_id").values_list("game__external_id", "seats"),
]
settled = ranking.rated_from is None and ranking.rebuilt_to is None
print(json.dumps([ranking.ranked_games.count() if settled else 0, [list(table) for table in tables]]))
"""


def workers(up: psutil.Process) -> list[psutil.Process]:
    """Celery's worker and the processes of its pool."""
    return [child for child in up.children(recursive=True) if {"celery", "worker"} <= set(child.cmdline())]


@pytest.fixture
def service(up: tuple[Site, str]) -> Iterator[Site]:
    """The whole service, its supervisor included."""
    site, _ = up
    yield site
    empty(site)


def test_workers_killed_all_the_time_lose_nothing_and_count_nothing_twice(service: Site, tmp_path: Path) -> None:
    service.run(CREATE)
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"".join(line(bluff_record(seed, seats=SEATS, id=f"killed-{seed}")) for seed in range(GAMES)))
    importing = subprocess.Popen(
        [sys.executable, "manage.py", "import_games", str(file), "--club=becherkeller", "--season=killed"],
        env=service.environment,
    )
    assert service.supervisor
    for _ in range(KILLS):
        time.sleep(0.7)
        for worker in workers(service.supervisor):
            with suppress(psutil.NoSuchProcess):
                worker.send_signal(signal.SIGKILL)
    importing.wait(300)
    assert importing.returncode == 0
    deadline = time.monotonic() + 300
    while not (derived := service.run(DERIVED)).startswith(f"[{GAMES},"):
        assert time.monotonic() < deadline, derived[:200]
        time.sleep(1)
    service.manage("rebuild", "--club=becherkeller", "--season=killed")
    assert service.run(DERIVED) == derived
