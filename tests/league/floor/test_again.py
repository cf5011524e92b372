"""Workers die and brokers repeat: every job of an event may be delivered twice, late and in any
order."""

import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from celery import Task
from django.core import mail
from django.db.models import Model
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks as OnCommit

from league.celery_app import app
from league.core.delivery.services.preference import preference_set
from league.events.entry import tasks as entry_tasks
from league.events.entry.services.self_entry import entry_by_mail_ask
from league.floor.timetable import tasks as hall_tasks
from league.floor.timetable.services import timetable_ask, timetable_publish
from league.models import (
    Draw,
    EntryByMail,
    Event,
    Letter,
    LogEntry,
    Notice,
    NoticeSending,
    NoticeTopic,
    Participant,
    Player,
    Reader,
    Season,
    SetAside,
    StageRound,
    Table,
    TableSeat,
    Timetable,
    TimetableTable,
    User,
)
from league.notices.notice import tasks as notice_tasks
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.round import tasks as draw_tasks
from league.stages.round.services import round_ask, round_publish, round_take_back
from tests.factories import events, halls, notices
from tests.league.notices.notice.test_sending import Browser, PushService

pytestmark = pytest.mark.django_db
WRITTEN: tuple[type[Model], ...] = (
    *(
        Draw,
        EntryByMail,
        Letter,
        LogEntry,
        Notice,
        NoticeSending,
        Participant,
        Reader,
        SetAside,
        StageRound,
        Table,
    ),
    *(TableSeat, Timetable, TimetableTable),
)
"""What the jobs of an event write."""
Call = tuple[str, tuple[Any, ...]]


class Broker:
    """Takes the calls of the jobs of events, and delivers them when and as often as a test says."""

    def __init__(self) -> None:
        self.waiting: list[Call] = []
        self.delivered: list[Call] = []

    def take(self, name: str, args: Any = (), *_: Any, **__: Any) -> None:
        if name in every_job():
            self.waiting.append((name, tuple(args)))

    def deliver(self, times: int = 2) -> None:
        """All that waits, and what that calls in its turn, the last call first, each so many
        times."""
        while self.waiting:
            name, args = self.waiting.pop()
            self.delivered.append((name, args))
            for _ in range(times):
                app.tasks[name].apply(args, throw=True)


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Broker:
    made = Broker()
    monkeypatch.setattr(app, "send_task", made.take)
    return made


@pytest.fixture
def push_service() -> Iterator[PushService]:
    with PushService() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


def written() -> dict[str, Any]:
    """All rows that jobs of events write, and the letters that went out."""
    rows = {
        model.__name__: list(model._default_manager.order_by("pk").values()) for model in WRITTEN
    }
    return {
        **rows,
        "letters": len(mail.outbox),
        "unseen": list(User.objects.order_by("pk").values_list("unseen")),
    }


def every_job() -> dict[str, Task]:
    """The jobs of an event; those of turns and ends at online tables are tested in
    tests/league/play/turn."""
    rooms = (draw_tasks, entry_tasks, hall_tasks, notice_tasks)
    jobs = [job for room in rooms for job in vars(room).values() if isinstance(job, Task)]
    return {job.name: job for job in jobs if not job.name.endswith(("_turn", "_turns", "_end"))}


def sweeps() -> list[str]:
    """The jobs that the clock calls: they have no row to name."""
    return [name for name in every_job() if ".sweep_" in name or ".forget_" in name]


def open_night(season: Season, push_service: PushService) -> tuple[Event, list[Player]]:
    """An event that takes entries, and eight players; the first one wants all notices, also on a
    device."""
    browser = Browser()
    people = notices.people(season.club, 8)
    assert people[0].user
    notices.device(people[0].user, push_service.endpoint, browser.p256dh, browser.auth)
    preference_set(user=people[0].user, mail=list(NoticeTopic), push=list(NoticeTopic))
    return events.event(season, status=Event.Status.OPEN, starts_at=timezone.now()), people


def test_whatever_is_delivered_twice_and_late_the_end_is_as_written(
    season: Season,
    broker: Broker,
    push_service: PushService,
    django_capture_on_commit_callbacks: OnCommit,
) -> None:
    def act(do: Callable[[], Any]) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            return do()

    def deliver() -> None:
        act(broker.deliver)

    night, people = open_night(season, push_service)
    act(lambda: entry_by_mail_ask(event=night, name="Zoe", email="zoe@cups.example"))
    act(lambda: events.enter(night, people))
    event_move(event=night, status=Event.Status.RUNNING, actor=events.ACTOR)
    stage = events.stage(night)
    halls.hall(night)
    for name in sweeps():
        broker.take(name)
    deliver()

    first = act(lambda: round_ask(stage=stage, actor=events.ACTOR))
    call = broker.waiting[-1]
    deliver()
    act(lambda: round_take_back(stage_round=first, actor=events.ACTOR))
    broker.waiting.append(call)  # late: the round is taken back
    deliver()
    assert StageRound.objects.get(pk=first.pk).status == StageRound.Status.TAKEN_BACK

    broker.waiting.clear()
    again = act(lambda: round_ask(stage=stage, actor=events.ACTOR))
    broker.waiting.clear()  # the call is lost: a sweep finds the round
    broker.take("league.stages.round.tasks.sweep_rounds")
    deliver()
    again.refresh_from_db()
    act(lambda: round_publish(stage_round=again, actor=events.ACTOR))
    asked = act(lambda: timetable_ask(event=night, first=None, ahead=False, actor=events.ACTOR))
    deliver()
    act(lambda: timetable_publish(timetable=Timetable.objects.get(pk=asked.pk), actor=events.ACTOR))
    act(lambda: events.play(again))
    act(lambda: stage_finish(stage=stage, actor=events.ACTOR))
    broker.take("league.notices.notice.tasks.sweep_notices")
    broker.take("league.floor.timetable.tasks.sweep_timetables")
    deliver()
    broker.take("league.notices.notice.tasks.sweep_sendings")
    deliver()

    before = written()
    occasions = {notice["occasion"] for notice in before["Notice"]}
    assert {
        Notice.Occasion.ENTERED,
        Notice.Occasion.TABLE,
        Notice.Occasion.STAGE_FINISHED,
    } <= occasions
    assert {row["state"] for row in before["NoticeSending"]} == {"sent", "unwanted"}
    assert len(push_service.requests) == sum(
        row["channel"] == "push" for row in before["NoticeSending"]
    )
    assert {name for name, _ in broker.delivered} == set(every_job()), "each kind of job has run"

    everything = [*broker.delivered, *((name, ()) for name in sweeps())]
    for seed in range(3):
        random.Random(seed).shuffle(everything)
        broker.waiting.extend(everything)
        deliver()
    assert written() == before
    assert len(push_service.requests) == sum(
        row["channel"] == "push" for row in before["NoticeSending"]
    )
