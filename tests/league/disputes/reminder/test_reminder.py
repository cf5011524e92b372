"""A case doesn't lie forgotten: after three days some are reminded, after seven all who can decide
are told, each once.

The same holds for objections, hearings and appeals.
"""

from __future__ import annotations

import json
from datetime import timedelta
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from league.celery_app import app
from league.core.log.services import Actor
from league.disputes.appeal.services import appeal_raise
from league.disputes.objection.services import objection_raise
from league.disputes.reminder import queries
from league.disputes.reminder.models import DisputeCase
from league.disputes.reminder.queries import reminders_due, still_waits
from league.disputes.reminder.services import case_remind
from league.disputes.reminder.tasks import remind_of_case, sweep_reminders
from league.events.helper.services import helper_add
from league.models import (
    CaseReminder,
    Event,
    LogEntry,
    Membership,
    NoticePreference,
    NoticeSending,
    NoticeTopic,
    Player,
    Role,
    User,
)
from league.notices.notice.services.sending import sending_mail
from league.standings.player.services import player_merge
from tests.factories import events
from tests.factories.league import PlayerFactory, UserFactory
from tests.league.core.frame.api.programs import bearer, member_key
from tests.league.disputes.reminder.cases import (
    CASES,
    WORD,
    CaseLaws,
    after,
    end,
    hearing,
    member,
    notices_told,
    objection,
    people_told,
    remind,
)
from tests.league.disputes.ruling.rulings import ruled

pytestmark = pytest.mark.django_db
ENDS: Final = [(kind, way) for kind, laws in CASES.items() for way in laws.ends]
MIGRATION: Final = "league.migrations.0066_case_reminders"


def test_nobody_is_told_before_three_days(case: DisputeCase, played: Game, laws: CaseLaws) -> None:
    assert remind(2.99) == []
    assert people_told(played, laws.waits) == people_told(played, laws.late) == set()


def test_those_who_were_told_first_are_reminded_once_after_three_days(
    case: DisputeCase, played: Game, laws: CaseLaws
) -> None:
    helper = UserFactory.create(username="helper")
    helper_add(event=Event.objects.get(), user=helper, role=Role.ARBITER, actor=events.ACTOR)
    member(played, Role.SCORER)
    assert remind(3) == [True]
    assert remind(3) == remind(6.9) == []
    expected = {"ruler"} if laws.is_opener_alone else {"ruler", "second", "helper"}
    assert people_told(played, laws.waits) == expected


def test_after_seven_days_all_arbiters_and_organisers_are_told_once(
    case: DisputeCase, played: Game, laws: CaseLaws
) -> None:
    remind(3)
    member(played, Role.ORGANISER, UserFactory.create(username="organiser"))
    member(played, Role.ARBITER, UserFactory.create(username="newcomer"))
    assert remind(7) == [True]
    assert remind(7) == remind(400) == []
    assert people_told(played, laws.late) == {"ruler", "second", "organiser", "newcomer"}
    assert CaseReminder.objects.get(pk=case.reminder.pk).next_at is None


def test_a_job_that_comes_a_week_late_tells_all_and_reminds_nobody_before(
    case: DisputeCase, played: Game, laws: CaseLaws
) -> None:
    assert remind(10) == [True]
    assert people_told(played, laws.waits) == set()
    assert people_told(played, laws.late) == {"ruler", "second"}
    row = CaseReminder.objects.get(pk=case.reminder.pk)
    assert (row.reminded_at, row.next_at) == (None, None)
    assert {notice.parameters["days"] for notice in notices_told(played, laws.late)} == {10}


def test_a_reminder_that_comes_late_leaves_the_seventh_day_where_it_is(
    case: DisputeCase, played: Game, laws: CaseLaws
) -> None:
    assert remind(6.5) == [True]
    assert remind(7) == [True]
    assert people_told(played, laws.late) == {"ruler", "second"}


