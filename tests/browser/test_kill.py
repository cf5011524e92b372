"""Workers that are killed with the work in their hands: what they derive is right afterwards, and
at its end."""

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
from league.core.log.services import Actor
from league.core.club.services import club_create
from league.standings.season.services.season import season_create
club = club_create(actor=Actor(), slug="becherkeller", name="Becherkeller", timezone="Europe/Berlin")
season_create(club=club, actor=Actor(), slug="killed", name="Killed", starts_on=date(2026, 9, 3))
"""
DERIVED = """
import json
from league.models import Ranking
from league.standings.ranking.queries.waiting import rankings_waiting, styles_waiting
ranking = Ranking.objects.get(season__slug="killed")
tables = [
    ranking.standings.order_by("player").values_list("player", "points", "key", "before"),
    ranking.ratings.order_by("player").values_list("player", "mu", "sigma", "recent"),
    ranking.appearances.order_by("game__external_id", "seat").values_list("player", "rank", "points"),
    ranking.rating_changes.order_by("game__external_id").values_list("game__external_id", "seats"),
    ranking.styles.order_by("player").values_list("player", "bids", "cost", "luck", "challenges", "stated", "right"),
]
settled = not rankings_waiting(ranking.pk) and not styles_waiting(ranking.pk)
print(json.dumps([ranking.ranked_games.count() if settled else 0, [list(table) for table in tables]]))
"""

SPOIL = "from league.models import Standing; Standing.objects.update(points=0)"
"""Gives a rebuild all rows of the table to mend."""
REBUILD = """
from django.db import transaction
from league.models import Ranking
from league.core.log.services import Actor
from league.standings.ranking.services.rebuild import ranking_rebuild_ask
with transaction.atomic():
    ranking_rebuild_ask(ranking=Ranking.objects.get(season__slug="killed"), actor=Actor())
transaction.set_autocommit(False)
"""
HOLD = {
    "rebuild": "from league.models import Standing; list(Standing.objects.select_for_update())",
    "styles": """
from league.models import GameStyle, RankedGame
last = RankedGame.objects.order_by("game").last()
GameStyle.objects.create(game_id=last.game_id, seats=b"")
""",
}
"""Stops a worker within this work: at the rows of the table, behind all games; at the last game,
behind portions of others."""
HELD = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid)))")
    print(cursor.fetchone()[0], end="")
"""
BETWEEN = {
    "rebuild": "ranking.rebuilt_to > 0 and ranking.rebuilt_player == 0",
    "styles": "bool(styles_waiting(ranking.pk)) and ranking.styles.exists()",
}
"""True within this work, when part of it is committed."""
STATE = """
from league.models import Ranking
from league.standings.ranking.queries.waiting import styles_waiting
ranking = Ranking.objects.get(season__slug="killed")
print({between}, end="")
"""
RELEASE = (
    "from django.db import transaction; transaction.rollback(); transaction.set_autocommit(True)"
)


def workers(up: psutil.Process) -> list[psutil.Process]:
    """The workers and the processes of their pools."""
    parents = [child for child in up.children() if child.name().startswith("worker")]
    return [process for parent in parents for process in (parent, *parent.children(recursive=True))]


@pytest.fixture
def service(up: tuple[Site, str]) -> Iterator[Site]:
    """The whole service, its supervisor included."""
    site, _ = up
    yield site
    empty(site)


def import_games(service: Site, folder: Path) -> subprocess.Popen[bytes]:
    """Begin to import all games into the season."""
    service.run(CREATE)
    file = folder / "games.jsonl"
    file.write_bytes(
        b"".join(
            line(bluff_record(seed, seats=SEATS, id=f"killed-{seed}")) for seed in range(GAMES)
        )
    )
    return subprocess.Popen(
        [
            sys.executable,
            "manage.py",
            "import_games",
            str(file),
            "--club=becherkeller",
            "--season=killed",
        ],
        env=service.environment,
    )


def signal_workers(service: Site, number: signal.Signals) -> None:
    """Send a signal to all workers."""
    assert service.supervisor
    processes = workers(service.supervisor)
    assert processes
    for worker in processes:
        with suppress(psutil.NoSuchProcess):
            worker.send_signal(number)


def wait_for(service: Site, words: str, beginning: str) -> str:
    """Wait until some Python prints what begins so; what it printed."""
    deadline = time.monotonic() + 300
    while not (printed := service.run(words)).startswith(beginning):
        assert time.monotonic() < deadline, printed[:200]
        time.sleep(0.2)
    return printed


def test_workers_killed_all_the_time_lose_nothing_and_count_nothing_twice(
    service: Site, tmp_path: Path
) -> None:
    importing = import_games(service, tmp_path)
    for _ in range(KILLS):
        time.sleep(0.7)
        signal_workers(service, signal.SIGKILL)
    importing.wait(300)
    assert importing.returncode == 0
    derived = wait_for(service, DERIVED, f"[{GAMES},")
    service.manage("rebuild", "--club=becherkeller", "--season=killed")
    assert service.run(DERIVED) == derived


@pytest.mark.parametrize("work", ["rebuild", "styles"])
def test_a_worker_killed_within_its_work_leaves_what_an_undisturbed_one_does(
    service: Site, tmp_path: Path, work: str
) -> None:
    assert import_games(service, tmp_path).wait(300) == 0
    untouched = wait_for(service, DERIVED, f"[{GAMES},")
    signal_workers(service, signal.SIGSTOP)
    service.run(SPOIL)
    service.run(REBUILD)
    service.run(HOLD[work])
    signal_workers(service, signal.SIGCONT)
    wait_for(service, HELD, "True")
    assert service.run(STATE.format(between=BETWEEN[work])) == "True"
    signal_workers(service, signal.SIGKILL)
    service.run(RELEASE)
    wait_for(service, DERIVED, f"[{GAMES},")
    assert service.run(DERIVED) == untouched
