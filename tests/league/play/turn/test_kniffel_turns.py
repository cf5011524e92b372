"""Lügen-Kniffel turn by turn: several seats are asked at once, each with a clock of its own. Ruling
K16."""

from __future__ import annotations

import json
from datetime import date, time, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from engine.kniffel.combinations import ANNOUNCEABLE
from games.models import HiddenAct, SheetEntry
from league.models import Club, Notice, OnlineSeat, OnlineTable, OnlineTurn, Role, User
from league.play.online_table.services.game import table_act, turn_end
from league.play.online_table.services.lobby import (
    automatic_sit,
    online_table_open,
    seat_take,
    table_start,
)
from league.play.playing_time.services import holiday_take, playing_time_set
from league.play.standing_order.services import order_give
from league.play.turn.queries import my_games, turns_to_end, turns_to_tell
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.play.online_table.kniffel import KNIFFEL_SETTINGS, RULES, page_of, sheet_of
from tests.league.play.turn.test_turn import DAY, HOUR, START, at, jobs_run

pytestmark = pytest.mark.django_db
TURN_BY_TURN = KNIFFEL_SETTINGS | {"move_days": 2}


@pytest.fixture
def table(club: Club) -> OnlineTable:
    """A table of three accounts, whose first move is due two days after `START`."""
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    with at(START):
        table = online_table_open(club=club, user=user, rules=RULES, settings=TURN_BY_TURN)
        for name in ("Otto", "Rosa"):
            seat_take(
                table=table,
                user=UserFactory.create(username=name, email=f"{name}@example.org"),
                name="",
            )
        return table_start(table=table)


def roller(table: OnlineTable) -> OnlineSeat:
    (number,) = sheet_of(table).to_act
    return table.seats.get(number=number)


def listeners(table: OnlineTable) -> list[OnlineSeat]:
    return list(table.seats.filter(number__in=sheet_of(table).listeners))


def act(table: OnlineTable, seat: OnlineSeat, name: Any, **value: Any) -> None:
    table_act(table=table, seat=seat, act=name, value=value, length=None, key=uuid4())


def announce(table: OnlineTable, say: str = "chance=20") -> None:
    act(table, roller(table), "announce", say=say)


def answer(table: OnlineTable, seat: OnlineSeat, doubt: bool = False) -> None:
    act(table, seat, "answer", turn=sheet_of(table).closed, doubt=doubt)


def waiting(table: OnlineTable) -> set[int]:
    return set(OnlineTurn.objects.filter(table=table).values_list("seat__number", flat=True))


def account(seat: OnlineSeat) -> User:
    assert seat.user is not None
    return seat.user


def turns_told(seat: OnlineSeat) -> int:
    """The number that the bar of every page shows to the player of a seat."""
    return User.objects.get(pk=account(seat).pk).turns


def acts(table: OnlineTable) -> list[str]:
    return list(
        SheetEntry.objects.filter(sheet__open_game=table.open_game_id)
        .order_by("number")
        .values_list("act", flat=True)
    )


def test_the_dice_of_a_turn_roll_by_themselves(table: OnlineTable) -> None:
    assert acts(table) == ["roll"]
    assert waiting(table) == {sheet_of(table).roller}
    announce(table)
    for seat in listeners(table):
        answer(table, seat)
    assert acts(table) == ["roll", "announce", "answer", "answer", "reveal", "roll"], (
        "the next turn has begun"
    )


