"""Every page of an event, whatever its size and format: it answers, and asks the database at most
twenty times; who isn't signed in meets no error there.

The addresses are those of the service itself, so a new page is walked as well. The events here
differ in how they stand and are small; how often lists ask for three rows and for a thousand
(`tests/league/site/test_query_counts.py`) and who may open which page of one event
(`tests/league/site/test_rights.py`) are asked of other clubs.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, reverse

from games.models import Device, OpenGame
from league.counting.event_counting.services import counting_change
from league.events.helper.services import helper_add, helper_invite
from league.floor.check_in.desk.entry import STEPS
from league.floor.cockpit.desk.step_rules import EVENT_STEPS
from league.models import (
    Draw,
    Entry,
    Event,
    Format,
    HallPlace,
    HelperInvitation,
    Player,
    Role,
    Season,
    Slot,
    Stage,
    StageScoring,
    Table,
    User,
)
from league.notices.notice.services.notice import notices_read
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish, stage_start
from league.stages.table.services.table import table_set_up
from league.urls import pages
from tests.factories import events, halls
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db

MOST_QUERIES = 22
OF_EVENTS = (
    "league.events.",
    "league.stages.",
    "league.sheets.",
    "league.floor.",
    "league.notices.",
    "league.counting.event_counting.",
)
"""Where pages of events are; whatever has an event in its address is one, too."""
AROUND = {"home", "club", "season", "desk", "desk-season", "my-page", "event-enter"}
"""Pages of other areas that show something of events."""
BY_SECRET = {
    "event-wall",
    "entry-by-mail",
    "event-letters-stop",
    "own-calendar",
    "helper-invitation",
}
"""Opened by the secret of a letter or a calendar alone; tested where these are."""
BUTTONS = {"desk-claim-step", "desk-helper-end", "desk-helper-uninvite"}
"""Buttons of other pages, which show nothing."""
NOT_ALWAYS = {
    "bracket": "a knock-out's",
    "desk-challenge": "a ladder's",
    "desk-free-table": "that of free tables",
    "desk-stage-seeding": "for a stage that is seeded by hand",
    "desk-stage-otherwise": "once a result was corrected",
    "desk-stage-places": "where a stage counts points",
    "desk-event-step": "some steps are taken back first",
    "event-card": "once the event is more than a draft",
    "stage-file": "once the stage has started",
    "retracted-round": "once a round was taken back",
    "table-result": "until all games of the table are in",
    "table-write": "until all games of the table are in",
    "table-walkover": "where too few are left at the table",
    "desk-timetable-move": "once there is a timetable",
    "desk-timetable-publish": "once there is a timetable",
    "desk-timetable-take-back": "once there is a timetable",
    "event-claim": "until the event is over",
    "desk-claims": "until the event is over",
    "write-where": "where there are several seasons to choose from",
}
"""Pages that lead back, or aren't there, where there is nothing for them to show."""
DUELS: dict[str, Any] = {"sizes": [2], "rounds": None}
FORMATS: dict[str, dict[str, Any]] = {
    Format.SWISS: {"sizes": [4, 3, 2]},
    Format.ROUND_ROBIN: {"sizes": [2]},
    Format.PODS: {"sizes": [4, 3, 2]},
    Format.SINGLE: DUELS,
    Format.DOUBLE: {"sizes": [4], "advance": 2, "rounds": None},
    Format.FINAL: {"sizes": [2], "rounds": 1},
    Format.LADDER: DUELS,
    Format.STRIKES: {"sizes": [4, 3, 2], "rounds": None, "scoring": StageScoring.STRIKES},
    Format.FREE: {"sizes": [4], "rounds": None},
}
MOST_AT: dict[str, int] = {Format.FINAL: 6}
"""How many can play at all, where the format has an end."""


def of_events(route: URLPattern) -> bool:
    """Whether a page shows events, or something of them."""
    assert route.callback is not None
    here = route.callback.__module__.startswith(OF_EVENTS)
    here = here or "event_slug" in route.pattern.converters
    return (here or route.name in AROUND) and route.name not in BY_SECRET | BUTTONS


ROUTES = [route for route in pages if of_events(route)]
FORMATLESS = ("league.events.",)
"""Where no stage is known yet, so that no page can look another way for its format."""


def of_formats(route: URLPattern) -> bool:
    """Whether a page can look another way for the format of an event's stage."""
    assert route.callback is not None
    return not route.callback.__module__.startswith(FORMATLESS) and route.name not in AROUND


ROUTES_OF_FORMATS = [route for route in ROUTES if of_formats(route)]


