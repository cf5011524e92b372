"""The arbiter's phone: which tables call, and a ruling in four taps."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from games.models import SheetEntry
from games.services.open_game import Writer
from league.core.log.services import Actor
from league.disputes.call.services import call_make, call_rule
from league.events.helper.services import helper_add
from league.models import Club, Event, Player, Role, Season, Table, TableOpenGame, User
from league.sheets.sheet.services.open_game import table_game_open
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.sheets import SeasonScorer

pytestmark = pytest.mark.django_db
HARE = Writer(automatic="hare")


def of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def shown(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200, answer
    return " ".join(answer.content.decode().split())


def links(html: str) -> list[str]:
    return re.findall(r'<a class="grow" href="([^"]+)"', html)


@pytest.fixture
def event(table: Table) -> Event:
    return table.stage_round.stage.event


@pytest.fixture
def list_url(event: Event) -> str:
    return reverse("desk-event-calls", args=[event.club.slug, event.slug])


@pytest.fixture
def call_url(row: TableOpenGame) -> str:
    return reverse("open-game-call", args=[row.open_game.public_id])


def fields(html: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))


def test_a_ruling_takes_four_taps_and_no_script(
    row: TableOpenGame, phone: Writer, arbiter: User, list_url: str
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    client = of(arbiter)
    html = shown(client, list_url)
    (address,) = re.findall(r'href="(/open-games/\w+/call/)"', html)
    assert "Table 1" in html
    assert "Round 1" in html
    html = shown(client, address)
    (choice,) = [link for link in links(html) if link.endswith("=taken_back")]
    assert "A bid that was said stands." in html
    html = shown(client, address + choice)
    assert f"{reverse('rules')}#b18" in html
    (choice,) = [link.replace("&amp;", "&") for link in links(html) if link.endswith("=stands")]
    html = shown(client, address + choice)
    answer = client.post(address, fields(html))
    assert answer["Location"] == list_url
    assert (
        SheetEntry.objects.filter(
            sheet__open_game=row.open_game, act="ruling", account=arbiter
        ).count()
        == 1
    )
    html = shown(client, list_url)
    assert "No calls" in html
    assert "The table can see it now" in html


def test_a_confirmation_that_is_sent_twice_rules_once(
    row: TableOpenGame, phone: Writer, arbiter: User, call_url: str
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    client = of(arbiter)
    sent = fields(shown(client, f"{call_url}?case=cocked&decision=flat"))
    for _ in range(2):
        client.post(call_url, sent)
    assert SheetEntry.objects.filter(act="ruling").count() == 1


def test_the_second_of_two_arbiters_is_told_what_the_first_one_ruled(
    row: TableOpenGame, phone: Writer, ruler: Writer, club_here: Club, call_url: str
) -> None:
    other = of(
        MembershipFactory.create(club=club_here, role=Role.ARBITER, user=UserFactory.create()).user
    )
    call_make(row=row, writer=phone, key=uuid4())
    sent = fields(shown(other, f"{call_url}?case=cocked&decision=flat"))
    call_rule(row=row, call=0, case="taken_back", decision="stands", ruler=ruler, key=uuid4())
    assert other.post(call_url, sent)["Location"] == call_url
    html = shown(other, call_url)
    assert "there is no open call at this table: it was answered or withdrawn" in html
    assert "The arbiter has ruled:" in html
    assert "It stands" in html


def test_the_sheet_s_page_tells_of_the_call_and_the_ruling(
    row: TableOpenGame, phone: Writer, ruler: Writer
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    call_rule(row=row, call=0, case="taken_back", decision="stands", ruler=ruler, key=uuid4())
    html = shown(Client(), reverse("open-game", args=[row.open_game.public_id]))
    assert "The table called the arbiter." in html
    assert "<b>The arbiter has ruled:</b> A bid is taken back" in html
    assert "– It stands." in html


@pytest.mark.parametrize("role", [Role.SCORER, Role.PLAYER, None])
def test_nobody_else_sees_the_calls(
    row: TableOpenGame,
    phone: Writer,
    club_here: Club,
    list_url: str,
    call_url: str,
    role: Role | None,
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    user = UserFactory.create()
    if role is not None:
        MembershipFactory.create(club=club_here, role=role, user=user)
    club_list = reverse("desk-calls", args=[club_here.slug])
    assert [of(user).get(url).status_code for url in (list_url, call_url, club_list)] == [404] * 3
    assert [Client().get(url).status_code for url in (list_url, call_url, club_list)] == [302] * 3
    assert of(user).post(call_url, {}).status_code == 404


def test_an_arbiter_of_the_event_alone_rules_there(
    row: TableOpenGame, phone: Writer, event: Event, list_url: str, call_url: str
) -> None:
    user = UserFactory.create()
    helper_add(event=event, user=user, role=Role.ARBITER, actor=Actor())
    call_make(row=row, writer=phone, key=uuid4())
    client = of(user)
    assert "Table 1" in shown(client, list_url)
    sent = fields(shown(client, f"{call_url}?case=shown&decision=as_they_lie"))
    assert client.post(call_url, sent)["Location"] == list_url
    assert client.get(reverse("desk-calls", args=[event.club.slug])).status_code == 404
    cockpit = shown(client, reverse("desk-event", args=[event.club.slug, event.slug]))
    assert list_url in cockpit


def test_whoever_sits_there_is_told_that_another_one_rules(
    row: TableOpenGame, phone: Writer, arbiter: User, call_url: str
) -> None:
    seat = row.open_game.seats.get(number=0)
    Player.objects.filter(handle=seat.handle).update(user=arbiter)
    call_make(row=row, writer=phone, key=uuid4())
    html = shown(of(arbiter), call_url)
    assert "you are playing at this table: another arbiter has to rule" in html
    assert links(html) == []


def test_a_case_and_a_decision_that_there_are_not_lead_back_to_the_choice(
    row: TableOpenGame, phone: Writer, arbiter: User, call_url: str
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    client = of(arbiter)
    assert "What is it about?" in shown(client, f"{call_url}?case=weather&decision=rain")
    assert "How do you rule?" in shown(client, f"{call_url}?case=cocked&decision=rain")
    assert client.post(call_url, {"case": "cocked"})["Location"] == call_url
    assert not SheetEntry.objects.filter(act="ruling").exists()


def test_games_without_a_table_stand_in_the_list_of_the_club(
    season: Season, arbiter: User, club_here: Club
) -> None:
    scorer = SeasonScorer(season, "p1", "p2")
    call_make(row=scorer.row, writer=HARE, key=uuid4())
    client = of(arbiter)
    list_url = reverse("desk-calls", args=[club_here.slug])
    assert season.name in shown(client, list_url)
    call_url = reverse("open-game-call", args=[scorer.row.open_game.public_id])
    sent = fields(shown(client, f"{call_url}?case=other&decision=play_on"))
    assert client.post(call_url, sent)["Location"] == list_url


def test_an_arbiter_finds_the_calls_in_the_work_and_in_the_menu(
    row: TableOpenGame, phone: Writer, arbiter: User, club_here: Club
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    client = of(arbiter)
    list_url = reverse("desk-calls", args=[club_here.slug])
    home = shown(client, reverse("home"))
    assert "1 table calling the arbiter," in home
    assert list_url in home
    menu = shown(client, reverse("desk", args=[club_here.slug]))
    assert re.search(r'Calls <span class="pill pill-star ml-2"> 1', menu)


def test_a_list_of_calls_takes_as_many_queries_for_many_as_for_one(
    row: TableOpenGame,
    phone: Writer,
    table: Table,
    arbiter: User,
    list_url: str,
    django_assert_max_num_queries: Any,
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    client = of(arbiter)
    shown(client, list_url)
    with django_assert_max_num_queries(16) as one:
        shown(client, list_url)
    other = table_game_open(
        table=Table.objects.exclude(pk=table.pk).get(stage_round=table.stage_round)
    )
    call_make(row=other, writer=HARE, key=uuid4())
    with django_assert_max_num_queries(len(one)):
        shown(client, list_url)
