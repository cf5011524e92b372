"""Organisers plan the hall and the timetable by their pages; everybody reads what is published."""

import re
from collections.abc import Mapping

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.core.log.services import Actor
from league.floor.hall.services import places_add
from league.floor.timetable.domain.timetable import TableKey, Timed
from league.floor.timetable.services import timetable_make, timetable_move
from league.models import Event, HallPlace, LogEntry, Season, Slot, Table, Timetable
from tests.factories import events, halls
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db
DESK = "/clubs/stern/desk/events/night-1"
PUBLIC = "/clubs/stern/events/night-1"
DESK_PAGES = [
    "timetable/",
    "timetable/ask/",
    "timetable/publish/",
    "timetable/move/",
    "timetable/take-back/",
]
HALL_PAGES = ["hall/", "hall/away/"]
PUBLIC_PAGES = [
    "timetable/",
    "timetable/print/?by=place",
    "timetable/print/?by=player",
    "clock/",
    "",
]


@pytest.fixture
def night(season: Season) -> Event:
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    events.drawn(events.stage(made))
    return made


def page(client: Client, address: str) -> str:
    answer = client.get(address, follow=True)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def send(client: Client, address: str, data: Mapping[str, object] | None = None) -> str:
    return " ".join(client.post(address, data or {}, follow=True).content.decode().split())


def test_a_timetable_is_planned_by_pages_alone(desk: Client, night: Event) -> None:
    assert "There is no timetable yet" in page(desk, f"{DESK}/timetable/")
    places = {"add": "places", "first": 1, "last": 3, "room": "Cellar", "size": 4}
    assert "Spot 3 · Cellar" in send(desk, f"{DESK}/hall/", places)
    times = {
        "add": "slots",
        "starts_at": "2026-12-03T19:30",
        "minutes": 40,
        "pause": 10,
        "count": 3,
    }
    html = send(desk, f"{DESK}/hall/", times)
    assert re.findall(r"<b>([^<]*)</b> –", html) == ["19:30", "20:20", "21:10"]
    first = Slot.objects.earliest("starts_at")
    assert "is being made …" in send(
        desk, f"{DESK}/timetable/ask/", {"first": first.public_id, "ahead": "on"}
    )
    timetable_make(timetable_id=Timetable.objects.get().pk)
    html = page(desk, f"{DESK}/timetable/")
    assert "The timetable is ready" in html
    assert "Round 3, table 2" in html
    assert "No timetable yet" in page(Client(), f"{PUBLIC}/timetable/")
    assert "The timetable is published" in send(desk, f"{DESK}/timetable/publish/")
    assert "Round 1, table 1" in page(Client(), f"{PUBLIC}/timetable/")
    assert "is ready" in send(desk, f"{DESK}/timetable/take-back/")
    assert "There is no timetable yet" in send(desk, f"{DESK}/timetable/take-back/")


def test_names_are_seen_by_everybody_once_the_round_is_published(
    desk: Client, night: Event
) -> None:
    halls.hall(night)
    halls.timetable(night, ahead=True, publish=True)
    html = page(Client(), f"{PUBLIC}/timetable/")
    assert "<li>p1</li>" in html
    stage = events.facts(night.stages.get()).stage
    events.play(stage.stage_rounds.select_related("stage__event").get())
    events.drawn(stage, publish=False)
    assert page(Client(), f"{PUBLIC}/timetable/").count("<li>p1</li>") == 1
    assert page(desk, f"{DESK}/timetable/").count("<li>p1</li>") == 2


def test_a_table_moved_by_hand_shows_first_what_is_wrong_with_that(
    desk: Client, night: Event
) -> None:
    halls.hall(night)
    made = halls.timetable(night)
    rows = list(made.tables.select_related("slot", "place").order_by("number"))
    key = f"{night.stages.get().public_id}.01.0001"
    form = desk.get(f"{DESK}/timetable/move/?table={key}").context["form"]
    sent = {
        "table": key,
        "slot": rows[1].slot.public_id,
        "place": rows[1].place.public_id,
        "reason": "The cellar is cold.",
        "known": form["known"].value(),
    }
    html = send(desk, f"{DESK}/timetable/move/", sent)
    assert "at once" in html
    assert made.tables.get(number=1).place == rows[0].place
    assert "Timetable changed." in send(desk, f"{DESK}/timetable/move/", {**sent, "sure": "yes"})
    assert made.tables.get(number=1).place == rows[1].place
    assert "Somebody else has changed the timetable" in send(
        desk, f"{DESK}/timetable/move/", {**sent, "sure": "yes", "slot": last_slot().public_id}
    )
    assert LogEntry.objects.get(action="timetable.changed").why == "The cellar is cold."


def last_slot() -> Slot:
    return Slot.objects.latest("starts_at")


def test_two_tables_swap(desk: Client, night: Event) -> None:
    halls.hall(night)
    made = halls.timetable(night)
    before = dict(made.tables.values_list("number", "place"))
    there = made.tables.select_related("slot", "place").get(number=2)
    key = f"{night.stages.get().public_id}.01.0001"
    sent = {
        "table": key,
        "slot": there.slot.public_id,
        "place": there.place.public_id,
        "swap": "on",
        "reason": "r",
        "known": f"{made.public_id}.0",
    }
    assert "No conflicts found." in send(desk, f"{DESK}/timetable/move/", sent)
    send(desk, f"{DESK}/timetable/move/", {**sent, "sure": "yes"})
    assert dict(made.tables.values_list("number", "place")) == {1: before[2], 2: before[1]}