def test_the_log_tells_each_without_the_word_and_as_the_service(
    case: DisputeCase, played: Game
) -> None:
    kind = case.reminder.kind
    remind(3)
    remind(7.2)
    entries = LogEntry.objects.filter(
        action__in=(f"{kind}.reminded", f"{kind}.escalated")
    ).order_by("position")
    assert [(entry.action, entry.subject, entry.actor_id) for entry in entries] == [
        (f"{kind}.reminded", played.public_id, None),
        (f"{kind}.escalated", played.public_id, None),
    ]
    assert [json.loads(entry.payload)["days"] for entry in entries] == [3, 7]
    assert all(json.loads(entry.payload)[kind] == case.public_id for entry in entries)
    assert all(WORD not in entry.payload for entry in entries)


def test_a_deadline_decides_nothing(case: DisputeCase) -> None:
    remind(3)
    remind(7)
    assert still_waits(case.reminder)


@pytest.mark.parametrize(("kind", "way"), ENDS)
def test_a_case_that_has_ended_is_told_nobody(
    played: Game, ruler: User, second: User, kind: str, way: str
) -> None:
    laws = CASES[kind]
    case = laws.begin(played, ruler)
    laws.ends[way](case, ruler, second)
    if (kind, way) != ("hearing", "corrected"):
        assert CaseReminder.objects.get(pk=case.reminder.pk).next_at is None, (
            "no job looks at it again"
        )
    with after(8):
        assert not case_remind(reminder_id=case.reminder.pk), "a call that was made before"
    assert remind(8) == []
    assert CaseReminder.objects.get(pk=case.reminder.pk).next_at is None
    assert people_told(played, laws.waits) == people_told(played, laws.late) == set()


@pytest.mark.parametrize("days", [3, 7])
def test_it_is_told_nobody_if_it_ends_before_the_log_is_read(
    case: DisputeCase, played: Game, laws: CaseLaws, ruler: User, second: User, days: int
) -> None:
    remind(days)
    end(case, ruler, second)
    assert people_told(played, laws.waits) == people_told(played, laws.late) == set()


@pytest.mark.parametrize("days", [3, 7])
@pytest.mark.parametrize("is_open", [True, False])
def test_a_letter_goes_out_unless_the_case_ended_meanwhile(
    case: DisputeCase,
    played: Game,
    laws: CaseLaws,
    ruler: User,
    second: User,
    days: int,
    is_open: bool,
) -> None:
    NoticePreference.objects.create(user=ruler, mail=[NoticeTopic.RESULT], push=[])
    remind(days)
    told_by = notices_told(played, laws.waits if days == 3 else laws.late)
    (notice,) = [notice for notice in told_by if notice.user == ruler]
    if not is_open:
        end(case, ruler, second)
    sending = notice.sendings.get(channel=NoticeSending.Channel.MAIL)
    sending_mail(sending_id=sending.pk)
    sending.refresh_from_db()
    if is_open:
        assert (sending.state, sending.error) == (NoticeSending.State.SENT, "")
    else:
        assert (sending.state, sending.error) == (NoticeSending.State.UNWANTED, "Outdated")


def test_those_who_sat_at_the_table_are_not_told_to_decide(
    case: DisputeCase, played: Game, laws: CaseLaws, sitters: list[User]
) -> None:
    for sitter in sitters[:2]:
        member(played, Role.ARBITER, sitter)
    remind(3)
    remind(7)
    assert people_told(played, laws.late) == {"ruler", "second"}
    assert people_told(played, laws.waits) <= {"ruler", "second"}


def test_nor_is_whoever_entered_the_result(
    case: DisputeCase, played: Game, laws: CaseLaws, second: User
) -> None:
    with patch("league.disputes.arbiter.queries.accounts_involved", return_value={second.pk}):
        member(played, Role.ARBITER, UserFactory.create(username="third"))
        remind(7)
        assert people_told(played, laws.late) == {"ruler", "third"}


def test_nor_is_whoever_a_player_at_the_table_was_merged_into(
    case: DisputeCase, played: Game, laws: CaseLaws
) -> None:
    club = played.season_game.season.club
    kept = PlayerFactory.create(club=club, handle="kept", user=member(played, Role.ARBITER))
    merged = Player.objects.get(club=club, handle=played.seats.get(number=1).handle)
    player_merge(kept_player=kept, merged=merged, actor=events.ACTOR)
    remind(7)
    assert people_told(played, laws.late) == {"ruler", "second"}


