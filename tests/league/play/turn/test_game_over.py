"""The end of a game turn by turn: everybody who sits there is told it once, but for the player who
ended it."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.celery_app import app
from league.core.delivery.services.preference import preference_set
from league.models import (
    Club,
    GameEnd,
    Notice,
    NoticeSending,
    OnlineSeat,
    OnlineTable,
    OnlineTurn,
    Role,
    User,
)
from league.notices.notice.domain import PLACES, SHARED_PLACES
from league.notices.notice.queries.notice import notice_text
from league.notices.notice.services.turn import end_notice_make
from league.notices.notice.tasks import sweep_turns
from league.play.game_end.queries import ends_to_tell
from league.play.online_table.services.game import table_act, turn_end
from league.play.online_table.services.lobby import online_table_open, seat_take, table_start
from league.play.playing_time.services import playing_time_set
from league.play.standing_order.models import StandingOrder
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.play.online_table.test_game import RULES, SETTINGS
from tests.league.play.turn.test_turn import (
    DAY,
    HOUR,
    START,
    TURN_BY_TURN,
    at,
    jobs_run,
    letter_box,
    mailed,
    move,
)

__all__ = ["letter_box"]
pytestmark = pytest.mark.django_db
GAME_OVER = Notice.Occasion.GAME_OVER


@pytest.fixture
def table(club: Club) -> OnlineTable:
    """A table of three accounts, Anna, Bea and Karl, in play since `START`."""
    return table_of(club, TURN_BY_TURN)


def table_of(club: Club, settings: dict[str, Any]) -> OnlineTable:
    user = MembershipFactory.create(
        club=club, role=Role.SCORER, user=UserFactory.create(username="Anna")
    ).user
    with at(START):
        table = online_table_open(club=club, user=user, rules=RULES, settings=settings)
        for name in ("Bea", "Karl"):
            seat_take(table=table, user=UserFactory.create(username=name), name="")
        return table_start(table=table)


def account(name: str) -> User:
    return User.objects.get(username=name)


def leave(table: OnlineTable, name: str) -> None:
    seat = table.seats.get(user__username=name)
    table_act(table=table, seat=seat, act="leave", length=None, key=uuid4())


def ended(table: OnlineTable, moment: datetime = START) -> None:
    """Bea leaves, then Karl: Anna has won, and Karl's act ended the game."""
    with at(moment):
        leave(table, "Bea")
        leave(table, "Karl")


def ends_tell(moment: datetime) -> None:
    """Let the job tell all ends that are due, twice."""
    with at(moment):
        for seat_id in ends_to_tell(moment) * 2:
            end_notice_make(seat_id=seat_id)


def titles() -> dict[str, str]:
    """The titles of what was told of the end, by account."""
    notices = Notice.objects.filter(occasion=GAME_OVER).select_related("user", "club")
    return {
        notice.user.username: notice_text(notice).title
        for notice in notices
        if notice.user is not None
    }


def test_those_who_sit_there_are_told_how_they_came_out_but_for_the_one_whose_act_ended_the_game(
    table: OnlineTable,
) -> None:
    ended(table)
    assert not titles(), "no act waits for a notice"
    ends_tell(START)
    assert titles() == {
        "Anna": "Your game against Bea, Karl is over: you won",
        "Bea": "Your game against Anna, Karl is over: you came third",
    }
    (notice, _) = Notice.objects.filter(occasion=GAME_OVER)
    assert notice_text(notice).path == reverse("online-table", args=[table.public_id])


def test_an_end_is_told_once_however_often_and_late_the_job_runs(table: OnlineTable) -> None:
    ended(table)
    seats = ends_to_tell(START)
    ends_tell(START + 9 * DAY)
    ends_tell(START + 9 * DAY)
    assert [end_notice_make(seat_id=seat) for seat in seats] == [False, False, False]
    assert Notice.objects.filter(occasion=GAME_OVER).count() == 2
    assert not GameEnd.objects.exists()


def test_a_job_that_dies_while_it_tells_has_told_nothing_and_the_next_one_tells(
    table: OnlineTable,
) -> None:
    ended(table)
    seat = table.seats.get(user__username="Anna")
    write = "league.notices.notice.services.turn.notices_write"
    with at(START), patch(write, side_effect=SystemExit), pytest.raises(SystemExit):
        end_notice_make(seat_id=seat.pk)
    assert not titles()
    ends_tell(START)
    assert set(titles()) == {"Anna", "Bea"}


def test_an_act_that_is_rolled_back_leaves_nobody_to_tell(table: OnlineTable) -> None:
    with at(START):
        leave(table, "Bea")
        finish = "league.play.online_table.services.game.orders_end"
        with patch(finish, side_effect=SystemExit), pytest.raises(SystemExit):
            leave(table, "Karl")
    assert not GameEnd.objects.exists()


