"""A table in pages: nothing of a row depends on the page that it stands on."""

import re
from itertools import chain
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.models import Player, Season, Standing
from league.standings.standing.queries.standing import TableRow, table_part, table_rows
from tests.factories.counted import counted_season, crowd, rename
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db


ROWS = 4


@pytest.fixture(autouse=True)
def four_rows_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.standings.ranking.web.ranking.ROWS_PER_PAGE", ROWS)


@pytest.fixture
def season() -> Season:
    """Twelve players: three pages."""
    return counted_season(crowd(12))


def shown(client: Client, season: Season, query: str = "") -> str:
    return client.get(
        reverse("season", args=[season.club.slug, season.slug]) + query
    ).content.decode()


def names(html: str) -> list[str]:
    return re.findall(r'class="row-link" href="(?:\.\./)?players/\w+/">([^<]+)<', html)


def row_of(html: str, row: TableRow) -> str:
    return next(
        text for text in html.split("</tr>") if f'players/{row.player}/">{row.name}<' in text
    )


def set_row(season: Season, row: TableRow, **fields: Any) -> None:
    Standing.objects.filter(ranking=season.ranking_id, player__public_id=row.player).update(
        **fields
    )


def test_the_pages_together_are_the_table(client: Client, season: Season) -> None:
    pages = [names(shown(client, season, query)) for query in ("", "?page=2", "?page=3")]
    assert [len(page) for page in pages] == [ROWS] * 3
    assert list(chain(*pages)) == [row.name for row in table_rows(season.ranking)]


def test_ranks_and_tie_breaks_hold_across_two_borders(client: Client, season: Season) -> None:
    rows = table_rows(season.ranking)
    for place, row in enumerate(rows, start=1):
        set_row(season, row, key=[1000 - 10 * place, 5, 5])
    set_row(season, rows[4], key=[1000 - 10 * 4, 5, 5])  # level with the last row of the first page
    set_row(
        season, rows[8], key=[1000 - 10 * 8, 4, 5]
    )  # only its wins put it behind the last row of the second
    second, third = shown(client, season, "?page=2"), shown(client, season, "?page=3")
    first_row, *_ = table_part(season.ranking, first=ROWS, count=ROWS).rows
    assert (first_row.rank, first_row.place) == (4, 5)
    assert "<b>4</b>" in row_of(second, first_row)
    assert "by " not in re.sub("<[^>]+>", "", row_of(second, first_row))
    assert "<b>9</b>" in row_of(third, rows[8])
    assert "on wins" in row_of(third, rows[8])


def test_arrows_hold_across_two_borders(client: Client, season: Season) -> None:
    rows = table_rows(season.ranking)
    for place, row in enumerate(rows, start=1):
        set_row(season, row, key=[1000 - 10 * place, 0, 0], day=None)
    last_day = season.ranking.last_day
    set_row(season, rows[4], day=last_day, key_before=[1, 0, 0])  # came from the last place
    set_row(season, rows[8], day=last_day, key_before=[2000, 0, 0])  # came from the first one
    set_row(season, rows[11], day=last_day, key_before=None)  # wasn't there
    second, third = shown(client, season, "?page=2"), shown(client, season, "?page=3")
    assert "up 6 places" in row_of(second, rows[4])
    assert "down 8 places" in row_of(third, rows[8])
    assert "new" in row_of(third, rows[11])
    assert "unchanged" in row_of(second, rows[6])


@pytest.mark.parametrize("sort", ["rating", "-rating", "name", "-points", "average_rank"])
def test_a_sorted_table_goes_on_on_the_next_page(client: Client, season: Season, sort: str) -> None:
    whole = [row.name for row in table_part(season.ranking, sort=sort).rows]
    pages = [names(shown(client, season, f"?sort={sort}&page={page}")) for page in (1, 2, 3)]
    assert list(chain(*pages)) == whole


