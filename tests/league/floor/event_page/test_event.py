"""What readers see of events: the list, the page of one, and how the pages grow."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.counting.event_counting.services import divisions_set
from league.events.entry.services.entry import entry_add, entry_withdraw
from league.events.event.services import event_change
from league.models import Event, Season, Stage, Visibility
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import season_change
from tests.factories import events, notices

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")
LIST = "/clubs/stern/events/"
NIGHT = f"{LIST}night-1/"
SOON = timezone.now().replace(hour=18, minute=30, second=0, microsecond=0) + timedelta(days=3)


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def test_a_club_without_events_says_what_will_be_there(client: Client, season: Season) -> None:
    assert "No events yet" in text(client, LIST)


def test_the_list_has_coming_events_first_and_then_past_ones_the_latest_first(
    client: Client, season: Season
) -> None:
    for slug, days in (("long-ago", -30), ("lately", -10), ("later", 20), ("soon", 2)):
        events.event(season, slug, starts_at=SOON + timedelta(days=days))
    html = text(client, LIST)
    places = [html.index(name) for name in (">Soon<", ">Later<", ">Lately<", ">Long-Ago<")]
    assert places == sorted(places)
    assert html.index(">Later<") < html.index(">Past<") < html.index(">Lately<")


def test_an_event_that_runs_stands_under_now_and_not_among_the_next(
    client: Client, season: Season
) -> None:
    events.event(season, "soon", starts_at=SOON, venue="Keller")
    events.event(season, "late", starts_at=SOON + timedelta(days=3), status=Event.Status.RUNNING)
    html = text(client, LIST)
    assert html.index(">Late<") < html.index(" Upcoming ") < html.index(">Soon<")
    assert " Now " in html.split(">Late<")[0]
    row = html.split(">Soon</a>")[1].split("</li>")[0]
    facts = re.sub(r"<[^>]+>", " ", row).split()
    assert facts == [*f"{SOON.astimezone(BERLIN):%a %H:%M}".split(), "Keller", "Be", "the", "first"]


def test_an_event_at_the_club_s_own_place_names_the_club_once(
    client: Client, season: Season
) -> None:
    events.event(season, starts_at=SOON, venue=season.club.name)
    row = text(client, LIST).split(">Night-1<")[1].split("</li>")[0]
    assert season.club.name not in row


def test_drafts_are_seen_by_organisers_alone(client: Client, desk: Client, season: Season) -> None:
    events.event(season, status=Event.Status.DRAFT, starts_at=SOON)
    assert "Night-1" in text(desk, LIST)
    assert "Night-1" in text(desk, NIGHT)
    assert "Night-1" not in text(Client(), LIST)
    assert Client().get(NIGHT).status_code == 404


def test_who_may_not_see_the_season_sees_no_event_of_it(season: Season) -> None:
    events.event(season, starts_at=SOON)
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert Client().get(NIGHT).status_code == 404
    assert "Night-1" not in text(Client(), LIST)
    for address in ("/", "/clubs/stern/", "/search/?q=night"):
        assert "Night-1" not in text(Client(), address)
    assert b"Night-1" not in Client().get("/clubs/stern/calendar.ics").content
    assert Client().get("/clubs/stern/events/night-1.ics").status_code == 404


def test_an_event_says_when_by_the_clocks_of_the_club(client: Client, season: Season) -> None:
    events.event(
        season,
        starts_at=datetime(2026, 12, 3, 22, 30, tzinfo=UTC),
        ends_at=datetime(2026, 12, 4, 2, 0, tzinfo=UTC),
    )
    html = text(client, NIGHT)
    assert "Thursday, <time" in html
    assert ">23:30</time>" in html
    assert ">4 Dec 2026, 03:00</time>" in html


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_an_event_of_any_size_says_who_comes(client: Client, season: Season, count: int) -> None:
    made = events.event(season, capacity=6, starts_at=SOON)
    for player in events.players(season.club, count):
        entry_add(event=made, player=player, actor=events.ACTOR)
    html = text(client, NIGHT)
    assert html.count('<th scope="row">') == count
    assert ("Nobody yet" in html) is (count == 0)
    free = {0: "6 places free", 1: "5 places free", 2: "4 places free", 7: "no places left"}[count]
    assert free in html
    assert ("waiting list</" in html or "waiting list <" in html) is (count == 7)


def test_only_who_has_played_is_linked_to_a_page(client: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 5))
    first = events.drawn(events.stage(made, sizes=[4, 5]))
    assert "/players/" not in text(client, NIGHT)
    events.play(first)
    ranking_count(ranking_id=season.ranking_id)
    events.enter(made, events.players(season.club, 1, "late"), check_in=False)
    links = re.findall(r'href="(/players/\w+/)"', text(client, NIGHT))
    assert len(set(links)) == 5
    assert {client.get(link).status_code for link in links} == {200}


def test_the_page_of_a_large_event_costs_as_many_queries_as_that_of_a_small_one(
    client: Client, season: Season, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    made = events.event(season, starts_at=SOON)
    for player in events.players(season.club, 120):
        entry_add(event=made, player=player, actor=events.ACTOR)
    with django_assert_max_num_queries(9):
        html = text(client, NIGHT)
    assert html.count('<th scope="row">') == 100
    assert "Page 1 of 2" in html
    with django_assert_max_num_queries(9):
        assert text(client, f"{NIGHT}?page=2").count('<th scope="row">') == 20


def test_names_and_descriptions_are_text_whatever_stands_in_them(
    client: Client, season: Season
) -> None:
    evil = "<script>alert(1)</script>"
    events.event(
        season,
        starts_at=SOON,
        name=evil,
        venue=f'{evil} & "Co"',
        description=f"{evil}\n\njavascript:x",
        price_note=evil,
    )
    for address in (NIGHT, LIST, "/", "/clubs/stern/", "/clubs/stern/autumn/", "/search/?q=script"):
        html = text(client, address)
        assert evil not in html
        assert "&lt;script&gt;" in html


def test_the_page_is_sent_again_only_when_something_of_the_event_has_changed(
    client: Client, season: Season
) -> None:
    made = events.event(season, starts_at=SOON, entries_until=SOON)

    def again(tag: str) -> int:
        return client.get(NIGHT, headers={"If-None-Match": tag}).status_code

    tag = client.get(NIGHT)["ETag"]
    assert again(tag) == 304
    (player,) = events.players(season.club, 1)
    entry = entry_add(event=made, player=player, actor=events.ACTOR)
    assert again(tag) == 200
    tag = client.get(NIGHT)["ETag"]
    entry_withdraw(entry=entry, actor=events.ACTOR)
    assert again(tag) == 200
    tag = client.get(NIGHT)["ETag"]
    event_change(event=made, actor=events.ACTOR, venue="The cellar")
    assert again(tag) == 200


def test_when_entries_close_the_page_has_no_button_any_more(client: Client, season: Season) -> None:
    made = events.event(season, starts_at=SOON, entries_until=SOON)
    before = client.get(NIGHT)
    assert 'enter/"' in before.content.decode()
    Event.objects.filter(pk=made.pk).update(entries_until=timezone.now() - timedelta(minutes=1))
    after = client.get(NIGHT, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert 'enter/"' not in after.content.decode()


def test_a_cancelled_event_says_so_and_stays_in_the_list(client: Client, season: Season) -> None:
    made = events.event(season, starts_at=SOON)
    event_move(event=made, status=Event.Status.CANCELLED, actor=events.ACTOR)
    assert "This event is cancelled." in text(client, NIGHT)
    assert "cancelled" in text(client, LIST)


def test_a_finished_event_shows_where_everybody_finished(client: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    entries = events.enter(made, events.players(season.club, 4))
    stage = events.stage(made, rounds=1)
    order = [entries[2], entries[0], entries[3], entries[1]]
    events.play(events.drawn(stage), best=[entry.public_id for entry in order])
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=events.ACTOR)
    html = text(client, NIGHT)
    assert "Final ranking" in html
    places = [html.index(f"> {entry.player.name}<") for entry in order]
    assert places == sorted(places)


def test_while_it_runs_the_page_has_the_own_table_then_those_that_play_then_the_ranking(
    client: Client, season: Season
) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    people = notices.people(season.club, 8)
    events.enter(made, people)
    events.drawn(events.stage(made, sizes=[4]))
    assert people[0].user
    client.force_login(people[0].user)
    html = text(client, NIGHT)
    order = [
        html.index(words)
        for words in ("Your next table", "Tables in play", "Ranking", "Who’s coming")
    ]
    assert order == sorted(order)
    assert html.count('class="table-tile"') == 2, "a tap leads to a table"
    assert "Your next table" not in text(Client(), NIGHT)
    assert 'data-live-url="' in html


def test_before_its_first_round_is_public_the_page_has_no_table(
    client: Client, season: Season
) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 4))
    events.drawn(events.stage(made), publish=False)
    html = text(client, NIGHT)
    assert "Tables in play" not in html
    assert "table-tile" not in html


def test_a_knock_out_s_event_shows_its_bracket(client: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    events.drawn(events.stage(made, format="single", sizes=[4], advance=2))
    assert 'class="bracket"' in text(client, NIGHT)


def test_a_large_ranking_is_cut_and_says_so(client: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 24))
    events.drawn(events.stage(made, sizes=[4]))
    html = text(client, NIGHT)
    assert html.count("<tr data-key=") == 20
    assert "Everybody and all rounds" in html


def test_an_event_that_is_over_has_a_podium_and_everybody_who_played(
    client: Client, season: Season
) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    entries = events.enter(made, events.players(season.club, 4))
    stage = events.stage(made, sizes=[4], rounds=1)
    events.play(events.drawn(stage), best=[entry.public_id for entry in entries])
    entry_withdraw(entry=entries[3], actor=events.ACTOR)
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=events.ACTOR)
    html = text(client, NIGHT)
    assert '<ol class="podium">' in html
    final = html[html.index("Final ranking") :]
    assert [entry.player.name in final for entry in entries] == [True] * 4, "who left, too"


def test_divisions_have_no_common_podium(client: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    people = events.players(season.club, 9)
    numbers = {player.public_id: 1 + place // 3 for place, player in enumerate(people)}
    divisions = [(name, 0, 0) for name in ("First", "Second", "Third")]
    divisions_set(season=season, actor=events.ACTOR, divisions=divisions, players=numbers)
    events.enter(made, people)
    stage = events.stage(made, rounds=1, by_division=True)
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=events.ACTOR)
    html = text(client, NIGHT)
    assert "podium" not in html
    final = html[html.index("Final ranking") :]
    names = [player.name for player in people]
    heads = [name for name, _, _ in divisions]
    order = re.findall(rf"\b({'|'.join([*names, *heads])})\b", re.sub(r"<[^>]*>", " ", final))
    assert [order[place] for place in (0, 4, 8)] == heads
    assert [set(order[place + 1 : place + 4]) for place in (0, 4, 8)] == [
        set(names[start : start + 3]) for start in (0, 3, 6)
    ]


def test_who_plays_in_no_division_stands_apart(client: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    people = events.players(season.club, 4)
    numbers = {player.public_id: 1 for player in people[:3]}
    divisions_set(season=season, actor=events.ACTOR, divisions=[("First", 0, 0)], players=numbers)
    events.enter(made, people[:3])
    events.stage(made, by_division=True)
    entry_add(event=made, player=people[3], actor=events.ACTOR, by_organiser=True)
    comes = re.sub(r"<[^>]*>", " ", text(client, NIGHT).split("Who’s coming")[-1])
    assert re.findall(r"First|In no division|p\d", comes) == [
        "First",
        "p1",
        "p2",
        "p3",
        "In no division",
        "p4",
    ]


def test_a_player_s_page_tells_the_next_table(client: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    people = events.players(season.club, 4)
    events.enter(made, people)
    first = events.drawn(events.stage(made, sizes=[4], rounds=2))
    page = f"/players/{people[0].public_id}/"
    assert client.get(page).status_code == 404, "who has played nothing has none"
    events.play(first)
    ranking_count(ranking_id=season.ranking_id)
    assert "Plays next" not in text(client, page)
    tag = client.get(page)["ETag"]
    events.drawn(Stage.objects.get())
    assert client.get(page, headers={"If-None-Match": tag}).status_code == 200
    assert "Plays next" in text(client, page)


@pytest.mark.parametrize(
    "address", ["/", "/clubs/stern/", "/clubs/stern/autumn/", "/search/?q=night"]
)
def test_the_next_events_stand_on_the_pages_around(
    client: Client, season: Season, address: str
) -> None:
    events.event(season, starts_at=SOON)
    assert 'href="/clubs/stern/events/night-1/"' in text(client, address)


def test_the_address_events_is_no_season_s(season: Season) -> None:
    for slug in ("events", "calendar"):
        with pytest.raises(ValidationError):
            season_change(season=season, actor=events.ACTOR, slug=slug)
