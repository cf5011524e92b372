"""A club's evening: thirty phones that are signed in, and a result a second, for ten minutes.

First the results alone and the phones alone, so that each has its own CPU time; then both at once,
when every result changes the pages that the phones have open. Beside them, phones that aren't
signed in.
"""

from __future__ import annotations

import http.client
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from time import monotonic, sleep
from typing import Final

from django.db import connection
from django.test import Client

from bench.service.events import running_stage
from bench.service.league import handle
from bench.service.servers import web, workers
from bench.service.whole_way import (
    PLAYERS,
    cpu_spent,
    key_of,
    print_cost,
    print_heading,
    send_results,
)
from league.core.log.services import Actor
from league.core.member.services.member import member_add
from league.models import Player, Role, Season, Stage, User
from league.standings.player.services import player_link
from tests.factories import events

PHONES: Final = 30
SECONDS_A_PAGE: Final = 6.0
"""Each phone asks for a page every six seconds, all together for five a second."""
ALONE: Final = 60
BOTH: Final = 600
"""Seconds of each part."""


def measure() -> None:
    """Print the CPU time of a page, of a result, and of both at once."""
    stage = running_stage(PLAYERS)
    events.drawn(stage)
    season = stage.event.season
    key = key_of(season)
    paths = _paths(season, stage)
    phones = [cookies_of(season, number) for number in range(PHONES)]
    connection.close()
    print(f"\nThirty phones, and a result a second  (CPU of each kind; {BOTH} s for both at once)")
    print_heading()
    with web() as port, workers():
        results = partial(send_results, port, season, key, rate=1)
        results(count=10)  # warms all processes, and brings the players into the ranking
        readers = partial(_read, port, paths)
        idle = cpu_spent(lambda: sleep(ALONE), seconds_idle=None)
        idle_per_second = {kind: value / ALONE for kind, value in idle.items()}
        spent = partial(cpu_spent, seconds_idle=idle_per_second)
        pages = int(PHONES * ALONE / SECONDS_A_PAGE)
        print_cost("a result", spent(lambda: results(count=ALONE)), ALONE)
        print_cost("a page, not signed in", spent(lambda: readers([""] * PHONES, ALONE)), pages)
        print_cost("a page, signed in", spent(lambda: readers(phones, ALONE)), pages)

        def evening() -> None:
            with ThreadPoolExecutor(1) as pool:
                sending = pool.submit(results, count=BOTH)
                readers(phones, BOTH)
                sending.result()

        print_cost("a second of both", spent(evening), BOTH)


def _paths(season: Season, stage: Stage) -> list[str]:
    club = f"/clubs/{season.club.slug}/"
    event = f"{club}events/{stage.event.slug}/"
    return [event, f"{event}stages/{stage.number}/", f"{club}{season.slug}/", "/"]


def cookies_of(season: Season, number: int) -> str:
    """Return the cookies of a member who has signed in: the player of this number, if there is
    one."""
    name = f"{season.club.slug}-{number}"
    user = User.objects.create(username=name, email=f"{name}@example.org")
    member_add(club=season.club, user=user, role=Role.PLAYER, actor=Actor())
    for player in Player.objects.filter(club=season.club, handle=handle(number)):
        player_link(player=player, account=user, actor=Actor())
    browser = Client(headers={"host": "localhost"})
    browser.force_login(user)
    browser.get("/")  # the first page brings the cookie of the forms' token
    return "; ".join([f"{key}={cookie.value}" for key, cookie in browser.cookies.items()])


def _read(port: int, paths: Sequence[str], phones: Sequence[str], seconds: float) -> None:
    """Let phones, given by their cookies, ask for one page after the other."""
    with ThreadPoolExecutor(len(phones)) as pool:
        waits = [SECONDS_A_PAGE * place / len(phones) for place in range(len(phones))]
        for reading in [
            pool.submit(_read_on, port, paths, cookies, wait, seconds)
            for cookies, wait in zip(phones, waits, strict=True)
        ]:
            reading.result()


def _read_on(port: int, paths: Sequence[str], cookies: str, wait: float, seconds: float) -> None:
    """Ask for pages as a browser does, which shows its own copy if nothing has changed."""
    known: dict[str, str] = {}
    end = monotonic() + seconds
    sleep(wait)
    for path in cycle(paths):
        if monotonic() >= end:
            return
        headers = {"Host": "localhost", "Accept-Encoding": "gzip", "Cookie": cookies}
        if path in known:
            headers["If-None-Match"] = known[path]
        client = http.client.HTTPConnection("127.0.0.1", port)
        client.request("GET", path, headers=headers)
        answer = client.getresponse()
        answer.read()
        if answer.status not in (200, 304):
            raise ValueError(f"{path}: {answer.status}")
        known[path] = answer.getheader("ETag", "")
        client.close()
        sleep(SECONDS_A_PAGE)