def test_at_a_live_table_the_roller_rolls(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    table = online_table_open(club=club, user=user, rules=RULES, settings=KNIFFEL_SETTINGS)
    seat_take(table=table, user=None, name="Gust")
    table = table_start(table=table)
    assert acts(table) == []


def test_all_who_are_asked_have_the_time_of_the_announcement(table: OnlineTable) -> None:
    with at(START + 5 * HOUR):
        announce(table)
    asked = listeners(table)
    assert waiting(table) == {seat.number for seat in asked}
    with at(START + 9 * HOUR):
        answer(table, asked[0])
    turn = OnlineTurn.objects.get(table=table)
    assert turn.seat == asked[1]
    assert turn.ends_at == turn.begun_at + 2 * DAY, (
        "an answer of another seat leaves the clock as it is"
    )


def test_each_seat_that_is_asked_is_told_and_reminded_once(table: OnlineTable) -> None:
    announce(table)
    begun = OnlineTurn.objects.filter(table=table)[0].begun_at
    first, second = listeners(table)
    with at(begun + timedelta(minutes=3)):
        jobs_run()
    assert set(Notice.objects.values_list("user", flat=True)) == {first.user_id, second.user_id}
    answer(table, first)
    with at(begun + 36 * HOUR):
        jobs_run()
    assert Notice.objects.get(user=second.user).occasion == Notice.Occasion.TURN_ENDS
    assert not Notice.objects.filter(user=first.user, occasion=Notice.Occasion.TURN_ENDS).exists()


def test_k16_silence_believes_after_a_reminder_and_not_before(table: OnlineTable) -> None:
    announce(table)
    begun = OnlineTurn.objects.filter(table=table)[0].begun_at
    first, second = listeners(table)
    answer(table, first)
    with at(begun + 9 * DAY):
        assert turns_to_end(begun + 9 * DAY) == []
        assert not turn_end(seat_id=second.pk), "nobody has reminded them"
        jobs_run()
        assert not turn_end(seat_id=second.pk), "a quarter of the time is left"
    with at(begun + 10 * DAY):
        assert turns_to_end(begun + 10 * DAY) == [second.pk]
        assert turn_end(seat_id=second.pk)
        assert not turn_end(seat_id=second.pk), "twice is once"
    assert acts(table) == ["roll", "announce", "answer", "timeout", "reveal", "roll"]
    played = json.loads(SheetEntry.objects.get(act="reveal").value)["round"]
    assert not played.get("doubts"), "it was believed"
    assert second.number in sheet_of(table).staying, "and the seat plays on"


def test_k15_a_roller_whose_time_is_over_has_left(table: OnlineTable) -> None:
    late = roller(table)
    with at(START + 36 * HOUR):
        jobs_run()
    with at(START + 2 * DAY):
        assert turn_end(seat_id=late.pk)
    assert late.number not in sheet_of(table).staying
    assert waiting(table) == {sheet_of(table).roller}


def test_a_seat_on_holiday_holds_up_its_own_answer_alone(table: OnlineTable) -> None:
    away, other = listeners(table)
    with at(START):
        playing_time_set(user=account(away), zone="UTC", quiet_from=None, quiet_to=None)
        holiday_take(user=account(away), first_day=date(2026, 12, 2), last_day=date(2026, 12, 6))
    announce(table)
    OnlineTurn.objects.update(begun_at=START)
    with at(START):
        playing_time_set(user=account(away), zone="UTC", quiet_from=time(3), quiet_to=time(4))
        playing_time_set(user=account(other), zone="UTC", quiet_from=time(3), quiet_to=time(4))
    ends = dict(OnlineTurn.objects.values_list("seat", "ends_at"))
    assert ends == {away.pk: START + 7 * DAY, other.pk: START + 2 * DAY}
    with at(START + DAY):
        page = page_of(table, Client())
    assert page.count(" has until") == 2
    assert page.count("is on holiday until") == 1


def test_a_seat_that_leaves_while_others_are_asked_ends_its_own_turn_alone(
    table: OnlineTable,
) -> None:
    announce(table)
    before = dict(OnlineTurn.objects.values_list("seat", "ends_at"))
    leaver, other = listeners(table)
    act(table, leaver, "leave")
    assert dict(OnlineTurn.objects.values_list("seat", "ends_at")) == {other.pk: before[other.pk]}


def test_whoever_is_asked_again_at_once_has_a_new_time(club: Club) -> None:
    """Between two questions only an automatic player acts."""
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    with at(START):
        table = online_table_open(club=club, user=user, rules=RULES, settings=TURN_BY_TURN)
        automatic_sit(table=table, strength="easy")
        table = table_start(table=table)
    for _ in range(4):
        sheet = sheet_of(table)
        seat = table.seats.get(number=0)
        turn = OnlineTurn.objects.get(table=table)
        assert turn.seat == seat
        if sheet.asks_all:
            asked = SheetEntry.objects.filter(act="announce").latest("number")
            assert turn.begun_at == asked.made_at
            answer(table, seat)
        else:
            open_field = next(
                name for name, field in sheet.game.sheets[0].items() if not field.filled
            )
            announce(table, say=f"{open_field}={min(ANNOUNCEABLE[open_field])}")


def test_my_games_and_the_number_in_the_bar_count_a_question(
    table: OnlineTable, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        announce(table)
    first, second = listeners(table)
    assert turns_told(first) == 1
    with django_capture_on_commit_callbacks(execute=True):
        answer(table, first)
    assert (turns_told(first), turns_told(second)) == (0, 1)
    assert [game.mine for game in my_games(account(second))] == [True]
    (game,) = my_games(account(first))
    assert (game.mine, game.to_act) == (False, [second.name])


def test_whoever_has_ordered_to_believe_is_asked_by_no_letter(table: OnlineTable) -> None:
    first, second = listeners(table)
    order_give(table=table, seat=first, kind="believe", points=20)
    announce(table, "chance=20")
    begun = OnlineTurn.objects.filter(table=table)[0].begun_at
    for passed in (timedelta(minutes=3), 36 * HOUR):
        with at(begun + passed):
            jobs_run()
    assert set(Notice.objects.values_list("user", flat=True)) == {second.user_id}
    assert turns_to_tell(begun + 36 * HOUR) == []
    assert not HiddenAct.objects.filter(act="answer").exists(), (
        "the order waits for the other answer"
    )
    answer(table, second)
    assert acts(table)[-4:] == ["answer", "answer", "reveal", "roll"]