def test_the_end_takes_the_place_of_what_was_told_of_turns(table: OnlineTable) -> None:
    for step in range(3):
        with at(START + 6 * step * HOUR + timedelta(minutes=3)):
            jobs_run()
            move(table, bid=f"{step + 2}x3")
    assert Notice.objects.filter(occasion=Notice.Occasion.TURN).count() == 3
    ended(table, START + 20 * HOUR)
    ends_tell(START + 20 * HOUR)
    assert set(Notice.objects.values_list("occasion", flat=True)) == {GAME_OVER}, (
        "of the one who ended it, too"
    )


def test_a_game_that_ends_by_the_clock_is_told_to_everybody(table: OnlineTable) -> None:
    with at(START):
        leave(table, "Bea")
    turn = OnlineTurn.objects.get()
    late = turn.seat.user
    with at(START + 36 * HOUR):
        jobs_run()
    with at(START + 2 * DAY):
        assert turn_end(seat_id=turn.seat_id)
    ends_tell(START + 2 * DAY)
    assert set(titles()) == {"Anna", "Bea", "Karl"}
    assert late is not None
    assert titles()[late.username].endswith("you came second")


def test_a_player_whose_standing_order_ends_the_game_is_told_and_the_one_who_acted_isnt(
    table: OnlineTable,
) -> None:
    """In each round one seat bids too high, and the other's order lifts the cups at once."""
    with at(START):
        leave(table, "Bea")
    while not GameEnd.objects.exists():
        seat = OnlineTurn.objects.get().seat
        other = table.seats.exclude(pk=seat.pk).exclude(user__username="Bea").get()
        StandingOrder.objects.all().delete()
        StandingOrder.objects.create(
            seat=other, user=other.user, kind="challenge", bid="1x2", round=1, always=True
        )
        with at(START):
            move(table, bid="9x5")
    ends_tell(START)
    assert other.user is not None
    assert set(titles()) == {"Bea", other.user.username}


def test_a_guest_and_an_automatic_player_are_told_nothing(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    with at(START):
        table = online_table_open(club=club, user=user, rules=RULES, settings=TURN_BY_TURN)
        guest, _ = seat_take(table=table, user=None, name="Gust")
        table = table_start(table=table)
        table_act(table=table, seat=guest, act="leave", length=None, key=uuid4())
    assert [end.seat.user for end in GameEnd.objects.all()] == [user]
    ends_tell(START)
    assert titles() == {user.username: "Your game against Gust is over: you won"}


def test_a_live_game_tells_nobody(club: Club) -> None:
    ended(table_of(club, SETTINGS))
    assert not GameEnd.objects.exists()


def test_in_quiet_hours_nobody_is_told_until_they_end(table: OnlineTable) -> None:
    playing_time_set(user=account("Anna"), zone="UTC", quiet_from=time(11), quiet_to=time(15))
    ended(table)
    ends_tell(START)
    assert set(titles()) == {"Bea"}
    assert ends_to_tell(START + 2 * HOUR) == []
    ends_tell(START + 3 * HOUR)
    assert set(titles()) == {"Anna", "Bea"}


def test_an_account_that_is_gone_by_then_is_told_nothing(table: OnlineTable) -> None:
    ended(table)
    OnlineSeat.objects.filter(table=table).update(user=None)
    ends_tell(START)
    assert not titles()
    assert not GameEnd.objects.exists()


def test_the_topic_of_turns_switches_it_off(table: OnlineTable) -> None:
    preference_set(user=account("Anna"), mail=[], push=[])
    ended(table)
    ends_tell(START)
    states = dict(NoticeSending.objects.values_list("notice__user__username", "state"))
    assert states == {"Anna": NoticeSending.State.UNWANTED, "Bea": NoticeSending.State.WAITING}


def test_the_letter_and_my_notices_tell_it(table: OnlineTable) -> None:
    ended(table)
    ends_tell(START)
    assert (account("Bea").email, titles()["Bea"]) in mailed()
    client = Client()
    client.force_login(account("Bea"))
    page = client.get(reverse("my-notices")).content.decode()
    assert "Your game against Anna, Karl is over: you came third" in page
    assert account("Anna").unseen == 1, "unlike a turn it counts as news"


def test_the_calls_of_beat_tell_it(table: OnlineTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.conf, "task_always_eager", True)
    ended(table)
    with at(START):
        sweep_turns()
        sweep_turns()
    assert Notice.objects.filter(occasion=GAME_OVER).count() == 2


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_every_place_has_words_of_its_own(language: str) -> None:
    with translation.override(language):
        words = [str(text) for text in (*PLACES, *SHARED_PLACES)]
    assert len(set(words)) == len(words)
