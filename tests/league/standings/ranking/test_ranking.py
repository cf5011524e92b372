"""A ranking's page, its table as CSV and its games: what they show, to whom, and at what cost."""

import csv
import re
from collections.abc import Callable
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from games.models.game import Kind
from league.core.log.services import Actor
from league.core.member.services.member import member_add
from league.core.player.services.player import player_rename
from league.models import Membership, Player, Ranking, Role, Scoring, Season, Standing, Visibility
from league.standings.season.services.season import season_change
from league.standings.standing.queries.standing import TableRow, table_rows
from tests.factories.counted import add_games, counted_season, crowd, rename, three_tables
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db

PAGES = ["season", "season-table", "season-print", "season-games", "season-heads"]
SIZE_28 = 60_000
KNIFFEL = {"kind": Kind.LUEGEN_KNIFFEL, "scoring": Scoring.TOTALS}


def address(season: Season, page: str = "season") -> str:
    return reverse(page, args=[season.club.slug, season.slug])


def shown(client: Client, season: Season, query: str = "") -> str:
    return client.get(address(season) + query).content.decode()


def csv_rows(client: Client, season: Season) -> list[dict[str, str]]:
    return list(
        csv.DictReader(StringIO(client.get(address(season, "season-table")).getvalue().decode()))
    )


def latest(client: Client, season: Season) -> str:
    """The part of the page that shows the latest games."""
    return shown(client, season).split('class="card flush rows two"')[1].split("</section>")[0]


def names(html: str) -> list[str]:
    return re.findall(r'class="row-link" href="players/\w+/">([^<]+)<', html)


def set_key(season: Season, row: TableRow, *key: int) -> None:
    """Give a row another tally under the tie-breaks: points, wins, best game."""
    Standing.objects.filter(ranking=season.ranking_id, player__public_id=row.player).update(
        key=list(key)
    )


def test_the_table_shows_every_figure_and_where_it_comes_from(client: Client) -> None:
    season = counted_season(6)
    html = shown(client, season)
    leader = table_rows(season.ranking)[0]
    assert names(html)[0] == leader.name
    row = next(
        row for row in html.split("</tr>") if f'row-link" href="players/{leader.player}/"' in row
    )
    made_of = f"players/{leader.player}/"
    for figure, link in {
        leader.games: made_of,
        leader.wins: f"{made_of}?only=wins",
        leader.points: made_of,
        leader.best: f"{made_of}?only=best",
    }.items():
        assert f'<a href="{link}">{figure}</a>' in row
    assert f"{leader.points / leader.games:.2f}" in row
    assert f"{leader.rank_sum / leader.games:.2f}" in row
    assert "±" in row
    assert "still settling" in row


@pytest.mark.parametrize("count", [1, 3])
def test_a_few_queries_whatever_the_number_of_games(
    client: Client, count: int, django_assert_num_queries: Queries
) -> None:
    season = counted_season(count)
    shown(client, season)  # keeps the next events and the latest games for a moment
    with django_assert_num_queries(2):
        shown(client, season)
    with django_assert_num_queries(2):
        client.get(address(season, "season-table"))
    with django_assert_num_queries(2):
        client.get(address(season, "season-print"))
    with django_assert_num_queries(3):
        client.get(address(season, "season-games"))
    with django_assert_num_queries(4):
        client.get(address(season, "season-games") + "?player=anna")
    with django_assert_num_queries(2):
        client.get(address(season, "season-players") + "?player=a")
    with django_assert_num_queries(2):
        client.get(address(season, "season-heads")).getvalue()


def test_the_latest_games_are_those_of_now(client: Client) -> None:
    season = counted_season(2)
    shown(client, season)
    player_rename(actor=Actor(), player=Player.objects.get(handle="anna"), name="Annabel")
    assert "Annabel" in latest(client, season)
    assert latest(client, season).count("<li") == 2
    add_games(season, three_tables(1, first=3))
    assert latest(client, season).count("<li") == 3