def test_the_search_finds_players_of_all_pages(client: Client, season: Season) -> None:
    last = table_rows(season.ranking)[-1]
    rename(season, last.handle, "Zoë 50%_")
    assert names(shown(client, season, "?q=ZOË")) == ["Zoë 50%_"]
    assert names(shown(client, season, "?q=0%25_")) == ["Zoë 50%_"]
    assert names(shown(client, season, "?q=%25%25")) == []
    assert names(shown(client, season, "?q=%00zo")) == ["Zoë 50%_"]
    found = shown(client, season, "?q=player-&page=2")
    assert len(names(found)) == ROWS
    assert "Page 2 of 3" in found
    assert names(shown(client, season, "?q=player-1&page=9")) == names(
        shown(client, season, "?q=player-1")
    )


def test_numbers_that_no_page_has(client: Client, season: Season) -> None:
    first, last = names(shown(client, season)), names(shown(client, season, "?page=3"))
    for number in ("", "0", "-1", "x", "²", "1" * 30):
        assert names(shown(client, season, f"?page={number}")) == first
    for number in ("4", "999999"):
        assert names(shown(client, season, f"?page={number}")) == last


def test_the_podium_stands_above_the_first_page_alone(client: Client, season: Season) -> None:
    assert 'class="podium"' in shown(client, season)
    assert 'class="podium"' in shown(client, season, "?sort=name")
    assert 'class="podium"' not in shown(client, season, "?page=2")
    assert 'class="podium"' not in shown(client, season, "?q=player")


def test_who_is_signed_in_finds_the_own_place(client: Client, season: Season) -> None:
    rows = table_rows(season.ranking)
    user = UserFactory.create()
    Player.objects.filter(public_id=rows[9].player).update(user=user)
    assert "Your place" not in shown(client, season)
    client.force_login(user)
    first = shown(client, season)
    assert names(first) == [row.name for row in (*rows[8:11], *rows[:4])]
    assert 'href="?page=3#own"' in first
    assert 'class="mine" id="own"' in row_of(first, rows[9])
    own_page = shown(client, season, "?page=3")
    assert names(own_page) == [row.name for row in rows[8:]]
    assert 'class="mine" id="own"' in row_of(own_page, rows[9])
    assert "Your place" not in own_page
    assert "Your place" not in shown(client, season, "?q=player")


def test_neighbours_on_the_page_are_not_told_twice(client: Client, season: Season) -> None:
    rows = table_rows(season.ranking)
    user = UserFactory.create()
    Player.objects.filter(public_id=rows[4].player).update(user=user)
    client.force_login(user)
    assert names(shown(client, season)) == [row.name for row in (*rows[4:6], *rows[:4])]


@pytest.mark.parametrize("query", ["", "?page=2", "?sort=-rating&page=3", "?q=player"])
def test_three_queries_at_most_on_every_page(
    client: Client, season: Season, query: str, django_assert_max_num_queries: Queries
) -> None:
    shown(client, season)  # keeps the next events and the latest games for a moment
    with django_assert_max_num_queries(3):
        shown(client, season, query)


def test_every_page_listens_to_its_ranking(client: Client, season: Season) -> None:
    assert 'data-live-target="live"' in shown(client, season, "?page=2")


def test_a_search_on_the_page_alone_would_miss_the_others(client: Client, season: Season) -> None:
    assert "data-filter" not in shown(client, season)
    assert "data-filter" in shown(client, counted_season(1))


def test_print_and_csv_are_whole(client: Client, season: Season) -> None:
    rows = table_rows(season.ranking)
    printed = client.get(reverse("season-print", args=[season.club.slug, season.slug]))
    assert names(printed.getvalue().decode()) == [row.name for row in rows]
    table = (
        client.get(reverse("season-table", args=[season.club.slug, season.slug]))
        .getvalue()
        .decode()
    )
    assert [line.split(",")[2] for line in table.splitlines()[1:]] == [row.handle for row in rows]


def test_links_of_the_printed_table_lead_to_the_rows(client: Client, season: Season) -> None:
    address = reverse("season-print", args=[season.club.slug, season.slug])
    html = client.get(address).getvalue().decode()
    link = re.search(r'class="row-link" href="([^"]+)"', html)
    assert link
    assert client.get(urljoin(address, link[1])).status_code == 200


def test_the_printed_table_speaks_the_readers_language(client: Client, season: Season) -> None:
    address = reverse("season-print", args=[season.club.slug, season.slug])
    html = client.get(address, headers={"accept-language": "de"}).getvalue().decode()
    assert 'data-label="Siege"' in html