def test_whoever_raised_it_for_a_seat_hears_of_it_only_when_all_do(
    played: Game, ruler: User, second: User
) -> None:
    objection_raise(game=played, seat=0, word=WORD, actor=Actor(second.pk))
    laws = CASES["objection"]
    remind(3)
    remind(7)
    assert people_told(played, laws.waits) == {"ruler"}
    assert people_told(played, laws.late) == {"ruler", "second"}


def test_the_same_holds_for_an_appeal(played: Game, ruler: User, second: User) -> None:
    member(played, Role.ARBITER, UserFactory.create(username="third"))
    objection(played, ruler)
    appeal_raise(ruling=ruled(played, ruler), seat=0, word=WORD, actor=Actor(second.pk))
    laws = CASES["appeal"]
    remind(3)
    remind(7)
    assert people_told(played, laws.waits) == {"third"}
    assert people_told(played, laws.late) == {"second", "third"}, (
        "the first ruler doesn't decide the appeal"
    )


def test_a_hearing_whose_arbiter_is_gone_is_told_the_others(
    played: Game, ruler: User, second: User
) -> None:
    hearing(played, ruler)
    Membership.objects.filter(user=ruler).delete()
    remind(3)
    assert people_told(played, CASES["hearing"].waits) == {"second"}


def test_an_objection_of_another_seat_has_a_time_of_its_own(played: Game, ruler: User) -> None:
    objection(played, ruler)
    with after(2):
        Event.objects.update(objection_hours=200)
        objection_raise(game=played, seat=1, word=WORD, actor=Actor())
    assert remind(3) == [True]
    assert remind(5) == [True]
    assert len(notices_told(played, CASES["objection"].waits)) == 2


def test_a_job_that_dies_has_told_nothing_and_the_next_one_tells(
    case: DisputeCase, played: Game, laws: CaseLaws
) -> None:
    write_row = "league.disputes.reminder.services._store"
    with after(3), patch(write_row, side_effect=SystemExit), pytest.raises(SystemExit):
        case_remind(reminder_id=case.reminder.pk)
    assert not LogEntry.objects.filter(action__endswith=".reminded").exists()
    assert remind(3) == [True]
    assert people_told(played, laws.waits)


def test_a_job_about_a_reminder_that_is_gone_does_nothing() -> None:
    assert not case_remind(reminder_id=1)


def test_a_reminder_is_of_one_case(case: DisputeCase, played: Game, ruler: User) -> None:
    with pytest.raises(IntegrityError, match="reminder_of_one_case"), transaction.atomic():
        CaseReminder.objects.create(since=timezone.now())
    if case.reminder.kind == "objection":
        other = hearing(played, ruler)
        CaseReminder.objects.filter(hearing=other).delete()
        with pytest.raises(IntegrityError, match="reminder_of_one_case"), transaction.atomic():
            CaseReminder.objects.filter(pk=case.reminder.pk).update(hearing=other)


@pytest.mark.parametrize("kind", ["hearing", "appeal"])
@pytest.mark.parametrize("is_open", [True, False])
def test_cases_that_waited_before_there_were_reminders_get_one(
    played: Game, ruler: User, second: User, kind: str, is_open: bool
) -> None:
    case = CASES[kind].begin(played, ruler)
    if not is_open:
        end(case, ruler, second)
    since = case.reminder.since
    CaseReminder.objects.all().delete()
    migration = import_module(MIGRATION)
    with connection.cursor() as cursor:
        cursor.execute(migration.BEGIN_HEARINGS)
        cursor.execute(migration.BEGIN_APPEALS)
    rows = list(CaseReminder.objects.values_list(f"{kind}", "since", "next_at"))
    assert rows == ([(case.pk, since, since + timedelta(days=3))] if is_open else [])


def test_what_objections_were_told_is_kept(played: Game, ruler: User) -> None:
    case = objection(played, ruler)
    remind(3)
    columns = ("objection", "since", "reminded_at", "escalated_at", "next_at")
    before = CaseReminder.objects.values_list(*columns).get()
    CaseReminder.objects.all().delete()
    old_table = "WITH league_objectionreminder (objection_id, reminded_at, escalated_at, next_at) AS (VALUES %s)"
    with connection.cursor() as cursor:
        row = "(%s, %s::timestamptz, %s::timestamptz, %s::timestamptz)"
        cursor.execute(
            old_table % row + import_module(MIGRATION).CARRY_OVER, [case.pk, *before[2:]]
        )
    assert CaseReminder.objects.values_list(*columns).get() == before