def held(season: Season, organiser: User, count: int, format: str = Format.SWISS) -> Event:
    """A running event of so many, the organiser among them, with a round that is published where
    they can play one."""
    counting_change(season=season, actor=events.ACTOR, per="event")
    made = events.event(season, status=Event.Status.RUNNING, fee=500)
    events.crowd(made, count)
    Player.objects.filter(handle="p1").update(user=organiser)
    halls.hall(made, places=2, slots=2)
    helper_add(event=made, user=UserFactory.create(), role=Role.SCORER, actor=events.ACTOR)
    helper_invite(event=made, role=Role.SCORER, invited_by=organiser)
    stage = events.stage(made, start=False, format=format, **FORMATS[format])
    if count >= 2:
        stage_start(stage=stage, actor=events.ACTOR)
        if stage.format_rules.undrawn:
            ids = [member.entry_id for member in events.facts(stage).members.values()]
            table_set_up(stage=stage, players=ids[:2], actor=events.ACTOR)
        else:
            assert events.drawn(stage).status == "published"
    notices_read(club_id=made.club_id)
    return made


def known(event: Event) -> dict[str, list[Any]]:
    """What can stand in the addresses of an event's pages; nothing where it has no such thing."""
    tables = list(Table.objects.filter(stage_round__stage__event=event).order_by("pk")[:1])
    return {
        "club_slug": [event.club.slug],
        "event_slug": [event.slug],
        "season_slug": [event.season.slug],
        "stage": [1],
        "number": [1 for _ in tables],
        "table_id": [table.public_id for table in tables],
        "branch": [],  # a form alone, which leads on
        "open_game": list(OpenGame.objects.values_list("public_id", flat=True)[:1]),
        "round_id": [table.stage_round.public_id for table in tables],
        "draw": list(Draw.objects.order_by("pk").values_list("public_id", flat=True)[:1]),
        "entry_id": list(
            Entry.objects.filter(event=event).order_by("pk").values_list("public_id", flat=True)[:1]
        ),
        "place_id": [HallPlace.objects.filter(event=event).latest("pk").public_id],
        "invitation_id": list(HelperInvitation.objects.values_list("public_id", flat=True)[:1]),
        "device_id": list(
            Device.objects.filter(table_device__table__in=tables).values_list(
                "public_id", flat=True
            )
        ),
        "slot_id": [Slot.objects.filter(event=event).latest("pk").public_id],
    }


STEPS_OF: dict[str, list[Any]] = {
    "desk-event-step": [rules.name for rules in EVENT_STEPS.values() if rules.confirmed],
    "desk-entry-step": list(STEPS),
    "desk-check-in-step": ["all", "no-show"],
}
"""The steps of the pages that ask before one is taken."""


def addresses(event: Event, routes: Sequence[URLPattern] = ROUTES) -> Iterator[tuple[str, str]]:
    """The pages that an event has, each by its name and an address."""
    values = known(event)
    for route in routes:
        assert route.name
        here: dict[str, list[Any]] = values | {"step": STEPS_OF.get(route.name, [])}
        names = list(route.pattern.converters)
        assert not set(names) - here.keys(), (
            f"{route.name}: say in `known` what stands in its address"
        )
        chosen: list[list[Any]] = [here[name] for name in names]
        for those in product(*chosen):
            yield route.name, reverse(route.name, args=those)


def walk(
    client: Client,
    event: Event,
    routes: Sequence[URLPattern] = ROUTES,
    *,
    also_signed_out: bool = False,
) -> list[str]:
    """Open every page of an event, with `also_signed_out` as somebody else, too; what is wrong with
    them."""
    wrong = []
    for name, address in addresses(event, routes):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
            b"".join(answer) if answer.streaming else answer.content
        if answer.status_code != 200 and not (
            name in NOT_ALWAYS and answer.status_code in (302, 404)
        ):
            wrong.append(f"{address}: {answer.status_code}")
        if len(queries) > MOST_QUERIES:
            wrong.append(f"{address}: {len(queries)} queries")
        if also_signed_out:
            status = Client().get(address).status_code
            if status not in (200, 302, 404):
                wrong.append(f"{address}: {status} for who isn't signed in")
    return wrong


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_every_page_is_there_whoever_comes(
    desk: Client, season: Season, organiser: User, count: int
) -> None:
    assert not walk(desk, held(season, organiser, count), also_signed_out=True)


@pytest.mark.parametrize(
    ("format", "count"),
    [
        (format, count)
        for format in sorted(FORMATS.keys() - {Format.SWISS})
        for count in (2, MOST_AT.get(format, 7))
    ],
)
def test_every_page_is_there_in_every_format(
    desk: Client, season: Season, organiser: User, format: str, count: int
) -> None:
    assert not walk(desk, held(season, organiser, count, format), ROUTES_OF_FORMATS)


def test_every_page_is_there_when_all_is_over(
    desk: Client, season: Season, organiser: User
) -> None:
    night = held(season, organiser, 7)
    stage = Stage.objects.get()
    events.play(stage.stage_rounds.get())
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=night, status=Event.Status.FINISHED, actor=events.ACTOR)
    assert not walk(desk, night)


def test_every_page_of_a_draft_is_there(desk: Client, season: Season, organiser: User) -> None:
    counting_change(season=season, actor=events.ACTOR, per="event")
    night = events.event(season, status=Event.Status.DRAFT)
    halls.hall(night, places=1, slots=1)
    events.stage(night, start=False)
    assert not walk(desk, night)
