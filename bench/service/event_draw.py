"""A draw of 500 players, from the organiser's button to the page on which everybody reads the
tables.

By real servers, as a browser asks: the button, the cockpit that looks again by itself every half
second, the button that publishes, the page of the round. It is the third round, drawn from the
results of two. Beside it, what each step costs by itself, without the waiting."""

from __future__ import annotations

from collections.abc import Callable
from http.client import HTTPConnection
from statistics import median
from time import perf_counter, sleep
from urllib.parse import urlencode

from django.test import Client
from django.urls import reverse

from bench.service.cost import cost
from bench.service.events import organiser_of, running_stage
from bench.service.servers import web, worker
from league.celery_app import app
from league.models import Stage, StageRound, User
from league.stages.round.services import round_draw, round_take_back
from tests.factories import events

PLAYERS = 500
DRAWS = 7
LOOKS_AGAIN = "every 500ms"
"""What the cockpit says while a round is being drawn."""
LOOK = {"look": "on"}
"""The round is looked at before it is published; otherwise one button does both."""
TOKEN = "k" * 32
"""A token against forged forms: of the cookie and of the form, as any browser has it."""


def measure() -> None:
    """Print the queries and the CPU time of each step, and the time of all of them together on the
    real service."""
    stage = running_stage(PLAYERS)
    for _ in range(2):
        events.play(events.drawn(stage))
    user = organiser_of(stage)
    print(f"\nA draw of {PLAYERS} players  (round 3, after {PLAYERS // 2} results)")
    _steps(stage, user)
    app.control.purge()  # what the job would do is done
    with worker(), web() as port:
        times = [_from_button_to_page(stage, _cookies(user), port) for _ in range(DRAWS)]
    figures = f"{median(times):.2f} s, worst {max(times):.2f} s"
    print(f"  {'from the button to the page, median of ' + str(DRAWS):<44} {figures}", flush=True)


def _steps(stage: Stage, user: User) -> None:
    """Print what each step costs, done in this process."""
    client = Client(headers={"host": "localhost"})
    client.force_login(user)

    def step(name: str, do: Callable[[], object]) -> None:
        with cost() as found:
            do()
        figures = (
            f"{found.queries:>4} queries  {found.cpu:8.1f} ms CPU  ({found.python:.1f} + "
            f"{found.database:.1f})"
        )
        print(f"  {name:<44} {figures}", flush=True)

    client.get(_cockpit(stage))  # warm
    step("the request that asks", lambda: client.post(f"{_cockpit(stage)}steps/draw/", LOOK))
    asked = StageRound.objects.get(stage=stage, number=3)
    step("the job that draws", lambda: round_draw(round_id=asked.pk))
    step("the cockpit that shows it", lambda: client.get(_cockpit(stage)))
    step("the request that publishes", lambda: client.post(_publish(stage)))
    Client(headers={"host": "localhost"}).get(_page(stage))  # warm
    step("the page of the round", lambda: Client(headers={"host": "localhost"}).get(_page(stage)))
    _undo(stage)


def _from_button_to_page(stage: Stage, cookies: str, port: int) -> float:
    """Seconds from the press of the button until the page of the round is there, as a browser asks
    for all that."""
    connection = HTTPConnection("localhost", port)

    def ask(path: str, method: str = "GET", form: dict[str, str] | None = None) -> str:
        headers = {
            "Cookie": cookies,
            "X-CSRFToken": TOKEN,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection.request(method, path, urlencode(form or {}), headers)
        answer = connection.getresponse()
        html = answer.read().decode()
        if answer.status != (302 if method == "POST" else 200):
            raise ValueError(f"{path}: {answer.status}")
        return html

    began = perf_counter()
    ask(f"{_cockpit(stage)}steps/draw/", "POST", LOOK)
    while LOOKS_AGAIN in ask(_cockpit(stage)):
        sleep(0.5)
    ask(_publish(stage), "POST")
    ask(_page(stage))
    seconds = perf_counter() - began
    connection.close()
    _undo(stage)
    return seconds


def _undo(stage: Stage) -> None:
    """Take the round back, so that it can be drawn once more."""
    published = StageRound.objects.select_related("stage__event").get(
        stage=stage, status=StageRound.Status.PUBLISHED
    )
    round_take_back(stage_round=published, actor=events.ACTOR)


def _cookies(user: User) -> str:
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}; csrftoken={TOKEN}"


def _cockpit(stage: Stage) -> str:
    return reverse("desk-event", args=[stage.event.club.slug, stage.event.slug])


def _publish(stage: Stage) -> str:
    return reverse(
        "desk-round-publish", args=[stage.event.club.slug, stage.event.slug, stage.number, 3]
    )


def _page(stage: Stage) -> str:
    return reverse("stage-round", args=[stage.event.club.slug, stage.event.slug, stage.number, 3])