def test_twenty_eight_players_take_less_than_60_kb(
    client: Client, django_assert_num_queries: Queries
) -> None:
    season = counted_season(crowd(28))
    shown(client, season)  # keeps the next events and the latest games for a moment
    with django_assert_num_queries(2):
        response = client.get(address(season))
    assert len(names(response.content.decode())) == 28
    assert len(response.content) <= SIZE_28


def test_an_unchanged_page_is_304_after_one_query(
    client: Client, django_assert_num_queries: Queries
) -> None:
    season = counted_season(2)
    for page in PAGES:
        first = client.get(address(season, page))
        assert first["Cache-Control"] == "public, no-cache"
        assert {"Cookie", "Accept-Language"} <= set(re.split(r", ?", first["Vary"]))
        client.get(address(season, page))
        with django_assert_num_queries(1):
            again = client.get(address(season, page), headers={"if-none-match": first["ETag"]})
        assert again.status_code == 304
        assert again.content == b""
        assert again["ETag"] == first["ETag"]


def test_whatever_the_page_depends_on_makes_another_etag(client: Client) -> None:
    season, user = counted_season(2), UserFactory.create()
    tags = [client.get(address(season))["ETag"]]
    tags.append(client.get(address(season), headers={"accept-language": "de"})["ETag"])
    tags.append(client.get(address(season) + "?q=anna")["ETag"])
    add_games(season, three_tables(1, first=7))
    tags.append(client.get(address(season))["ETag"])
    season_change(season=season, actor=Actor(), name="Another")
    tags.append(client.get(address(season))["ETag"])
    player_rename(player=Player.objects.get(handle="anna"), actor=Actor(), name="Another")
    tags.append(client.get(address(season))["ETag"])
    client.force_login(user)
    tags.append(client.get(address(season))["ETag"])
    member_add(club=season.club, user=user, role=Role.ORGANISER, actor=Actor())
    tags.append(client.get(address(season))["ETag"])
    assert len(set(tags)) == len(tags)
    stale = client.get(address(season), headers={"if-none-match": tags[0]})
    assert stale.status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_a_public_season_is_everybodys(client: Client, page: str) -> None:
    assert client.get(address(counted_season(1), page)).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_a_season_of_members_is_404_for_others(client: Client, page: str) -> None:
    season = counted_season(1, visibility=Visibility.MEMBERS)
    assert client.get(address(season, page)).status_code == 404
    client.force_login(UserFactory.create())
    assert client.get(address(season, page)).status_code == 404
    member: Membership = MembershipFactory.create(club=season.club)
    client.force_login(member.user)
    assert client.get(address(season, page)).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_a_season_by_link_opens_with_its_key_which_is_remembered(client: Client, page: str) -> None:
    season = counted_season(1, visibility=Visibility.LINK)
    assert client.get(address(season, page)).status_code == 404
    assert client.get(address(season, page) + "?key=wrong").status_code == 404
    assert client.get(f"{address(season, page)}?key={season.link_token}").status_code == 200
    assert client.get(address(season, page)).status_code == 200
    assert Client().get(address(season, page)).status_code == 404


def test_the_key_of_a_members_season_opens_nothing(client: Client) -> None:
    season = counted_season(1, visibility=Visibility.MEMBERS)
    assert client.get(f"{address(season)}?key={season.link_token}").status_code == 404


def test_markup_in_names_is_shown_and_emoji_are_kept(client: Client) -> None:
    season = counted_season(2)
    rename(season, "anna", "<script>alert(1)</script> 🎲")
    for page in ("season", "season-games"):
        html = client.get(address(season, page)).getvalue().decode()
        assert "&lt;script&gt;alert(1)&lt;/script&gt; 🎲" in html
        assert "<script>alert" not in html


def test_search_finds_parts_of_names_and_handles(client: Client) -> None:
    season = counted_season(3)
    rename(season, "ben", "Benedikt Groß")
    assert names(shown(client, season, "?q=GROSS+bene")) == ["Benedikt Groß"]
    assert names(shown(client, season, "?q=elif")) == ["elif"]
    nobody = shown(client, season, "?q=%3Cb%3Enobody")
    assert names(nobody) == []
    assert "&lt;b&gt;nobody" in nobody


