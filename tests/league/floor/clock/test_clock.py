"""The clock of a round: it runs, stands and goes on, and a page tells by the server's time what is
left."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from league.floor.clock.domain import round_clock
from league.floor.clock.services import (
    round_clock_reset,
    round_clock_set,
    round_clock_start,
    round_clock_stop,
)
from league.models import Event, LogEntry, Season, StageRound
from league.stages.round.services import round_take_back
from tests.factories import events

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 3, 20, 0, tzinfo=UTC)
DESK = "/clubs/stern/desk/events/night-1/stages/1/rounds/1/clock/"
PAGE = "/clubs/stern/events/night-1/clock/"


@pytest.fixture
def played(season: Season) -> StageRound:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    return events.drawn(events.stage(night))


def test_what_is_left_by_the_clock() -> None:
    row = StageRound(minutes=40)
    full = round_clock(row, NOW)
    assert full
    assert (full.shown, full.begun, full.ends_at) == ("40:00", False, None)
    row.clock_started_at = NOW - timedelta(minutes=39, seconds=1.5)
    runs = round_clock(row, NOW)
    assert runs
    assert (runs.shown, runs.over, runs.ends_at) == (
        "0:59",
        False,
        row.clock_started_at + timedelta(minutes=40),
    )
    row.clock_stopped_at = NOW - timedelta(minutes=30)
    stands = round_clock(row, NOW)
    assert stands
    assert (stands.shown, stands.ends_at) == ("30:59", None)
    row.clock_started_at, row.clock_stopped_at = NOW - timedelta(hours=3), None
    over = round_clock(row, NOW)
    assert over
    assert (over.shown, over.over) == ("0:00", True)
    assert round_clock(StageRound()) is None


def test_a_clock_that_was_stopped_goes_on_where_it_stood(played: StageRound) -> None:
    assert round_clock_set(stage_round=played, minutes=40, actor=events.ACTOR)
    assert round_clock_start(stage_round=played, actor=events.ACTOR)
    assert not round_clock_start(stage_round=played, actor=events.ACTOR)
    StageRound.objects.filter(pk=played.pk).update(
        clock_started_at=NOW, clock_stopped_at=NOW + timedelta(minutes=10)
    )
    assert not round_clock_stop(stage_round=played, actor=events.ACTOR)
    assert round_clock_start(stage_round=played, actor=events.ACTOR)
    clock = round_clock(played)
    assert clock
    assert 29 * 60 < clock.left <= 30 * 60
    assert round_clock_stop(stage_round=played, actor=events.ACTOR)
    assert round_clock_reset(stage_round=played, actor=events.ACTOR)
    assert not round_clock_reset(stage_round=played, actor=events.ACTOR)
    assert played.clock_started_at is None
    assert LogEntry.objects.filter(action="round.clock").count() == 5


def test_the_next_round_has_as_many_minutes(played: StageRound) -> None:
    round_clock_set(stage_round=played, minutes=40, actor=events.ACTOR)
    events.play(played)
    following = events.drawn(played.stage)
    assert (following.number, following.minutes, following.clock_started_at) == (2, 40, None)


def test_a_clock_that_can_not_be_is_refused(played: StageRound) -> None:
    with pytest.raises(ValidationError, match="Set the minutes"):
        round_clock_start(stage_round=played, actor=events.ACTOR)
    for minutes in (0, -1, 1441):
        with pytest.raises(ValidationError, match="1440"):
            round_clock_set(stage_round=played, minutes=minutes, actor=events.ACTOR)
    round_clock_set(stage_round=played, minutes=40, actor=events.ACTOR)
    round_take_back(stage_round=played, actor=events.ACTOR)
    with pytest.raises(ValidationError, match="taken back"):
        round_clock_start(stage_round=played, actor=events.ACTOR)


def test_nobody_starts_the_clock_of_a_round_that_is_not_published(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    drawn = events.drawn(events.stage(night), publish=False)
    round_clock_set(stage_round=drawn, minutes=40, actor=events.ACTOR)
    with pytest.raises(ValidationError, match="Publish the round first"):
        round_clock_start(stage_round=drawn, actor=events.ACTOR)


def test_organisers_start_it_and_the_projector_shows_it(desk: Client, played: StageRound) -> None:
    assert "No clock is running." in Client().get(PAGE).content.decode()
    desk.post(DESK, {"do": "", "minutes": "40"})
    assert "hasn’t started yet" in Client().get(PAGE).content.decode()
    assert "The clock is running." in desk.post(DESK, {"do": "start"}, follow=True).content.decode()
    answer = Client().get(PAGE)
    html = answer.content.decode()
    assert "data-clock-now=" in html
    assert 'data-clock="' in html
    assert "no-store" in answer.headers["Cache-Control"]
    assert 'data-clock="' in Client().get("/clubs/stern/events/night-1/hall/").content.decode()
    assert "Resume the clock" in desk.post(DESK, {"do": "stop"}, follow=True).content.decode()
    assert "Start the clock" in desk.post(DESK, {"do": "reset"}, follow=True).content.decode()
    desk.post(DESK, {"do": "", "minutes": ""})
    assert "No clock is running." in Client().get(PAGE).content.decode()


def test_when_the_time_is_up_it_says_what_to_do(played: StageRound) -> None:
    StageRound.objects.filter(pk=played.pk).update(
        minutes=1, clock_started_at=NOW - timedelta(days=400)
    )
    html = " ".join(Client().get(PAGE).content.decode().split())
    assert "Time is up" in html
    assert "data-clock-end> Finish the round of dice" in html


def test_the_hall_sends_no_time_from_before(played: StageRound) -> None:
    """A page that says what the time is on the server must be a new one whenever it is asked
    for."""
    address, client = "/clubs/stern/events/night-1/hall/", Client()
    etag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"if-none-match": etag}).status_code == 304
    round_clock_set(stage_round=played, minutes=40, actor=events.ACTOR)
    round_clock_start(stage_round=played, actor=events.ACTOR)
    etag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"if-none-match": etag}).status_code == 200
