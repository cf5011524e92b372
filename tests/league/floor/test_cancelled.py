"""A cancelled event says so to whoever knew of it; of a draft that was never open nobody hears
anything."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from engine.illegal import Refused
from league.models import Event, Format, Notice, Role, Season, StageRound
from league.notices.notice.queries.notice import clubs_waiting
from league.notices.notice.services.notice import READER
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.round.services import round_ask, round_draw, round_publish
from league.stages.table.services.table import table_set_up
from league.stages.table.services.walkover import walkover_give
from tests.factories import events, notices
from tests.league.core.frame.api.programs import member_key
from tests.league.floor.api.conftest import asker

pytestmark = pytest.mark.django_db
SOON = timezone.now() + timedelta(days=3)
PAGES = ("/", "/clubs/stern/", "/clubs/stern/events/", "/clubs/stern/autumn/", "/search/?q=night")
FEEDS = ("/clubs/stern/calendar.ics", "/api/v1/clubs/stern/events/")
OWN = (
    "/clubs/stern/events/night-1/",
    "/clubs/stern/events/night-1.ics",
    "/api/v1/clubs/stern/events/night-1/",
)


@pytest.fixture
def night(season: Season) -> Event:
    """A draft with somebody in it who has an account."""
    made = events.event(season, status=Event.Status.DRAFT, starts_at=SOON)
    events.enter(made, notices.people(season.club, 1), check_in=False)
    return made


def moved(night: Event, *steps: str) -> None:
    for step in steps:
        event_move(event=night, status=step, actor=events.ACTOR)


def named_at(client: Client) -> set[str]:
    """Where the event stands by its name."""
    return {address for address in (*PAGES, *FEEDS) if b"Night-1" in client.get(address).content}


def test_a_draft_that_was_never_open_stays_unseen_when_it_is_cancelled(
    night: Event, desk: Client
) -> None:
    moved(night, Event.Status.CANCELLED)
    nobody, player = Client(), Client()
    player.force_login(night.entries.get().player.user)  # type: ignore[arg-type]
    for client in (nobody, player):
        assert named_at(client) == set()
        assert [client.get(address).status_code for address in OWN] == [404] * len(OWN)
    assert b"Night-1" not in player.get("/me/tables/").content
    scorer = asker(member_key(night.club, Role.SCORER)[0])
    assert scorer("/clubs/stern/events/").json()["results"] == []
    assert desk.get(OWN[0]).status_code == 200
    assert clubs_waiting(READER) == [night.club_id]
    assert notices.read(night.club) == []
    assert not Notice.objects.exists()
    page = desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    assert "The event is cancelled" in page


def test_an_event_that_was_open_once_says_that_it_is_cancelled(night: Event) -> None:
    moved(night, Event.Status.OPEN, Event.Status.DRAFT)
    assert named_at(Client()) == set()
    moved(night, Event.Status.CANCELLED)
    assert named_at(Client()) == {*PAGES, *FEEDS}
    assert [Client().get(address).status_code for address in OWN] == [200] * len(OWN)
    assert b"STATUS:CANCELLED" in Client().get("/clubs/stern/calendar.ics").content


def test_a_draft_that_comes_back_can_be_opened_and_is_seen_from_then_on(night: Event) -> None:
    moved(night, Event.Status.CANCELLED, Event.Status.DRAFT)
    assert named_at(Client()) == set()
    moved(night, Event.Status.OPEN)
    assert named_at(Client()) == {*PAGES, *FEEDS}


def test_the_page_that_asks_says_who_will_hear_of_it(night: Event, desk: Client) -> None:
    address = "/clubs/stern/desk/events/night-1/steps/cancel/"
    assert "Nobody else has seen it" in desk.get(address).content.decode()
    moved(night, Event.Status.OPEN)
    assert "calendars will show that it’s cancelled" in desk.get(address).content.decode()


@pytest.fixture
def evening(season: Season) -> Event:
    """A running event."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, notices.people(season.club, 4))
    return made


def test_while_a_stage_has_started_an_event_is_no_draft_and_takes_no_entries(
    evening: Event, desk: Client
) -> None:
    events.stage(evening)
    with pytest.raises(ValidationError, match="A stage has started"):
        moved(evening, Event.Status.OPEN)
    moved(evening, Event.Status.CANCELLED)
    with pytest.raises(ValidationError, match="A stage has started"):
        moved(evening, Event.Status.DRAFT)
    assert "Reopen the event" in desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    moved(evening, Event.Status.RUNNING)


def test_a_cancelled_event_without_a_stage_comes_back_as_a_draft_alone(evening: Event) -> None:
    moved(evening, Event.Status.CANCELLED)
    with pytest.raises(ValidationError, match="can’t become"):
        moved(evening, Event.Status.RUNNING)
    moved(evening, Event.Status.DRAFT)


def test_no_round_of_a_cancelled_event_is_drawn_or_let_out(evening: Event) -> None:
    stage = events.stage(evening)
    asked = round_ask(stage=stage, actor=events.ACTOR)
    moved(evening, Event.Status.CANCELLED)
    round_draw(round_id=asked.pk)
    asked.refresh_from_db()
    assert asked.status == StageRound.Status.FAILED
    assert asked.failure == {"template": "the event was stopped meanwhile", "values": {}}
    with pytest.raises(ValidationError, match="isn’t under way"):
        round_ask(stage=stage, actor=events.ACTOR)
    moved(evening, Event.Status.RUNNING)
    drawn = events.drawn(stage, publish=False)
    moved(evening, Event.Status.CANCELLED)
    with pytest.raises(ValidationError, match="isn’t under way"):
        round_publish(stage_round=drawn, actor=events.ACTOR)
    with pytest.raises(ValidationError, match="isn’t under way"):
        stage_finish(stage=stage, actor=events.ACTOR)
    assert not [
        notice for notice in notices.read(evening.club) if notice.occasion == Notice.Occasion.TABLE
    ]


def test_no_result_is_entered_at_a_table_of_a_cancelled_event(evening: Event) -> None:
    stage_round = events.drawn(events.stage(evening))
    moved(evening, Event.Status.CANCELLED)
    with pytest.raises(Refused, match="cancelled") as refused:
        events.play(stage_round)
    assert refused.value.illegal.code == "round_closed"
    moved(evening, Event.Status.RUNNING)
    events.play(stage_round)


def test_no_challenge_and_no_walkover_at_a_cancelled_event(evening: Event) -> None:
    ladder = events.stage(evening, format=Format.LADDER, rounds=None)
    ids = [member.entry_id for member in events.facts(ladder).members.values()]
    table = table_set_up(stage=ladder, players=ids[:2], actor=events.ACTOR)
    moved(evening, Event.Status.CANCELLED)
    with pytest.raises(ValidationError, match="isn’t under way"):
        table_set_up(stage=ladder, players=ids[2:], actor=events.ACTOR)
    with pytest.raises(ValidationError, match="isn’t under way"):
        walkover_give(table=table, actor=replace(events.ACTOR, reason="nobody came"))