@pytest.mark.parametrize(
    ("sort", "figure"),
    [
        ("games", lambda row: row.games),
        ("wins", lambda row: row.wins),
        ("points", lambda row: row.points),
        ("per_game", lambda row: row.points / row.games),
        ("average_rank", lambda row: row.rank_sum / row.games),
        ("best", lambda row: row.best),
        ("rank", lambda row: row.rank),
        ("rating", lambda row: row.mu),
    ],
)
def test_every_column_sorts_both_ways(
    client: Client, sort: str, figure: Callable[[TableRow], float]
) -> None:
    season = counted_season(6)
    rows = {row.name: figure(row) for row in table_rows(season.ranking)}
    up = [rows[name] for name in names(shown(client, season, f"?sort={sort}"))]
    down = [rows[name] for name in names(shown(client, season, f"?sort=-{sort}"))]
    assert up == sorted(rows.values())
    assert down == sorted(rows.values(), reverse=True)


def test_an_unknown_sort_is_the_rank(client: Client) -> None:
    season = counted_season(3)
    assert names(shown(client, season, "?sort=secret")) == names(shown(client, season))


def test_a_row_names_the_tie_break_that_decided(client: Client) -> None:
    season = counted_season(3)
    first, second, *_ = table_rows(season.ranking)
    set_key(season, first, 100, 2, 0)
    set_key(season, second, 100, 1, 50)
    assert shown(client, season).count("on wins") == 1


def test_the_arrow_compares_with_the_last_day_of_play(client: Client) -> None:
    season = counted_season(3)
    assert 'class="chg' not in shown(client, season)
    add_games(season, three_tables(1, first=9))
    leader = table_rows(season.ranking)[0]
    rows = Standing.objects.filter(ranking=season.ranking_id)
    rows.filter(player__public_id=leader.player).update(
        day=season.ranking.last_day, key_before=[0, 0, 0]
    )
    assert 'aria-label="up 4 places"' in shown(client, season)


def test_more_equal_players_than_the_podium_holds_stand_beside_it(client: Client) -> None:
    season = counted_season(3)
    assert 'class="step-3"' in shown(client, season)
    for row in table_rows(season.ranking)[2:]:
        set_key(season, row, 0, 0, 0)
    Ranking.objects.filter(pk=season.ranking_id).update(version=F("version") + 1)
    html = shown(client, season)
    assert 'class="step-2"' in html
    assert 'class="step-3"' not in html


def test_a_season_without_ratings_shows_none(client: Client) -> None:
    season = counted_season(2, rated=False)
    html = shown(client, season)
    assert "±" not in html.split('id="how"')[0]
    assert "Plackett" not in html
    assert {row["rating"] for row in csv_rows(client, season)} == {""}


def test_an_empty_season_says_what_will_be_here(client: Client) -> None:
    season: Season = SeasonFactory.create()
    for page in ("season", "season-games"):
        html = client.get(address(season, page)).content.decode()
        assert "No games yet" in html
        assert "<table" not in html
    assert client.get(address(season, "season-table")).getvalue().decode().count("\n") == 1


def test_organisers_find_the_import(client: Client) -> None:
    season: Season = SeasonFactory.create()
    assert "Import games" not in shown(client, season)
    organiser: Membership = MembershipFactory.create(club=season.club)
    client.force_login(organiser.user)
    assert "Import games" in shown(client, season)


def test_times_are_the_clubs_with_the_zone_named(client: Client) -> None:
    club = ClubFactory.create(timezone="Pacific/Auckland")
    html = shown(
        client, counted_season([bluff_record(0, played_at="2026-09-03T19:00:00+02:00")], club=club)
    )
    assert "(Pacific/Auckland)" in html
    assert 'datetime="2026-09-04T05:00:00+12:00"' in html


def test_the_page_listens_to_its_ranking(client: Client) -> None:
    season = counted_season(1)
    assert re.search(
        (
            rf'data-live-url="/live/rankings/[^"]+\?since={season.ranking.version}" '
            r'data-live-target="live"'
        ),
        shown(client, season),
    )


