"""Every part of the service is killed in the middle of games that programs play: no act is lost or
done twice."""

from __future__ import annotations

import json
import signal
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from threading import Event
from typing import Any
from uuid import uuid4

import psutil
import pytest

from tests.browser.service import Site, empty

TABLES = 6
PARTS = ("web", "worker", "redis", "postgres")
"""The parts that are killed, in turn, by how their processes are called."""
CREATE = """
import json
from league.core.key.services.key import key_create
from league.core.log.services import Actor
from league.core.club.services import club_create
from league.core.member.services.member import member_add
from league.models import Role, User
club = club_create(actor=Actor(), slug="stern", name="Stern")
keys = []
for number in range({tables}):
    user = User.objects.create_user(f"program {{number}}", is_program=True)
    member_add(club=club, user=user, role=Role.PLAYER, actor=Actor())
    keys.append(key_create(club=club, user=user, label="program", scope="play")[1])
print(json.dumps(keys), end="")
"""
STORED = """
import json
from games.models import SheetEntry
from league.models import OnlineTable
acts = {}
for table in OnlineTable.objects.exclude(open_game=None):
    entries = SheetEntry.objects.filter(sheet__open_game=table.open_game, seat__isnull=False).order_by("number")
    acts[table.public_id] = [[entry.number, entry.act, json.loads(entry.value)] for entry in entries]
print(json.dumps([acts, [[table.status, table.game_id is None] for table in OnlineTable.objects.all()]]), end="")
"""
FALSE = """
from games.queries.open_game import sheets_written
from games.queries.verification import game_differences, open_game_differences
from games.models import Game, OpenGame
games = list(Game.objects.values_list("pk", flat=True))
open_games = list(OpenGame.objects.values_list("public_id", flat=True))
print([str(found) for found in [*game_differences(games), *open_game_differences(sheets_written(open_games))]], end="")
"""


@pytest.fixture
def service(up: tuple[Site, str]) -> Iterator[Site]:
    """The whole service, its supervisor included."""
    site, _ = up
    yield site
    empty(site)


class Player:
    """A program that plays with an automatic player, and sends until it is answered."""

    def __init__(self, service: Site, key: str, ended: Event) -> None:
        self.service, self.key, self.ended = service, key, ended
        self.acknowledged: dict[str, list[list[Any]]] = {}

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The answer, however often it has to be asked for, under one key."""
        key, deadline = str(uuid4()), time.monotonic() + 240
        while True:
            assert time.monotonic() < deadline, path
            try:
                return self._sent(path, body, key)
            except (OSError, HTTPException, ValueError) as error:  # urllib's errors among them
                refusal = getattr(error, "code", 503)
            assert refusal in (409, 502, 503), (path, refusal)
            time.sleep(0.3)

    def _sent(self, path: str, body: dict[str, Any] | None, key: str) -> Any:
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.service.url}/api/v1{path}", content, headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def play(self) -> None:
        """Play games to their ends, until all parts were killed."""
        while not self.ended.is_set():
            self.play_game()

    def play_game(self) -> None:
        """Play one game to its end; note each act that was acknowledged."""
        seen = self.post("/clubs/stern/online-tables/", {"programs_welcome": True})
        path = f"/online-tables/{seen['id']}/"
        self.post(f"{path}automatic/", {"strength": "easy"})
        seen = self.post(f"{path}begin/", {})
        acts = self.acknowledged[seen["id"]] = []
        while seen["status"] == "playing":
            game = seen["game"]
            assert game["turn"] == 0
            act = (
                {"act": "challenge"}
                if game["may_challenge"]
                else {"act": "bid", "bid": game["legal"][0]}
            )
            value = {"seat": 0, "bid": act["bid"]} if "bid" in act else {"seat": 0}
            seen = self.post(f"{path}acts/", {**act, "length": game["length"]})
            acts.append([game["length"], act["act"], value])


def kill(service: Site, part: str) -> None:
    """Kill all processes of a part."""
    assert service.supervisor
    killed = 0
    for child in service.supervisor.children():
        if part in child.name() or any(part in word for word in child.cmdline()[:2]):
            with suppress(psutil.NoSuchProcess):
                child.send_signal(signal.SIGKILL)
                killed += 1
    assert killed, [(child.name(), child.cmdline()[:3]) for child in service.supervisor.children()]


def answers(service: Site) -> bool:
    """True if a page of the service that asks the database is answered."""
    try:
        with urllib.request.urlopen(f"{service.url}/health/web/", timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, HTTPException):
        return False


def test_games_of_programs_survive_whatever_is_killed(service: Site) -> None:
    keys = json.loads(service.run(CREATE.format(tables=TABLES)))
    ended = Event()
    players = [Player(service, key, ended) for key in keys]
    with ThreadPoolExecutor(TABLES) as pool:
        games = [pool.submit(player.play) for player in players]
        try:
            for part in PARTS:
                time.sleep(2)
                kill(service, part)
                deadline = time.monotonic() + 120
                time.sleep(1)
                while not answers(service):
                    assert time.monotonic() < deadline, f"{part} stays away"
                    time.sleep(0.3)
        finally:
            time.sleep(2)
            ended.set()
        for game in games:
            game.result()
    service.close()
    service.shell = None  # its connection went with the database
    acts, tables = json.loads(service.run(STORED))
    acknowledged = {
        table: found for player in players for table, found in player.acknowledged.items()
    }
    assert sum(map(len, acknowledged.values())) > 10 * TABLES
    assert acts == acknowledged, "each act stands once, at the number for which it was sent"
    assert {tuple(table) for table in tables} <= {("over", False), ("lobby", True)}
    assert sum(status == "over" for status, _ in tables) == len(acknowledged)
    assert service.run(FALSE) == "[]"
