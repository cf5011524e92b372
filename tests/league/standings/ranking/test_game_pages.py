"""Lists of games in pages: each game once, in the order of play turned round, wherever one comes
from."""

import re
from html import unescape
from itertools import chain
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries as Queries

from games.models import Game
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.events.event.services import event_create
from league.models import Player, Season
from league.standings.ranked_game.domain.gameline import place_read
from league.standings.ranked_game.queries.gameline import START, at_event, game_page
from league.standings.ranking.queries.ranking import events_of
from tests.factories.counted import TABLES, add_games, counted_season, rename
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db


TIMED = [bluff_record(seed, seats=TABLES[seed % 3], event=f"night-{seed % 2}") for seed in range(7)]
TWINS = [
    bluff_record(20, id=f"twin-{number}", played_at="2026-09-05T20:00:00Z") for number in (2, 10, 1)
]
NAMES = ("r1-t2", "r1-t10", "r2-t1", "r10-t1", "r1-t1")
UNTIMED = [
    {key: value for key, value in bluff_record(30 + number, id=name).items() if key != "played_at"}
    for number, name in enumerate(NAMES)
]
LAST = ["r10-t1", "r2-t1", "r1-t10", "r1-t2", "r1-t1"]


@pytest.fixture
def season() -> Season:
    return counted_season([*UNTIMED[:2], *TIMED, *TWINS, *UNTIMED[2:]])


def address(season: Season, page: str = "season-games") -> str:
    return reverse(page, args=[season.club.slug, season.slug])


def listed(season: Season) -> list[str]:
    return [game.external_id for game in game_page([season.ranking_id], 100).games]


def along(season: Season, count: int) -> list[list[str]]:
    """The pages from the latest game to the oldest."""
    page = game_page([season.ranking_id], count)
    pages = [page]
    while page.older:
        page = game_page([season.ranking_id], count, before=page.older)
        pages.append(page)
    return [[game.external_id for game in page.games] for page in pages]


def test_the_latest_come_first_then_those_without_a_time_each_in_natural_order(
    season: Season,
) -> None:
    names = listed(season)
    assert names[-5:] == LAST
    twins = [name for name in names if name.startswith("twin")]
    assert twins == ["twin-10", "twin-2", "twin-1"]
    assert [name for name in names if name.startswith("game")] == [
        f"game-{n}" for n in (6, 5, 4, 3, 2, 1, 0)
    ]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7])
def test_the_pages_hold_every_game_once(season: Season, count: int) -> None:
    pages = along(season, count)
    assert list(chain(*pages)) == listed(season)
    assert {len(page) for page in pages[:-1]} <= {count}


@pytest.mark.parametrize("count", [2, 4])
def test_the_way_back_passes_the_same_games(season: Season, count: int) -> None:
    page = game_page([season.ranking_id], count, after=START)
    assert not page.older
    names = [game.external_id for game in page.games]
    while page.newer:
        page = game_page([season.ranking_id], count, after=page.newer)
        names = [game.external_id for game in page.games if game.external_id not in names] + names
    assert names == listed(season)
    assert len(page.games) == count


def test_a_new_game_moves_no_page(season: Season) -> None:
    first = game_page([season.ranking_id], 3)
    older = game_page([season.ranking_id], 3, before=first.older).games
    add_games(season, [bluff_record(40)])
    assert game_page([season.ranking_id], 3, before=first.older).games == older


def test_seasons_are_listed_together() -> None:
    one, other = counted_season(TIMED[::2]), counted_season(TIMED[1::2] + UNTIMED[:1])
    rankings = [one.ranking_id, other.ranking_id]
    names = [game.external_id for game in game_page(rankings, 100).games]
    assert names == [*(f"game-{number}" for number in range(6, -1, -1)), "r1-t2"]
    page = game_page(rankings, 3)
    assert [game.external_id for game in game_page(rankings, 3, before=page.older).games] == names[
        3:6
    ]
    assert game_page([], 3).games == []


@pytest.mark.parametrize(
    "text", ["", "x", "~", "2026-09-05T20:00:00~a", "2026-99-05T20:00:00Z~a", "~a\x00", "a~b"]
)
def test_a_place_that_nobody_can_read_is_passed_over(season: Season, text: str) -> None:
    assert place_read(text) is None or text == "~"
    page = game_page([season.ranking_id], 3, after=text)
    assert text == "~" or [game.external_id for game in page.games] == listed(season)[:3]


@pytest.mark.parametrize("query", ["", "?after=start", "?before=2026-09-20T20:00:00Z~game"])
def test_every_page_costs_as_much_as_the_first(
    client: Client, season: Season, query: str, django_assert_num_queries: Queries
) -> None:
    with django_assert_num_queries(3):
        client.get(address(season) + query)


