"""Those who rule are told what waits for them: objections, games that nobody confirmed, what phones
wrote too late."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from games.models import Game
from league.core.log.services import Actor
from league.disputes.case.queries.waiting import (
    BRANCH,
    OBJECTION,
    UNCONFIRMED,
    Waiting,
    waiting_rulings,
)
from league.disputes.objection.services import objection_raise
from league.models import Event, Role, Table
from league.sheets.branch.services import table_branch_keep
from tests.factories.league import ClubFactory, MembershipFactory
from tests.factories.sheets import Scorer
from tests.league.disputes.correction.test_branch import late, phone_of
from tests.league.disputes.reminder.cases import CASES, end
from tests.league.disputes.ruling.rulings import let_stand
from tests.league.night import _same_chance, season
from tests.league.sheets.conftest import table

__all__ = ["_same_chance", "season", "table"]
pytestmark = pytest.mark.django_db


def waiting(table: Table) -> list[Waiting]:
    return waiting_rulings([table.stage_round.stage.event.club_id])


def contested(table: Table, *, seats: int = 1) -> tuple[Scorer, Game]:
    """A game that was written down and sealed, to which seats object."""
    scorer = Scorer(table)
    scorer.finish()
    scorer.seal()
    game = Game.objects.select_related("season_game__season__club").get(table_game__table=table)
    for seat in range(seats):
        objection_raise(game=game, seat=seat, word="It was a four.", actor=Actor())
    return scorer, game


def pages(table: Table, role: Role) -> tuple[str, str]:
    """The first page and the overview of the club, as one of its members sees them."""
    club = table.stage_round.stage.event.club
    client = Client()
    client.force_login(MembershipFactory.create(club=club, role=role).user)
    home = client.get(reverse("home"))
    overview = client.get(reverse("desk", args=[club.slug]))
    return (
        " ".join(home.content.decode().split()),
        " ".join(overview.content.decode().split()),
    )


def test_where_nothing_waits_nothing_is_said(table: Table) -> None:
    assert waiting(table) == []
    for html in pages(table, Role.ARBITER):
        assert "An arbiter is needed" not in html


def test_an_objection_is_told_first_with_the_way_to_its_case(table: Table) -> None:
    scorer, game = contested(table)
    (row,) = waiting(table)
    assert (row.kind, row.count, row.game) == (OBJECTION, 1, game.public_id)
    assert row.open_game == scorer.row.open_game.public_id
    assert row.since == game.objections.get().raised_at
    case = reverse("game-case", args=[row.game])
    for html in pages(table, Role.ARBITER):
        assert "1 objection waiting, </strong> since" in html
        assert f'href="{case}"' in html
        assert "<title>(1) " in html


def test_the_tab_of_objections_counts_them(table: Table) -> None:
    contested(table, seats=2)
    _, html = pages(table, Role.ORGANISER)
    bar = html.split('class="tabbar"')[1].split("</nav>")[0]
    assert "2<span" in bar
    assert "2 objections waiting, " in html


@pytest.mark.parametrize(
    ("kind", "words"), [("hearing", "1 hearing open, "), ("appeal", "1 appeal waiting, ")]
)
def test_a_hearing_and_an_appeal_wait_until_they_are_decided(
    table: Table, kind: str, words: str
) -> None:
    _, game = contested(table, seats=0)
    club = game.season_game.season.club
    ruler = MembershipFactory.create(club=club, role=Role.ARBITER).user
    second = MembershipFactory.create(club=club, role=Role.ARBITER).user
    case = CASES[kind].begin(game, ruler)
    (row,) = waiting(table)
    assert (row.kind, row.count, row.game) == (kind, 1, game.public_id)
    _, html = pages(table, Role.ARBITER)
    assert words in html
    bar = html.split('class="tabbar"')[1].split("</nav>")[0]
    assert "1<span" in bar
    end(case, ruler, second)
    assert waiting(table) == []


@pytest.mark.parametrize("role", [Role.SCORER, Role.PLAYER])
def test_others_are_told_nothing(table: Table, role: Role) -> None:
    contested(table)
    for html in pages(table, role):
        assert "objection waiting" not in html
        assert "<title>(" not in html


def test_an_objection_that_has_ended_waits_no_longer(table: Table) -> None:
    _, game = contested(table)
    let_stand(game.objections.select_related("game").get(), actor=Actor(reason="It was a five."))
    assert waiting(table) == []


def test_a_game_that_nobody_confirmed_waits(table: Table) -> None:
    Event.objects.filter(pk=table.stage_round.stage.event_id).update(
        confirmation=Event.Confirmer.ARBITER
    )
    scorer = Scorer(table)
    scorer.finish()
    (row,) = waiting(table)
    assert (row.kind, row.count, row.open_game) == (UNCONFIRMED, 1, scorer.row.open_game.public_id)
    home, _ = pages(table, Role.ARBITER)
    assert "1 game waiting to be confirmed, " in home
    Event.objects.update(status=Event.Status.CANCELLED)
    assert waiting(table) == []


def test_a_game_that_its_writer_seals_waits_for_nobody_else(table: Table) -> None:
    Scorer(table).finish()
    assert waiting(table) == []


def test_what_came_late_to_an_open_sheet_waits(table: Table) -> None:
    scorer = Scorer(table)
    scorer.lose(1)
    late(scorer, phone_of(table, None), {"losses": [0, 0, 1, 0]})
    (row,) = waiting(table)
    assert (row.kind, row.count, row.open_game) == (BRANCH, 1, scorer.row.open_game.public_id)
    home, _ = pages(table, Role.ARBITER)
    assert "1 late phone with different entries, " in home


@pytest.mark.parametrize("seats", [1, 3])
def test_one_query_whatever_waits(
    table: Table, seats: int, django_assert_num_queries: Queries
) -> None:
    scorer, _ = contested(table, seats=seats)
    entries = [
        {
            "key": str(uuid4()),
            "act": "close",
            "value": {"losses": [0, 0, 1, 0]},
            "at": "2026-11-25T19:30:00Z",
        }
    ]
    for _ in range(seats):
        table_branch_keep(
            row=scorer.row, after=0, entries=entries, writer=phone_of(table, None), key=uuid4()
        )
    clubs = [table.stage_round.stage.event.club_id, ClubFactory.create().pk]
    with django_assert_num_queries(1):
        assert waiting_rulings(clubs)
    with django_assert_num_queries(0):
        assert waiting_rulings([]) == []