def test_the_part_that_follows_results_holds_nothing_else(client: Client) -> None:
    season = counted_season(6)
    part = client.get(
        address(season), headers={"hx-request": "true", "hx-target": "live"}
    ).content.decode()
    how = "How this table is made"
    assert how in shown(client, season)
    assert how not in part
    assert 'data-live-target="live"' in shown(client, season)
    assert all("players/" in row.split("</a>")[0] for row in part.split("<tr data-key")[1:]), (
        "their keys"
    )


def test_of_an_empty_season_the_whole_page_follows(client: Client) -> None:
    assert 'data-live-target="main"' in shown(client, SeasonFactory.create())


def test_the_csv_holds_the_table_and_no_formulas(client: Client) -> None:
    season = counted_season(3)
    rename(season, "anna", "=1+1")
    rename(season, "ben", "Ben, “der Becher”")
    rename(season, "cleo", " @cmd")
    assert client.get(address(season, "season-table"))["Content-Type"] == "text/csv; charset=utf-8"
    rows = {row["handle"]: row for row in csv_rows(client, season)}
    assert [rows[handle]["name"] for handle in ("anna", "ben", "cleo")] == [
        "'=1+1",
        "Ben, “der Becher”",
        "' @cmd",
    ]
    for row in table_rows(season.ranking):
        written = rows[row.handle]
        figures = [written[column] for column in ("rank", "games", "wins", "points", "best_game")]
        assert figures == [
            str(figure) for figure in (row.rank, row.games, row.wins, row.points, row.best)
        ]
        assert (
            float(written["rating_low"]) < float(written["rating"]) < float(written["rating_high"])
        )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"rules": {"exact": "all"}}, "An exact hit costs every player but the bidder one die."),
        (
            {"rules": {"exact": "challenger"}},
            "An exact hit costs the challenger one die, nobody else.",
        ),
        (
            {"rules": {"exact": "protected"}},
            "players who are neither bidder nor challenger keep their last one",
        ),
        (
            {"rules": {"exact": "giveaway"}},
            "After an exact hit the challenger gives one die to the bidder.",
        ),
        ({"rules": {"reroll": True}}, "When bidding, you may lay out dice and reroll the others."),
        ({"rules": {"reroll": False}}, "No laying out, no rerolling."),
        ({"rules": {"dice": 5}}, "5 dice for each player."),
        (
            {**KNIFFEL, "rules": {"truth": "at_least"}},
            "at least its points",
        ),
        ({**KNIFFEL, "rules": {"allow_zero": False}}, "Zero points can’t"),
    ],
)
def test_the_rules_are_told_in_words(client: Client, fields: dict[str, Any], sentence: str) -> None:
    assert sentence in shown(client, SeasonFactory.create(**fields))


def test_games_are_filtered_by_player_and_event(client: Client) -> None:
    season = counted_season(12)
    elif_ = Player.objects.get(handle="elif")

    def games(query: str) -> int:
        return (
            client.get(address(season, "season-games") + query)
            .content.decode()
            .count('row-link seats"')
        )

    assert games("") == 12
    assert games("?event=night-2") == 5
    assert games(f"?player={elif_.public_id}") == 4
    assert games(f"?player={elif_.public_id}&event=night-1") == 1
    for nothing in (
        "?event=nowhere",
        "?player=0",
        "?player=%00",
        "?event=%00",
        f"?player={elif_.pk}",
    ):
        assert games(nothing) == 0


def test_games_come_in_pages_and_the_filter_stays(client: Client) -> None:
    season = counted_season(26)
    first = client.get(address(season, "season-games") + "?event=").content.decode()
    (older,) = re.findall(r'href="(\?[^"]*)" rel="next"', first)
    second = client.get(address(season, "season-games") + unescape(older)).content.decode()
    assert (first.count('row-link seats"'), second.count('row-link seats"')) == (25, 1)
    assert client.get(address(season, "season-games") + "?before=nonsense").status_code == 200


def test_german_numbers_and_dates(client: Client) -> None:
    season = counted_season(2)
    html = client.get(address(season), headers={"accept-language": "de"}).content.decode()
    assert '<html lang="de"' in html
    assert "1. September 2026" in html
    assert re.search(r">\d+,\d\d</a>", html)
