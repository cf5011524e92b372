"""An open objection doesn't lie forgotten: after three days some are reminded, after seven all are
told, each once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.celery_app import app
from league.core.log.services import Actor
from league.disputes.correction.services import game_correct
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.disputes.reminder import queries
from league.disputes.reminder.queries import reminders_due
from league.disputes.reminder.services import objection_remind
from league.disputes.reminder.tasks import remind_of_objection, sweep_reminders
from league.events.helper.services import helper_add
from league.models import (
    Event,
    LogEntry,
    Notice,
    NoticePreference,
    NoticeSending,
    NoticeTopic,
    Objection,
    ObjectionReminder,
    Player,
    Role,
    User,
)
from league.notices.notice.queries.notice import notice_text
from league.notices.notice.services.sending import sending_mail
from league.stages.result.services.void import game_void_add
from league.standings.player.services import player_merge
from tests.factories import events, notices
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory
from tests.league.core.frame.api.programs import bearer, member_key
from tests.league.disputes.ruling.rulings import let_stand

pytestmark = pytest.mark.django_db
WAITS, LATE = Notice.Occasion.OBJECTION_WAITS, Notice.Occasion.OBJECTION_LATE
WORD: Final = "The last die was a star."
WHY: Final = Actor(reason="Both cups were counted twice.")


@contextmanager
def after(days: float) -> Iterator[None]:
    """Let so many days have passed since the objections of the test."""
    moment = Objection.objects.earliest("pk").raised_at + timedelta(days=days)
    with patch("django.utils.timezone.now", return_value=moment):
        yield


def contest(game: Game, seat: int = 0, user: User | None = None) -> Objection:
    return objection_raise(game=game, seat=seat, word=WORD, actor=Actor(user.pk if user else None))


def remind(days: float) -> list[bool]:
    """Do what is due after so many days."""
    with after(days):
        return [
            objection_remind(objection_id=objection) for objection in reminders_due(timezone.now())
        ]


def people_told(game: Game) -> dict[str, list[User]]:
    """The accounts that were reminded, and told that it is late, once the log is read."""
    made = notices.read(game.season_game.season.club)
    return {
        occasion: [
            notice.user
            for notice in made
            if notice.occasion == occasion and notice.user is not None
        ]
        for occasion in (WAITS, LATE)
    }


def organiser_of(game: Game) -> User:
    member = MembershipFactory.create(club=game.season_game.season.club, role=Role.ORGANISER)
    user: User = member.user
    return user


def test_nobody_is_told_before_three_days(played: Game, ruler: User) -> None:
    contest(played)
    assert remind(2.99) == []
    assert people_told(played) == {WAITS: [], LATE: []}


def test_those_who_were_told_first_are_reminded_once_after_three_days(
    played: Game, ruler: User
) -> None:
    helper = UserFactory.create()
    helper_add(event=Event.objects.get(), user=helper, role=Role.ARBITER, actor=events.ACTOR)
    scorer = MembershipFactory.create(club=played.season_game.season.club, role=Role.SCORER).user
    organiser = organiser_of(played)
    contest(played, user=organiser)
    assert remind(3) == [True]
    assert remind(3) == remind(6.9) == []
    reminded = people_told(played)[WAITS]
    assert sorted(reminded, key=lambda user: user.pk) == sorted(
        [ruler, helper], key=lambda user: user.pk
    )
    assert scorer not in reminded
    assert organiser not in reminded, "who raised it for a seat knows"


def test_after_seven_days_all_arbiters_and_organisers_are_told_once(
    played: Game, ruler: User
) -> None:
    organiser = organiser_of(played)
    contest(played, user=organiser)
    remind(3)
    late_arbiter = MembershipFactory.create(
        club=played.season_game.season.club, role=Role.ARBITER
    ).user
    assert remind(7) == [True]
    assert remind(7) == remind(400) == []
    accounts = people_told(played)
    assert accounts[WAITS] == [ruler, late_arbiter], "the log was read only then"
    assert set(accounts[LATE]) == {ruler, organiser, late_arbiter}
    assert ObjectionReminder.objects.get().next_at is None


def test_a_job_that_comes_a_week_late_tells_all_and_reminds_nobody_before(
    played: Game, ruler: User
) -> None:
    contest(played)
    assert remind(10) == [True]
    assert people_told(played) == {WAITS: [], LATE: [ruler]}
    row = ObjectionReminder.objects.get()
    assert (row.reminded_at, row.next_at) == (None, None)
    assert Notice.objects.get(occasion=LATE).parameters["days"] == 10


def test_a_reminder_that_comes_late_leaves_the_seventh_day_where_it_is(
    played: Game, ruler: User
) -> None:
    contest(played)
    assert remind(6.5) == [True]
    assert remind(7) == [True]
    assert people_told(played) == {WAITS: [ruler], LATE: [ruler]}


def test_the_log_tells_each_without_the_word_and_as_the_service(played: Game, ruler: User) -> None:
    objection = contest(played)
    remind(3)
    remind(7.2)
    entries = LogEntry.objects.filter(
        action__in=("objection.reminded", "objection.escalated")
    ).order_by("position")
    assert [(entry.action, entry.subject, entry.actor_id) for entry in entries] == [
        ("objection.reminded", played.public_id, None),
        ("objection.escalated", played.public_id, None),
    ]
    assert [json.loads(entry.payload)["days"] for entry in entries] == [3, 7]
    assert all(json.loads(entry.payload)["objection"] == objection.public_id for entry in entries)
    assert all(WORD not in entry.payload for entry in entries)
    objection.refresh_from_db()
    assert objection.number == 1, "the fact itself is left alone"


def test_a_deadline_decides_nothing(played: Game, ruler: User) -> None:
    objection = contest(played)
    remind(3)
    remind(7)
    assert Objection.objects.filter(pk=objection.pk, end=None).exists()


def correct(game: Game) -> None:
    record = json.loads(write(sealed_record(game)[0]))
    record["outcome"]["rank"].reverse()
    game_correct(game=game, line=json.dumps(record).encode(), reason="The other way round.")


ENDS: Final[dict[str, Callable[[Objection], object]]] = {
    "withdrawn": lambda objection: objection_withdraw(objection=objection, actor=Actor()),
    "stands": lambda objection: let_stand(objection, actor=WHY),
    "corrected": lambda objection: correct(objection.game),
    "voided": lambda objection: game_void_add(game=objection.game, actor=WHY),
}


@pytest.mark.parametrize("end", ENDS)
def test_an_objection_that_has_ended_is_told_nobody(played: Game, ruler: User, end: str) -> None:
    objection = contest(played)
    ENDS[end](objection)
    assert ObjectionReminder.objects.get().next_at is None
    assert remind(8) == []
    with after(8):
        assert not objection_remind(objection_id=objection.pk), "a call that was made before"
    assert people_told(played) == {WAITS: [], LATE: []}


@pytest.mark.parametrize("days", [3, 7])
def test_it_is_told_nobody_if_it_ends_before_the_log_is_read(
    played: Game, ruler: User, days: int
) -> None:
    objection = contest(played)
    remind(days)
    let_stand(objection, actor=WHY)
    assert people_told(played) == {WAITS: [], LATE: []}


@pytest.mark.parametrize("days", [3, 7])
@pytest.mark.parametrize("is_open", [True, False])
def test_a_letter_goes_out_unless_the_objection_ended_meanwhile(
    played: Game, ruler: User, days: int, is_open: bool
) -> None:
    NoticePreference.objects.create(user=ruler, mail=[NoticeTopic.RESULT], push=[])
    objection = contest(played)
    remind(days)
    (notice,) = [
        one for one in notices.read(played.season_game.season.club) if one.occasion in (WAITS, LATE)
    ]
    if not is_open:
        let_stand(objection, actor=WHY)
    sending = notice.sendings.get(channel=NoticeSending.Channel.MAIL)
    sending_mail(sending_id=sending.pk)
    sending.refresh_from_db()
    if is_open:
        assert (sending.state, sending.error) == (NoticeSending.State.SENT, "")
    else:
        assert (sending.state, sending.error) == (NoticeSending.State.UNWANTED, "Outdated")


def test_those_who_sat_at_the_table_are_not_told_to_rule(
    played: Game, sitters: list[User], ruler: User
) -> None:
    club = played.season_game.season.club
    for sitter in sitters[:2]:
        MembershipFactory.create(club=club, user=sitter, role=Role.ARBITER)
    contest(played, 0, sitters[0])
    remind(3)
    remind(7)
    assert people_told(played) == {WAITS: [ruler], LATE: [ruler]}


def test_nor_is_whoever_a_player_at_the_table_was_merged_into(played: Game, ruler: User) -> None:
    club = played.season_game.season.club
    arbiter = MembershipFactory.create(club=club, role=Role.ARBITER).user
    kept = PlayerFactory.create(club=club, handle="kept", user=arbiter)
    merged = Player.objects.get(club=club, handle=played.seats.get(number=1).handle)
    player_merge(kept_player=kept, merged=merged, actor=events.ACTOR)
    contest(played)
    remind(7)
    assert people_told(played)[LATE] == [ruler]


def test_an_objection_of_another_seat_has_a_time_of_its_own(played: Game, ruler: User) -> None:
    contest(played)
    with after(2):
        Event.objects.update(objection_hours=200)
        contest(played, 1)
    assert remind(3) == [True]
    assert remind(5) == [True]
    assert len(people_told(played)[WAITS]) == 2


def test_the_notice_says_how_long_it_waits_and_leads_to_the_game(played: Game, ruler: User) -> None:
    contest(played)
    name = Player.objects.get(handle=played.seats.get(number=0).handle).name
    remind(4)
    remind(7)
    waits, late = [
        notice_text(notice)
        for notice in notices.read(played.season_game.season.club)
        if notice.occasion in (WAITS, LATE)
    ]
    event = Event.objects.get().name
    assert waits.title == f"An objection has waited for 4 days: {event}"
    assert late.title == f"Nobody has ruled on an objection for 7 days: {event}"
    for text in (waits, late):
        assert text.path == reverse("game-case", args=[played.public_id])
        assert f"It was raised for {name} on " in text.body
        assert WORD not in text.body


def test_a_seat_whose_player_is_unknown_is_not_named(played: Game, ruler: User) -> None:
    contest(played)
    remind(3)
    (notice,) = [
        one for one in notices.read(played.season_game.season.club) if one.occasion == WAITS
    ]
    notice.parameters["seats"] = []
    assert "It was raised on " in notice_text(notice).body


def test_a_job_that_dies_has_told_nothing_and_the_next_one_tells(played: Game, ruler: User) -> None:
    objection = contest(played)
    write_row = "league.disputes.reminder.services._write"
    with after(3), patch(write_row, side_effect=SystemExit), pytest.raises(SystemExit):
        objection_remind(objection_id=objection.pk)
    assert not LogEntry.objects.filter(action="objection.reminded").exists()
    assert remind(3) == [True]
    assert people_told(played)[WAITS] == [ruler]


def test_objections_that_waited_before_there_were_reminders_get_one(
    played: Game, ruler: User
) -> None:
    waiting, ended = contest(played), contest(played, 1)
    objection_withdraw(objection=ended, actor=Actor())
    ObjectionReminder.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute(import_module("league.migrations.0059_objection_reminders").BEGIN_REMINDERS)
    row = ObjectionReminder.objects.get()
    assert (row.objection_id, row.next_at) == (waiting.pk, waiting.raised_at + timedelta(days=3))


def test_a_portion_is_taken_at_a_time_the_longest_due_first(
    played: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MOST", 1)
    first, second = contest(played), contest(played, 1)
    with after(4):
        assert reminders_due(timezone.now()) == [first.pk]
        objection_remind(objection_id=first.pk)
        assert reminders_due(timezone.now()) == [second.pk]


def test_the_search_for_what_is_due_goes_by_the_index(played: Game) -> None:
    contest(played)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    due = ObjectionReminder.objects.filter(next_at__lte=timezone.now()).order_by(
        "next_at", "objection"
    )
    assert "reminder_due" in due.explain()


def test_the_calls_of_beat_tell_it(
    played: Game, ruler: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest(played)
    calls: list[int] = []
    monkeypatch.setattr(
        "league.disputes.reminder.tasks.call", lambda job, row_id: calls.append(row_id)
    )
    assert sweep_reminders.name in {entry["task"] for entry in app.conf.beat_schedule.values()}
    with after(3):
        sweep_reminders()
        for objection_id in calls * 2:
            remind_of_objection(objection_id)
    assert people_told(played)[WAITS] == [ruler]


def test_programs_read_when_people_were_told(client: Client, played: Game, ruler: User) -> None:
    contest(played)
    club = played.season_game.season.club
    key, _ = member_key(club, Role.ARBITER)

    def read() -> dict[str, Any]:
        (row,) = client.get(f"/api/v1/clubs/{club.slug}/objections/", headers=bearer(key)).json()[
            "results"
        ]
        return {name: row[name] for name in ("reminded_at", "escalated_at")}

    assert read() == {"reminded_at": None, "escalated_at": None}
    remind(3)
    reminded_at = read()["reminded_at"]
    assert reminded_at is not None
    remind(7)
    both = read()
    assert both["reminded_at"] == reminded_at
    assert both["escalated_at"] > reminded_at