def test_why_there_is_none_is_said_by_name(desk: Client, night: Event) -> None:
    halls.hall(night, slots=1)
    entry = night.entries.select_related("player").get(number=1)
    slot = Slot.objects.get()
    assert "can’t at 1 time" in send(
        desk, f"{DESK}/hall/away/{entry.public_id}/", {slot.public_id: "must"}
    )
    made = halls.timetable(night)
    assert made.status == Timetable.Status.FAILED
    assert "p1 can’t play at 19:30" in page(desk, f"{DESK}/timetable/")


def test_a_place_is_changed_and_taken_away(desk: Client, night: Event) -> None:
    slots = halls.hall(night, places=1)
    address = f"{DESK}/hall/places/{HallPlace.objects.get().public_id}/"
    assert "not always available" in send(
        desk, address, {"room": "Bar", "size": 6, "closed": [slots[0].pk]}
    )
    place = HallPlace.objects.get()
    assert (str(place), place.size, place.closed) == ("1 · Bar", 6, [slots[0].pk])
    send(desk, f"{DESK}/hall/times/{slots[0].public_id}/drop/")
    assert Slot.objects.count() == 3
    assert "not always available" not in page(desk, f"{DESK}/hall/")
    assert "Which tables are in the hall" in send(desk, f"{address}drop/")


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_every_page_says_something_sensible_whoever_comes(
    desk: Client, season: Season, count: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, count))
    if count:
        places_add(event=night, first=1, last=1, size=6, room="", actor=events.ACTOR)
    if count > 2:
        events.drawn(events.stage(night))
    for part in [*DESK_PAGES, *HALL_PAGES]:
        with django_assert_max_num_queries(20):
            assert desk.get(f"{DESK}/{part}").status_code in (200, 302), part
    for part in PUBLIC_PAGES:
        page(Client(), f"{PUBLIC}/{part}")


def test_no_page_needs_more_than_twenty_queries(
    desk: Client, night: Event, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    halls.hall(night)
    halls.timetable(night, publish=True)
    halls.timetable(night, ahead=True)
    pages = [f"{DESK}/{part}" for part in [*DESK_PAGES, *HALL_PAGES, "stages/1/rounds/1/clock/"]]
    for address in [*pages, *(f"{PUBLIC}/{part}" for part in PUBLIC_PAGES)]:
        with django_assert_max_num_queries(20):
            assert desk.get(address).status_code == 200, address


@pytest.mark.parametrize("part", [*DESK_PAGES, *HALL_PAGES, "stages/1/rounds/1/clock/"])
def test_only_organisers_get_in(client: Client, night: Event, part: str) -> None:
    assert client.get(f"{DESK}/{part}").status_code == 302
    client.force_login(UserFactory.create())
    assert client.get(f"{DESK}/{part}").status_code == 404


def test_a_sheet_for_each_table_and_for_each_player(desk: Client, night: Event) -> None:
    halls.hall(night, places=2)
    halls.timetable(night, publish=True)
    html = page(Client(), f"{PUBLIC}/timetable/print/?by=place")
    assert re.findall(r'class="card sheet"> <h2>([^<]*)</h2>', html) == [
        "Spot 1 · Cellar",
        "Spot 2 · Cellar",
    ]
    html = page(Client(), f"{PUBLIC}/timetable/print/?by=player")
    assert re.findall(r'class="card sheet"> <h2>([^<]*)</h2>', html) == [
        f"p{number}" for number in range(1, 9)
    ]
    assert Client().get(f"{PUBLIC}/timetable/print/?by=magic").status_code == 404


def test_the_pages_of_tables_say_when_and_where_they_are_played(night: Event) -> None:
    slots = halls.hall(night, places=1)
    halls.timetable(night, publish=True)
    for table in Table.objects.filter(stage_round__number=1):
        assert table.starts_at in (slots[0].starts_at, slots[1].starts_at)
        html = page(Client(), f"/tables/{table.public_id}/")
        assert f'<span class="table-number">{table.number}</span>' in html
        assert ("Cellar" if table.number == 1 else "Cellar, spot 1") in html


def test_the_public_page_is_sent_again_only_when_something_changed(night: Event) -> None:
    halls.hall(night)
    made = halls.timetable(night, publish=True)
    client = Client()
    etag = client.get(f"{PUBLIC}/timetable/").headers["ETag"]
    assert client.get(f"{PUBLIC}/timetable/", headers={"if-none-match": etag}).status_code == 304
    rows = {row.number: row for row in made.tables.select_related("slot", "place", "stage")}
    key = TableKey(rows[1].stage.public_id, 1, 1)
    moved = {key: Timed(last_slot(), rows[1].place)}
    timetable_move(timetable=made, moves=moved, version_seen=0, actor=Actor(reason="later"))
    assert client.get(f"{PUBLIC}/timetable/", headers={"if-none-match": etag}).status_code == 200