def test_links_lead_along_the_list_and_keep_the_filter(
    client: Client, season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.standings.ranking.web.ranking.GAMES_PER_PAGE", 2)
    html = client.get(address(season) + "?event=night-0").content.decode()
    shown = html.count('row-link seats"')
    while link := re.search(r'href="(\?[^"]*)" rel="next"', html):
        html = client.get(address(season) + unescape(link[1])).content.decode()
        shown += html.count('row-link seats"')
    assert shown == 4
    assert 'rel="prev"' in html
    assert "event=night-0&amp;after=" in html


def test_games_without_a_date_show_none_and_can_be_told_apart(
    client: Client, season: Season
) -> None:
    html = client.get(address(season)).content.decode()
    assert all(f'<span class="id">{name}</span>' in html for name in NAMES)
    assert not re.search(r"000?1-01-01|9999|\b0001\b", html)


def test_a_row_counts_undated_games_last_in_natural_order(client: Client, season: Season) -> None:
    player = Player.objects.get(club=season.club, handle="anna").public_id
    page = reverse("standing", args=[season.club.slug, season.slug, player])
    names = re.findall(
        r"<a class=\"row-link\"[^>]*>\s*([\w-]+)\s*</a>", client.get(page).content.decode()
    )
    assert names == LAST[::-1]


def test_a_season_without_dates_has_no_last_day(client: Client) -> None:
    season = counted_season(UNTIMED)
    assert season.ranking.last_day is None
    html = client.get(address(season, "season")).content.decode()
    assert 'class="chg' not in html
    assert not re.search(r"\b0001\b|9999", html)


def test_a_player_is_found_by_id_handle_former_handle_or_the_beginning_of_a_name(
    client: Client, season: Season
) -> None:
    def games(asked: str) -> int:
        return (
            client.get(address(season), {"player": asked}).content.decode().count('row-link seats"')
        )

    rename(season, "elif", "Élif Demir")
    elif_ = Player.objects.get(club=season.club, handle="elif")
    player_rename(player=elif_, actor=Actor(), handle="demir")
    assert (
        games("elif")
        == games("demir")
        == games("DEMIR")
        == games(elif_.public_id)
        == games("éli")
        > 0
    )
    assert games("nobody") == games("%") == games("\x00") == 0


def test_several_who_may_be_meant_can_be_chosen(client: Client, season: Season) -> None:
    rename(season, "ben", "Anton")
    html = client.get(address(season) + "?player=an").content.decode()
    assert "Which player?" in html
    for handle in ("anna", "ben"):
        public_id = Player.objects.get(club=season.club, handle=handle).public_id
        assert f'href="?player={public_id}"' in html
    assert 'row-link seats"' not in html


def test_suggestions_are_the_players_of_the_ranking(client: Client, season: Season) -> None:
    counted_season([bluff_record(50, seats=["anton", "bert"])], club=season.club)
    html = client.get(address(season, "season-players") + "?player=an").content.decode()
    assert re.findall(r'<option value="(\w+)">(\w+)</option>', html) == [("anna", "anna")]
    assert "<option" not in client.get(address(season, "season-players")).content.decode()


def test_the_page_of_games_holds_no_list_of_players(client: Client, season: Season) -> None:
    html = client.get(address(season)).content.decode()
    assert html.count("<option") == 3, "every event and none"
    assert f'hx-get="{address(season, "season-players")}"' in html


def plan_of(statement: str) -> str:
    """How the database would find rows by indexes alone, as it does in a large league."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL "
            "enable_sort = off"
        )
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(row[0] for row in cursor.fetchall())


def test_the_events_of_a_ranking_come_in_order_by_one_look_at_an_index_for_each(
    season: Season,
) -> None:
    add_games(season, [bluff_record(40, event="aperitif", played_at="2026-01-01T20:00:00Z")])
    with CaptureQueriesContext(connection) as captured:
        assert list(events_of(season.ranking)) == ["aperitif", "night-0", "night-1"]
    plan = plan_of(captured[0]["sql"])
    assert plan.count("Limit") == plan.count("using order_of_play_at_event") == 2
    assert "Aggregate" not in plan


def test_the_games_of_an_event_are_found_by_the_index_of_events(season: Season) -> None:
    with CaptureQueriesContext(connection) as captured:
        page = game_page([season.ranking_id], 2, only=at_event("night-0"))
    assert [game.external_id for game in page.games] == ["game-6", "game-4"]
    assert "using order_of_play_at_event" in plan_of(captured[0]["sql"])


@pytest.mark.parametrize("turn", ["before", "after"])
def test_a_page_begins_at_its_place_in_the_index(season: Season, turn: str) -> None:
    middle = game_page([season.ranking_id], 100).games[7].place
    with CaptureQueriesContext(connection) as captured:
        if turn == "before":
            game_page([season.ranking_id], 2, before=middle)
        else:
            game_page([season.ranking_id], 2, after=middle)
    sign = "<" if turn == "before" else ">"
    assert re.search(
        rf"Index Cond: .*ROW\(played_at, [^ ]*natural_id[^ ]* {sign} ROW\(",
        plan_of(captured[0]["sql"]),
    )


def test_an_event_is_called_by_its_name_and_never_by_its_slug(
    client: Client, season: Season
) -> None:
    named: dict[str, Any] = {
        "slug": "night-1",
        "name": "Second evening",
        "starts_at": timezone.now(),
    }
    event_create(club=season.club, season=season, actor=Actor(), **named)
    game = Game.objects.filter(event="night-1")[0]
    season_page = reverse("season-games", args=[season.club.slug, season.slug])
    for page in (season_page, reverse("game", args=[game.public_id])):
        html = re.sub(r"<pre.*?</pre>", "", client.get(page).content.decode(), flags=re.DOTALL)
        words = re.sub(r"<[^>]*>", " ", html)  # the record itself tells the event by its slug
        assert "Second evening" in words
        assert "night-1" not in words
    assert "night-0" in client.get(season_page).content.decode(), (
        "of the record alone: the club has no such event"
    )
