"""Playing turn by turn: the clock of a turn, what its player is told, and its end without anybody
there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import SheetEntry
from league.celery_app import app
from league.core.delivery.services.letter import letter_send
from league.core.delivery.services.preference import preference_set
from league.models import (
    Club,
    Letter,
    Notice,
    NoticeSending,
    OnlineSeat,
    OnlineTable,
    OnlineTurn,
    Role,
    User,
)
from league.notices.notice.services.sending import sending_mail
from league.notices.notice.services.turn import turn_notice_make
from league.notices.notice.tasks import sweep_turns as sweep_notices
from league.play.online_table.services.game import table_act, turn_end
from league.play.online_table.services.lobby import online_table_open, seat_take, table_start
from league.play.online_table.services.table import tables_end
from league.play.online_table.tasks import sweep_turns as sweep_ends
from league.play.playing_time.services import holiday_end, holiday_take, playing_time_set
from league.play.turn.queries import my_games, turns_to_end, turns_to_tell
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.notices import device
from tests.league.play.online_table.test_game import (
    RULES,
    SETTINGS,
    game_of,
    guest_at,
    host_of,
    page_of,
)

pytestmark = pytest.mark.django_db
TURN_BY_TURN = SETTINGS | {"move_days": 2}
START = datetime(2026, 12, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def letter_box(settings: Any) -> None:
    """Mail goes the service's own way, to the outbox at last."""
    settings.EMAIL_BACKEND = "league.core.delivery.services.letter.LetterBox"
    settings.EMAIL_CARRIER = "django.core.mail.backends.locmem.EmailBackend"


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let it be that time."""
    with patch("django.utils.timezone.now", return_value=moment):
        yield


@pytest.fixture
def table(club: Club) -> OnlineTable:
    """A table of two accounts, at which the first move is due two days after `START`."""
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    with at(START):
        table = online_table_open(club=club, user=user, rules=RULES, settings=TURN_BY_TURN)
        seat_take(
            table=table, user=UserFactory.create(username="Otto", email="otto@example.org"), name=""
        )
        return table_start(table=table)


def turn_at(table: OnlineTable) -> OnlineTurn:
    return OnlineTurn.objects.select_related("seat__user").get(table=table)


def mover(table: OnlineTable) -> User:
    """The account whose move it is."""
    user = turn_at(table).seat.user
    assert user is not None
    return user


def move(table: OnlineTable, act: str = "bid", bid: str = "2x3") -> None:
    seat = turn_at(table).seat
    value = {"bid": bid} if act == "bid" else {}
    table_act(table=table, seat=seat, act=act, value=value, length=None, key=uuid4())  # type: ignore[arg-type]


def jobs_run() -> None:
    """Let the jobs do all that is due, twice."""
    from django.utils import timezone

    for _ in range(2):
        for seat_id in turns_to_tell(timezone.now()):
            turn_notice_make(seat_id=seat_id)
            turn_notice_make(seat_id=seat_id)


def mailed() -> list[tuple[str, str]]:
    """The letters that the notices have become: to whom, and their subject."""
    for sending in NoticeSending.objects.filter(channel=NoticeSending.Channel.MAIL):
        sending_mail(sending_id=sending.pk)
    return list(Letter.objects.order_by("pk").values_list("to", "subject"))


def test_a_turn_has_as_many_days_as_was_agreed(table: OnlineTable) -> None:
    turn = turn_at(table)
    assert turn.ends_at == START + 2 * DAY
    assert turn.seat.number == game_of(table).sheet.round.turn
    with at(START + 5 * HOUR):
        move(table)
    after = turn_at(table)
    assert after.ends_at == START + 5 * HOUR + 2 * DAY
    assert after.seat != turn.seat


def test_the_player_is_told_once_however_often_the_job_runs(table: OnlineTable) -> None:
    with at(START + timedelta(minutes=3)):
        jobs_run()
        jobs_run()
    mailed()
    ((address, subject),) = mailed()
    assert address == mover(table).email
    assert subject.startswith("Your turn against ")


def test_whoever_moves_at_once_is_told_nothing(table: OnlineTable) -> None:
    with at(START + timedelta(minutes=1)):
        jobs_run()
        move(table)
        jobs_run()
    assert not Notice.objects.exists()


def test_a_letter_of_a_turn_that_is_over_by_then_isnt_written(table: OnlineTable) -> None:
    with at(START + timedelta(minutes=3)):
        jobs_run()
        assert Notice.objects.count() == 1
        move(table)
    assert mailed() == []


def test_a_turn_whose_act_was_the_last_thing_that_happened_is_told_later(
    table: OnlineTable,
) -> None:
    """The process dies after the act: the turn is in the act's transaction, so the next call of the
    job finds it."""
    assert turns_to_tell(START + timedelta(minutes=1)) == []
    assert turns_to_tell(START + 20 * HOUR) == [turn_at(table).seat_id]


def test_a_job_that_dies_while_it_tells_has_told_nothing_and_the_next_one_tells(
    table: OnlineTable,
) -> None:
    with at(START + timedelta(minutes=3)):
        with (
            patch("league.notices.notice.services.turn.notices_write", side_effect=SystemExit),
            pytest.raises(SystemExit),
        ):
            turn_notice_make(seat_id=turn_at(table).seat_id)
        assert turn_at(table).told_at is None
        assert turn_notice_make(seat_id=turn_at(table).seat_id)
    assert Notice.objects.count() == 1


def test_the_letter_says_until_when_and_stops_such_letters_by_one_click(table: OnlineTable) -> None:
    with at(START + timedelta(minutes=3)):
        jobs_run()
    user = mover(table)
    mailed()
    letter_send(letter_id=Letter.objects.get().pk)
    (message,) = mail.outbox
    assert reverse("online-table", args=[table.public_id]) in message.body
    assert any(until in message.body for until in ("13:00 (Europe/Berlin)", "12:00 (UTC)"))
    stop = message.extra_headers["List-Unsubscribe"].strip("<>").partition("/account")[2]
    assert Client().post(f"/account{stop}").status_code == 200
    with at(START + 37 * HOUR):
        jobs_run()
    mailed()
    assert Letter.objects.count() == 1, "no reminder by mail"
    assert Notice.objects.filter(user=user, occasion=Notice.Occasion.TURN_ENDS).count() == 1


def test_my_notices_show_the_newest_turn_of_a_table_alone(table: OnlineTable) -> None:
    user = mover(table)
    client = Client()
    client.force_login(user)
    for step in range(3):
        with at(START + 6 * step * HOUR + timedelta(minutes=3)):
            jobs_run()
            move(table, bid=f"{step + 2}x3")
    page = client.get(reverse("my-notices")).content.decode()
    assert page.count("Your turn against") == 1
    user.refresh_from_db()
    assert user.unseen == 0, "the number of one's games says it"


def test_a_guest_who_keeps_the_seat_with_an_account_is_told_of_it(
    club: Club, django_capture_on_commit_callbacks: Any
) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    table = online_table_open(club=club, user=user, rules=RULES, settings=TURN_BY_TURN)
    guest = guest_at(table)
    with at(START):
        table_start(table=table)
    seat = table.seats.get(number=1)
    OnlineTurn.objects.update(seat=seat)
    keeper = UserFactory.create()
    playing_time_set(user=keeper, zone="UTC", quiet_from=time(11), quiet_to=time(15))
    guest.force_login(keeper)
    with django_capture_on_commit_callbacks(execute=True):
        guest.post(reverse("online-table-keep", args=[table.public_id]))
    keeper.refresh_from_db()
    assert keeper.turns == 1
    assert turn_at(table).tell_at == START + 3 * HOUR, "the account's quiet hours hold"


@pytest.mark.parametrize(
    ("mail", "push"), [([], []), (["turn"], []), ([], ["turn"]), (["turn"], ["turn"])]
)
def test_a_turn_is_told_by_the_ways_that_the_account_has_chosen(
    table: OnlineTable, mail: list[str], push: list[str]
) -> None:
    user = mover(table)
    device(user, "https://push.example/1")
    preference_set(user=user, mail=mail, push=push)
    with at(START + timedelta(minutes=3)):
        jobs_run()
    waiting = NoticeSending.objects.filter(state=NoticeSending.State.WAITING)
    ways = set(waiting.values_list("channel", flat=True))
    assert ways == {way for way, topics in (("mail", mail), ("push", push)) if topics}


def test_a_reminder_comes_when_a_quarter_of_the_time_is_left(table: OnlineTable) -> None:
    with at(START + timedelta(minutes=3)):
        jobs_run()
    with at(START + 35 * HOUR):
        jobs_run()
        assert not Notice.objects.filter(occasion=Notice.Occasion.TURN_ENDS).exists()
    with at(START + 36 * HOUR):
        jobs_run()
        jobs_run()
    assert [notice.occasion for notice in Notice.objects.all()] == [Notice.Occasion.TURN_ENDS]
    assert turn_at(table).ends_at == START + 2 * DAY


def test_a_turn_ends_by_the_job_once_its_time_is_over(table: OnlineTable) -> None:
    turn = turn_at(table)
    with at(START + 36 * HOUR):
        jobs_run()
        assert not turn_end(seat_id=turn.seat_id)
    with at(START + 2 * DAY):
        assert turns_to_end(START + 2 * DAY) == [turn.seat_id]
        assert turn_end(seat_id=turn.seat_id)
        assert not turn_end(seat_id=turn.seat_id), "twice is once"
    table.refresh_from_db()
    assert table.status == OnlineTable.Status.OVER, "of two players one is left"
    entry = SheetEntry.objects.get(act="timeout")
    assert json.loads(entry.value) == {"seat": turn.seat.number}
    assert not OnlineTurn.objects.exists()


def test_the_calls_of_beat_tell_remind_and_end(
    table: OnlineTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call looks after what is due; called anew it finds nothing more to do."""
    monkeypatch.setitem(app.conf, "task_always_eager", True)
    seen = []
    for passed in (timedelta(minutes=3), 36 * HOUR, 48 * HOUR):
        with at(START + passed):
            for sweep in (sweep_notices, sweep_ends, sweep_notices, sweep_ends):
                sweep()
        seen.append(list(Notice.objects.values_list("occasion", flat=True)))
    occasions = Notice.Occasion
    assert seen == [[occasions.TURN], [occasions.TURN_ENDS], [occasions.GAME_OVER] * 2], (
        "each in place of the former"
    )
    assert SheetEntry.objects.filter(act="timeout").count() == 1


