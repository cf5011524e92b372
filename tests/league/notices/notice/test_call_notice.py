"""Those who rule at an event are told that a table calls, as long as it does."""

from __future__ import annotations

from uuid import uuid4

import pytest

from engine.sheet.entry import stored_entry
from games.services.open_game import Writer, entry_add
from league.core.log.services import Actor
from league.disputes.call.services import call_make, call_take_back
from league.events.helper.services import helper_add
from league.models import Club, Notice, Player, Role, Season, Table, User
from league.notices.notice.domain import NoticeNames
from league.notices.notice.queries.announcement import NOTICES
from league.sheets.sheet.services.open_game import table_game_open
from tests.factories import notices
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.night import _same_chance, season
from tests.league.sheets.conftest import first_table

__all__ = ["_same_chance", "season"]
pytestmark = pytest.mark.django_db
HARE = Writer(automatic="hare")
CALLED = Notice.Occasion.CALLED


@pytest.fixture
def table(season: Season) -> Table:
    return first_table(season)


def member(club: Club, role: Role) -> User:
    return MembershipFactory.create(club=club, role=role, user=UserFactory.create()).user


def test_arbiters_and_organisers_are_told_who_neither_sit_there_nor_wrote(table: Table) -> None:
    event = table.stage_round.stage.event
    club = event.club
    row = table_game_open(table=table)
    arbiter, organiser, sitting, writing = (
        member(club, role) for role in (Role.ARBITER, Role.ORGANISER) * 2
    )
    helping = UserFactory.create()
    helper_add(event=event, user=helping, role=Role.ARBITER, actor=Actor())
    member(club, Role.SCORER)
    seat = row.open_game.seats.get(number=2)
    Player.objects.filter(club=club, handle=seat.handle).update(user=sitting)
    entry = stored_entry("note", {"bid": "2x4"})
    writer = Writer(account=(writing.pk, writing.public_id))
    entry_add(open_game=row.open_game.public_id, length=0, entry=entry, writer=writer, key=uuid4())
    call_make(row=row, writer=HARE, key=uuid4())
    accounts = {notice.user_id for notice in notices.read(club) if notice.occasion == CALLED}
    assert accounts >= {arbiter.pk, organiser.pk, helping.pk}
    assert not accounts & {sitting.pk, writing.pk}


def test_the_notice_leads_to_the_call_and_holds_as_long_as_it_waits(table: Table) -> None:
    club = table.stage_round.stage.event.club
    arbiter = member(club, Role.ARBITER)
    row = table_game_open(table=table)
    call_make(row=row, writer=HARE, key=uuid4())
    notice = next(each for each in notices.read(club) if each.user_id == arbiter.pk)
    rules = NOTICES[CALLED]
    title, text, path = rules.words(notice, NoticeNames({}, {}))
    assert title == f"Table 1 is calling you: {notice.event}"
    assert "round 1" in text
    assert path == f"/open-games/{row.open_game.public_id}/call/"
    assert rules.is_news is not None
    assert rules.is_news(notice)
    call_take_back(row=row, writer=HARE, key=uuid4())
    assert not rules.is_news(notice)


def test_of_a_call_that_was_taken_back_meanwhile_nobody_is_told(table: Table) -> None:
    club = table.stage_round.stage.event.club
    member(club, Role.ARBITER)
    row = table_game_open(table=table)
    call_make(row=row, writer=HARE, key=uuid4())
    call_take_back(row=row, writer=HARE, key=uuid4())
    assert CALLED not in {notice.occasion for notice in notices.read(club)}
