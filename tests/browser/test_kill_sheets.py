"""A web process that is killed while tables write: every entry that was acknowledged is there,
once."""

from __future__ import annotations

import json
import signal
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from typing import Any
from uuid import uuid4

import psutil
import pytest

from tests.browser.service import Site, empty

TABLES = 12
KILLS = 3  # one less than the supervisor takes for a process that can't live
CREATE = """
import json
from django.db import transaction
from league.core.log.services import Actor
from league.models import Event, Table
from league.sheets.device.services.device import device_make
from tests.factories import events
from tests.factories.league import SeasonFactory
season = SeasonFactory.create(slug="autumn", scoring="placement")
night = events.event(season, "night", status=Event.Status.RUNNING)
events.crowd(night, {players})
stage = events.stage(night, sizes=[2])
with transaction.atomic():
    events.drawn(stage)  # before the worker hears of it
tables = Table.objects.select_related("stage_round__stage__event").filter(stage_round__stage=stage)
print(json.dumps([(table.public_id, device_make(subject=table, actor=Actor())[1]) for table in tables]))
"""
STORED = """
import json
from games.models import Game, SheetEntry
print(json.dumps([[str(key) for key in SheetEntry.objects.order_by("sheet", "number").values_list("key", flat=True)],
    Game.objects.count()]))
"""
FALSE = """
from league.models import Club
from league.sheets.sheet.queries.verification import verify_open_games
print([str(difference) for club in Club.objects.all() for difference in verify_open_games(club, {}).differences])
"""
COUNTED = """
from league.models import Season
from league.standings.ranking.queries.waiting import rankings_waiting
ranking = Season.objects.get(slug="autumn").ranking
print(ranking.ranked_games.count(), bool(rankings_waiting(ranking.pk)), end="")
"""
ROUNDS: list[tuple[str, dict[str, Any]]] = [
    entry
    for _ in range(5)
    for entry in (("note", {"bid": "1x1", "seat": 0}), ("close", {"losses": [0, 1]}))
]


@pytest.fixture
def service(up: tuple[Site, str]) -> Iterator[Site]:
    """The whole service, its supervisor included."""
    site, _ = up
    yield site
    empty(site)


class Phone:
    """A phone at a table, which sends until it is answered."""

    def __init__(self, service: Site, table: str, key: str) -> None:
        self.service, self.table, self.key = service, table, key
        self.acknowledged: list[str] = []

    def send(self, path: str, body: dict[str, Any]) -> Any:
        """The answer, however often it has to be asked for."""
        deadline = time.monotonic() + 120
        while True:
            assert time.monotonic() < deadline, path
            try:
                return self._sent(path, body)
            except (OSError, HTTPException) as error:  # urllib's errors among them
                refusal = getattr(error, "code", 503)
            assert refusal in (502, 503), path
            time.sleep(0.2)

    def _sent(self, path: str, body: dict[str, Any]) -> Any:
        headers = {"Authorization": f"Device {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(
            f"{self.service.url}/api/v1{path}", json.dumps(body).encode(), headers
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def play(self) -> list[str]:
        """Write a whole game and seal it; the keys that were acknowledged, in order."""
        game = self.send(f"/tables/{self.table}/open-game/", {})
        for length, (act, value) in enumerate(ROUNDS):
            key = str(uuid4())
            body = {"key": key, "length": length, "act": act, "value": value}
            assert self.send(f"/open-games/{game['id']}/entries/", body)["number"] == length
            self.acknowledged.append(key)
        assert self.send(f"/open-games/{game['id']}/seal/", {"length": len(ROUNDS)})["sealed"]
        return self.acknowledged


def kill_web(service: Site) -> None:
    assert service.supervisor
    for child in service.supervisor.children():
        if child.name().startswith("web"):
            with suppress(psutil.NoSuchProcess):
                child.send_signal(signal.SIGKILL)


def test_a_web_process_killed_while_tables_write_loses_no_entry_and_takes_none_twice(
    service: Site,
) -> None:
    tables = json.loads(service.run(CREATE.format(players=2 * TABLES)))
    phones = [Phone(service, table, key) for table, key in tables]
    with ThreadPoolExecutor(TABLES) as pool:
        games = [pool.submit(phone.play) for phone in phones]
        for _ in range(KILLS):
            time.sleep(1)
            kill_web(service)
        acknowledged = [key for game in games for key in game.result()]
    stored, sealed = json.loads(service.run(STORED))
    assert sorted(stored) == sorted(acknowledged)
    assert sealed == TABLES
    assert service.run(FALSE).strip() == "[]"
    deadline = time.monotonic() + 60
    while service.run(COUNTED) != f"{TABLES} False":
        assert time.monotonic() < deadline, service.run(COUNTED)
        time.sleep(0.2)