def test_no_turn_ends_before_its_reminder_was_given(table: OnlineTable) -> None:
    with at(START + 9 * DAY):
        assert turns_to_end(START + 9 * DAY) == []
        assert not turn_end(seat_id=turn_at(table).seat_id)
        jobs_run()
        assert turn_at(table).ends_at == START + 9 * DAY + 12 * HOUR, (
            "a quarter of the time is left"
        )
        assert not turn_end(seat_id=turn_at(table).seat_id)
    with at(START + 10 * DAY):
        assert turn_end(seat_id=turn_at(table).seat_id)


def test_a_job_that_comes_for_a_turn_that_is_over_changes_nothing(table: OnlineTable) -> None:
    with at(START + 36 * HOUR):
        jobs_run()
    with at(START + 2 * DAY):
        due = turns_to_end(START + 2 * DAY)
        move(table)
        for seat_id in due:
            assert not turn_end(seat_id=seat_id)
    assert list(SheetEntry.objects.values_list("act", flat=True)) == ["bid"]


def test_the_others_play_on_without_a_seat_whose_time_is_over(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    with at(START):
        table = online_table_open(club=club, user=user, rules=RULES, settings=TURN_BY_TURN)
        for name in ("Gust", "Gerda"):
            seat_take(table=table, user=None, name=name)
        table = table_start(table=table)
    late = turn_at(table).seat
    with at(START + 36 * HOUR):
        jobs_run()
    with at(START + 50 * HOUR):
        assert turn_end(seat_id=late.pk)
    turn = turn_at(table)
    assert turn.seat != late
    assert turn.ends_at == START + 50 * HOUR + 2 * DAY
    assert game_of(table).sheet.game.owned[late.number] == 0


def test_at_a_live_table_no_turn_is_written(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    table = online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)
    seat_take(table=table, user=None, name="Gust")
    table_start(table=table)
    assert not OnlineTurn.objects.exists()


def test_no_other_seat_ends_a_turn(table: OnlineTable) -> None:
    OnlineTable.objects.update(move_seconds=0, bank_seconds=0)
    OnlineSeat.objects.update(bank=0)
    waiting = table.seats.exclude(pk=turn_at(table).seat_id).get()
    client = Client()
    assert waiting.user is not None
    client.force_login(waiting.user)
    client.post(reverse("online-table-time-up", args=[table.public_id]))
    assert not SheetEntry.objects.exists()


def test_a_table_that_is_played_turn_by_turn_isnt_abandoned(table: OnlineTable) -> None:
    with at(START + 30 * DAY):
        assert tables_end() == 0


def test_in_quiet_hours_nobody_is_told_and_the_reminder_leaves_a_quarter_of_the_time(
    table: OnlineTable,
) -> None:
    playing_time_set(
        user=mover(table), zone="Europe/Berlin", quiet_from=time(12), quiet_to=time(15)
    )
    with at(START + timedelta(minutes=3)):
        jobs_run()
        assert not Notice.objects.exists(), "it is 13:03 in Berlin"
    with at(START + 2 * HOUR):
        jobs_run()
        assert Notice.objects.count() == 1
    playing_time_set(user=mover(table), zone="Europe/Berlin", quiet_from=time(22), quiet_to=time(8))
    assert turn_at(table).remind_at == datetime(2026, 12, 3, 7, tzinfo=UTC), (
        "half past midnight waits until eight"
    )
    assert turn_at(table).ends_at == datetime(2026, 12, 3, 19, tzinfo=UTC)


def test_a_job_that_comes_late_tells_nobody_in_quiet_hours(table: OnlineTable) -> None:
    playing_time_set(user=mover(table), zone="UTC", quiet_from=time(22), quiet_to=time(8))
    with at(datetime(2026, 12, 1, 23, tzinfo=UTC)):
        jobs_run()
        assert not Notice.objects.exists()
        assert turns_to_tell(datetime(2026, 12, 1, 23, 59, tzinfo=UTC)) == []
    with at(datetime(2026, 12, 2, 8, tzinfo=UTC)):
        jobs_run()
        assert Notice.objects.count() == 1


def test_on_holiday_a_clock_stands_still_and_the_others_see_until_when(table: OnlineTable) -> None:
    user = mover(table)
    with at(START):
        playing_time_set(user=user, zone="UTC", quiet_from=None, quiet_to=None)
        holiday = holiday_take(user=user, first_day=date(2026, 12, 2), last_day=date(2026, 12, 6))
        assert turn_at(table).ends_at == START + 7 * DAY
        assert "is on holiday until" not in page_of(table, Client())
    with at(START + DAY):
        jobs_run()
        assert not Notice.objects.exists()
        assert "is on holiday until" in page_of(table, Client())
        holiday_end(user=user, holiday=holiday)
        assert turn_at(table).ends_at == START + 2 * DAY + 12 * HOUR, (
            "it stood still since midnight"
        )
        assert "is on holiday until" not in page_of(table, Client())


def test_a_guest_is_told_when_sitting_down_that_nobody_tells_of_the_turn(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    table = online_table_open(club=club, user=user, rules=RULES, settings=TURN_BY_TURN)
    assert "Without an account, you won’t be told" in page_of(table, Client())
    assert "Without an account, you won’t be told" not in page_of(table, host_of(table))
    guest_at(table)
    with at(START):
        table_start(table=table)
    OnlineTurn.objects.update(seat=table.seats.get(number=1))
    with at(START + 36 * HOUR):
        jobs_run()
    assert not Notice.objects.exists()
    assert turn_at(table).reminded_at == START + 36 * HOUR, (
        "the clock of a guest runs as others' do"
    )


def test_my_games_shows_those_first_in_which_it_is_ones_move(
    table: OnlineTable, django_capture_on_commit_callbacks: Any
) -> None:
    user = mover(table)
    client = Client()
    client.force_login(user)
    with at(START), django_capture_on_commit_callbacks(execute=True):
        waiting = online_table_open(club=table.club, user=user, rules=RULES, settings=TURN_BY_TURN)
        move(table)
        assert [(game.table, game.mine) for game in my_games(user)] == [
            (table, False),
            (waiting, False),
        ]
    user.refresh_from_db()
    assert user.turns == 0
    with at(START), django_capture_on_commit_callbacks(execute=True):
        move(table, bid="3x3")
    user.refresh_from_db()
    assert user.turns == 1
    with CaptureQueriesContext(connection) as queries:
        (first, second) = my_games(user)
    assert len(queries) == 4
    assert (first.table, first.mine, second.table) == (table, True, waiting)
    page = client.get(reverse("my-games")).content.decode()
    assert "Your turn" in page


def test_my_games_says_whose_move_it_is_at_a_live_table(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    table = online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)
    seat_take(table=table, user=None, name="Gust")
    table = table_start(table=table)
    now = game_of(table).sheet.round
    (game,) = my_games(user)
    assert (game.mine, game.to_act, game.ends_at) == (
        now.turn == 0,
        ["Gust"] if now.turn else [],
        None,
    )
    mover_seat = table.seats.get(number=now.turn)
    table_act(
        table=table, seat=mover_seat, act="bid", value={"bid": "2x3"}, length=None, key=uuid4()
    )
    assert my_games(user)[0].mine != game.mine


def test_due_turns_are_found_by_an_index(table: OnlineTable) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT table_id FROM league_onlineturn"
            " WHERE next_at <= now() AND reminded_at IS NULL ORDER BY next_at"
        )
        plan = " ".join(row[0] for row in cursor.fetchall())
    assert "Index Scan" in plan
