"""A game that waits for somebody's word: reminded of once, and sealed by time where its event says
so."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game, OpenSheet
from league.models import Event, LogEntry, Notice, Player, Role, StageRound, Table, User
from league.notices.notice.domain import NoticeNames
from league.notices.notice.queries.announcement import NOTICES
from league.sheets.confirmation.queries.deadline import sheets_due
from league.sheets.confirmation.services.deadline import sheet_settle
from league.sheets.confirmation.tasks import settle_sheet, sweep_sheets
from tests.factories import notices
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.sheets import Scorer

pytestmark = pytest.mark.django_db
SEALED: Final = "game.sealed"
REMINDED: Final = "sheet.reminded"


def finished(
    table: Table, *, minutes_ago: float, confirmation: str = "seat", confirmation_minutes: int = 0
) -> Scorer:
    """A game that was written to its end so long ago, at an event that says so."""
    said: dict[str, Any] = {
        "confirmation": confirmation,
        "confirmation_minutes": confirmation_minutes,
    }
    Event.objects.filter(pk=table.stage_round.stage.event_id).update(**said)
    for name, value in said.items():
        setattr(table.stage_round.stage.event, name, value)
    scorer = Scorer(table)
    scorer.finish()
    OpenSheet.objects.update(heard_at=timezone.now() - timedelta(minutes=minutes_ago))
    return scorer


def settled(scorer: Scorer) -> bool:
    return sheet_settle(open_game_id=scorer.row.pk)


def times(action: str) -> int:
    return LogEntry.objects.filter(action=action).count()


def test_a_game_that_nobody_confirms_counts_when_its_time_has_come_and_not_before(
    table: Table,
) -> None:
    scorer = finished(table, minutes_ago=2.9, confirmation_minutes=3)
    assert sheets_due(timezone.now()) == []
    assert not settled(scorer)
    OpenSheet.objects.update(heard_at=timezone.now() - timedelta(minutes=3))
    assert sheets_due(timezone.now()) == [scorer.row.pk]
    assert settled(scorer)
    game = Game.objects.get()
    entry = LogEntry.objects.get(action=SEALED)
    assert entry.subject == game.public_id
    payload = json.loads(entry.payload)
    assert payload["by"] == {"automatic": "time"}
    assert payload["confirmation"]["of"] == "seat"
    table.refresh_from_db()
    assert table.finished


def test_twice_is_once_and_late_is_nothing(table: Table) -> None:
    scorer = finished(table, minutes_ago=30, confirmation_minutes=10)
    assert [settled(scorer), settled(scorer)] == [True, False]
    assert Game.objects.count() == 1
    assert sheets_due(timezone.now()) == []


@pytest.mark.parametrize("confirmation", ["seat", "arbiter"])
def test_where_no_time_is_set_it_waits_and_is_reminded_of_once(
    table: Table, confirmation: str
) -> None:
    scorer = finished(table, minutes_ago=4, confirmation=confirmation)
    assert sheets_due(timezone.now()) == []
    OpenSheet.objects.update(heard_at=timezone.now() - timedelta(minutes=5))
    assert sheets_due(timezone.now()) == [scorer.row.pk]
    assert [settled(scorer), settled(scorer)] == [True, False]
    assert (times(REMINDED), times(SEALED)) == (1, 0)
    OpenSheet.objects.update(heard_at=timezone.now() - timedelta(days=2))
    assert sheets_due(timezone.now()) == []


def test_what_is_still_written_is_nobody_s_to_confirm(table: Table) -> None:
    scorer = finished(table, minutes_ago=60, confirmation_minutes=1)
    scorer.add("undo")
    OpenSheet.objects.update(heard_at=timezone.now() - timedelta(minutes=60))
    assert sheets_due(timezone.now()) == []
    assert not settled(scorer)


def test_where_the_writer_alone_confirms_or_two_write_unseen_no_time_seals(table: Table) -> None:
    scorer = finished(table, minutes_ago=60, confirmation="alone", confirmation_minutes=1)
    assert sheets_due(timezone.now()) == []
    assert not settled(scorer)
    assert not Game.objects.exists()


def test_two_who_write_unseen_are_reminded_and_no_time_chooses_a_sheet(table: Table) -> None:
    event = table.stage_round.stage.event
    Event.objects.filter(pk=event.pk).update(confirmation="double", confirmation_minutes=1)
    event.confirmation = "double"
    scorer = finished(table, minutes_ago=60, confirmation="double", confirmation_minutes=1)
    assert settled(scorer)
    assert (times(REMINDED), times(SEALED)) == (1, 0)


@pytest.mark.parametrize("gone", ["round", "event", "table"])
def test_a_table_that_is_not_played_any_more_is_left_alone(table: Table, gone: str) -> None:
    scorer = finished(table, minutes_ago=60, confirmation_minutes=1)
    if gone == "round":
        StageRound.objects.filter(pk=table.stage_round_id).update(
            status=StageRound.Status.TAKEN_BACK
        )
    elif gone == "event":
        Event.objects.update(status=Event.Status.CANCELLED)
    else:
        Table.objects.filter(pk=table.pk).update(finished=True)
    assert sheets_due(timezone.now()) == []
    assert not settled(scorer)


def test_a_sweep_finds_what_is_due_and_the_job_does_it_once(table: Table) -> None:
    scorer = finished(table, minutes_ago=60, confirmation_minutes=1)
    sweep_sheets()
    settle_sheet(scorer.row.pk)
    settle_sheet(scorer.row.pk)
    assert times(SEALED) == 1


def seated_account(table: Table, seat: int) -> User:
    user: User = UserFactory.create()
    Player.objects.filter(entries__seats__table=table, entries__seats__seat=seat).update(user=user)
    return user


def test_those_at_the_table_are_told_and_no_more_once_it_is_sealed(table: Table) -> None:
    club = table.stage_round.stage.event.club
    player = seated_account(table, 1)
    before = len(notices.read(club))
    scorer = finished(table, minutes_ago=6)
    settled(scorer)
    (made,) = notices.read(club)[before:]
    assert (made.occasion, made.user_id) == (Notice.Occasion.UNCONFIRMED, player.pk)
    rules = NOTICES[Notice.Occasion.UNCONFIRMED]
    title, _, path = rules.words(made, NoticeNames({}, {}))
    assert title.startswith("A game is waiting for you to confirm it: ")
    assert path == reverse("table", args=[table.public_id])
    assert rules.is_news is not None
    assert rules.is_news(made)
    Event.objects.update(confirmation_minutes=1)
    assert settled(scorer)
    assert not rules.is_news(made), "it is sealed"


def test_of_a_word_that_an_arbiter_gives_arbiters_and_organisers_are_told(table: Table) -> None:
    club = table.stage_round.stage.event.club
    seated_account(table, 1)
    rulers = {
        MembershipFactory.create(club=club, role=role).user.pk
        for role in (Role.ARBITER, Role.ORGANISER)
    }
    before = len(notices.read(club))
    settled(finished(table, minutes_ago=6, confirmation="arbiter"))
    assert {notice.user_id for notice in notices.read(club)[before:]} >= rulers
    assert {notice.occasion for notice in notices.read(club)[before:]} == {
        Notice.Occasion.UNCONFIRMED
    }


def test_the_sheet_s_page_tells_when_it_counts_by_itself(client: Client, table: Table) -> None:
    scorer = finished(table, minutes_ago=1, confirmation_minutes=10)
    page = reverse("open-game", args=[scorer.row.open_game.public_id])
    assert "it counts automatically from <time" in " ".join(
        client.get(page).content.decode().split()
    )
