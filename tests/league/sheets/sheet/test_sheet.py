"""Everybody who sees a table sees how its game was written down, entry by entry; names are for
those who may know."""

import re
from datetime import timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils.formats import date_format
from django.utils.html import strip_tags
from django.utils.timezone import localtime
from pytest_django import DjangoAssertNumQueries as Queries

from engine.sheet.entry import stored_entry
from games.models import Game, SheetEntry
from games.services.open_game import Writer, entry_add
from league.core.log.services import Actor
from league.models import Event, Role, Season, Table, Visibility
from league.sheets.device.services.device import device_make
from league.sheets.sheet.domain.history import is_short
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory
from tests.factories.sheets import Scorer, Scribe, SeasonScorer

pytestmark = pytest.mark.django_db


def address(scorer: Scribe) -> str:
    return f"/open-games/{scorer.row.open_game.public_id}/"


def page(client: Client, scorer: Scribe, **query: str) -> str:
    answer = client.get(address(scorer), query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def write(scorer: Scorer, writer: Writer, act: str, **value: object) -> None:
    entry = stored_entry(act, value)
    entry_add(
        open_game=scorer.row.open_game.public_id,
        length=scorer.length,
        entry=entry,
        writer=writer,
        key=uuid4(),
    )


def test_every_entry_says_what_who_and_what_became_of_it(client: Client, table: Table) -> None:
    scorer = Scorer(table)
    assert "Nothing is written yet" in page(client, scorer)
    device, _ = device_make(subject=table, actor=Actor())
    write(scorer, Writer(device=(device.pk, device.public_id)), "opener", seat=2)
    scorer.bid("2x4")
    scorer.add("undo")
    seen = page(client, scorer)
    names = list(table.seats.order_by("seat").values_list("entry__player__name", flat=True))
    for words in (
        f"{names[2]} opens the game",
        "Phone 1",
        "The automatic player hare",
        "undone by no. 3",
    ):
        assert words in seen
    assert 'href="#entry-2"' in seen


def test_a_round_reads_as_on_the_live_page_with_its_notation_behind_a_tap(
    client: Client, table: Table
) -> None:
    scorer = Scorer(table)
    scorer.add("close", moves=["1x*", "!"], bidder=0, challenger=1, count=0)
    losses = [1 if seat == 2 else 0 for seat in range(scorer.seats)]
    scorer.add("amend", number=1, reason="miscounted", round={"losses": losses})
    seen = page(client, scorer)
    anna, arne, third, *_ = table.seats.order_by("seat").values_list(
        "entry__player__name", flat=True
    )
    text = " ".join(strip_tags(re.sub("<svg.*?</svg>", "", seen)).split())
    assert f"{anna} bid 1×" in text
    assert f"{arne}: Cups up! There were none. {anna} loses 1 die" in text
    assert f"Round 1 corrected to: {third} loses 1 die" in text
    assert re.findall(r"<summary[^>]*>Notation</summary> <code>(.*?)</code>", seen)
    assert 'id="entry-0"> <td class="n">1</td>' in seen


def test_a_turn_of_luegen_kniffel_is_told_with_who_doubted_and_what_was_shown(
    client: Client, season: Season
) -> None:
    Season.objects.update(kind="luegen-kniffel", rules={})
    season.refresh_from_db()
    players = [PlayerFactory.create(club=season.club) for _ in range(3)]
    scorer = SeasonScorer(season, *(player.handle for player in players))
    scorer.add("close", say="fours=12", dice="44123", doubts=[1])
    scorer.add("close", say="ones=3")
    text = " ".join(strip_tags(re.sub("<svg.*?</svg>", "", page(client, scorer))).split())
    first, second, _ = (player.name for player in players)
    assert f"{first} announced three fours = 12. {second} doubted it. It was a lie:" in text
    assert f"{second} announced three ones = 3. Nobody doubted it." in text


def test_a_phone_and_the_day_are_named_once_for_all_that_follows(
    client: Client, table: Table
) -> None:
    scorer = Scorer(table)
    devices = [device_make(subject=table, actor=Actor())[0] for _ in range(2)]
    for place in (0, 0, 1, 0):
        device = devices[place]
        write(
            scorer,
            Writer(device=(device.pk, device.public_id)),
            "note",
            bid=f"{2 + scorer.length}x4",
        )
    seen = page(client, scorer)
    assert re.findall("Phone ([0-9])", seen) == ["1", "2", "1"]
    zone = ZoneInfo(table.stage_round.stage.event.club.timezone)
    day = date_format(localtime(SheetEntry.objects.earliest("pk").made_at, zone), "DATE_FORMAT")
    assert seen.count(f">{day}</time>") == 3


def test_an_account_has_a_name_for_those_who_read_the_log(client: Client, table: Table) -> None:
    scorer = Scorer(table)
    writer = UserFactory.create(username="secretary")
    club = table.stage_round.stage.event.club
    MembershipFactory.create(club=club, user=writer, role=Role.SCORER)
    write(scorer, Writer(account=(writer.pk, writer.public_id)), "note", bid="2x4")
    assert "secretary" not in page(client, scorer)
    assert "Scorer" in page(client, scorer)
    client.force_login(MembershipFactory.create(club=club, role=Role.ARBITER).user)
    assert "by secretary" in page(client, scorer)


def test_it_is_reached_from_the_game_that_it_became(client: Client, table: Table) -> None:
    scorer = Scorer(table)
    scorer.finish()
    scorer.seal()
    game = client.get(address(scorer)).context["sealed"]
    answer = client.get(f"/games/{game.public_id}/")
    assert f'href="{address(scorer)}"' in answer.content.decode()


def test_a_game_that_is_over_is_confirmed_on_the_page_of_its_sheet(
    client: Client, table: Table
) -> None:
    event = table.stage_round.stage.event
    Event.objects.filter(pk=event.pk).update(confirmation="arbiter")
    scorer = Scorer(table)
    assert "waiting for confirmation" not in page(client, scorer)
    scorer.finish()
    confirm, form = f"{address(scorer)}confirm/", {"length": scorer.length}
    assert "This game is waiting for confirmation" in page(client, scorer)
    assert confirm not in page(client, scorer)
    for role, status in ((None, 302), (Role.PLAYER, 404), (Role.SCORER, 302)):
        if role:
            client.force_login(MembershipFactory.create(club=event.club, role=role).user)
        assert confirm not in page(client, scorer)
        assert client.post(confirm, form).status_code == status
        assert not Game.objects.exists()
    assert "an arbiter or organiser of the event confirms this game" in page(client, scorer)
    client.force_login(MembershipFactory.create(club=event.club, role=Role.ARBITER).user)
    assert confirm in page(client, scorer)
    assert client.post(confirm, {"length": "x"}).status_code == 404
    assert (
        "Somebody has written on this sheet"
        in client.post(confirm, {"length": 1}, follow=True).content.decode()
    )
    assert not Game.objects.exists()
    answer = client.post(confirm, form, follow=True)
    assert "The game is sealed" in answer.content.decode()
    assert "waiting for confirmation" not in page(client, scorer)
    assert Game.objects.count() == 1


def test_a_whole_game_in_less_than_two_minutes_is_told_before_it_is_sealed(
    client: Client, table: Table
) -> None:
    scorer = Scorer(table)
    scorer.finish()
    entries = list(SheetEntry.objects.order_by("number"))
    opened_at = scorer.row.open_game.opened_at
    assert is_short(entries, opened_at)
    assert "Was this the whole game?" in page(client, scorer)
    entries[-1].device_at = entries[0].made_at + timedelta(minutes=2)
    assert not is_short(entries, opened_at)
    entries[0].device_at = opened_at - timedelta(days=1)
    entries[-1].device_at = entries[-1].made_at + timedelta(days=1)
    assert is_short(entries, opened_at), "clocks that can't be right hide nothing"


def test_who_does_not_see_the_table_does_not_see_its_sheet(client: Client, table: Table) -> None:
    scorer = Scorer(table)
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert client.get(address(scorer)).status_code == 404


def test_a_long_sheet_has_pages_and_costs_as_many_queries(
    client: Client,
    table: Table,
    django_assert_max_num_queries: Queries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("league.sheets.sheet.web.sheet.ENTRIES_PER_PAGE", 5)
    scorer = Scorer(table)
    for _ in range(4):
        scorer.bid("2x4")
        scorer.add("undo")
    with django_assert_max_num_queries(8):
        seen = page(client, scorer, page="2")
    assert "Page 2 of 2" in seen
    assert 'id="entry-7"' in seen
    assert 'id="entry-0"' not in seen


def test_a_sheet_that_nobody_wrote_on_since_is_not_sent_again(client: Client, table: Table) -> None:
    scorer = Scorer(table)
    tag = client.get(address(scorer)).headers["ETag"]
    assert client.get(address(scorer), headers={"If-None-Match": tag}).status_code == 304
    scorer.bid("2x4")
    assert client.get(address(scorer), headers={"If-None-Match": tag}).status_code == 200