def test_a_portion_is_taken_at_a_time_the_longest_due_first(
    played: Game, ruler: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MOST", 1)
    first = objection(played, ruler)
    second = hearing(played, ruler)
    with after(4):
        assert reminders_due(timezone.now()) == [first.reminder.pk]
        case_remind(reminder_id=first.reminder.pk)
        assert reminders_due(timezone.now()) == [second.reminder.pk]


def test_the_search_for_what_is_due_goes_by_the_index(case: DisputeCase) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    due = CaseReminder.objects.filter(next_at__lte=timezone.now()).order_by("next_at", "pk")
    assert "case_reminder_due" in due.explain()


def test_the_calls_of_beat_tell_it(
    case: DisputeCase, played: Game, laws: CaseLaws, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(
        "league.disputes.reminder.tasks.call", lambda job, row_id: calls.append(row_id)
    )
    assert sweep_reminders.name in {entry["task"] for entry in app.conf.beat_schedule.values()}
    with after(3):
        sweep_reminders()
        for reminder_id in calls * 2:
            remind_of_case(reminder_id)
    assert people_told(played, laws.waits) == (
        {"ruler"} if laws.is_opener_alone else {"ruler", "second"}
    )


@pytest.mark.parametrize("place", ["clubs/{club}", "clubs/{club}/events/{event}"])
def test_programs_read_when_people_were_told(
    client: Client, case: DisputeCase, played: Game, place: str
) -> None:
    club = played.season_game.season.club
    key, _ = member_key(club, Role.ARBITER)
    address = f"/api/v1/{place}/{case.reminder.kind}s/".format(
        club=club.slug, event=Event.objects.get().slug
    )

    def read() -> dict[str, Any]:
        (row,) = client.get(address, headers=bearer(key)).json()["results"]
        assert row["id"] == case.public_id
        return {name: row[name] for name in ("reminded_at", "escalated_at")}

    assert read() == {"reminded_at": None, "escalated_at": None}
    remind(3)
    reminded_at = read()["reminded_at"]
    assert reminded_at is not None
    remind(7)
    both = read()
    assert both["reminded_at"] == reminded_at
    assert both["escalated_at"] > reminded_at


def test_programs_read_no_case_that_has_ended(
    client: Client, case: DisputeCase, played: Game, ruler: User, second: User
) -> None:
    end(case, ruler, second)
    club = played.season_game.season.club
    key, _ = member_key(club, Role.ARBITER)
    answer = client.get(f"/api/v1/clubs/{club.slug}/{case.reminder.kind}s/", headers=bearer(key))
    assert answer.json()["results"] == []


def test_a_list_takes_no_more_queries_for_more_cases(
    client: Client, case: DisputeCase, played: Game, laws: CaseLaws, ruler: User
) -> None:
    club = played.season_game.season.club
    key, _ = member_key(club, Role.ARBITER)

    def queries_for(count: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(
                f"/api/v1/clubs/{club.slug}/{case.reminder.kind}s/", headers=bearer(key)
            )
        assert len(answer.json()["results"]) == count
        return len(captured)

    queries_for(1)
    of_one = queries_for(1)
    others = Game.objects.select_related(
        "season_game__season__club", "season_game__season__ranking"
    )
    laws.begin(others.filter(season_game__season=played.season_game.season).latest("pk"), ruler)
    assert queries_for(2) == of_one


def test_only_arbiters_and_organisers_read_what_waits(
    client: Client, case: DisputeCase, played: Game
) -> None:
    club = played.season_game.season.club
    key, _ = member_key(club, Role.SCORER)
    answer = client.get(f"/api/v1/clubs/{club.slug}/{case.reminder.kind}s/", headers=bearer(key))
    assert answer.status_code == 403


def test_the_notice_leads_to_the_case(case: DisputeCase, played: Game, laws: CaseLaws) -> None:
    remind(4)
    remind(7)
    for occasion in (laws.waits, laws.late):
        for notice in notices_told(played, occasion):
            assert notice.user is not None
            client = Client()
            client.force_login(notice.user)
            assert (
                client.get(reverse("game-case", args=[notice.parameters["game"]])).status_code
                == 200
            )
